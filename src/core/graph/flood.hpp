// Breadth-first floods of open graphs: the one loop of distances and bfs.
//
// What is read of the next cells is fetched ahead, as cells of the queue are known long before
// their turn; not of narrow levels, where their turn comes at once. Of 1000 x 1000 cells, ns a cell
// with and without: wilson 18 and 30, whose levels are wide, backtracker 34 and 26.
#pragma once

#include <utility>

#include "../buffer.hpp"
#include "open_graph.hpp"

namespace meiro {

// Floods one level, the cells of the queue from `at` to `end`; returns its new end.
template <bool wide, class Mark, class Take>
Index flood_level(const OpenGraph& graph, const Mark* marks, GraphId* queue, Index at, Index end,
                  const bool& enough, Control& control, Take take) {
    constexpr Index ahead = 8;
    const GraphId* const first = graph.first();
    const GraphId* const to = graph.to();
    for (const Index level_end = end; at < level_end && !enough;) {
        Index work = 0;
        for (; at < level_end && work < poll_chunk && !enough; ++at) {
            const Index cell = queue[at];
            if (wide && at + 4 * ahead < end) {
                prefetch(first + queue[at + 4 * ahead]);
                prefetch(to + first[queue[at + 2 * ahead]]);
                if (const GraphId slot = first[queue[at + ahead]]; slot + 1 < graph.slots()) {
                    prefetch(marks + to[slot]);
                    prefetch(marks + to[slot + 1]);
                }
            }
            const GraphId last = first[cell + 1];
            work += 4 + last - first[cell];
            for (GraphId slot = first[cell]; slot < last; ++slot) {
                const GraphId next = to[slot];
                if (take(slot, next)) queue[end++] = next;
            }
        }
        control.poll(work);
    }
    return end;
}

// Floods from the first `end` cells of `queue`, which has room for all cells, until `enough`:
// take(distance, slot, neighbour) says whether the neighbour joins the queue, and reads its mark.
// Returns the cells of the queue.
template <class Mark, class Take>
Index flood(const OpenGraph& graph, const Mark* marks, GraphId* queue, Index end,
            const bool& enough, Control& control, Take take) {
    constexpr Index wide = 32;
    Index distance = 0;
    for (Index head = 0; head < end && !enough;) {
        const Index level = std::exchange(head, end);
        ++distance;
        const auto take_here = [take, distance](GraphId slot, GraphId next) mutable {
            return take(distance, slot, next);
        };
        end = head - level < wide
                  ? flood_level<false>(graph, marks, queue, level, head, enough, control, take_here)
                  : flood_level<true>(graph, marks, queue, level, head, enough, control, take_here);
        control.done(head - level);
    }
    return end;
}

}  // namespace meiro
