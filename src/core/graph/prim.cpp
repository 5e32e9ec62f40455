// Prim's algorithm on graphs: the tree of each component grows from its first cell by the lightest
// edge that leaves it.
//   R. C. Prim, Shortest connection networks and some generalizations, Bell Syst. Tech. J. 36
//   (1957) 1389. doi:10.1002/j.1538-7305.1957.tb01515.x
// Law: random_mst. The tree is kruskal's for the seed and for the same weights=, so that is what is
// made; the plain form (spanning_forest.hpp) is watched. Time: n log n. Scratch: that of kruskal;
// 16 bytes an edge.
#include "weights.hpp"

namespace meiro {

constexpr Runs<GraphJob> graph_prim = graph_runs([]<Recorder R>(GraphJob& job, R& record) {
    if constexpr (std::is_same_v<R, NoTrace>) {
        graph_kruskal(job, record);
    } else {
        GraphEdges edges(job, record);
        const EdgeWeights weights(job);
        PlainPrim(edges, weights, job.control).run();
    }
});

}  // namespace meiro
