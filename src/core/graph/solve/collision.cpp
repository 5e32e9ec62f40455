// Collision on graphs: only the cells on shortest paths to the nearest goals remain of those that
// a flood from the start reaches, as solve/collision.cpp says.
// Time: linear in the passages reached. Scratch: 9 bytes a cell, and that of bfs.
#include "graph_solvers.hpp"

namespace meiro {
namespace {

template <Recorder R>
void keep_shortest(GraphSearch& search, GraphSearchResult& result, std::uint8_t* kept, R& record) {
    const OpenGraph& graph = search.graph;
    const Index cells = graph.cells();
    GraphEvents<R> events(record, graph.all());
    Buffer<GraphId> distance(cells), queue(cells);
    by_pieces(cells, search.control, [&](Index first, Index last) {
        std::fill(distance.begin() + first, distance.begin() + last, -1);
    });
    GraphId nearest = -1;
    Index head = 0, end = 1;
    queue[0] = static_cast<GraphId>(search.start);
    distance[search.start] = 0;
    for (; head < end; ++head) {
        const Index at = queue[head];
        if (distance[at] == nearest) break;
        search.control.poll(4 + 2 * graph.degree(at));
        for (GraphId slot = graph.first()[at]; slot < graph.first()[at + 1]; ++slot) {
            const Index next = graph.to()[slot];
            if (distance[next] >= 0) {
                if (distance[next] == distance[at] && next > at)
                    events.edge_from(Event::close, graph.all(), graph.via()[slot], at);
                continue;
            }
            distance[next] = distance[at] + 1;
            events.edge_from(Event::walk, graph.all(), graph.via()[slot], at);
            if (result.by[next] == reached_by::nothing_goal) nearest = distance[next];
            queue[end++] = static_cast<GraphId>(next);
        }
    }
    const Index reached = end;
    Buffer<GraphId> back(reached);
    end = 0;
    for (const Index goal : search.goals) {
        search.control.poll();
        if (distance[goal] < 0 || kept[goal] != 0) continue;
        kept[goal] = 1;
        back[end++] = static_cast<GraphId>(goal);
    }
    for (head = 0; head < end; ++head) {
        const Index at = back[head];
        search.control.poll(4 + 2 * graph.degree(at));
        for (GraphId slot = graph.first()[at]; slot < graph.first()[at + 1]; ++slot) {
            const Index next = graph.to()[slot];
            if (kept[next] != 0 || distance[next] != distance[at] - 1) continue;
            kept[next] = 1;
            back[end++] = static_cast<GraphId>(next);
        }
    }
    Reach<R> reach(search, result, record);
    for (Index i = 0; i < reached; ++i) {
        const Index cell = queue[i];
        search.control.poll(2);
        if (kept[cell] == 0 && cell != search.start) reach.fill(cell);
    }
}

}  // namespace

template <Recorder R>
GraphSearchResult graph_collision(GraphSearch& search, R& record) {
    GraphSearchResult result = at_start(search, record);
    Buffer<std::uint8_t> kept(search.graph.cells(), true);
    if (result.goal < 0) keep_shortest(search, result, kept.data(), record);
    return search_remaining(search, std::move(result), std::move(kept), record);
}

template GraphSearchResult graph_collision(GraphSearch&, NoTrace&);
template GraphSearchResult graph_collision(GraphSearch&, Trace&);

}  // namespace meiro
