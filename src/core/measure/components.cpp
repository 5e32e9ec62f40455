#include "components.hpp"

#include <algorithm>
#include <utility>

#include "../gathered.hpp"
#include "row_sets.hpp"

namespace meiro {
namespace {

// The kind of a set, and whether it has a site in the border.
constexpr std::uint8_t of_walls = 1, at_border = 2;

// Sums over the sites, or cells, of a band.
struct Sums {
    Index sites = 0;  // that exist: roads, or cells; of a mask, cells that do not
    Index edges = 0, open_blocks = 0, bare_posts = 0;

    void merge(const Sums& other) {
        sites += other.sites;
        edges += other.edges;
        open_blocks += other.open_blocks;
        bare_posts += other.bare_posts;
    }
};

template <class Id>
void add_row(RowSets<Id>& sets, bool first, Control& control) {
    if (first)
        sets.first_row(control);
    else
        sets.row(control);
}

template <class Id>
Census scan_walls(const std::uint8_t* walls, Shape shape, Control& control, int threads) {
    const auto [rows, cols] = shape;
    const RowBands bands(rows, threads);
    auto all = row_sets<Id>(bands, cols);
    const auto scan = [&, rows = rows, cols = cols](Index band, Sums& sums, Control& worker) {
        RowSets<Id>& sets = all[static_cast<std::size_t>(band)];
        // now, last: 1 for a wall
        Buffer<std::uint8_t> now(cols), last(cols, true), same(cols);
        const Index begin = bands.begin(band), end = bands.end(band);
        if (band > 0)
            each_column(0, cols, worker,
                        [&](Index c) { last[c] = walls[(begin - 1) * cols + c] != 0 ? 1 : 0; });
        for (Index r = begin; r < end; ++r) {
            const bool top = r == 0, bottom = r + 1 == rows;
            std::uint8_t* const before = sets.before;
            std::uint8_t* const above = sets.above;
            const std::uint8_t* const row = walls + r * cols;
            const std::uint8_t* const below = walls + (bottom ? r : r + 1) * cols;
            const unsigned inside = top ? 0 : 1;
            each_column(0, cols, worker, [&](Index c) {
                now[c] = row[c] != 0 ? 1 : 0;
                same[c] = static_cast<std::uint8_t>((now[c] ^ last[c] ^ 1) & inside);
            });
            before[0] = 0;
            above[0] = same[0];
            each_column(1, cols, worker, [&](Index c) {
                before[c] = static_cast<std::uint8_t>(now[c] ^ now[c - 1] ^ 1);
                // A single join is enough for adjacent sites that are both joined to the row above.
                above[c] = static_cast<std::uint8_t>(same[c] & ~(before[c] & same[c - 1]));
            });
            Index joined = 0, roads = 0, blocks = 0, bare = 0, runs = 0;
            each_column(0, cols, worker, [&](Index c) {
                roads += now[c] ^ 1;
                runs += before[c] ^ 1;
                joined += (before[c] + same[c]) & (now[c] - 1);
            });
            each_column(1, cols, worker, [&](Index c) {
                blocks += before[c] & same[c] & same[c - 1] & (now[c] ^ 1);
            });
            if (!top && !bottom)
                each_column(1, cols - 1, worker, [&](Index c) {
                    bare +=
                        now[c] & ~(before[c] | before[c + 1] | same[c]) & (below[c] == 0 ? 1 : 0);
                });
            sums.sites += roads;
            sums.edges += joined;
            sums.open_blocks += blocks;
            sums.bare_posts += bare;
            const std::uint8_t first = now[0];
            const unsigned at_end = top || bottom ? at_border : 0;
            std::uint8_t* const kind = sets.kind;
            each_column(0, runs, worker, [&](Index run) {  // walls and roads alternate
                kind[run] = static_cast<std::uint8_t>(((first ^ run) & 1) | at_end);
            });
            kind[0] |= at_border;
            kind[runs - 1] |= at_border;
            add_row(sets, r == begin && band > 0, worker);
            std::swap(now, last);
        }
    };
    control.expect(shape.size(), 9 * (shape.size() / 2));
    const Sums sums = gathered<Sums>(control, threads, bands.count, scan);
    const KindCounts count = RowSets<Id>::count(all, control);
    control.finish();
    Census census;
    census.regions = count[0] + count[at_border];
    census.loops = sums.edges - sums.sites + census.regions;
    census.islands = count[of_walls];
    census.open_blocks = sums.open_blocks;
    census.bare_posts = sums.bare_posts;
    census.parts = 1;
    return census;
}

template <class Id>
Census scan_passages(const std::uint8_t* passages, Shape shape, Mask mask, Control& control,
                     int threads) {
    const Index cols = shape.cols;
    const RowBands bands(shape.rows, threads);
    auto regions = row_sets<Id>(bands, cols);
    auto parts = row_sets<Id>(bands, mask != nullptr ? cols : 1);
    const auto scan = [&](Index band, Sums& sums, Control& worker) {
        RowSets<Id>& own = regions[static_cast<std::size_t>(band)];
        RowSets<Id>& part = parts[static_cast<std::size_t>(band)];
        const Index begin = bands.begin(band), end = bands.end(band);
        Index edges = 0, bare = 0, absent = 0;
        for (Index r = begin; r < end; ++r) {
            const bool first = r == begin && band > 0;
            const std::uint8_t* const row = passages + r * cols;
            const std::uint8_t* const last = r > 0 ? row - cols : row;
            std::uint8_t* const before = own.before;
            std::uint8_t* const above = own.above;
            // Bits across the border, which no sound maze has, would lead out of the memory.
            const unsigned up = r > 0 ? bits::north : 0;
            each_column(0, cols, worker, [&](Index c) {
                before[c] = static_cast<std::uint8_t>(row[c] >> 3 & 1);
                above[c] = static_cast<std::uint8_t>(row[c] & up);
                edges += before[c] + above[c];
            });
            edges -= before[0];
            before[0] = 0;
            each_column(1, cols, worker, [&](Index c) {
                bare += before[c] & above[c] & above[c - 1] & (last[c] >> 3);
            });
            add_row(own, first, worker);
            if (mask == nullptr) continue;
            const std::uint8_t* const row_mask = mask + r * cols;
            each_column(0, cols, worker, [&](Index c) {
                part.before[c] = c > 0 && row_mask[c] != 0 && row_mask[c - 1] != 0 ? 1 : 0;
                part.above[c] = r > 0 && row_mask[c] != 0 && row_mask[c - cols] != 0 ? 1 : 0;
                absent += row_mask[c] == 0 ? 1 : 0;  // each is counted as a set
            });
            add_row(part, first, worker);
        }
        sums = {absent, edges, 0, bare};
    };
    const Sums sums = gathered<Sums>(control, threads, bands.count, scan);
    const Index absent = sums.sites;
    Census census;
    census.regions = RowSets<Id>::count(regions, control)[0] - absent;
    census.loops = sums.edges - (shape.size() - absent) + census.regions;
    census.islands = census.loops;
    census.bare_posts = sums.bare_posts;
    census.parts = mask != nullptr ? RowSets<Id>::count(parts, control)[0] - absent : 1;
    return census;
}

}  // namespace

Census census_of_walls(const std::uint8_t* walls, Shape shape, Control& control, int threads) {
    return with_set_numbers(
        shape.cols, [&]<class Id>(Id) { return scan_walls<Id>(walls, shape, control, threads); });
}

Census census_of_passages(const std::uint8_t* passages, Shape shape, Mask mask, Control& control,
                          int threads) {
    return with_set_numbers(shape.cols, [&]<class Id>(Id) {
        return scan_passages<Id>(passages, shape, mask, control, threads);
    });
}

}  // namespace meiro
