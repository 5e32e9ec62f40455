// What is counted along ways: the solution, dead ends, hallways.
//
// A hallway is a chain of corridors between two cells that are none (dead ends, junctions,
// crossroads). Complexity and difficulty are those of
//   M. S. McClendon, The complexity and difficulty of a maze, Bridges (2001) 213:
//   of a hallway of length D, which turns by angles t_i after arcs of length d_i,
//     D * sum of t_i / (pi d_i);
//   of a maze the logarithm of the sum over its hallways; its difficulty is the logarithm of that
//   of the solution, taken as one hallway, times the product over the branches along it of
//   1 + the sum over the hallways of the branch.
// Here every turn is a right angle, t = pi / 2; lengths are in steps; the last arc counts as those
// that end in a turn do, so that either end may be the first; the logarithm is the natural one.
// Time: linear in the steps. Scratch: a few bytes a junction that waits.
#pragma once

#include "../adjacency.hpp"
#include "../buffer.hpp"

namespace meiro {

struct Solution {
    bool found = false;
    Index length = 0;  // steps
    Index turns = 0;
    Index decisions = 0;  // cells between the ends with more than one way on
    double complexity = 0;
};

// Along `towards`, the way to go on from each cell (`nowhere`: none), from one cell to another.
Solution follow(const Adjacency& adjacency, const std::uint8_t* towards, Index from, Index to,
                Control& control);

// The ways back to `start` along shortest paths, those that the solver bfs finds, until the goal
// is reached; for mazes with loops. Writes all of `towards`.
void flood_towards(const Adjacency& adjacency, Index start, Index goal, std::uint8_t* towards,
                   Control& control);

// Steps from the dead ends to the first cell that is no corridor.
struct DeadEndSteps {
    Index steps = 0, longest = 0;
};
DeadEndSteps dead_ends(const Adjacency& adjacency, Control& control);

// Corridors that are in no hallway: those of loops that nothing else joins.
Index lonely_corridors(const Adjacency& adjacency, Index corridors, Control& control);

// Of a tree: the sum of the complexities of its hallways, before the logarithm.
double hallways(const Adjacency& adjacency, Control& control);

// Of a tree with the way `towards` the root of each cell: log of the product, over the branches
// along the path from `from` to the root, of 1 + the sum of the complexities of their hallways.
double branches(const Adjacency& adjacency, const std::uint8_t* towards, Index from,
                Control& control);

}  // namespace meiro
