// Mazes on squares whose weights= are too unequal for walks: made as trees of a graph, by
// elimination (graph/unequal_weights.hpp).
#pragma once

#include "../job.hpp"

namespace meiro {

// Are there few enough cells for a graph?
bool fits_a_graph(const Passages& maze);

// Is a walk over all cells about as short as with even weights? Also true if the maze is too large
// to be made in another way.
bool walk_covers_soon(const Job& job);

// Makes the maze; reports a cell of each component, and the walls that are open.
template <Recorder R>
void make_by_elimination(Job& job, R& record);

}  // namespace meiro
