// Depth-first search: take a move to a place not reached yet; if there is no such move, go back.
//   R. Tarjan, Depth-first search and linear graph algorithms, SIAM J. Comput. 1 (1972) 146.
//   doi:10.1137/0201010
//
// The next move is the first in the order of directions or edges, or a random one. No stack is
// needed: each place keeps the move it was reached by, which gives the move back. After the return
// a site looks at all its moves again, and the earlier ones lead to reached sites; a cell of a
// graph, which may have many, knows those that it has looked at. Time: linear in the passages of
// the places reached. Scratch: a byte per site; of graphs 8 bytes a cell, with rng= 4 more a slot.
// Invariant: the kept moves lead from the head back to the start in `depth` steps.
#include "solvers.hpp"
#include "unused_slots.hpp"

namespace meiro {
namespace {

// The next move to a site that is not reached yet, or no_move.
template <bool random>
struct NextMove {
    const OrderedNeighbours& neighbours;
    Random& draw;
    const std::uint8_t* open;
    const std::uint8_t* reached;
    static constexpr unsigned none = no_move;

    template <Places P>
    unsigned operator()(const P& places, Index at) const {
        auto moves = neighbours[open[at]];
        unsigned d = no_move;
        if constexpr (!random) {
            while ((d = moves & 15) != no_move && !is_free(places.to(at, d))) moves >>= 4;
            return d;
        }
        unsigned free = 0;
        for (; (d = moves & 15) != no_move; moves >>= 4)
            free |= (is_free(places.to(at, d)) ? 1u : 0u) << d;
        const unsigned over = free >> 4;  // across the border: rare, well predicted
        if (over != 0) [[unlikely]]
            free = (free | over) & 15;
        if (free != 0) d = static_cast<unsigned>(draw.pick(free));
        if ((over >> d & 1) != 0) [[unlikely]]
            d += 4;
        return d;
    }
    bool is_free(Index at) const { return SquareMarks::is_free(reached[at]); }
};

// The next slot to a cell that is not reached yet, or -1.
template <bool random>
struct NextSlot {
    UnusedSlots<random>& unused;
    const GraphId* reached;
    Control& control;
    static constexpr GraphId none = -1;

    GraphId operator()(const GraphPlaces& places, Index at) const {
        while (unused.any(at)) {
            const GraphId slot = unused.take(at);
            if (GraphMarks::is_free(reached[places.to(at, slot)])) return slot;
            control.poll(8);
        }
        return none;
    }
};

template <AnySearch S, class Next, Recorder R>
typename S::Result descend(const S& search, typename S::Result&& begun, Next next, R& record) {
    typename S::Result result = std::move(begun);
    const auto places = search.places();
    const auto* const reached = result.reached.data();
    Reach reach(search, places, result, record);
    SearchEvents<S, R> events(search, record);
    const Index start = search.start;  // a local: byte writes may alias members
    Index at = start, depth = 0;
    bool more = !result.found;
    while (more) {
        search.control.poll(2 * poll_chunk);
        const Index before = reach.explored();
        for (Index i = 0; i < poll_chunk && more; ++i) {
            auto move = next(places, at);
            if (move != Next::none) {
                at = places.to(at, move);
                ++depth;
                if (!reach(at, move)) continue;
                result.goal = at;
                more = false;
            } else if (at == start) {
                more = false;
            } else {
                move = S::Marks::move(reached[at]);
                at = places.from(at, move);
                --depth;
                events.back(at, places.edge(move));
            }
        }
        search.control.done(reach.explored() - before);
    }
    result.explored = reach.explored();
    return finished(search, std::move(result), record, depth);
}

template <bool random, Recorder R>
SearchResult go(const Search& search, R& record) {
    const Adjacency& adjacency = search.adjacency;
    SearchResult result = at_start(search, record);
    const OrderedNeighbours neighbours(search.options.directions, adjacency.moves());
    Random draw(search.seed, Purpose::solve);
    const NextMove<random> next{neighbours, draw, adjacency.open(), result.reached.data()};
    return descend(search, std::move(result), next, record);
}
template <bool random, Recorder R>
GraphSearchResult go(const GraphSearch& search, R& record) {
    GraphSearchResult result = at_start(search, record);
    UnusedSlots<random> unused(search);
    const NextSlot<random> next{unused, result.reached.data(), search.control};
    return descend(search, std::move(result), next, record);
}

}  // namespace

constexpr SolverRuns dfs = on_squares_and_graphs([](auto& search, auto& record) {
    return search.options.random ? go<true>(search, record) : go<false>(search, record);
});

}  // namespace meiro
