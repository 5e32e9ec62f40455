// Kruskal's algorithm: walls are visited from the lightest on, and opened if they separate two
// components. Also "clustering", after the numbers that the components carry: joined components
// take the smaller one, that of their first cell.
//   J. B. Kruskal, On the shortest spanning subtree of a graph and the traveling salesman problem,
//   Proc. AMS 7 (1956) 48. doi:10.1090/S0002-9939-1956-0078686-7
// Law: random_mst. Weights: weights.hpp, or `weights=`; `order=` gives the order itself.
//
// A minimum spanning tree is unique if no two weights are equal, so only the order of the weights
// matters: the maze is made tile by tile in the cache (tiles.hpp explains why that is exact). While
// traced, or with given weights or a given order, it is made in the plain form:
// spanning_forest.hpp. Time: linear in all but the walls between tiles; plain, n log n. Scratch:
// see tiles.hpp; 4 bytes per cell (8 from 2^31 cells on) with order=, 12 (24) with weights=, and 36
// (40) while traced.
#include "shared/minimum_tree.hpp"

namespace meiro {

constexpr Runs<Job> kruskal = job_runs([]<Recorder R>(Job& job, R& record) {
    if (job.options.order.empty())
        return minimum_tree(job, record, [&](auto& walls, const auto& weights) {
            plain_kruskal(walls, weights, job.control);
        });
    with_wall_ids<R>(job, [&]<class Id>(Id) {
        Walls<Id, R> walls(job, record);
        open_in_order(walls, job.options.order, std::identity{}, job.control);
        walls.finish();
    });
});

}  // namespace meiro
