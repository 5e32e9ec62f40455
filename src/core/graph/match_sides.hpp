// The sides that polygons share: what makes cells of polygons adjacent.
#pragma once

#include "graph.hpp"

namespace meiro {

// Cell c has the corners indices[indptr[c]] .. indices[indptr[c + 1] - 1], in order around it; a
// side is a pair of corners that follow each other.
struct Polygons {
    const std::int64_t* indptr;
    const std::int64_t* indices;
    Index cells, corners;
};

// `step`, with a number for each side in the order of the cells and around each, becomes the step
// out of the cell through it: 2 * edge if the side belongs to another, higher cell as well,
// 2 * edge + 1 if to a lower one, -1 in the rim. Edges are numbered in the order of the sides of
// their lower cells. `three` becomes the first side that is shared by more than two cells, else -1.
struct SharedSides {
    Index edges = 0;
    Index rim = 0;
    Index three = -1;
};
SharedSides match_sides(const Polygons& polygons, GraphId* step, Control& control);

// Lists what was matched: the two cells and the two corners of each edge; the two corners and the
// cell of each side in the rim, in the order of the sides.
struct SideLists {
    GraphId* edges;
    std::int64_t* walls;
    std::int64_t* rim;
    GraphId* rim_cells;
};
void list_sides(const Polygons& polygons, const GraphId* step, const SideLists& lists,
                Control& control);

}  // namespace meiro
