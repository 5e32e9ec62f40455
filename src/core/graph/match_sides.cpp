#include "match_sides.hpp"

#include <algorithm>
#include <array>

namespace meiro {
namespace {

// visit(cell, side, its first corner, its second corner) for each side, in order.
template <class Visit>
void each_side(const Polygons& polygons, Control& control, Visit visit) {
    const auto [indptr, indices, cells, corners] = polygons;
    for (Index cell = 0; cell < cells; ++cell) {
        const Index begin = indptr[cell], end = indptr[cell + 1];
        for (Index side = begin; side < end; ++side)
            visit(cell, side, indices[side], indices[side + 1 < end ? side + 1 : begin]);
        control.poll(8 * (end - begin) + 1);
    }
}

}  // namespace

// Sides are sorted by their lower corner, by counting; few share one, and are compared.
SharedSides match_sides(const Polygons& polygons, GraphId* step, Control& control) {
    const Index corners = polygons.corners, sides = polygons.indptr[polygons.cells];
    SharedSides found;
    Buffer<std::int64_t> same(sides);  // that of another cell, or -1
    // The side and its higher corner, by its lower corner.
    Buffer<std::array<std::int64_t, 2>> sorted(sides);
    Buffer<std::int64_t> first(corners + 2, true);
    each_side(polygons, control,
              [&](Index, Index, std::int64_t a, std::int64_t b) { ++first[std::min(a, b) + 2]; });
    for (Index i = 2; i < corners + 2; ++i) {
        first[i] += first[i - 1];
        control.poll();
    }
    each_side(polygons, control, [&](Index, Index side, std::int64_t a, std::int64_t b) {
        sorted[first[std::min(a, b) + 1]++] = {side, std::max(a, b)};
        same[side] = -1;
        step[side] = -1;
    });
    for (Index corner = 0; corner < corners; ++corner) {
        const Index begin = first[corner], end = first[corner + 1];
        for (Index i = begin; i < end; ++i) {
            for (Index k = i + 1; k < end; ++k) {
                const auto [side, high] = sorted[i];
                const auto [other, its_high] = sorted[k];
                if (high != its_high) continue;
                if (same[side] >= 0 || same[other] >= 0) {
                    found.three = found.three < 0 ? std::min(side, other) : found.three;
                    continue;
                }
                same[side] = other;
                same[other] = side;
            }
        }
        control.poll(4 + 4 * (end - begin) * (end - begin));
    }
    for (Index side = 0; side < sides; ++side) {
        control.poll(2);
        const Index other = same[side];
        found.rim += other < 0 ? 1 : 0;
        if (other <= side) continue;  // none, or its edge has its number
        step[side] = static_cast<GraphId>(2 * found.edges);
        step[other] = static_cast<GraphId>(2 * found.edges + 1);
        ++found.edges;
    }
    return found;
}

void list_sides(const Polygons& polygons, const GraphId* step, const SideLists& lists,
                Control& control) {
    SideLists next = lists;
    each_side(polygons, control, [&](Index cell, Index side, std::int64_t a, std::int64_t b) {
        if (step[side] < 0) {
            *next.rim++ = a;
            *next.rim++ = b;
            *next.rim_cells++ = static_cast<GraphId>(cell);
            return;
        }
        next.edges[step[side]] = static_cast<GraphId>(cell);
        if (step[side] % 2 != 0) return;
        next.walls[step[side]] = a;
        next.walls[step[side] + 1] = b;
    });
}

}  // namespace meiro
