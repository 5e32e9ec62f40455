// Cells of many mazes that are far apart, and how many are.
#pragma once

#include "../adjacency.hpp"
#include "../measure/measure_many.hpp"

namespace meiro {

// Two cells farthest from each other, of each maze: out is n times (start, goal, steps), all -1
// where there is no passage. Exact, with loops too. Scratch, each thread: that of longest_path.
void farthest_of_each(const Batch& batch, Index* out, Control& control, int threads);

// counts[i]: of the cells with a 1 in `among`, how many are `least` >= 1 steps or more from cell i;
// 0 where i is none of them. Time: a flood from each of them. Scratch: a byte a cell and two
// levels.
void count_far(const Adjacency& adjacency, const std::uint8_t* among, Index least, Index* counts,
               Control& control);

}  // namespace meiro
