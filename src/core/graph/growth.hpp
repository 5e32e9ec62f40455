// Shared by the algorithms that grow trees on graphs: which cells are visited, a uniform edge to an
// unvisited neighbour, and where the trees of further components begin.
#pragma once

#include <algorithm>
#include <span>

#include "graph_job.hpp"

namespace meiro {

// Cells that are visited or not, and draws among the unvisited neighbours of a cell: uniform over
// the edges that lead to them, or with run= with odds for the edge that goes straight on.
//
// The slots of a cell are looked through at each draw; of a cell with many, which a tree may come
// back to as often, a list of its own is kept, from which visited neighbours are removed when they
// are drawn. So all draws together take time linear in the edges.
class UnvisitedNeighbours {
public:
    struct Choice {
        GraphId slot = -1;  // -1: all neighbours are visited
        bool more = false;  // there may be another one
    };

    explicit UnvisitedNeighbours(const GraphJob& job)
        : graph_(job.graph),
          straight_(job.options.run == even_odds ? nullptr : job.hints.straight),
          run_(job.options.run),
          draws_(job),
          visited_(job.graph.cells(), true) {
        if (graph_.most_slots() <= scanned || straight_ != nullptr) return;
        left_ = Buffer<GraphId>(graph_.cells());
        lists_ = Buffer<GraphId>(graph_.slots());
        for (Index cell = 0; cell < graph_.cells(); ++cell) {
            left_[cell] = static_cast<GraphId>(graph_.degree(cell));
            for (GraphId slot = graph_.first()[cell]; slot < graph_.first()[cell + 1]; ++slot)
                lists_[slot] = slot;
            job.control.poll(2 + graph_.degree(cell));
        }
    }

    bool visited(Index cell) const { return visited_[cell] != 0; }
    void visit(Index cell) { visited_[cell] = 1; }
    SmallDraws& draws() { return draws_; }

    // Prefetches what pick() reads of some cells, one after the other of what leads to it.
    void fetch_ahead(std::span<const Index> cells) const {
        const GraphId* const first = graph_.first();
        for (const Index cell : cells) prefetch(first + cell);
        for (const Index cell : cells) {
            prefetch(graph_.to() + first[cell]);
            prefetch(graph_.via() + first[cell]);
        }
        for (const Index cell : cells) {
            const GraphId end = std::min(first[cell + 1], first[cell] + scanned);
            for (GraphId slot = first[cell]; slot < end; ++slot)
                prefetch(visited_.data() + graph_.to()[slot]);
        }
    }

    // `step`: the one by which the cell was entered, or -1.
    Choice pick(Index cell, GraphId step = -1) {
        const GraphId first = graph_.first()[cell], end = graph_.first()[cell + 1];
        if (straight_ != nullptr) return pick_biased(first, end, step < 0 ? -1 : straight_[step]);
        if (end - first > scanned) return pick_from_list(cell, first);
        GraphId open[scanned];
        std::uint32_t count = 0;
        for (GraphId slot = first; slot < end; ++slot) {
            open[count] = slot;
            count += visited_[graph_.to()[slot]] == 0 ? 1u : 0u;
        }
        if (count == 0) return {};
        return {open[count == 1 ? 0 : draws_.below(count)], count > 1};
    }

    // Whether pick() may find one; if in doubt it may.
    bool may_pick(Index cell) const {
        const GraphId first = graph_.first()[cell], end = graph_.first()[cell + 1];
        if (straight_ == nullptr && end - first > scanned) return left_[cell] > 0;
        bool any = false;
        for (GraphId slot = first; slot < end; ++slot) any |= visited_[graph_.to()[slot]] == 0;
        return any;
    }

    // The step through a slot, if somebody asks which goes straight on.
    GraphId step(Index cell, GraphId slot) const {
        if (straight_ == nullptr) return -1;
        const GraphId edge = graph_.via()[slot];
        return 2 * edge + (graph_.ends()[2 * edge] != cell ? 1 : 0);
    }

private:
    static constexpr GraphId scanned = 16;

    Choice pick_from_list(Index cell, GraphId first) {
        GraphId& left = left_[cell];
        while (left > 0) {
            GraphId& drawn =
                lists_[first + static_cast<Index>(draws_.below(static_cast<std::uint32_t>(left)))];
            const GraphId slot = drawn;
            drawn = lists_[first + --left];
            if (visited_[graph_.to()[slot]] == 0) return {slot, left > 0};
        }
        return {};
    }

    Choice pick_biased(GraphId first, GraphId end, GraphId ahead) {
        std::uint64_t total = 0;
        Index count = 0;
        const auto odds = [&](GraphId slot) {
            if (visited_[graph_.to()[slot]] != 0) return std::uint64_t{0};
            return ahead >= 0 && graph_.via()[slot] == ahead >> 1 ? run_ : even_odds;
        };
        for (GraphId slot = first; slot < end; ++slot) {
            total += odds(slot);
            count += visited_[graph_.to()[slot]] == 0 ? 1 : 0;
        }
        if (count == 0) return {};
        auto left = draws_.below_long(total);
        for (GraphId slot = first;; ++slot) {
            const std::uint64_t own = odds(slot);
            if (left < own) return {slot, count > 1};
            left -= own;
        }
    }

    const Graph& graph_;
    const GraphId* straight_;
    Factor run_;
    SmallDraws draws_;
    Buffer<std::uint8_t> visited_;
    Buffer<GraphId> left_, lists_;  // where a cell has many neighbours
};

// A uniform one of the slots of a cell that lead to a cell for which `counts` holds; there is one.
template <class Counts>
GraphId uniform_slot(const Graph& graph, Index cell, SmallDraws& draws, Counts counts) {
    const GraphId first = graph.first()[cell], end = graph.first()[cell + 1];
    std::uint32_t number = 0;
    for (GraphId slot = first; slot < end; ++slot) number += counts(graph.to()[slot]) ? 1 : 0;
    std::uint32_t skip = draws.below(number);
    GraphId slot = first;
    while (!counts(graph.to()[slot]) || skip-- > 0) ++slot;
    return slot;
}

// body(cell) with the cell at which the tree of each component begins: the component of `start`
// first, from there; the others from a uniform cell, drawn when they are reached.
template <class Body>
void for_each_component(const GraphJob& job, SmallDraws& draws, Body body) {
    const Graph& graph = job.graph;
    const Index start = std::max<Index>(job.start, 0);
    body(start);
    const auto count = static_cast<Index>(graph.roots().size());
    if (count == 1) return;
    Buffer<GraphId> first(count + 1), members(graph.cells());
    first[0] = 0;
    for (Index part = 0; part < count; ++part)
        first[part + 1] = first[part] + graph.sizes()[static_cast<std::size_t>(part)];
    for (Index cell = 0; cell < graph.cells(); ++cell, job.control.poll())
        members[first[graph.component(cell)]++] = static_cast<GraphId>(cell);
    for (Index part = 0; part < count; ++part) {
        if (part == graph.component(start)) continue;
        const auto size = static_cast<std::uint32_t>(graph.sizes()[static_cast<std::size_t>(part)]);
        body(members[first[part] - 1 - static_cast<Index>(draws.below(size))]);
        job.control.poll();
    }
}

}  // namespace meiro
