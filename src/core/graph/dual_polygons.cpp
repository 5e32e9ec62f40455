#include "dual_polygons.hpp"

#include <cmath>
#include <limits>

#include "../disjoint_set.hpp"
#include "../huge_pages.hpp"
#include "../polled_sort.hpp"

namespace meiro {
namespace {

struct Spoke {
    double direction;
    GraphId triangle;
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
Index list_circumcentres(const Triangulation& triangulation, const Border& border,
                         GraphId* triangles, double* centres, bool& whole, Control& control) {
    Index kept = 0;
    const auto place = [&](GraphId point, std::size_t axis) {
        return triangulation.places[2 * Index{point} + static_cast<Index>(axis)];
    };
    for (Index triangle = 0; triangle < triangulation.count; ++triangle) {
        control.poll(16);
        if (!triangulation.used(triangle)) continue;
        const GraphId* const of = triangulation.triangles + 3 * triangle;
        const double ax = place(of[1], 0) - place(of[0], 0), bx = place(of[2], 0) - place(of[0], 0);
        const double ay = place(of[1], 1) - place(of[0], 1), by = place(of[2], 1) - place(of[0], 1);
        const double a = ax * ax + ay * ay, b = bx * bx + by * by, cross = 2 * (ax * by - ay * bx);
        const std::array<double, 2> from{(by * a - ay * b) / cross, (ax * b - bx * a) / cross};
        bool inside = true;
        double reach = std::numeric_limits<double>::infinity();  // from the nearest side
        for (const std::size_t axis : {0u, 1u}) {
            const double low = border.low[axis], high = border.high[axis];
            const double near = 1e-9 * (high - low);
            // Points on a line have no centre, or one at infinity.
            const double at = place(of[0], axis) + (std::isnan(from[axis]) ? 0 : from[axis]);
            inside &= low - near <= at && at <= high + near;
            const double moved = std::clamp(at, low, high);
            centres[2 * kept + static_cast<Index>(axis)] = moved;
            reach = std::min({reach, moved - low, high - moved});
        }
        reach += std::hypot(from[0], from[1]);
        if (border.rim) {
            const bool images = std::max({of[0], of[1], of[2]}) >= triangulation.points;
            const bool far = reach > border.band;
            whole &= inside && !(images && far);
            if (far) continue;
        } else if (!inside || reach < border.band * (1 - 1e-9)) {
            continue;
        }
        std::copy_n(of, 3, triangles + 3 * kept++);
    }
    return kept;
}

// The corners are sorted by their points, by counting, and those of a point by their directions.
DualPolygons dual_polygons(const Triangulation& triangulation, const double* centres, double near,
                           Control& control) {
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
        const double* const to = centres + 2 * triangle;
        const double* const from = places + 2 * point;
        sorted[first[point + 1]++] = {direction(to[0] - from[0], to[1] - from[1]),
                                      static_cast<GraphId>(triangle)};
    });
    DisjointSet<GraphId> alike(count);  // triangles with the same centre
    alike.reset(count, control);
    for (Index point = 0; point < points; ++point) {
        const Index begin = first[point], end = first[point + 1];
        polled_sort(sorted.data() + begin, sorted.data() + end, precedes, control);
        for (Index i = begin; i < end; ++i) {
            const GraphId a = sorted[i].triangle, b = sorted[i + 1 < end ? i + 1 : begin].triangle;
            const double* const one = centres + 2 * Index{a};
            const double* const other = centres + 2 * Index{b};
            if (std::abs(one[0] - other[0]) <= near && std::abs(one[1] - other[1]) <= near)
                alike.join(a, b);
        }
        control.poll(4 + end - begin);
    }
    DualPolygons found{Buffer<std::int64_t>(points + 1), Buffer<std::int64_t>(sorted.size()),
                       Buffer<GraphId>(count), 0};
    constexpr GraphId none = -1;
    Buffer<GraphId> number(count);
    polled_fill(number.data(), count, none, control);
    Index kept = 0;
    for (Index point = 0; point < points; ++point) {
        const Index begin = first[point], end = first[point + 1];
        found.indptr[point] = kept;
        for (Index i = begin; i < end; ++i) {
            const GraphId root = alike.find(sorted[i].triangle);
            if (number[root] == none) {
                number[root] = static_cast<GraphId>(found.n_corners);
                found.corners[found.n_corners++] = root;
            }
            const std::int64_t corner = number[root];
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
