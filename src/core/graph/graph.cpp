#include "graph.hpp"

#include <algorithm>

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
    for (Index edge = 0; edge < edges_; ++edge) {
        control.poll(8);
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

// Numbers the components by floods from the first cell that has no number.
void Graph::label(Control& control) {
    Buffer<GraphId> labels(cells_);
    polled_fill(labels.data(), cells_, -1, control);
    Stack<GraphId> roots(1), sizes(1), waiting(64);
    for (Index root = 0; root < cells_; ++root) {
        control.poll();
        if (labels[root] >= 0) continue;
        const auto number = static_cast<GraphId>(roots.size());
        GraphId size = 0;
        labels[root] = number;
        waiting.push(static_cast<GraphId>(root));
        while (!waiting.empty()) {
            const GraphId cell = waiting.pop();
            ++size;
            control.poll(4 + degree(cell));
            for (GraphId slot = first_[cell]; slot < first_[cell + 1]; ++slot) {
                if (labels[to_[slot]] >= 0) continue;
                labels[to_[slot]] = number;
                waiting.push(to_[slot]);
            }
        }
        roots.push(static_cast<GraphId>(root));
        sizes.push(size);
    }
    roots_ = Buffer<GraphId>(roots.size());
    sizes_ = Buffer<GraphId>(sizes.size());
    std::copy(roots.begin(), roots.end(), roots_.begin());
    std::copy(sizes.begin(), sizes.end(), sizes_.begin());
    if (roots.size() > 1) labels_ = std::move(labels);
}

}  // namespace meiro
