// Depth-first search on graphs (solve/depth_first.cpp has the paper): take a passage to a cell not
// reached yet; without one, go back. No stack is needed: each cell knows the slot by which it
// was reached, and which of its slots it has looked at.
// Time: linear in the passages. Scratch: 8 bytes a cell; with rng= 4 more a slot.
#include "graph_solvers.hpp"

namespace meiro {
namespace {

template <bool random, Recorder R>
GraphSearchResult descend_graph(GraphSearch& search, R& record) {
    const OpenGraph& graph = search.graph;
    GraphSearchResult result = at_start(search, record);
    Reach<R> reach(search, result, record);
    UnusedSlots<random> unused(search);
    Index at = search.start;
    while (result.goal < 0) {
        search.control.poll(8);
        if (unused.any(at)) {
            const GraphId slot = unused.take(at);
            const Index next = graph.to()[slot];
            if (!reach.is_free(next)) continue;
            at = next;
            if (reach(at, slot)) result.goal = at;
            search.control.done(1);
            continue;
        }
        if (at == search.start) break;
        const GraphId edge = graph.via()[result.by[at]];
        at = graph.all().other_end(edge, at);
        reach.back(edge, at);
    }
    return finished(search, std::move(result), record);
}

}  // namespace

template <Recorder R>
GraphSearchResult graph_dfs(GraphSearch& search, R& record) {
    return search.options.random ? descend_graph<true>(search, record)
                                 : descend_graph<false>(search, record);
}

template GraphSearchResult graph_dfs(GraphSearch&, NoTrace&);
template GraphSearchResult graph_dfs(GraphSearch&, Trace&);

}  // namespace meiro
