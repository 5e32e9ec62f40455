// Bond percolation on graphs: each edge is open independently with probability p. Not perfect.
//   S. R. Broadbent, J. M. Hammersley, Proc. Camb. Phil. Soc. 53 (1957) 629,
//   doi:10.1017/S0305004100032680. Law: the product law, exact to 2^-63; self loops stay closed.
// Linear; no scratch. 64 edges draw their binary digits together, see Random::coins.
#include "graph_job.hpp"

namespace meiro {

constexpr Runs<GraphJob> graph_percolation = graph_runs([]<Recorder R>(GraphJob& job, R& record) {
    const Graph& graph = job.graph;
    GraphEvents<R> events(record, graph);
    Random random(job.seed);
    for (Index first = 0; first < graph.edges(); first += 64) {
        std::uint64_t coins = random.coins(job.options.p);
        const Index last = std::min(first + 64, graph.edges());
        for (Index edge = first; edge < last; ++edge, coins >>= 1) {
            const bool loop = graph.ends()[2 * edge] == graph.ends()[2 * edge + 1];
            const bool opens = (coins & 1) != 0 && !loop;
            job.open[edge] = opens ? 1 : 0;
            events.edge(opens ? Event::carve : Event::keep, edge);
        }
        job.control.poll(128);
    }
    job.control.done(graph.cells());
});

}  // namespace meiro
