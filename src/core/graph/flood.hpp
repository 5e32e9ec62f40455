// Breadth-first floods of open graphs: the one loop of distances and bfs.
//
// In a maze most cells have one to three passages, and which of them lead to new cells nobody can
// foresee: where it is `sparse`, three are taken of each cell, without a branch. A cell with fewer
// takes its first one again, which is not new then.
//
// What is read of the next cells is fetched ahead, as cells of the queue are known long before
// their turn, where it is long. ns a cell at 200 x 200 and 1000 x 1000, beside the plain loop:
// wilson 9 and 17 (14 and 31), backtracker 10 and 31 (13 and 36), whose queue is short: each cell
// waits for the one before. Neither what lies straight ahead, fetched then, nor leaving out the
// cell where one came from (a second queue, no look at marks) was faster.
#pragma once

#include "../buffer.hpp"
#include "open_graph.hpp"

namespace meiro {

// Floods from the first `end` cells of `queue`, which has room for all cells and one more, until
// `enough`, and returns the cells of the queue. A neighbour whose mark is free joins it;
// take(enter(cell), slot, neighbour) then marks it. If it is `sparse`, take() is asked of all, and
// is 1 if the mark was free, else 0: by arithmetic, as compilers make branches of true and false.
template <bool sparse, class Mark, class Free, class Enter, class Take>
Index flood_by(const OpenGraph& graph, const Mark* marks, GraphId* queue, Index end,
               const bool& enough, Control& control, Free is_free, Enter enter, Take take) {
    constexpr Index ahead = 8;
    constexpr GraphId lanes = 3;
    const GraphId* const first = graph.first();
    const GraphId* const to = graph.to();
    const Index slots = graph.slots();
    for (Index at = 0; at < end && !enough;) {
        const Index begun = at;
        Index work = 0;
        for (; at < end && work < poll_chunk && !enough; ++at) {
            const Index cell = queue[at];
            if (at + 4 * ahead < end) {
                prefetch(first + queue[at + 4 * ahead]);
                prefetch(to + first[queue[at + 2 * ahead]]);
                if (const GraphId slot = first[queue[at + ahead]]; slot + 1 < slots) {
                    prefetch(marks + to[slot]);
                    prefetch(marks + to[slot + 1]);
                }
            }
            const auto here = enter(cell);
            const GraphId last = first[cell + 1];
            work += 4 + last - first[cell];
            for (GraphId slot = first[cell]; slot < last; slot += sparse ? lanes : 1) {
                if constexpr (sparse) {
                    for (GraphId lane = 0; lane < lanes; ++lane) {
                        const GraphId one = slot + lane < last ? slot + lane : slot;
                        queue[end] = to[one];
                        end += take(here, one, to[one]);
                    }
                } else if (is_free(marks[to[slot]])) {
                    take(here, slot, to[slot]);
                    queue[end++] = to[slot];
                }
            }
        }
        control.poll(work);
        control.done(at - begun);
    }
    return end;
}

// The same, of a maze or of another graph; `in_order` where take() must not be asked of all.
template <bool in_order, class Mark, class... Of>
Index flood(const OpenGraph& graph, const Mark* marks, Of&&... of) {
    if constexpr (!in_order)
        if (graph.slots() < 3 * graph.cells()) return flood_by<true>(graph, marks, of...);
    return flood_by<false>(graph, marks, of...);
}

}  // namespace meiro
