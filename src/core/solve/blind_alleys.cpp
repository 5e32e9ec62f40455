// Cul-de-sac filling and blind alley filling: dead ends that contain loops.
//   W. D. Pullen, Think Labyrinth: maze algorithms, "Cul-de-sac filler", "Blind alley filler".
//   J. Hopcroft, R. Tarjan, Efficient algorithms for graph manipulation, CACM 16 (1973) 372.
//   doi:10.1145/362248.362272
//
// An alley is a part of the maze that is joined to the rest by a single site, its mouth (an
// articulation point). A walk that enters an alley leaves it through the mouth, so no simple path
// enters one, unless a goal is inside:
//
//   start --- m --- goal      m is the mouth of the ring a b c:
//            / \                cul_de_sac_filling fills it, as it is one ring;
//           a   c               with a passage across (two loops) only blind_alley_filling does
//            \ /
//             b
//
// cul_de_sac_filling: fills dead ends, and rings joined to the rest at one site (Pullen's nooses),
// until no such alley remains.
//
// blind_alley_filling: fills every alley. The remaining sites are those on at least one simple path
// from the start to a goal. (Pullen sends a wall follower into every passage, in quadratic time.)
//
// Neither fills the start or a goal; both fill all sites that are unreachable from the start.
// Hence: all shortest paths are a subset of the result of blind_alley_filling, that of the result
// of cul_de_sac_filling, and that of the result of dead end filling.
//
// Dead ends are filled first. Then a depth-first search from the start finds the mouths: low(s) is
// the least depth that a single move reaches from the subtree of s. If low(s) is not less than the
// depth of the parent of s, the subtree of s is an alley and the parent its mouth. Loops are
// counted as back edges. Alleys are filled on the way back, so inner alleys are gone when the outer
// one is judged: it is a ring if one loop is left. Time: linear, each site at most twice. Scratch:
// ten bytes per site, touched only where loops remain. Invariant: `reached` leads from the head
// back to the start.
#include <bit>
#include <limits>

#include "dead_end_filling.hpp"
#include "unused_slots.hpp"

namespace meiro {
namespace {

// In `reached`, beside 1 + the move: the number of loops below (0, 1, more); is a goal below?
constexpr unsigned one_loop = 0x10, more_loops = 0x20, loops_mask = 0x30;
constexpr unsigned leads = goal_mark >> 1;

template <class Id>
struct DepthAndLow {
    Id depth, low;
};

template <class Id, bool any, Recorder R>
void fill_alleys(Search& search, SearchResult& result, std::uint8_t* const left, R& record) {
    const auto step = search.adjacency.offsets();
    std::uint8_t* const reached = result.reached.data();
    Filling fill(search, result, record);
    Buffer<DepthAndLow<Id>> buffer(search.adjacency.size());
    DepthAndLow<Id>* const places = buffer.data();
    Index budget = poll_chunk, reported = fill.explored();
    const auto spend = [&] {
        if (--budget > 0) return;
        search.control.poll(8 * poll_chunk);  // a step may touch a new page
        search.control.done(fill.explored() - reported);
        reported = fill.explored();
        budget = poll_chunk;
    };
    // Fills the subtree of `mouth`, leaves first.
    const auto fill_from = [&](Index mouth) {
        for (Index at = mouth;;) {
            spend();
            unsigned moves = left[at], d = 0;
            for (; moves != 0; moves &= moves - 1) {
                d = static_cast<unsigned>(std::countr_zero(moves));
                if ((reached[at + step[d]] & move_mask) == d + 1) break;
            }
            if (moves != 0) {
                at += step[d];
                continue;
            }
            const unsigned move = (reached[at] & move_mask) - 1;
            fill(at, 1);
            left[at] = 0;
            reached[at] = filled_mark;
            if (at == mouth) return;
            at -= step[move];
        }
    };
    const auto add = [&](Index site, unsigned mark) {
        const unsigned had = reached[site];
        const unsigned loops = std::min((had & loops_mask) + (mark & loops_mask), more_loops);
        reached[site] = static_cast<std::uint8_t>((had & ~loops_mask) | loops | (mark & leads));
    };

    Index at = search.start;
    places[at] = {0, 0};
    for (unsigned moves = left[at];;) {
        spend();
        if (moves == 0) {
            if (at == search.start) break;
            const unsigned mark = reached[at], d = (mark & move_mask) - 1;
            const Index up = at - step[d];
            const Id low = places[at].low;
            const bool simple = any || (mark & loops_mask) <= one_loop;
            if (low >= places[up].depth && (mark & leads) == 0 && simple) {
                fill_from(at);
            } else {
                places[up].low = std::min(places[up].low, low);
                add(up, mark);
            }
            at = up;
            moves = left[at] & without_reverse[(reached[at] & move_mask) - 1u] & (0xfeu << d);
            continue;
        }
        const auto d = static_cast<unsigned>(std::countr_zero(moves));
        moves &= moves - 1;
        const Index to = at + step[d];
        const unsigned mark = reached[to];
        DepthAndLow<Id>& place = places[at];
        if ((mark & move_mask) == 0) {
            reached[to] = static_cast<std::uint8_t>(mark | mark >> 1 | (d + 1));
            places[to].depth = places[to].low = place.depth + 1;
            at = to;
            moves = left[to] & without_reverse[d];
        } else if (mark != filled_mark && places[to].depth < place.depth) {
            place.low = std::min(place.low, places[to].depth);
            add(at, one_loop);
        }
    }

    by_pieces(search.adjacency.size(), search.control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) {
            const std::uint8_t mark = reached[i];
            if (mark == 0 && left[i] != 0) {  // unreachable
                fill(i, 2);
                left[i] = 0;
                reached[i] = filled_mark;
            } else if (mark != filled_mark) {
                reached[i] = mark & goal_mark;
            }
        }
        search.control.done(fill.explored() - reported);
        reported = fill.explored();
    });
    reached[search.start] = start_mark;
    result.explored = fill.explored();
}

