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

// The cells that have a passage and are not filled.
inline Buffer<std::uint8_t> not_filled(const GraphSearch& search, const GraphSearchResult& result) {
    Buffer<std::uint8_t> left(search.graph.cells());
    by_each(left.size(), search.control, [&](Index cell) {
        left[cell] =
            result.reached[cell] != GraphMarks::filled && search.graph.degree(cell) > 0 ? 1 : 0;
    });
    return left;
}

}  // namespace meiro
