// Input and result of every solver on a graph, and what they share.
#pragma once

#include <span>
#include <string_view>
#include <utility>

#include "../../solve/search.hpp"
#include "../graph_job.hpp"
#include "../open_graph.hpp"

namespace meiro {

struct GraphSolveOptions {
    bool random = false;  // pick among unused passages at random, not the first
    bool order = false;   // also return when each cell was reached
    Hand hand = Hand::right;
    Index max_steps = -1;                // limit of a random walk; -1: the default
    std::span<const double> weights;     // the cost of each edge, 0 or more; empty: 1
    std::span<const double> positions;   // (cells, dimensions); empty: none
    std::span<const GraphId> clockwise;  // for each slot of the graph, the slot of its cell that
                                         // comes next around the cell; empty: not in the plane
};

struct GraphSearch {
    const OpenGraph& graph;
    Index start;
    std::span<const Index> goals;  // one or more
    Seed seed;
    const GraphSolveOptions& options;
    Control& control;
};

// In `by`, beside the slot by which a cell was reached. What is free is unsigned ~1 or ~0, so that
// one comparison tells.
namespace reached_by {
inline constexpr GraphId nothing = -1, nothing_goal = -2, start = -3, filled = -4;
constexpr bool free(GraphId by) {
    return by == nothing || by == nothing_goal;
}
}  // namespace reached_by

struct GraphSearchResult {
    Buffer<GraphId> steps;         // the edges, from start to goal
    Buffer<GraphId> by;            // per cell: a slot of the edge that reached it, or a mark
    Buffer<Index> order;           // if requested, per cell: its number in order of reach, or -1
    Buffer<GraphId> walk;          // of walkers: the edge of each step taken
    Buffer<std::uint8_t> remains;  // of fillers: 1 for the remaining cells
    Index explored = 0;            // cells reached or filled
    Index goal = -1;
    bool found = false;
    std::string_view reason;  // why a walker gave up
};

// A result in which only the start is reached and the goals are marked, unless the start is a goal.
template <Recorder R>
GraphSearchResult at_start(const GraphSearch& search, R& record) {
    const Index cells = search.graph.cells();
    GraphSearchResult result;
    result.by = Buffer<GraphId>(cells);
    by_pieces(cells, search.control, [&](Index first, Index last) {
        std::fill(result.by.begin() + first, result.by.begin() + last, reached_by::nothing);
    });
    for (const Index goal : search.goals) {
        result.by[goal] = reached_by::nothing_goal;
        if (goal == search.start) result.goal = goal;
        search.control.poll();
    }
    result.by[search.start] = reached_by::start;
    result.explored = 1;
    if (search.options.order) {
        result.order = Buffer<Index>(cells);
        forget(result.order, search.control);
        result.order[search.start] = 0;
    }
    GraphEvents<R>(record, search.graph.all()).cell(Event::visit, search.start, start_clause);
    return result;
}

// The end of every search: traces the path if `result.goal` is set, and clears the goal marks.
template <Recorder R>
GraphSearchResult finished(const GraphSearch& search, GraphSearchResult&& result, R& record) {
    const OpenGraph& graph = search.graph;
    const GraphId* const by = result.by.data();
    for (const Index goal : search.goals) {
        if (by[goal] == reached_by::nothing_goal) result.by[goal] = reached_by::nothing;
        search.control.poll();
    }
    result.found = result.goal >= 0;
    if (!result.found) return std::move(result);
    Index length = 0;
    for (Index at = result.goal; by[at] >= 0; ++length) {
        at = graph.origin(by[at], at);
        search.control.poll(4);
    }
    result.steps = Buffer<GraphId>(length);
    Index at = result.goal;
    for (Index i = length; i > 0;) {
        result.steps[--i] = graph.via()[by[at]];
        at = graph.origin(by[at], at);
        search.control.poll(4);
    }
    GraphEvents<R> events(record, graph.all());
    events.cell(Event::path, at);
    for (const GraphId edge : result.steps) {
        events.edge_from(Event::path, graph.all(), edge, at);
        at = graph.all().other_end(edge, at);
        search.control.poll(4);
    }
    return std::move(result);
}

// Reaches cells: their slots, their numbers, and the events.
template <Recorder R>
class Reach {
public:
    Reach(const GraphSearch& search, GraphSearchResult& result, R& record)
        : graph_(search.graph),
          events_(record, search.graph.all()),
          by_(result.by.data()),
          order_(search.options.order ? result.order.data() : nullptr),
          explored_(result.explored) {}
    // True if the cell is a goal.
    bool operator()(Index cell, GraphId slot, unsigned clause = 0) {
        const bool goal = by_[cell] == reached_by::nothing_goal;
        by_[cell] = slot;
        if (order_ != nullptr) order_[cell] = explored_;
        ++explored_;
        events_.edge(Event::visit, graph_.via()[slot],
                     graph_.all().ends()[2 * graph_.via()[slot]] == cell, clause);
        return goal;
    }
    void fill(Index cell, unsigned clause = 0) {
        by_[cell] = reached_by::filled;
        if (order_ != nullptr) order_[cell] = explored_;
        ++explored_;
        events_.cell(Event::fill, cell, clause);
    }
    // Back by an edge, to `cell`.
    void back(GraphId edge, Index cell, unsigned clause = 0) {
        events_.edge(Event::back, edge, graph_.all().ends()[2 * edge] == cell, clause);
    }
    bool is_free(Index cell) const { return reached_by::free(by_[cell]); }
    Index explored() const { return explored_; }

private:
    const OpenGraph& graph_;
    GraphEvents<R> events_;
    GraphId* by_;
    Index* order_;
    Index& explored_;
};

// The slots of each cell that were not taken yet, in their order, or each time a uniform one.
template <bool random>
class UnusedSlots {
public:
    explicit UnusedSlots(const GraphSearch& search)
        : graph_(search.graph),
          next_(search.graph.cells()),
          draw_(search.seed, Purpose::solve),
          shuffled_(random ? search.graph.slots() : 0) {
        by_pieces(next_.size(), search.control, [&](Index first, Index last) {
            std::copy(graph_.first() + first, graph_.first() + last, next_.begin() + first);
        });
        by_pieces(shuffled_.size(), search.control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) shuffled_[i] = static_cast<GraphId>(i);
        });
    }
    bool any(Index cell) const { return next_[cell] < graph_.first()[cell + 1]; }
    GraphId take(Index cell) {
        const GraphId slot = next_[cell]++;
        if constexpr (!random) return slot;
        const Index left = graph_.first()[cell + 1] - slot;
        if (left > 1) std::swap(shuffled_[slot], shuffled_[slot + draw_.below(left)]);
        return shuffled_[slot];
    }

