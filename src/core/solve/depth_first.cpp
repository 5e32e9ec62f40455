// Depth-first search: take a move to a site not reached yet; if there is no such move, go back.
//   R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972) 146.
//   doi:10.1137/0201010
//
// The next move is the first in the order of directions, or a random one. No stack is needed: each
// site keeps the direction it was reached by, which gives the move back; after the return a site
// looks at all its moves again, and the earlier ones lead to reached sites. Time: linear in the
// sites reached. Scratch: a byte per site. Invariant: the kept directions lead from the head back
// to the start in `depth` steps.
#include "solvers.hpp"

namespace meiro {
namespace {

template <bool random, Recorder R>
SearchResult descend(Search& search, R& record) {
    const Adjacency adjacency = search.adjacency;
    const Shape shape = adjacency.shape();
    const auto step = adjacency.offsets();
    const std::uint8_t* const open = adjacency.open();
    const OrderedNeighbours neighbours(search.options.directions, adjacency.moves());
    Random draw(search.seed, Purpose::solve);
    SearchResult result = at_start(search, record);
    std::uint8_t* const reached = result.reached.data();
    Index* const order = search.options.order ? result.order.data() : nullptr;
    const Index start = search.start;  // a local: byte writes may alias members
    Index at = start, depth = 0, explored = 1;

    bool more = !result.found;
    while (more) {
        search.control.poll(poll_chunk);
        const Index before = explored;
        for (Index i = 0; i < poll_chunk; ++i) {
            unsigned d = no_move;
            auto moves = neighbours[open[at]];
            if (random) {
                unsigned free = 0;
                for (unsigned move; (move = moves & 15) != no_move; moves >>= 4)
                    free |= ((reached[at + step[move]] & reached_mask) == 0 ? 1u : 0u) << move;
                const unsigned over = free >> 4;  // across the border: rare, well predicted
                if (over != 0) [[unlikely]]
                    free = (free | over) & 15;
                if (free != 0) d = static_cast<unsigned>(draw.pick(free));
                if ((over >> d & 1) != 0) [[unlikely]]
                    d += 4;
            } else {
                while ((d = moves & 15) != no_move && (reached[at + step[d]] & reached_mask) != 0)
                    moves >>= 4;
            }
            if (d == no_move) {
                if (at == start) {
                    more = false;
                    break;
                }
                at -= step[reached[at] - 1u];
                --depth;
                record.on(Event::back, shape.cell(at));
                continue;
            }
            at += step[d];
            prefetch(open + at + far_ahead * step[d]);
            prefetch(reached + at + far_ahead * step[d]);
            const bool arrived = reached[at] != 0;
            reached[at] = static_cast<std::uint8_t>(d + 1);
            if (order != nullptr) order[at] = explored;
            ++explored;
            ++depth;
            record.on(Event::visit, shape.cell(at), adjacency.direction_of(d));
            if (arrived) {
                result.goal = at;
                more = false;
                break;
            }
        }
        search.control.done(explored - before);
    }
    result.explored = explored;
    return finished(search, std::move(result), record, depth);
}

}  // namespace

template <Recorder R>
SearchResult dfs(Search& search, R& record) {
    return search.options.random ? descend<true>(search, record) : descend<false>(search, record);
}

template SearchResult dfs(Search&, NoTrace&);
template SearchResult dfs(Search&, Trace&);

}  // namespace meiro
