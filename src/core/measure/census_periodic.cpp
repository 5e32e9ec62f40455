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
// Time: nearly constant per cell. Scratch: 5 bytes per cell below 2^32 cells, else 9.
#include <limits>

#include "../buffer.hpp"
#include "../disjoint_set.hpp"
#include "components.hpp"

namespace meiro {
namespace {

template <class Id>
class Windings {
public:
    Windings(Index size, Control& control) : parent_(size), crossed_(size) {
        by_pieces(size, control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) {
                parent_[i] = static_cast<Id>(i);
                crossed_[i] = 0;
            }
        });
    }

    // Joins the sets of two cells; the step between them crosses the borders of the bits `over`. If
    // they already are in one set, the step closes a loop.
    void join(Index a, Index b, unsigned over) {
        unsigned winds = over;
        const Id one = root(static_cast<Id>(a), winds), other = root(static_cast<Id>(b), winds);
        if (one == other) {
            ++loops_;
            winding_ |= 1u << winds;
            return;
        }
        ++joins_;
        const Id high = one < other ? other : one;
        parent_[high] = one < other ? one : other;
        crossed_[high] = static_cast<std::uint8_t>(winds);
    }

    Index joins() const { return joins_; }
    Index loops() const { return loops_; }
    Index rank() const {
        const unsigned ways = (winding_ >> 1 & 1) + (winding_ >> 2 & 1) + (winding_ >> 3 & 1);
        return ways < 2 ? ways : 2;
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
    Index joins_ = 0, loops_ = 0;
    unsigned winding_ = 1;  // bit k: a loop crosses the borders k an odd number of times
};

// body(cell, its neighbours to the east and south, bits of the borders crossed on the way to each).
template <class Body>
void each_cell(Shape shape, Control& control, Body body) {
    const auto [rows, cols] = shape;
    for (Index r = 0; r < rows; ++r) {
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

template <class Id>
Census scan(const std::uint8_t* passages, Shape shape, Wrap wrap, Mask mask, Control& control) {
    Census census;
    Index cells = shape.size();
    if (mask != nullptr) {
        DisjointSet<Id> sets(shape.size());
        sets.reset(shape.size(), control);
        census.parts = 0;
        cells = 0;
        each_cell(shape, control, [&](Index at, Index east, Index south, unsigned a, unsigned b) {
            if (mask[at] == 0) return;
            ++cells;
            ++census.parts;
            const auto merge = [&](Index other, bool inside) {
                if (inside && mask[other] != 0)
                    census.parts -= sets.join(static_cast<Id>(at), static_cast<Id>(other)) ? 1 : 0;
            };
            merge(east, a == 0 || wrap.cols);
            merge(south, b == 0 || wrap.rows);
        });
    } else {
        census.parts = 1;
    }
    Windings<Id> sets(shape.size(), control);
    each_cell(shape, control, [&](Index at, Index east, Index south, unsigned a, unsigned b) {
        const unsigned open = passages[at];
        if ((open & bits::east) != 0) sets.join(at, east, a);
        if ((open & bits::south) != 0) sets.join(at, south, b);
        // The post to the southeast, between four cells: is it encircled by their passages?
        const bool around = (open & bits::east) != 0 && (open & bits::south) != 0 &&
                            (passages[east] & bits::south) != 0 &&
                            (passages[south] & bits::east) != 0;
        census.bare_posts += around ? 1 : 0;
    });
    census.regions = cells - sets.joins();
    census.loops = sets.loops();
    census.islands = sets.loops() - sets.rank();
    return census;
}

}  // namespace

Census census_of_periodic(const std::uint8_t* passages, Shape shape, Wrap wrap, Mask mask,
                          Control& control) {
    return shape.size() <= Index{std::numeric_limits<std::uint32_t>::max()}
               ? scan<std::uint32_t>(passages, shape, wrap, mask, control)
               : scan<std::uint64_t>(passages, shape, wrap, mask, control);
}

}  // namespace meiro
