// Kruskal's algorithm on graphs: edges are visited from the lightest on, and opened if they join
// two components.
//   J. B. Kruskal, On the shortest spanning subtree of a graph and the traveling salesman problem,
//   Proc. AMS 7 (1956) 48. doi:10.1090/S0002-9939-1956-0078686-7
// Law: random_mst. Weights: weights.hpp, or `weights=`; `order=` gives the order itself.
// Time: n log n. Scratch: 16 bytes an edge, 4 a cell.
#include <functional>

#include "../disjoint_set.hpp"
#include "../polled_sort.hpp"
#include "graph_generators.hpp"
#include "weights.hpp"

namespace meiro {
namespace {

template <Recorder R>
class EdgeOpener {
public:
    EdgeOpener(GraphJob& job, R& record)
        : job_(job), events_(record, job.graph), sets_(job.graph.cells()) {
        sets_.reset(job.graph.cells(), job.control);
    }
    void look(Index edge) {
        job_.control.poll(16);  // random access: cache misses
        const GraphId* const ends = job_.graph.ends() + 2 * edge;
        const bool opens = sets_.join(ends[0], ends[1]);
        job_.open[edge] = opens ? 1 : 0;
        job_.control.done(opens ? 1 : 0);
        events_.edge(opens ? Event::carve : Event::keep, edge);
    }

private:
    GraphJob& job_;
    GraphEvents<R> events_;
    DisjointSet<GraphId> sets_;
};

}  // namespace

template <Recorder R>
void graph_kruskal(GraphJob& job, R& record) {
    if (!job.options.order.empty()) {
        EdgeOpener<R> opener(job, record);
        for (const Index edge : job.options.order) opener.look(edge);
        return;
    }
    const EdgeWeights weights(job);
    Buffer<WeighedEdge> edges(job.graph.edges());
    for (Index edge = 0; edge < edges.size(); ++edge) {
        edges[edge] = {weights.at(edge), static_cast<GraphId>(edge)};
        job.control.poll(8);
    }
    polled_sort(edges.begin(), edges.end(), std::less<>(), job.control);
    EdgeOpener<R> opener(job, record);
    for (const WeighedEdge& edge : edges) opener.look(edge.edge);
}

template void graph_kruskal(GraphJob&, NoTrace&);
template void graph_kruskal(GraphJob&, Trace&);

}  // namespace meiro
