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

// Lists the triangles whose circles are those of all the points in a rectangle, and the centres of
// these, moved into the rectangle; returns how many. Of points up to `band` away from a side and
// their images beyond it (`rim`) these are the circles that reach no farther in; of all points,
// without images, those with a centre inside that do, or nearly. `whole` becomes false where the
// band was too narrow: a centre of the rim lies outside, or a circle around an image reaches in.
struct Border {
    std::array<double, 2> low, high;
    double band;
    bool rim;
};
Index list_circumcentres(const Triangulation& triangulation, const Border& border,
                         GraphId* triangles, double* centres, bool& whole, Control& control);

// Point p has the corners indices[indptr[p]] .. indices[indptr[p + 1] - 1]: the centres of its
// triangles, in the order of their directions, from -pi to pi. Those up to `near` apart along each
// axis are one corner, with the place of the first triangle. Corners are numbered as they come:
// corner c is the centre of the triangle corners[c].
struct DualPolygons {
    Buffer<std::int64_t> indptr;
    Buffer<std::int64_t> indices;
    Buffer<GraphId> corners;
    Index n_corners;
};
DualPolygons dual_polygons(const Triangulation& triangulation, const double* centres, double near,
                           Control& control);

}  // namespace meiro
