// Breadth-first search on graphs (solve/breadth_first.cpp has the paper). The cells reached are the
// queue. Ties go to the cell reached first, then to the edge with the lower number.
// Time: linear in the edges reached. Scratch: the rows of open edges, and 8 bytes a cell.
#include "../../huge_pages.hpp"
#include "../flood.hpp"
#include "graph_solvers.hpp"

namespace meiro {
namespace {

template <bool ordered, Recorder R>
void search_flood(GraphSearch& search, GraphSearchResult& result, R& record) {
    GraphId* const by = result.reached.data();
    const Index known = result.explored;  // those filled, and the start
    const GraphPlaces places = search.places();
    Reach reach(search, places, result, record);
    Buffer<GraphId> queue(search.graph.cells());
    prefer_huge_pages(queue);
    queue[0] = static_cast<GraphId>(search.start);
    bool found = false;
    const Index end = flood(search.graph, by, queue.data(), 1, found, search.control,
                            [&](Index, GraphId slot, GraphId next) {
                                const GraphId before = by[next];
                                if (!GraphMarks::is_free(before) || found) return false;
                                if constexpr (ordered || !std::is_same_v<R, NoTrace>)
                                    reach(next, slot);
                                else
                                    by[next] = slot;
                                if (before == GraphMarks::goal) [[unlikely]] {
                                    found = true;
                                    result.goal = next;
                                }
                                return true;
                            });
    result.explored = known + end - 1;
}

}  // namespace

template <Recorder R>
GraphSearchResult bfs_from(GraphSearch& search, GraphSearchResult&& begun, R& record) {
    GraphSearchResult result = std::move(begun);
    if (result.goal < 0) {
        if (search.options.order)
            search_flood<true>(search, result, record);
        else
            search_flood<false>(search, result, record);
    }
    return finished(search, std::move(result), record);
}

template <Recorder R>
GraphSearchResult bfs(GraphSearch& search, R& record) {
    return bfs_from(search, at_start(search, record), record);
}

template GraphSearchResult bfs_from(GraphSearch&, GraphSearchResult&&, NoTrace&);
template GraphSearchResult bfs_from(GraphSearch&, GraphSearchResult&&, Trace&);
template GraphSearchResult bfs(GraphSearch&, NoTrace&);
template GraphSearchResult bfs(GraphSearch&, Trace&);

}  // namespace meiro
