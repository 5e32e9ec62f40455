// Statistics along paths: the solution, dead ends, hallways.
//
// A hallway is a chain of corridors between two cells that are dead ends, junctions or crossroads:
//
//   A---B---C       A, C and D are dead ends, B is a junction: three hallways, of which
//       |           B-D has length 2, B-A and B-C have length 1 each
//       |
//       D
//
// Complexity and difficulty are those of
//   M. S. McClendon, The complexity and difficulty of a maze, Bridges (2001) 213:
//   of a hallway of length D, which turns by angles t_i after arcs of length d_i,
//     D * sum of t_i / (pi d_i);
//   of a maze the logarithm of the sum over its hallways; its difficulty is the logarithm of the
//   value of the solution, taken as one hallway, times the product over the branches along it of
//   1 + the sum over the hallways of the branch.
// Here every turn is a right angle, t = pi / 2; lengths are in steps; the last arc counts like an
// arc that ends in a turn, so a hallway has the same value from both ends; the logarithm is
// natural. Time: linear in the steps. Scratch: a few bytes per waiting junction.
#pragma once

#include "../adjacency.hpp"

namespace meiro {

struct Solution {
    bool found = false;
    Index length = 0;  // steps
    Index turns = 0;
    Index decisions = 0;  // cells between the ends with several moves onward
    double complexity = 0;
};

// Statistics of the path along `towards`, the move on from each cell (`nowhere`: no move).
Solution follow(const Adjacency& adjacency, const std::uint8_t* towards, Index from, Index to,
                Control& control);

// For mazes with loops: the moves back to `start` along shortest paths, the same as the solver bfs
// finds, until the goal is reached. Writes all of `towards`.
void flood_towards(const Adjacency& adjacency, Index start, Index goal, std::uint8_t* towards,
                   Control& control);

// Steps from the dead ends to the first cell that is not a corridor.
struct DeadEndSteps {
    Index steps = 0, longest = 0;
    Index corridors = 0;  // that were walked

    void merge(const DeadEndSteps& other) {
        steps += other.steps;
        longest = std::max(longest, other.longest);
        corridors += other.corridors;
    }
};
DeadEndSteps dead_ends(const Adjacency& adjacency, Control& control, int threads = 1);

// Corridors outside of hallways: those of isolated loops.
Index lonely_corridors(const Adjacency& adjacency, Index corridors, Control& control,
                       int threads = 1);

// Of a tree: the sum of the complexities of its hallways, before the logarithm.
double hallways(const Adjacency& adjacency, Control& control);

// Of a tree whose cells have moves `towards` the root: log of the product, over the branches along
// the path from `from` to the root, of 1 + the sum of the complexities of their hallways.
double branches(const Adjacency& adjacency, const std::uint8_t* towards, Index from,
                Control& control);

}  // namespace meiro
