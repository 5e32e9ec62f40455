// Far apart cells of many mazes, and how many cells are far from each cell.
#pragma once

#include "../adjacency.hpp"
#include "../batch.hpp"

namespace meiro {

// counts[i]: the number of cells with a 1 in `among` at least `least` >= 1 steps away from cell i;
// 0 if cell i has no 1. Time: a flood per cell of `among`. Scratch: a byte per cell and two levels.
template <class Maze>
void count_far(const Maze& maze, const std::uint8_t* among, Index least, Index* counts,
               Control& control);

}  // namespace meiro
