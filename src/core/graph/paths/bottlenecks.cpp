// Bottlenecks of graphs: one shortest path is swept from its start, as paths/bottlenecks.cpp says.
// Time: linear. Scratch: 9 bytes a cell, and a list of waiting cells.
#include "graph_paths.hpp"

namespace meiro {

GraphBottlenecks bottlenecks(const OpenGraph& graph, std::span<const Index> goals, Index start,
                             Control& control) {
    const Index cells = graph.cells();
    Buffer<GraphId> next(cells), place(cells);
    graph_policy(graph, goals, next.data(), control);
    by_pieces(cells, control, [&](Index first, Index last) {
        std::fill(place.begin() + first, place.begin() + last, -1);
    });
    GraphId length = 0;
    Index end = start;
    for (; next[end] >= 0; end = next[end]) {
        place[end] = length++;
        control.poll();
    }
    GraphBottlenecks found;
    bool arrived = false;
    for (const Index goal : goals) {
        arrived |= goal == end;
        place[goal] = length;  // any goal is the end of the path
        control.poll();
    }
    if (!arrived) return found;
    found.count = 0;
    found.cells = Buffer<GraphId>(length);
    Buffer<std::uint8_t> seen(cells, true);
    Stack<GraphId> waiting;
    GraphId far = 0;
    Index at = start;
    for (GraphId i = 0; i < length; ++i, at = next[at]) {
        if (i > 0 && far <= i) found.cells[found.count++] = static_cast<GraphId>(at);
        waiting.push(static_cast<GraphId>(at));
        while (!waiting.empty()) {
            const Index cell = waiting.pop();
            control.poll(4 + graph.degree(cell));
            for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot) {
                const GraphId to = graph.to()[slot];
                if (place[to] >= 0) {
                    far = std::max(far, place[to]);
                } else if (seen[to] == 0) {
                    seen[to] = 1;
                    waiting.push(to);
                }
            }
        }
    }
    return found;
}

}  // namespace meiro
