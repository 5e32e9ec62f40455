// The polygons around the points of a triangulation: what makes Voronoi cells of triangles.
#pragma once

#include <algorithm>
#include <array>

#include "graph.hpp"

namespace meiro {

// Triangle t has the points triangles[3 * t] .. triangles[3 * t + 2], of which those from `points`
// on have no polygon. Points have two coordinates each.
struct Triangulation {
    const GraphId* triangles;
    Index count;
    const double* places;
    Index points;

    bool used(Index triangle) const {  // does it have a point with a polygon?
        const GraphId* const of = triangles + 3 * triangle;
        return std::min({of[0], of[1], of[2]}) < points;
    }
};

// Lists the triangles that are used, and the centres of the circles around them, moved into the
// rectangle. Was each of them there, up to rounding?
struct Box {
    std::array<double, 2> low, high;
};
bool list_circumcentres(const Triangulation& triangulation, const Box& within, GraphId* triangles,
                        double* centres, Control& control);

// Point p has the corners indices[indptr[p]] .. indices[indptr[p + 1] - 1]: the centres of its
// triangles, centre[t] of `corners`, in the order of their directions, from -pi to pi, each corner
// once in a row.
struct DualPolygons {
    Buffer<std::int64_t> indptr;
    Buffer<std::int64_t> indices;
};
DualPolygons dual_polygons(const Triangulation& triangulation, const std::int64_t* centre,
                           const double* corners, Control& control);

}  // namespace meiro
