#include "match_sides.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "../huge_pages.hpp"

namespace meiro {
namespace {

// visit(cell, its first side, the side after its last one) for each cell.
template <class Visit>
void each_cell(const Polygons& polygons, Control& control, Visit visit) {
    for (Index cell = 0; cell < polygons.cells; ++cell) {
        const Index begin = polygons.indptr[cell], end = polygons.indptr[cell + 1];
        visit(cell, begin, end);
        control.poll(4 * (end - begin) + 1);
    }
}

using Ends = std::array<std::int64_t, 2>;

// The two ends of a side, in the order around its cell.
Ends ends_of(const std::int64_t* corners, Index side, Index begin, Index end) {
    return {corners[side], corners[side + 1 < end ? side + 1 : begin]};
}

double* put_wall(double* to, const double* places, Ends ends) {
    for (const std::int64_t corner : ends) to = std::copy_n(places + 2 * corner, 2, to);
    return to;
}

// The mean of corners, added as NumPy adds few items: the first one to the sum of the others.
void put_middle(double* to, const double* places, const std::int64_t* corners, Index count) {
    std::array<double, 2> others{-0.0, -0.0};
    for (Index i = 1; i < count; ++i) {
        others[0] += places[2 * corners[i]];
        others[1] += places[2 * corners[i] + 1];
    }
    for (std::size_t axis : {0u, 1u})
        to[axis] = (places[2 * corners[0] + static_cast<Index>(axis)] + others[axis]) /
                   static_cast<double>(count);
}

}  // namespace

bool Polygons::valid(Control& control) const {
    bool sound = indptr[0] == 0;
    by_each(cells, control, [&](Index cell) { sound &= indptr[cell] <= indptr[cell + 1]; });
    by_each(sides(), control, [&](Index i) {
        sound &= indices[i] >= 0 && indices[i] < corners && joined[i] >= 0 && joined[i] < joints;
    });
    return sound;
}

// The sides met so far are in lists by their lower corners, newest first; few share one.
SharedSides match_sides(const Polygons& polygons, Control& control) {
    const Index sides = polygons.sides();
    SharedSides found{Buffer<std::uint32_t>(sides)};
    Buffer<std::uint32_t> newest(polygons.joints, true);  // side + 1
    Buffer<std::uint32_t> before(sides), higher(sides);
    for (Buffer<std::uint32_t>* of : {&found.state, &newest, &before, &higher})
        prefer_huge_pages(*of);
    constexpr Index ahead = 16;  // cells may lie in no order
    each_cell(polygons, control, [&](Index, Index begin, Index end) {
        for (Index side = begin; side < end; ++side) {
            if (side + 2 * ahead < sides) {
                const std::int64_t* const to = polygons.joined + side + ahead;
                prefetch(newest.data() + to[ahead]);
                const Index met = Index{newest[std::min(to[0], to[1])]} - 1;
                prefetch(higher.data(), met);
                prefetch(before.data(), met);
            }
            const auto [a, b] = ends_of(polygons.joined, side, begin, end);
            const std::int64_t low = std::min(a, b);
            const auto high = static_cast<std::uint32_t>(std::max(a, b));
            std::uint32_t same = newest[low];
            while (same != 0 && higher[same - 1] != high) same = before[same - 1];
            if (same == 0) {
                found.state[side] = SharedSides::alone;
                higher[side] = high;
                before[side] = newest[low];
                newest[low] = static_cast<std::uint32_t>(side + 1);
                continue;
            }
            found.state[side] = same - 1;
            std::uint32_t& state = found.state[same - 1];
            if (state == SharedSides::alone)
                ++found.edges;
            else if (found.three < 0)
                found.three = same - 1;
            state = SharedSides::first;
        }
    });
    return found;
}

SecondWalls list_sides(const Polygons& polygons, SharedSides shared, const SideLists& lists,
                       Control& control) {
    const bool cut = polygons.joined != polygons.indices;
    // Of each edge the ends of both sides as they are drawn, where it may be drawn twice.
    Buffer<Ends> drawn(cut ? 2 * shared.edges : 0);
    // What is known of a side becomes the step out of the cell through it, unless it is alone.
    Buffer<std::uint32_t> step = std::move(shared.state);
    SideLists next = lists;
    std::uint32_t fresh = 0;
    each_cell(polygons, control, [&](Index cell, Index begin, Index end) {
        const auto own = static_cast<GraphId>(cell);
        for (Index side = begin; side < end; ++side) {
            const Ends ends = ends_of(polygons.indices, side, begin, end);
            if (step[side] == SharedSides::alone) {
                next.rim = put_wall(next.rim, polygons.places, ends);
                *next.rim_cells++ = own;
                continue;
            }
            if (step[side] == SharedSides::first) {
                next.walls = put_wall(next.walls, polygons.places, ends);
                step[side] = fresh;
                fresh += 2;
            } else {
                step[side] = step[step[side]] + 1;
            }
            lists.edges[step[side]] = own;
            if (cut) drawn[step[side]] = ends;
        }
        if (lists.middles != nullptr && begin < end)
            put_middle(lists.middles + 2 * cell, polygons.places, polygons.indices + begin,
                       end - begin);
    });
    if (lists.straight != nullptr)
        each_cell(polygons, control, [&](Index, Index begin, Index end) {
            const Index half = (end - begin) / 2;
            const bool even = 2 * half == end - begin;
            for (Index side = begin; side < end; ++side) {
                // Who leaves a cell through a side enters it there on the way back.
                const Index opposite = side + half < end ? side + half : side - half;
                if (step[side] != SharedSides::alone)  // which is -1 as a step
                    lists.straight[step[side] ^ 1] =
                        static_cast<GraphId>(even ? step[opposite] : SharedSides::alone);
            }
        });
    SecondWalls second;
    for (Index edge = 0; cut && edge < shared.edges; ++edge) {
        control.poll(4);
        const auto [a, b] = drawn[2 * edge];
        const auto [c, d] = drawn[2 * edge + 1];
        if (std::minmax(a, b) == std::minmax(c, d)) continue;
        second.ends.push(c);
        second.ends.push(d);
        second.edges.push(static_cast<GraphId>(edge));
    }
    return second;
}

}  // namespace meiro
