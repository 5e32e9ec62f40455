// Dead end filling on graphs (solve/dead_end_filling.cpp has the reference): fill a cell with a
// single passage, then the next, until no dead end is left. Start and goals are never filled, nor
// cells without any passage.
//
// Of each cell the number of passages left and the exclusive or of their edges are kept: where one
// is left, that is its edge. Time: linear. Scratch: 8 bytes a cell, and that of bfs.
#include "../../solve/dead_end_filling.hpp"

namespace meiro {

template <Recorder R>
void fill_dead_ends(GraphSearch& search, GraphSearchResult& result, R& record) {
    const OpenGraph& graph = search.graph;
    const GraphPlaces places = search.places();
    Reach reach(search, places, result, record);
    Buffer<GraphId> left(graph.cells()), edges(graph.cells());
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        left[cell] = static_cast<GraphId>(graph.degree(cell));
        edges[cell] = 0;
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot)
            edges[cell] ^= graph.via()[slot];
        search.control.poll(2 + graph.degree(cell));
    }
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        search.control.poll();
        // Once begun, a cell that has lost its last passage is filled as well.
        for (Index at = cell; left[at] == 1 && result.reached[at] == GraphMarks::nothing;) {
            reach.fill(at);
            search.control.done(1);
            search.control.poll(4);
            const GraphId edge = edges[at];
            left[at] = 0;
            at = graph.all().other_end(edge, at);
            edges[at] ^= edge;
            if (--left[at] == 0 && result.reached[at] == GraphMarks::nothing) reach.fill(at);
        }
    }
    result.explored = reach.explored();
}

template <Recorder R>
GraphSearchResult dead_end_filling(GraphSearch& search, R& record) {
    const auto fill = [&](GraphSearchResult& result) {
        fill_dead_ends(search, result, record);
        return not_filled(search, result);
    };
    return search_remaining(search, fill, record);
}

template void fill_dead_ends(GraphSearch&, GraphSearchResult&, NoTrace&);
template void fill_dead_ends(GraphSearch&, GraphSearchResult&, Trace&);
template GraphSearchResult dead_end_filling(GraphSearch&, NoTrace&);
template GraphSearchResult dead_end_filling(GraphSearch&, Trace&);

}  // namespace meiro
