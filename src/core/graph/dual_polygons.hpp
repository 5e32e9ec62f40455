// The polygons around the points of a triangulation: what makes Voronoi cells of triangles.
#pragma once

#include "../buffer.hpp"
#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

// Triangle t has the points triangles[3 * t] .. triangles[3 * t + 2], of which those from `points`
// on have no polygon, and its centre is the corner centre[t]. Corners and points have two
// coordinates each.
struct Triangulation {
    const std::int64_t* triangles;
    const std::int64_t* centre;
    Index count;
    const double* corners;
    const double* places;
    Index points;
};

// Point p has the corners indices[indptr[p]] .. indices[indptr[p + 1] - 1]: the centres of its
// triangles in the order of their directions, from -pi to pi, each corner once in a row.
struct DualPolygons {
    Buffer<std::int64_t> indptr;
    Buffer<std::int64_t> indices;
};
DualPolygons dual_polygons(const Triangulation& triangulation, Control& control);

}  // namespace meiro