template <bool any, Recorder R>
void fill_alleys(Search& search, SearchResult& result, std::uint8_t* const left, R& record) {
    if (search.adjacency.size() <= std::numeric_limits<std::uint32_t>::max())
        fill_alleys<std::uint32_t, any>(search, result, left, record);
    else
        fill_alleys<Index, any>(search, result, left, record);
}

// On graphs. The cells found and not filled are kept in the order in which they were found, so a
// subtree is the end of that list. Scratch: 21 bytes a cell, and that of bfs.
template <bool any, Recorder R>
void fill_alleys(GraphSearch& search, GraphSearchResult& result, std::uint8_t* const left,
                 R& record) {
    const OpenGraph& graph = search.graph;
    const Index cells = graph.cells();
    const GraphPlaces places = search.places();
    Reach reach(search, places, result, record);
    Buffer<GraphId> depth(cells), low(cells), by(cells), place(cells);
    Buffer<std::uint8_t> to_goal(cells);  // is one below?
    polled_fill(by.data(), cells, GraphMarks::nothing, search.control);
    polled_fill(to_goal.data(), cells, 0, search.control);
    for (const Index goal : search.goals) to_goal[goal] = 1;
    UnusedSlots<false> unused(search);
    Stack<GraphId> found;
    const auto enter = [&](Index cell, GraphId slot, GraphId deep) {
        by[cell] = slot;
        depth[cell] = low[cell] = deep;
        place[cell] = static_cast<GraphId>(found.size());
        found.push(static_cast<GraphId>(cell));
    };
    enter(search.start, GraphMarks::start, 0);
    for (Index at = search.start;;) {
        search.control.poll(8);
        if (unused.any(at)) {
            const GraphId slot = unused.take(at);
            const Index next = graph.to()[slot];
            if (result.reached[next] == GraphMarks::filled) continue;
            if (by[next] == GraphMarks::nothing) {
                enter(next, slot, depth[at] + 1);
                at = next;
            } else if (by[at] < 0 || graph.via()[by[at]] != graph.via()[slot]) {
                low[at] = std::min(low[at], depth[next]);
            }
            continue;
        }
        if (at == search.start) break;
        const Index up = graph.origin(by[at], at);
        if (low[at] >= depth[up] && to_goal[at] == 0) {
            while (found.size() > place[at]) {
                left[found.top()] = 0;
                reach.fill(found.pop(), 1);
                search.control.done(1);
                search.control.poll(2);
            }
        } else {
            low[up] = std::min(low[up], low[at]);
            to_goal[up] |= to_goal[at];
        }
        at = up;
    }
    for (Index cell = 0; cell < cells; ++cell) {
        search.control.poll(2);
        if (by[cell] == GraphMarks::nothing && result.reached[cell] == GraphMarks::nothing &&
            left[cell] != 0) {
            left[cell] = 0;
            reach.fill(cell, 2);  // unreachable
        }
    }
    result.explored = reach.explored();
}

template <bool any, AnySearch S, Recorder R>
typename S::Result filled(S& search, R& record) {
    const auto fill = [&](auto& result) {
        auto left = without_dead_ends(search, result, record);
        fill_alleys<any>(search, result, left.data(), record);
        return left;
    };
    return search_remaining(search, fill, record);
}

}  // namespace

constexpr SolverRuns cul_de_sac_filling =
    on_squares([](Search& search, auto& record) { return filled<false>(search, record); });

constexpr SolverRuns blind_alley_filling =
    on_squares_and_graphs([](auto& search, auto& record) { return filled<true>(search, record); });

}  // namespace meiro
