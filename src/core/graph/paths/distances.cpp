// Floods of graphs without events: distances, ways down, components, policies.
#include <limits>
#include <stdexcept>
#include <string>

#include "../../huge_pages.hpp"
#include "../../paths/path_queries.hpp"
#include "../flood.hpp"
#include "graph_paths.hpp"

namespace meiro {
namespace {

// Steps from the nearest source, -1 where none is reachable. Returns the cell that was reached
// last, -1 without sources.
template <class T>
GraphId flood_from(const OpenGraph& graph, std::span<const Index> sources, T* out,
                   Control& control) {
    polled_fill(out, graph.cells(), T{-1}, control);
    Buffer<GraphId> queue(graph.cells() + 1);
    prefer_huge_pages(queue);
    GraphId* const cells = queue.data();
    Index end = 0;
    for (const Index source : sources) {
        control.poll();
        if (out[source] == 0) continue;
        out[source] = 0;
        cells[end++] = static_cast<GraphId>(source);
    }
    constexpr Index most = std::numeric_limits<T>::max();
    const bool never = false;
    const auto free = [](T mark) { return mark < 0; };
    const auto enter = [out](Index cell) { return Index{out[cell]} + 1; };
    const auto reach = [out](Index here, GraphId, Index next) {
        const T before = out[next];
        const Index fresh = Index{before} >> 63;  // -1, or 0
        if (sizeof(T) < sizeof(GraphId) && here > most && fresh != 0) [[unlikely]]
            throw std::overflow_error("a distance of " + std::to_string(here));
        out[next] = static_cast<T>((here & fresh) | (before & ~fresh));
        return -fresh;
    };
    end = flood<false>(graph, out, cells, end, never, control, free, enter, reach);
    return end > 0 ? cells[end - 1] : -1;
}

}  // namespace

template <class T>
void distances(const OpenGraph& graph, std::span<const Index> sources, T* out, Control& control,
               int) {
    flood_from(graph, sources, out, control);
}

GraphDescent descend(const OpenGraph& graph, std::span<const Index> goals, Index start,
                     Control& control) {
    GraphDescent descent;
    descent.marks = Buffer<std::uint8_t>(graph.cells(), true);
    descent.away = Buffer<GraphId>(graph.cells());
    descent.last = flood_from(graph, goals, descent.away.data(), control);
    descent.far = descent.away[descent.last];
    if (start >= 0) descent.length = descent.away[start];
    return descent;
}

GraphId label_cells(const OpenGraph& graph, GraphId* labels, Control& control) {
    polled_fill(labels, graph.cells(), 0, control);
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
    const GraphDescent descent = descend(graph, goals, -1, control);
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        control.poll(2 + graph.degree(cell));
        out[cell] = -1;
        if (descent.away[cell] <= 0) continue;
        GraphId slot = graph.first()[cell];
        while (!descent.nearer(graph.to()[slot], cell)) ++slot;
        out[cell] = graph.to()[slot];
    }
}

template void distances(const OpenGraph&, std::span<const Index>, std::int8_t*, Control&, int);
template void distances(const OpenGraph&, std::span<const Index>, std::int16_t*, Control&, int);
template void distances(const OpenGraph&, std::span<const Index>, std::int32_t*, Control&, int);
template void distances(const OpenGraph&, std::span<const Index>, std::int64_t*, Control&, int);

}  // namespace meiro
