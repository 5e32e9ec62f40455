// Floods of graphs without events: distances, components, policies.
#include "../flood.hpp"
#include "graph_paths.hpp"

namespace meiro {

void graph_distances(const OpenGraph& graph, std::span<const Index> sources, GraphId* out,
                     Control& control) {
    by_pieces(graph.cells(), control,
              [&](Index first, Index last) { std::fill(out + first, out + last, -1); });
    Buffer<GraphId> queue(graph.cells());
    GraphId* const cells = queue.data();
    Index end = 0;
    for (const Index source : sources) {
        control.poll();
        if (out[source] == 0) continue;
        out[source] = 0;
        cells[end++] = static_cast<GraphId>(source);
    }
    const bool never = false;
    flood(graph, out, cells, end, never, control, [out](Index cell, GraphId, GraphId next) {
        if (out[next] >= 0) return false;
        out[next] = out[cell] + 1;
        return true;
    });
}

void count_far(const OpenGraph& graph, const std::uint8_t* among, Index least, Index* counts,
               Control& control) {
    Buffer<GraphId> distance(graph.cells());
    for (Index source = 0; source < graph.cells(); ++source) {
        control.poll();
        counts[source] = 0;
        if (among[source] == 0) continue;
        graph_distances(graph, {&source, 1}, distance.data(), control);
        Index far = 0;
        for (Index cell = 0; cell < graph.cells(); ++cell)
            far += distance[cell] >= least ? among[cell] : 0;
        counts[source] = far;
    }
}

GraphId label_cells(const OpenGraph& graph, GraphId* labels, Control& control) {
    by_pieces(graph.cells(), control,
              [&](Index first, Index last) { std::fill(labels + first, labels + last, 0); });
    GraphId count = 0;
    Stack<GraphId> waiting;
    for (Index root = 0; root < graph.cells(); ++root) {
        control.poll();
        if (labels[root] != 0) continue;
        labels[root] = ++count;
        waiting.push(static_cast<GraphId>(root));
        while (!waiting.empty()) {
            const Index cell = waiting.pop();
            control.poll(4 + graph.degree(cell));
            for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot) {
                const GraphId next = graph.to()[slot];
                if (labels[next] != 0) continue;
                labels[next] = count;
                waiting.push(next);
            }
        }
    }
    return count;
}

void graph_policy(const OpenGraph& graph, std::span<const Index> goals, GraphId* out,
                  Control& control) {
    Buffer<GraphId> distance(graph.cells());
    graph_distances(graph, goals, distance.data(), control);
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        control.poll(2 + graph.degree(cell));
        out[cell] = -1;
        if (distance[cell] <= 0) continue;
        GraphId slot = graph.first()[cell];
        while (distance[graph.to()[slot]] != distance[cell] - 1) ++slot;
        out[cell] = graph.to()[slot];
    }
}

}  // namespace meiro
