// Two cells that are far apart, by two floods per component.
#pragma once

#include "../control.hpp"
#include "../topology.hpp"

namespace meiro {

// Two cells and the steps between them; length -1 if there is no cell to choose.
struct Pair {
    Index first = 0, second = 0, length = -1;
};

// Two connected cells with a byte in `among` (all cells if null) that are far apart: on trees no
// other two are farther. Scratch: a byte per cell, and two levels.
template <class Maze>
Pair farthest(const Maze& maze, const std::uint8_t* among, Control& control);

}  // namespace meiro
