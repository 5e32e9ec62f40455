// The solvers that have a form of their own on graphs, as overloads for a GraphSearch. Each is in
// the .cpp of its family here, which instantiates it for NoTrace and Trace.
#pragma once

#include "../../solve/solvers.hpp"

namespace meiro {

template <Recorder R>
GraphSearchResult bfs(GraphSearch& search, R& record);
// The same, continued from the result of at_start(): filled cells are not entered.
template <Recorder R>
GraphSearchResult bfs_from(GraphSearch& search, GraphSearchResult&& begun, R& record);
template <Recorder R>
GraphSearchResult dead_end_filling(GraphSearch& search, R& record);
template <Recorder R>
GraphSearchResult blind_alley_filling(GraphSearch& search, R& record);

// Marks in `result.reached` the cells that dead end filling fills.
template <Recorder R>
void fill_dead_ends(GraphSearch& search, GraphSearchResult& result, R& record);

// A shortest path over the cells that are not filled. `remains` has 1 for them; start and goals
// remain always, and only the start if it is a goal.
template <Recorder R>
GraphSearchResult search_remaining(GraphSearch& search, GraphSearchResult&& begun,
                                   Buffer<std::uint8_t>&& remains, R& record) {
    remains[search.start] = 1;
    for (const Index goal : search.goals)
        if (begun.goal < 0) remains[goal] = 1;
    GraphSearchResult result = bfs_from(search, std::move(begun), record);
    result.remains = std::move(remains);
    return result;
}

// The cells that have a passage and are not filled; none if the start is a goal.
inline Buffer<std::uint8_t> not_filled(const GraphSearch& search, const GraphSearchResult& result) {
    const Index cells = search.graph.cells();
    Buffer<std::uint8_t> left(cells, true);
    by_each(result.goal >= 0 ? 0 : cells, search.control, [&](Index cell) {
        left[cell] =
            result.reached[cell] != GraphMarks::filled && search.graph.degree(cell) > 0 ? 1 : 0;
    });
    return left;
}

}  // namespace meiro
