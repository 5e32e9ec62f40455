#include "dual_polygons.hpp"

#include <cmath>

#include "../huge_pages.hpp"
#include "../polled_sort.hpp"

namespace meiro {
namespace {

struct Spoke {
    double direction;
    GraphId triangle, corner;
};

bool precedes(const Spoke& a, const Spoke& b) {
    return a.direction != b.direction ? a.direction < b.direction : a.triangle < b.triangle;
}

// Grows with std::atan2(y, x), and is the same everywhere.
double direction(double x, double y) {
    const double sum = std::abs(x) + std::abs(y);
    if (sum == 0) return 0;
    const double slope = y / sum;
    return x >= 0 ? slope : std::copysign(2, y) - slope;
}

}  // namespace

// Seen from the first point of each triangle, so that nothing cancels far from the origin.
bool list_circumcentres(const Triangulation& triangulation, const Box& within, GraphId* triangles,
                        double* centres, Control& control) {
    bool inside = true;
    const auto place = [&](GraphId point, std::size_t axis) {
        return triangulation.places[2 * Index{point} + static_cast<Index>(axis)];
    };
    for (Index triangle = 0; triangle < triangulation.count; ++triangle) {
        control.poll(16);
        if (!triangulation.used(triangle)) continue;
        const GraphId* const of = triangulation.triangles + 3 * triangle;
        triangles = std::copy_n(of, 3, triangles);
        const double ax = place(of[1], 0) - place(of[0], 0), bx = place(of[2], 0) - place(of[0], 0);
        const double ay = place(of[1], 1) - place(of[0], 1), by = place(of[2], 1) - place(of[0], 1);
        const double a = ax * ax + ay * ay, b = bx * bx + by * by, cross = 2 * (ax * by - ay * bx);
        const std::array<double, 2> from{(by * a - ay * b) / cross, (ax * b - bx * a) / cross};
        for (const std::size_t axis : {0u, 1u}) {
            const double low = within.low[axis], high = within.high[axis];
            const double near = 1e-9 * (high - low);
            // Points on a line have no centre, or one at infinity.
            const double at = place(of[0], axis) + (std::isnan(from[axis]) ? 0 : from[axis]);
            inside &= low - near <= at && at <= high + near;
            *centres++ = std::clamp(at, low, high);
        }
    }
    return inside;
}

// The corners are sorted by their points, by counting, and those of a point by their directions.
DualPolygons dual_polygons(const Triangulation& triangulation, const std::int64_t* centre,
                           const double* corners, Control& control) {
    const Index count = triangulation.count, points = triangulation.points;
    const GraphId* const triangles = triangulation.triangles;
    const double* const places = triangulation.places;
    constexpr Index ahead = 24;                    // points lie in no order
    Buffer<std::int64_t> first(points + 2, true);  // first[p + 1] moves over the corners of p
    const auto each_slot = [&](auto visit) {
        for (Index slot = 0; slot < 3 * count; ++slot) {
            if (slot + ahead < 3 * count) {
                const Index point = triangles[slot + ahead];
                prefetch(first.data(), point + 1);
                prefetch(places, 2 * point);
            }
            if (triangles[slot] < points) visit(slot, triangles[slot]);
            control.poll(4);
        }
    };
    prefer_huge_pages(first);
    each_slot([&](Index, Index point) { ++first[point + 2]; });
    for (Index point = 0; point < points; ++point) {
        first[point + 2] += first[point + 1];
        control.poll();
    }
    Buffer<Spoke> sorted(first[points + 1]);
    prefer_huge_pages(sorted);
    each_slot([&](Index slot, Index point) {
        const Index triangle = slot / 3;
        const double* const to = corners + 2 * centre[triangle];
        const double* const from = places + 2 * point;
        sorted[first[point + 1]++] = {direction(to[0] - from[0], to[1] - from[1]),
                                      static_cast<GraphId>(triangle),
                                      static_cast<GraphId>(centre[triangle])};
    });
    DualPolygons found{Buffer<std::int64_t>(points + 1), Buffer<std::int64_t>(sorted.size())};
    Index kept = 0;
    for (Index point = 0; point < points; ++point) {
        const Index begin = first[point], end = first[point + 1];
        found.indptr[point] = kept;
        polled_sort(sorted.data() + begin, sorted.data() + end, precedes, control);
        for (Index i = begin; i < end; ++i) {
            const std::int64_t corner = sorted[i].corner;
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
