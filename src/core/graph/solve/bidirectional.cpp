// Breadth-first search on graphs from both ends, until the two floods meet: solve/bidirectional.cpp
// says why the first meeting is on a shortest path.
// Time: linear in the passages reached. Scratch: 9 bytes a cell.
#include "graph_solvers.hpp"

namespace meiro {
namespace {

struct Flood {
    Buffer<GraphId> now, next;
    Index size = 0, next_size = 0;
    void push(Index cell) {
        if (next_size == next.size()) next.grow(2 * next_size + 64);
        next[next_size++] = static_cast<GraphId>(cell);
    }
    void advance() {
        std::swap(now, next);
        size = std::exchange(next_size, 0);
    }
};

// The slots of the goals' flood lead from the goal; the path needs, at each cell, the one by which
// it is entered from the start. Only its edge matters.
void turn_around(const GraphSearch& search, GraphSearchResult& result, Index at, GraphId slot) {
    while (true) {
        const GraphId before = std::exchange(result.by[at], slot);
        if (before == reached_by::start) break;
        at = search.graph.origin(before, at);
        slot = before;
        search.control.poll(4);
    }
    result.goal = at;
}

}  // namespace

template <Recorder R>
GraphSearchResult graph_bidirectional(GraphSearch& search, R& record) {
    const OpenGraph& graph = search.graph;
    GraphSearchResult result = at_start(search, record);
    if (result.goal >= 0) return finished(search, std::move(result), record);
    Reach<R> reach(search, result, record);
    GraphEvents<R> events(record, graph.all());
    GraphId* const by = result.by.data();
    Buffer<std::uint8_t> from_goal(graph.cells(), true);
    Flood floods[2];
    floods[0].push(search.start);
    for (const Index goal : search.goals) {
        search.control.poll();
        if (by[goal] != reached_by::nothing_goal) continue;  // the same goal twice
        by[goal] = reached_by::start;
        from_goal[goal] = 1;
        if (search.options.order) result.order[goal] = result.explored;
        ++result.explored;
        events.cell(Event::visit, goal, 2);
        floods[1].push(goal);
    }
    for (Flood& flood : floods) flood.advance();
    while (result.goal < 0 && floods[0].size > 0 && floods[1].size > 0) {
        const bool second = floods[1].size < floods[0].size;
        Flood& flood = floods[second ? 1 : 0];
        for (Index i = 0; i < flood.size && result.goal < 0; ++i) {
            const Index at = flood.now[i];
            for (GraphId slot = graph.first()[at]; slot < graph.first()[at + 1]; ++slot) {
                const Index next = graph.to()[slot];
                if (reach.is_free(next)) {
                    reach(next, slot, second ? 4 : 3);
                    from_goal[next] = second ? 1 : 0;
                    flood.push(next);
                } else if ((from_goal[next] != 0) != second) {
                    turn_around(search, result, second ? at : next, slot);
                    break;
                }
            }
            search.control.poll(4 + 2 * graph.degree(at));
            search.control.done(1);
        }
        flood.advance();
    }
    return finished(search, std::move(result), record);
}

template GraphSearchResult graph_bidirectional(GraphSearch&, NoTrace&);
template GraphSearchResult graph_bidirectional(GraphSearch&, Trace&);

}  // namespace meiro
