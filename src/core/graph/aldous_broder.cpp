// Aldous-Broder on graphs: a random walk over all cells of each component, from its first cell;
// each cell keeps the edge of its first entrance.
//   D. J. Aldous, SIAM J. Discrete Math. 3 (1990) 450. doi:10.1137/0403039
//   A. Broder, FOCS '89, 442. doi:10.1109/SFCS.1989.63516
// Law: uniform; with weights= as conductances, the probability of a tree is proportional to the
// product of those of its edges.
// Time: the cover time of the walk; if weights= make it far longer than even ones, the tree is made
// by elimination (unequal_weights.hpp). Scratch: a byte a cell; with weights= 8 a slot, and what
// unequal_weights.hpp takes.
#include "conductances.hpp"
#include "graph_job.hpp"
#include "unequal_weights.hpp"

namespace meiro {
namespace {

template <class Walk, Recorder R>
void tour(GraphJob& job, R& record, Walk walk) {
    const Graph& graph = job.graph;
    GraphEvents<R> events(record, graph);
    Buffer<std::uint8_t> visited(graph.cells(), true);
    for (std::size_t part = 0; part < graph.roots().size(); ++part) {
        Index at = graph.roots()[part], left = graph.sizes()[part] - 1;
        visited[at] = 1;
        events.cell(Event::visit, at);
        job.control.done(1);
        while (left > 0) {
            Index entered = 0;
            for (Index step = 0; step < poll_chunk && left > 0; ++step) {
                const auto mark = walk.draw(at);
                const Index to = walk.next(at, mark);
                if (visited[to] == 0) {
                    visited[to] = 1;
                    const GraphId edge = graph.via()[walk.slot(at, mark)];
                    job.open[edge] = 1;
                    events.edge_from(Event::carve, graph, edge, at);
                    ++entered;
                    --left;
                } else {
                    events.cell(Event::back, to);
                }
                at = to;
            }
            job.control.done(entered);
            job.control.poll(4 * poll_chunk);
        }
        job.control.poll();
    }
}

}  // namespace

constexpr Runs<GraphJob> graph_aldous_broder = graph_runs([](GraphJob& job, auto& record) {
    if (job.options.weights.empty()) {
        with_even_slots(job, [&](auto walk) { tour(job, record, walk); });
        return;
    }
    const Graph& graph = job.graph;
    const auto ends = [&](Index edge) {
        return std::pair(graph.ends()[2 * edge], graph.ends()[2 * edge + 1]);
    };
    if (walk_covers_soon(graph.cells(), job.options.weights, ends, job.control))
        with_weighted_slots(job, [&](auto walk) { tour(job, record, walk); });
    else
        make_by_elimination(job, record);
});

}  // namespace meiro
