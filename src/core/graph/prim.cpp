// Prim's algorithm on graphs: the tree of each component grows from its first cell by the lightest
// edge that leaves it.
//   R. C. Prim, Shortest connection networks and some generalizations, Bell Syst. Tech. J. 36
//   (1957) 1389. doi:10.1002/j.1538-7305.1957.tb01515.x
// Law: random_mst. The tree is kruskal's for the seed and for the same weights=, so that is what is
// made; the form below is watched. Time: n log n. Scratch: that of kruskal; 16 bytes an edge.
#include <algorithm>
#include <functional>
#include "graph_job.hpp"
#include "weights.hpp"

namespace meiro {
namespace {

void grow_watched(GraphJob& job, Trace& record) {
    const Graph& graph = job.graph;
    GraphEvents<Trace> events(record, graph);
    const EdgeWeights weights(job);
    Buffer<std::uint8_t> visited(graph.cells(), true);
    Stack<WeighedEdge> heap;
    const auto enter = [&](Index cell) {
        visited[cell] = 1;
        job.control.done(1);
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot) {
            job.control.poll(32);
            if (visited[graph.to()[slot]] != 0) continue;
            heap.push({weights.at(graph.via()[slot]), graph.via()[slot]});
            std::push_heap(heap.begin(), heap.end(), std::greater<>());
        }
    };
    for (const GraphId root : graph.roots()) {
        events.cell(Event::visit, root);
        enter(root);
        while (!heap.empty()) {
            job.control.poll(64);
            std::pop_heap(heap.begin(), heap.end(), std::greater<>());
            const GraphId edge = heap.pop().edge;
            const GraphId* const ends = graph.ends() + 2 * Index{edge};
            const bool forward = visited[ends[0]] != 0;
            const GraphId to = forward ? ends[1] : ends[0];
            if (visited[to] != 0) {
                events.edge(Event::keep, edge);
                continue;
            }
            job.open[edge] = 1;
            events.edge(Event::carve, edge, !forward);
            enter(to);
        }
    }
}

template <Recorder R>
void run_graph_prim(GraphJob& job, R& record) {
    if constexpr (std::is_same_v<R, Trace>)
        grow_watched(job, record);
    else
        graph_kruskal(job, record);
}

}  // namespace

const Runs<GraphJob> graph_prim{run_graph_prim, run_graph_prim};

}  // namespace meiro
