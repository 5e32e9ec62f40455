// Breadth-first floods of open graphs: the one loop of distances and bfs.
#pragma once

#include "../buffer.hpp"
#include "open_graph.hpp"

namespace meiro {

// Floods from the first `end` cells of `queue`, which has room for all cells, until `enough`:
// take(cell, slot, neighbour) says whether the neighbour joins the queue, and reads its mark.
// Returns the cells of the queue. What is read of the next cells is fetched ahead.
template <class Mark, class Take>
Index flood(const OpenGraph& graph, const Mark* marks, GraphId* queue, Index end,
            const bool& enough, Control& control, Take take) {
    const GraphId* const first = graph.first();
    const GraphId* const to = graph.to();
    constexpr Index ahead = 8;  // cells of the queue are known long before their turn
    for (Index head = 0; head < end && !enough;) {
        const Index begin = head;
        Index work = 0;
        for (; head < end && work < poll_chunk && !enough; ++head) {
            const Index cell = queue[head];
            if (head + 4 * ahead < end) {
                prefetch(first + queue[head + 4 * ahead]);
                prefetch(to + first[queue[head + 2 * ahead]]);
                if (const GraphId slot = first[queue[head + ahead]]; slot + 1 < graph.slots()) {
                    prefetch(marks + to[slot]);
                    prefetch(marks + to[slot + 1]);
                }
            }
            const GraphId last = first[cell + 1];
            work += 4 + last - first[cell];
            for (GraphId slot = first[cell]; slot < last; ++slot) {
                const GraphId next = to[slot];
                if (take(cell, slot, next)) queue[end++] = next;
            }
        }
        control.poll(work);
        control.done(head - begin);
    }
    return end;
}

}  // namespace meiro
