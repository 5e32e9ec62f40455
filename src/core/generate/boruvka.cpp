// Boruvka's algorithm: in every round each component takes the lightest wall on its border; all of
// these are opened, until nothing is left to join. The oldest algorithm for minimum spanning trees.
//   O. Boruvka, O jistem problemu minimalnim, Prace moravske prirodovedecke spolecnosti 3 (1926)
//   37. English: J. Nesetril, E. Milkova, H. Nesetrilova, Otakar Boruvka on minimum spanning tree
//   problem, Discrete Math. 233 (2001) 3. doi:10.1016/S0012-365X(00)00224-7
// Law: random_mst. The maze is kruskal's for the seed, so it is made as that is, tile by tile
// (tiles.hpp). What is watched or follows weights= is the plain form:
// spanning_forest.hpp.
// Time: linear; plain too, up to a small factor, as each round leaves a fraction of the regions and
// of the walls. Scratch: see tiles.hpp; 16 bytes a cell (32 from 2^31 cells on) with weights=, and
// 28 (40) while watched.
#include "shared/minimum_tree.hpp"

namespace meiro {

constexpr Runs<Job> boruvka = job_runs([](Job& job, auto& record) {
    minimum_tree(job, record, [&](auto& walls, const auto& weights) {
        PlainBoruvka(walls, weights, job.control).run();
    });
});

}  // namespace meiro
