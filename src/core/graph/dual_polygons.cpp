#include "dual_polygons.hpp"

#include <cmath>

#include "../polled_sort.hpp"

namespace meiro {
namespace {

struct Spoke {
    double direction;
    Index slot;  // of the list of triangles
};

bool precedes(const Spoke& a, const Spoke& b) {
    return a.direction != b.direction ? a.direction < b.direction : a.slot < b.slot;
}

// Grows with std::atan2(y, x), and is the same everywhere.
double direction(double x, double y) {
    const double sum = std::abs(x) + std::abs(y);
    if (sum == 0) return 0;
    const double slope = y / sum;
    return x >= 0 ? slope : std::copysign(2, y) - slope;
}

}  // namespace

// The corners are sorted by their points, by counting, and those of a point by their directions.
DualPolygons dual_polygons(const Triangulation& triangulation, Control& control) {
    const Index count = triangulation.count, points = triangulation.points;
    const std::int64_t* const triangles = triangulation.triangles;
    const std::int64_t* const centre = triangulation.centre;
    const double* const corners = triangulation.corners;
    const double* const places = triangulation.places;
    Buffer<std::int64_t> first(points + 2, true);  // first[p + 1] moves over the corners of p
    const auto each_slot = [&](auto visit) {
        for (Index slot = 0; slot < 3 * count; ++slot) {
            if (triangles[slot] < points) visit(slot, triangles[slot]);
            control.poll(4);
        }
    };
    each_slot([&](Index, Index point) { ++first[point + 2]; });
    for (Index point = 0; point < points; ++point) {
        first[point + 2] += first[point + 1];
        control.poll();
    }
    Buffer<Spoke> sorted(first[points + 1]);
    each_slot([&](Index slot, Index point) {
        const double* const to = corners + 2 * centre[slot / 3];
        const double* const from = places + 2 * point;
        sorted[first[point + 1]++] = {direction(to[0] - from[0], to[1] - from[1]), slot};
    });
    DualPolygons found{Buffer<std::int64_t>(points + 1), Buffer<std::int64_t>(sorted.size())};
    Index kept = 0;
    for (Index point = 0; point < points; ++point) {
        const Index begin = first[point], end = first[point + 1];
        found.indptr[point] = kept;
        polled_sort(sorted.data() + begin, sorted.data() + end, precedes, control);
        for (Index i = begin; i < end; ++i) {
            const std::int64_t corner = centre[sorted[i].slot / 3];
            if (kept == found.indptr[point] || corner != found.indices[kept - 1])
                found.indices[kept++] = corner;
        }
        // The last one may be the first one.
        while (kept > found.indptr[point] + 1 &&
               found.indices[kept - 1] == found.indices[found.indptr[point]])
            --kept;
        control.poll(4 + end - begin);
    }
    found.indptr[points] = kept;
    return found;
}

}  // namespace meiro
