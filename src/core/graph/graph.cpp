#include "graph.hpp"

#include <algorithm>
#include <utility>

#include "../disjoint_set.hpp"
#include "../huge_pages.hpp"

namespace meiro {

Graph::Graph(Index cells, const GraphId* ends, Index edges, Control& control)
    : cells_(cells), edges_(edges), ends_(2 * edges), first_(cells + 1) {
    prefer_huge_pages(ends_);
    prefer_huge_pages(first_);
    polled_copy(ends, 2 * edges, ends_.data(), control);
    connect(control);
    label(control);
}

// Counts the slots of each cell, adds them up, and fills them in the order of the edges: first_[v]
// moves over the slots of v, and ends where those of v + 1 begin.
void Graph::connect(Control& control) {
    const auto takes = [&](Index edge) { return ends_[2 * edge] != ends_[2 * edge + 1]; };
    polled_fill(first_.data(), cells_ + 1, 0, control);
    for (Index edge = 0; edge < edges_; ++edge) {
        control.poll(4);
        if (!takes(edge)) continue;
        ++first_[ends_[2 * edge]];
        ++first_[ends_[2 * edge + 1]];
    }
    GraphId sum = 0;
    for (Index cell = 0; cell <= cells_; ++cell) {
        control.poll();
        most_slots_ = std::max<Index>(most_slots_, first_[cell]);
        sum += std::exchange(first_[cell], sum);
    }
    to_ = Buffer<GraphId>(sum);
    via_ = Buffer<GraphId>(sum);
    prefer_huge_pages(to_);
    prefer_huge_pages(via_);
    constexpr Index ahead = 16;  // cells may lie in no order
    for (Index edge = 0; edge < edges_; ++edge) {
        control.poll(8);
        if (edge + ahead < edges_)
            for (const Index end : {2 * (edge + ahead), 2 * (edge + ahead) + 1}) {
                prefetch(to_.data(), first_[ends_[end]]);
                prefetch(via_.data(), first_[ends_[end]]);
            }
        if (!takes(edge)) continue;
        for (const int side : {0, 1}) {
            const GraphId slot = first_[ends_[2 * edge + side]]++;
            to_[slot] = ends_[2 * edge + 1 - side];
            via_[slot] = static_cast<GraphId>(edge);
        }
    }
    for (Index cell = cells_; cell > 0; --cell) {
        control.poll();
        first_[cell] = first_[cell - 1];
    }
    first_[0] = 0;
}

// Numbers the components in the order of their first cells, which represent them.
void Graph::label(Control& control) {
    DisjointSet<GraphId> sets(cells_);
    sets.reset(cells_, control);
    Index parts = cells_;
    constexpr Index ahead = 16;
    for (Index edge = 0; edge < edges_ && parts > 1; ++edge) {
        control.poll(4);
        if (edge + ahead < edges_) sets.prefetch(ends_[2 * (edge + ahead) + 1]);
        if (sets.join(ends_[2 * edge], ends_[2 * edge + 1])) --parts;
    }
    roots_ = Buffer<GraphId>(parts);
    sizes_ = Buffer<GraphId>(parts, true);
    if (parts == 1) {
        roots_[0] = 0;
        sizes_[0] = static_cast<GraphId>(cells_);
        return;
    }
    sets.flatten(cells_, control);
    labels_ = Buffer<GraphId>(cells_);
    GraphId numbered = 0;
    by_each(cells_, control, [&](Index cell) {
        const auto own = static_cast<GraphId>(cell);
        const GraphId root = sets.parent(own);
        if (root == own) roots_[numbered] = own;
        labels_[cell] = root == own ? numbered++ : labels_[root];
        ++sizes_[labels_[cell]];
    });
}

}  // namespace meiro
