#include "match_sides.hpp"

#include <algorithm>

namespace meiro {

// Sides are sorted by their lower corner, by counting; few share one, and are compared.
SharedSides match_sides(const Polygons& polygons, Control& control) {
    const auto [indptr, indices, cells, corners] = polygons;
    const Index sides = indptr[cells];
    SharedSides found{Buffer<std::int64_t>(sides), Buffer<GraphId>(sides)};
    Buffer<std::int64_t> high(sides), sorted(sides), first(corners + 2, true);
    const auto low_of = [&](Index side, Index after) {
        const std::int64_t a = indices[side], b = indices[after];
        high[side] = std::max(a, b);
        return std::min(a, b);
    };
    for (const bool count : {true, false}) {
        for (Index cell = 0; cell < cells; ++cell) {
            for (Index side = indptr[cell]; side < indptr[cell + 1]; ++side) {
                const Index after = side + 1 < indptr[cell + 1] ? side + 1 : indptr[cell];
                const std::int64_t low = low_of(side, after);
                if (count) {
                    ++first[low + 2];
                } else {
                    sorted[first[low + 1]++] = side;
                }
            }
            control.poll(8 * (indptr[cell + 1] - indptr[cell]) + 1);
        }
        for (Index i = 2; count && i < corners + 2; ++i) {
            first[i] += first[i - 1];
            control.poll();
        }
    }
    by_pieces(sides, control, [&](Index from, Index to) {
        std::fill(found.same.begin() + from, found.same.begin() + to, -1);
        std::fill(found.step.begin() + from, found.step.begin() + to, -1);
    });
    for (Index corner = 0; corner < corners; ++corner) {
        const Index begin = first[corner], end = first[corner + 1];
        for (Index i = begin; i < end; ++i) {
            const Index side = sorted[i];
            for (Index k = i + 1; k < end; ++k) {
                const Index other = sorted[k];
                if (high[side] != high[other]) continue;
                if (found.same[side] >= 0 || found.same[other] >= 0) {
                    found.three = found.three < 0 ? std::min(side, other) : found.three;
                    continue;
                }
                found.same[side] = other;
                found.same[other] = side;
            }
        }
        control.poll(4 + 4 * (end - begin) * (end - begin));
    }
    GraphId step = 0;
    for (Index side = 0; side < sides; ++side) {
        control.poll(2);
        const Index other = found.same[side];
        if (other <= side) continue;  // none, or its edge has its number
        found.step[side] = step++;
        found.step[other] = step++;
    }
    return found;
}

}  // namespace meiro
