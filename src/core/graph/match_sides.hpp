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

// For each side, in the order of the cells and around each: the side of another cell that is the
// same, or -1 in the rim; and the step out of the cell through it: 2 * edge for the lower
// cell, 2 * edge + 1 for the higher, -1 in the rim. Edges are numbered in the order of
// the sides of their lower cells. `three` becomes the first side that is shared by more than two
// cells, else -1.
struct SharedSides {
    Buffer<std::int64_t> same;
    Buffer<GraphId> step;
    Index three = -1;
};
SharedSides match_sides(const Polygons& polygons, Control& control);

}  // namespace meiro
