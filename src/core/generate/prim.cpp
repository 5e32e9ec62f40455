// Prim's algorithm ("true Prim" among maze programmers): one tree grows from the first cell, always
// through the lightest wall between it and the rest. With a mask the next component then grows from
// its own first cell.
//   V. Jarnik, O jistem problemu minimalnim, Prace moravske prirodovedecke spolecnosti 6 (1930) 57.
//   R. C. Prim, Shortest connection networks and some generalizations, Bell Syst. Tech. J. 36
//   (1957) 1389. doi:10.1002/j.1538-7305.1957.tb01515.x
// Law: random_mst. The maze is kruskal's for the seed, so it is made as that is, tile by tile
// (tiles.hpp). What is watched or follows weights= is the plain form (spanning_forest.hpp), with a
// binary heap of the walls that the tree has met.
// Time: linear; plain, n log n. Scratch: see tiles.hpp; 23 bytes a cell with weights= or while
// watched.
#include "shared/minimum_tree.hpp"

namespace meiro {

constexpr Runs<Job> prim = job_runs([](Job& job, auto& record) {
    minimum_tree(job, record, [&](auto& walls, const auto& weights) {
        PlainPrim(walls, weights, job.control).run();
    });
});

}  // namespace meiro
