// The sides that polygons share: what makes cells of polygons adjacent.
#pragma once

#include "graph.hpp"

namespace meiro {

// Cell c has the corners indices[indptr[c]] .. indices[indptr[c + 1] - 1], in order around it; a
// side is a pair of corners that follow each other. Corners have two coordinates each, and those of
// the drawing are at `places`; cells are adjacent where the same two of `joined` are ends of their
// sides. These are the same numbers but on a surface that was cut open to lie flat.
struct Polygons {
    const std::int64_t* indptr;
    const std::int64_t* indices;
    const std::int64_t* joined;
    Index cells;
    Index joints;  // the numbers in `joined` are below it
    const double* places;
    Index corners;

    Index sides() const { return indptr[cells]; }
    bool valid(Control& control) const;  // all numbers are in their ranges
};

// What is known of each side: `alone` if it is in the rim, `first` if a higher cell shares it, else
// the side of the lower cell that it is. `three` becomes the first side that more than two cells
// share, else -1.
struct SharedSides {
    static constexpr std::uint32_t alone = 0xffffffff, first = 0xfffffffe;
    Buffer<std::uint32_t> state;
    Index edges = 0;
    Index three = -1;
};
inline constexpr Index most_sides = SharedSides::first;
SharedSides match_sides(const Polygons& polygons, Control& control);

// Lists what was matched, edges in the order of the sides of their lower cells: the two cells and
// the ends of the wall of each; the ends and the cell of each side in the rim, in the order of the
// sides. Null for what is not wanted: `middles`, the means of the corners of the cells, and
// `straight`, the steps that go straight on after each step (of graph.hpp), through the side
// opposite to that of the entrance; -1 in a cell with an odd number of sides.
struct SideLists {
    GraphId* edges;
    double* walls;
    double* rim;
    GraphId* rim_cells;
    double* middles;
    GraphId* straight;
};

// The walls that are drawn twice, on both sides of a cut, and their edges: the second of the two.
struct SecondWalls {
    Stack<std::int64_t> ends;
    Stack<GraphId> edges;
};
SecondWalls list_sides(const Polygons& polygons, SharedSides shared, const SideLists& lists,
                       Control& control);

}  // namespace meiro
