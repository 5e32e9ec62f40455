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

// Floods from the sources, of which `first` marks a cell that was not reached; `reach` any other.
// Returns the last one, -1 without sources.
template <class T, class First, class Free, class Enter, class Reach>
GraphId flood_from(const OpenGraph& graph, std::span<const Index> sources, const T* marks,
                   Control& control, First first, Free is_free, Enter enter, Reach reach) {
    Buffer<GraphId> queue(graph.cells() + 1);
    prefer_huge_pages(queue);
    GraphId* const cells = queue.data();
    Index end = 0;
    for (const Index source : sources) {
        control.poll();
        if (first(source)) cells[end++] = static_cast<GraphId>(source);
    }
    const bool never = false;
    const bool sparse = graph.slots() < 3 * graph.cells();
    end = sparse ? flood<true>(graph, marks, cells, end, never, control, is_free, enter, reach)
                 : flood<false>(graph, marks, cells, end, never, control, is_free, enter, reach);
    return end > 0 ? cells[end - 1] : -1;
}

}  // namespace

template <class T>
void distances(const OpenGraph& graph, std::span<const Index> sources, T* out, Control& control,
               int) {
    polled_fill(out, graph.cells(), T{-1}, control);
    constexpr Index most = std::numeric_limits<T>::max();
    const auto first = [out](Index source) {
        const bool fresh = out[source] != 0;
        out[source] = 0;
        return fresh;
    };
    const auto free = [](T mark) { return mark < 0; };
    const auto enter = [out](Index cell) { return Index{out[cell]} + 1; };
    flood_from(graph, sources, out, control, first, free, enter,
               [out](Index here, GraphId, Index next) {
                   const T before = out[next];
                   const Index fresh = Index{before} >> 63;  // -1, or 0
                   if (sizeof(T) < sizeof(GraphId) && here > most && fresh != 0) [[unlikely]]
                       throw std::overflow_error("a distance of " + std::to_string(here));
                   out[next] = static_cast<T>((here & fresh) | (before & ~fresh));
                   return -fresh;
               });
}

GraphDescent descend(const OpenGraph& graph, std::span<const Index> goals, Index start,
                     Control& control) {
    GraphDescent descent;
    descent.marks = Buffer<std::uint8_t>(graph.cells(), true);
    descent.away = Buffer<GraphId>(graph.cells(), true);
    GraphId* const away = descent.away.data();
    const auto first = [away](Index goal) {
        const bool fresh = away[goal] == 0;
        away[goal] = 1;
        return fresh;
    };
    const auto free = [](GraphId mark) { return mark == 0; };
    const auto enter = [away](Index cell) { return away[cell] + 1; };
    descent.last = flood_from(
        graph, goals, away, control, first, free, enter, [away](GraphId here, GraphId, Index next) {
            const GraphId before = away[next], fresh = (before - 1) >> 31;  // -1, or 0
            away[next] = before | (here & fresh);
            return -fresh;
        });
    descent.far = away[descent.last] - 1;
    if (start >= 0) descent.length = away[start] - 1;
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
        if (descent.away[cell] <= 1) continue;
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
