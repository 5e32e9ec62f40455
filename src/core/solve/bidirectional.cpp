// Breadth-first search from both ends, until the two floods meet.
//   I. Pohl, Bi-directional search, Machine Intelligence 6 (1971) 127.
//
// The smaller frontier advances by one whole level. All goals are sources of the second flood.
// Before a level advances, all neighbours of the earlier levels of its flood are reached, so the
// floods first meet in outermost sites, and every meeting of that round gives a path of the same
// length: the first one is taken. Time: linear in the sites reached, on open ground half of those
// that one flood reaches. Scratch: a byte per site, and both frontiers.
#include <algorithm>

#include "bfs_levels.hpp"
#include "solvers.hpp"

namespace meiro {
namespace {

// In `reached`: the site belongs to the flood from the goals.
constexpr unsigned from_goal = 0x40;

template <class Id>
struct Side {
    Levels<Id> frontiers;
    unsigned mark;
};

// Reverses the moves of the goals' flood, so that all moves lead from start to goal.
void turn_around(const Search& search, SearchResult& result, Index at) {
    const auto step = search.adjacency.offsets();
    std::uint8_t* const reached = result.reached.data();
    unsigned move = reached[at] & move_mask;
    for (Index left = 0; move != start_mark; ++left) {
        if (left % poll_chunk == 0) search.control.poll(poll_chunk);
        const unsigned back = (move - 1) ^ 2u;
        at += step[back];
        move = reached[at] & move_mask;
        reached[at] = static_cast<std::uint8_t>(back + 1);
    }
    result.goal = at;
}

template <class Id, Recorder R>
SearchResult both_ends(Search& search, R& record) {
    const Adjacency adjacency = search.adjacency;
    const Shape shape = adjacency.shape();
    const auto step = adjacency.offsets();
    const std::uint8_t* const open = adjacency.open();
    const OrderedNeighbours& neighbours = default_neighbours(adjacency);
    SearchResult result = at_start(search, record);
    if (result.found) return finished(search, std::move(result), record, 0);
    std::uint8_t* const reached = result.reached.data();
    Index* const order = result.order.data();
    const bool ordered = search.options.order;
    Index explored = 1;

    Side<Id> sides[2];
    sides[0].mark = 0;
    sides[1].mark = from_goal;
    sides[0].frontiers.start(search.start);
    for (const Index goal : search.goals) {
        if (reached[goal] != goal_mark) continue;  // the same goal twice
        reached[goal] = from_goal | start_mark;
        if (ordered) order[goal] = explored;
        ++explored;
        record.on(Event::visit, shape.cell(goal), Direction::none, 2);
        sides[1].frontiers.start(goal);
    }
    for (Side<Id>& side : sides) side.frontiers.advance();

    Index meeting = -1;  // site of the start's flood where they met, and the move on
    unsigned on = 0;
    while (meeting < 0 && sides[0].frontiers.size() > 0 && sides[1].frontiers.size() > 0) {
        const bool second = sides[1].frontiers.size() < sides[0].frontiers.size();
        Levels<Id>& frontiers = sides[second ? 1 : 0].frontiers;
        const unsigned mark = sides[second ? 1 : 0].mark;
        const Id* const now = frontiers.now();
        for (Index first = 0; first < frontiers.size() && meeting < 0; first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, frontiers.size());
            search.control.poll(last - first);
            search.control.done(last - first);
            Id* const next = frontiers.next(last - first);
            Index filled = 0;
            for (Index i = first; i < last && meeting < 0; ++i) {
                const auto at = static_cast<Index>(now[i] >> move_bits);
                auto moves = neighbours[open[at] & without_reverse[now[i] & 15]];
                for (unsigned d; (d = moves & 15) != no_move; moves >>= 4) {
                    const Index to = at + step[d];
                    if (reached[to] == 0) {
                        reached[to] = static_cast<std::uint8_t>(mark | (d + 1));
                        prefetch(open + to + far_ahead * step[d]);
                        prefetch(reached + to + far_ahead * step[d]);
                        if (ordered) order[to] = explored + filled;
                        record.on(Event::visit, shape.cell(to), adjacency.direction_of(d),
                                  second ? 4 : 3);
                        next[filled++] = static_cast<Id>(to << move_bits | d);
                    } else if ((reached[to] & from_goal) != mark) {
                        meeting = second ? to : at;
                        on = second ? d ^ 2u : d;
                        break;
                    }
                }
            }
            explored += filled;
            frontiers.filled(filled);
        }
        frontiers.advance();
    }
    result.explored = explored;
    if (meeting >= 0) {
        const Index met = meeting + step[on];
        turn_around(search, result, met);
        reached[met] = static_cast<std::uint8_t>(on + 1);
    }
    return finished(search, std::move(result), record);
}

}  // namespace

template <Recorder R>
SearchResult bidirectional(Search& search, R& record) {
    return fits_32_bits(search.adjacency) ? both_ends<std::uint32_t>(search, record)
                                          : both_ends<Index>(search, record);
}

template SearchResult bidirectional(Search&, NoTrace&);
template SearchResult bidirectional(Search&, Trace&);

}  // namespace meiro
