// Two cells that are far apart, by two floods per component, and how many are far from each cell.
#pragma once

#include "../control.hpp"

namespace meiro {

// Two cells and the steps between them; length -1 if there is no cell to choose.
struct Pair {
    Index first = 0, second = 0, length = -1;
};

// Two connected cells with a byte in `among` (all cells if null) that are far apart: on trees no
// other two are farther. Scratch: a byte per cell, and two levels.
template <class Maze>
Pair farthest(const Maze& maze, const std::uint8_t* among, Control& control);

// counts[i]: the number of cells with a 1 in `among` at least `least` >= 1 steps away from cell i;
// 0 if cell i has no 1. Time: a flood per cell of `among`. Scratch: a byte per cell and two levels.
template <class Maze>
void count_far(const Maze& maze, const std::uint8_t* among, Index least, Index* counts,
               Control& control);

}  // namespace meiro
