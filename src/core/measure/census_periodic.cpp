// The census of a periodic maze. The scan by rows does not apply, as the maze is not planar: a loop
// that winds around the cylinder or torus encloses no island.
//
// The disjoint sets of cells store, from each cell to its parent, which borders the path crosses,
// modulo 2. A passage within a set closes a loop, and the two paths between its ends tell how the
// loop winds. Cutting the surface along the loops leaves one face, and one more for each loop
// except for `rank` independent winding ones: homology with coefficients in Z / 2. Every face holds
// the walls of one component.
//
//   Example: on a cylinder, one corridor around it is a loop (rank 1) without an island; the
//   walls between it and a second such corridor are one.
//
// Threads join the cells of bands of rows; then the last row of each band is joined to the next
// one. Which loop is found depends on that, their number and what they generate do not.
//
// Time: nearly constant per cell. Scratch: 5 bytes per cell below 2^32 cells, else 9.
#include <limits>

#include "../disjoint_set.hpp"
#include "../gathered.hpp"
#include "components.hpp"

namespace meiro {
namespace {

// What was counted while sets were joined.
struct Joins {
    Index joins = 0, loops = 0;
    Index cells = 0, parts_joined = 0;  // of the mask
    Index bare_posts = 0;
    unsigned winding = 1;  // bit k: a loop crosses the borders k an odd number of times

    void merge(const Joins& other) {
        joins += other.joins;
        loops += other.loops;
        cells += other.cells;
        parts_joined += other.parts_joined;
        bare_posts += other.bare_posts;
        winding |= other.winding;
    }
    Index rank() const {
        const unsigned ways = (winding >> 1 & 1) + (winding >> 2 & 1) + (winding >> 3 & 1);
        return ways < 2 ? ways : 2;
    }
};

template <class Id>
class Windings {
public:
    explicit Windings(Index size) : parent_(size), crossed_(size) {}

    // Makes each cell of [begin, end) a set of its own.
    void reset(Index begin, Index end, Control& control) {
        by_pieces(end - begin, control, [&](Index first, Index last) {
            for (Index i = begin + first; i < begin + last; ++i) {
                parent_[i] = static_cast<Id>(i);
                crossed_[i] = 0;
            }
        });
    }

    // Joins the sets of two cells; the step between them crosses the borders of the bits `over`. If
    // they already are in one set, the step closes a loop.
    void join(Index a, Index b, unsigned over, Joins& found) {
        unsigned winds = over;
        const Id one = root(static_cast<Id>(a), winds), other = root(static_cast<Id>(b), winds);
        if (one == other) {
            ++found.loops;
            found.winding |= 1u << winds;
            return;
        }
        ++found.joins;
        const Id high = one < other ? other : one;
        parent_[high] = one < other ? one : other;
        crossed_[high] = static_cast<std::uint8_t>(winds);
    }

private:
    Id root(Id cell, unsigned& crossed) {
        while (parent_[cell] != cell) {
            const Id up = parent_[cell];
            crossed_[cell] ^= crossed_[up];
            parent_[cell] = parent_[up];
            crossed ^= crossed_[cell];
            cell = parent_[cell];
        }
        return cell;
    }

    Buffer<Id> parent_;
    Buffer<std::uint8_t> crossed_;
};

// body(cell, its neighbours to the east and south, bits of the borders crossed on the way to each),
// for the cells of rows [begin, end).
template <class Body>
void each_cell(Shape shape, Index begin, Index end, Control& control, Body body) {
    const auto [rows, cols] = shape;
    for (Index r = begin; r < end; ++r) {
        const bool bottom = r + 1 == rows;
        for (Index c = 0; c < cols; ++c) {
            if (c % Control::stride == 0)
                control.poll(4 * (cols < Control::stride ? cols : Control::stride));
            const bool right = c + 1 == cols;
            const Index at = r * cols + c;
            body(at, right ? at + 1 - cols : at + 1, bottom ? c : at + cols, right ? 1u : 0u,
                 bottom ? 2u : 0u);
        }
    }
}

// Sets of cells, joined in bands of rows: the parents of cells lie in their band until join_south()
// joins the last row of each band, also across the border.
template <class Id>
struct Scan {
    const std::uint8_t* passages;
    Shape shape;
    Wrap wrap;
    Mask mask;
    DisjointSet<Id> parts;
    Windings<Id> sets;

    void join_part(Index at, Index other, bool inside, Joins& found) {
        if (inside && mask[at] != 0 && mask[other] != 0)
            found.parts_joined += parts.join(static_cast<Id>(at), static_cast<Id>(other)) ? 1 : 0;
    }
    void join_south(Index at, Index south, unsigned over, Joins& found) {
        if ((passages[at] & bits::south) != 0) sets.join(at, south, over, found);
        if (mask != nullptr) join_part(at, south, over == 0 || wrap.rows, found);
    }

    void band(Index begin, Index end, Joins& found, Control& control) {
        const Index first = begin * shape.cols, last = end * shape.cols;
        sets.reset(first, last, control);
        if (mask != nullptr)
            by_pieces(last - first, control,
                      [&](Index a, Index b) { parts.reset(first + a, first + b); });
        each_cell(shape, begin, end, control,
                  [&](Index at, Index east, Index south, unsigned a, unsigned b) {
                      const unsigned open = passages[at];
                      if ((open & bits::east) != 0) sets.join(at, east, a, found);
                      if (south < last && south > at) join_south(at, south, b, found);
                      // The post to the southeast, between four cells: is it encircled by their
                      // passages?
                      const bool around = (open & bits::east) != 0 && (open & bits::south) != 0 &&
                                          (passages[east] & bits::south) != 0 &&
                                          (passages[south] & bits::east) != 0;
                      found.bare_posts += around ? 1 : 0;
                      if (mask == nullptr) return;
                      found.cells += mask[at] != 0 ? 1 : 0;
                      join_part(at, east, a == 0 || wrap.cols, found);
                  });
    }
};

template <class Id>
Census scan(const std::uint8_t* passages, Shape shape, Wrap wrap, Mask mask, Control& control,
            int threads) {
    const Index size = shape.size();
    const RowBands bands(shape.rows, threads);
    Scan<Id> scan{passages,          shape, wrap, mask, DisjointSet<Id>(mask != nullptr ? size : 0),
                  Windings<Id>(size)};
    auto found = gathered<Joins>(control, threads, bands.count,
                                 [&](Index band, Joins& own, Control& worker) {
                                     scan.band(bands.begin(band), bands.end(band), own, worker);
                                 });
    for (Index band = 0; band < bands.count; ++band)
        each_cell(shape, bands.end(band) - 1, bands.end(band), control,
                  [&](Index at, Index, Index south, unsigned, unsigned b) {
                      scan.join_south(at, south, b, found);
                  });
    const Index cells = mask != nullptr ? found.cells : size;
    Census census;
    census.parts = mask != nullptr ? cells - found.parts_joined : 1;
    census.regions = cells - found.joins;
    census.loops = found.loops;
    census.islands = found.loops - found.rank();
    census.bare_posts = found.bare_posts;
    return census;
}

}  // namespace

Census census_of_periodic(const std::uint8_t* passages, Shape shape, Wrap wrap, Mask mask,
                          Control& control, int threads) {
    return shape.size() <= Index{std::numeric_limits<std::uint32_t>::max()}
               ? scan<std::uint32_t>(passages, shape, wrap, mask, control, threads)
               : scan<std::uint64_t>(passages, shape, wrap, mask, control, threads);
}

}  // namespace meiro
