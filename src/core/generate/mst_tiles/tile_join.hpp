// The last step of the minimum spanning tree by tiles: Kruskal on the candidates. See tiles.hpp.
#pragma once

#include "../../disjoint_set.hpp"
#include "../../polled_sort.hpp"
#include "../shared/weights.hpp"
#include "contraction.hpp"
#include "tiling.hpp"

namespace meiro::tiles {

// Sorts by weight: first into groups by the high bits of the weights, then the groups, which the
// threads share.
template <class Id, class Less>
void sort_by_weight(Candidate<Id>* first, Index size, Less lighter, Control& control, int threads) {
    constexpr Index groups = Index{1} << most_group_bits;
    if (size < 16 * groups) {
        polled_sort(first, first + size, lighter, control);
        return;
    }
    const GroupEnds ends = distribute(
        first, first + size, groups,
        [](const Candidate<Id>& c) {
            return static_cast<std::size_t>(c.weight) >> (31 - most_group_bits);  // of 31 bits
        },
        control);
    parallel(control, threads, groups, [&](Index g, Control& worker) {
        const auto i = static_cast<std::size_t>(g);
        polled_sort(first + ends[i], first + ends[i + 1], lighter, worker);
    });
}

template <class Id>
Wall wall_of(const Candidate<Id>& c) {
    return {static_cast<Index>(c.wall / 2), c.wall % 2 != 0};
}

// Sorts the candidates: the lightest wall first.
template <class Id, class W>
void sort(const Plan<W>& plan, Candidate<Id>* candidates, Index size, Control& control,
          int threads) {
    const auto lighter = [&](const Candidate<Id>& a, const Candidate<Id>& b) {
        if (a.weight != b.weight) [[likely]]
            return a.weight < b.weight;
        return is_lighter(plan.weights, plan.tiling.shape, plan.tiling.wrap, wall_of(a),
                          wall_of(b));
    };
    sort_by_weight(candidates, size, lighter, control, threads);
}

// Opens the sorted candidates that belong to the tree.
template <class Id, class W>
void join(const Plan<W>& plan, const Candidate<Id>* candidates, Index size, Control& control) {
    const Index names = plan.places.names[plan.tiling.count.size()];
    DisjointSet<Id> regions(names);
    regions.reset(names, control);
    with_topology(plan.maze, [&](const auto& maze) {
        for (const Candidate<Id>* c = candidates; c != candidates + size; ++c) {
            control.poll(8);
            if (regions.join(c->a, c->b)) maze.open(wall_of(*c).cell, wall_of(*c).towards());
        }
    });
}

// The same in a window of a larger maze: opens those that certainly belong to the tree.
template <class Id, class W>
void contract(const Plan<W>& plan, const Candidate<Id>* candidates, Index size,
              Stack<Critical>& critical, Control& control) {
    const Tiling& tiling = plan.tiling;
    Contraction rest(plan.places.names[tiling.count.size()], rim_places(tiling.shape, tiling.outer),
                     control);
    each_rim_cell(tiling.shape, tiling.outer, control, [&](Cell c) {
        const Index i = c.row / tiling.tile.rows, j = c.col / tiling.tile.cols;
        const Tile tile(tiling, i, j);
        rest.touches(plan.places.names[i * tiling.count.cols + j] +
                         tile.name({c.row - tile.row, c.col - tile.col}),
                     rim_place(tiling.shape, c));
    });
    for (const Candidate<Id>* c = candidates; c != candidates + size; ++c) {
        control.poll(8);
        const Wall wall = wall_of(*c);
        const auto fate = rest.decide(static_cast<Index>(c->a), static_cast<Index>(c->b));
        if (fate.opens) plan.maze.open(wall.cell, wall.towards());
        if (fate.waits)
            critical.push({plan.weights.at(tiling.shape.cell(wall.cell), wall.south),
                           static_cast<Index>(c->wall), fate.a, fate.b});
    }
}

}  // namespace meiro::tiles
