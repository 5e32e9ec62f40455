// Windows of mazes without borders: any part of one, from the seed alone.
//
// A cell is any (row, col) from -2^62 to 2^62 - 1; its walls to the east and to the south have the
// addresses that they have in generate(), rows and columns as two's complement.
//
//   kruskal        the minimal spanning forest of the plane: forest.hpp
//   percolation    the walls of weight below p are open: the clusters among which kruskal's forest
//                  grows
//   binary_tree    every cell opens north or west, by the coins of generate()
//   sidewinder     runs that end by coins; the member that opens north is drawn at their last cell
//   pole_toppling  a pole on every post falls east, south or west, never onto that of the post to
//                  its west
//
// The rows of sidewinder and pole_toppling have no begin. A run ends where a coin says so, so it is
// found from any of its cells. Of a pole the next one only asks whether it fell east: five digits
// in six say so whatever lies to its west, so the way to the west is searched for one of these.
// Nothing is approximate: the same passages follow from any window.
#pragma once

#include <string_view>

#include "../../control.hpp"
#include "../../random.hpp"

namespace meiro::endless {

inline constexpr Index coordinate_end = Index{1} << 62;

struct Plane {
    Seed seed;
    Chance p;  // of percolation
};

// Writes the passages of the cells from (row, col) on; those that leave the window, too.
using Rule = void (*)(const Plane& plane, Cell first, Shape shape, std::uint8_t* out,
                      Control& control, int threads);

// That of the algorithm of a name; null: it makes no endless maze.
Rule find_rule(std::string_view name);

}  // namespace meiro::endless
