// Locks: doors on the way from a start to a goal, and a key for each, which lies before its door.
//
// A door closes a bridge between start and goal: a passage of every path. So doors come one after
// the other, and divide the maze into regions; the key of a door lies in the region before it, but
// not before the last one. No key is at the start, and two doors have a branch of the maze between
// them, unless there are too few of these.
//
//   +---+---+---+---+      S start, G goal      a, b keys of the doors A, B
//   | S     A     G |
//   +   +---+-B-+---+      Law: of the branches n, uniformly, then of the bridges that follow each
//   | a | b     |   |      one; without branches n bridges, uniformly. Keys uniformly: of the dead
//   +---+---+---+---+      ends of a region, else of its places beside the path, else of its
//   places.
//
// Bridges are found by a sweep along a shortest path (sweep.hpp): the passage to place i + 1 of it
// is one if no other leads from what was reached before to place i + 1 or farther. R. E. Tarjan,
// Inf. Process. Lett. 2 (1974) 160, finds those of the whole graph.
#pragma once

#include "../random.hpp"
#include "path_queries.hpp"

namespace meiro {

struct Lock {
    Index before, behind;  // the places on both sides of the door
    Index edge;            // of a graph; in squares the move from `before` to `behind`
    Index key;             // a place
};

struct Locks {
    bool connected = false;  // start and goal
    Buffer<Lock> locks;      // in order from the start
};

// `n` locks, or as many as there can be.
// Time: linear. Scratch: two ids per place, and that of bottlenecks().
template <class Maze>
Locks draw_locks(const Maze& maze, Index start, Index goal, Index n, Random& random,
                 Control& control);

}  // namespace meiro
