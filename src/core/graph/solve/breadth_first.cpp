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
    Buffer<GraphId> queue(search.graph.cells() + 1);
    prefer_huge_pages(queue);
    queue[0] = static_cast<GraphId>(search.start);
    bool found = false;
    const auto free = [&](GraphId mark) { return GraphMarks::is_free(mark) && !found; };
    const auto enter = [](Index) { return 0; };
    const auto take = [&](int, GraphId slot, GraphId next) {
        if (by[next] == GraphMarks::goal) [[unlikely]] {
            found = true;
            result.goal = next;
        }
        if constexpr (ordered || !std::is_same_v<R, NoTrace>)
            reach(next, slot);
        else
            by[next] = slot;
        return 1;
    };
    const Index end =
        flood<false>(search.graph, by, queue.data(), 1, found, search.control, free, enter, take);
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