private:
    const OpenGraph& graph_;
    Buffer<GraphId> next_;
    Random draw_;
    Buffer<GraphId> shuffled_;
};

// Walks by a rule until it reaches a goal: rule(cell) is the slot of the next step, or -1 to give
// up, for rule.reason; rule.clause says which part of the rule made the step. At most `bound` steps
// are taken. The path consists of first entries, so it is part of the walk.
template <class Rule, Recorder R>
GraphSearchResult walk_by(const GraphSearch& search, Rule rule, Index bound, R& record) {
    GraphSearchResult result = at_start(search, record);
    Reach<R> reach(search, result, record);
    const OpenGraph& graph = search.graph;
    Stack<GraphId> walk;
    Index at = search.start;
    while (result.goal < 0 && walk.size() < bound) {
        const GraphId slot = rule(at);
        if (slot < 0) break;
        at = graph.to()[slot];
        walk.push(graph.via()[slot]);
        if (!reach.is_free(at))
            reach.back(graph.via()[slot], at, rule.clause);
        else if (reach(at, slot, rule.clause))
            result.goal = at;
        search.control.poll(8 + rule.looked_at);
    }
    result.walk = Buffer<GraphId>(walk.size());
    by_pieces(walk.size(), search.control, [&](Index first, Index last) {
        std::copy(walk.begin() + first, walk.begin() + last, result.walk.begin() + first);
    });
    if (result.goal < 0) result.reason = rule.reason;
    return finished(search, std::move(result), record);
}

}  // namespace meiro
