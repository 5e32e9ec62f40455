// Boruvka's algorithm on graphs: in every round each tree takes the lightest edge that leaves it;
// all of these are opened, until nothing is left to join.
//   O. Boruvka, O jistem problemu minimalnim, Prace moravske prirodovedecke spolecnosti 3 (1926)
//   37; English in Discrete Math. 233 (2001) 3. doi:10.1016/S0012-365X(00)00224-7
// Law: random_mst. The tree is kruskal's for the seed and for the same weights=, so that is what is
// made; the plain form (spanning_forest.hpp) is watched. Time: m log n. Scratch: that of kruskal;
// 12 bytes a cell and an edge.
#include "weights.hpp"

namespace meiro {

constexpr Runs<GraphJob> graph_boruvka = graph_runs([]<Recorder R>(GraphJob& job, R& record) {
    if constexpr (std::is_same_v<R, NoTrace>) {
        graph_kruskal(job, record);
    } else {
        GraphEdges edges(job, record);
        const EdgeWeights weights(job);
        PlainBoruvka(edges, weights, job.control).run();
    }
});

}  // namespace meiro
