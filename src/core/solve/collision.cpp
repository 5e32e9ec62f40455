// Collision: water flows from the start; a wall is built where two fronts meet; dead ends are
// filled.
//   W. D. Pullen, Think Labyrinth: maze algorithms, "Collision solver".
//
// Pullen repeats the flood until no fronts collide; then the remaining sites are exactly those on
// shortest paths to the nearest goal (or goals, if several are equally near). One flood finds the
// same set: it stops at the distance of the nearest goal, and from there all sites are kept that
// are one step nearer to the start, level by level. All other sites reached are filled, and a
// second flood searches the rest. A trace shows the first flood as walks, each meeting of fronts as
// a wall that is put, and one fill or visit of every site.
//
// Distances are kept modulo 3: neighbours differ by at most one step, so this tells which one is
// nearer. Time: linear in the sites reached. Scratch: two bytes per site, and the levels.
// Invariant: all sites of a level have the same distance.
#include "bfs_levels.hpp"
#include "dead_end_filling.hpp"

namespace meiro {
namespace {

constexpr std::uint8_t kept = 4;
// The mark of a site at this distance; 0 means not reached.
constexpr std::uint8_t rest(Index distance) {
    return static_cast<std::uint8_t>(1 + distance % 3);
}

// Floods level by level until `enough` is set: enter(at, to, move, distance) says whether `to`
// joins the next level. Returns the distance of the last level.
template <class Id, class Enter>
Index spread(const Search& search, std::span<const Index> sources, const bool& enough,
             Enter enter) {
    const auto step = search.adjacency.offsets();
    const std::uint8_t* const open = search.adjacency.open();
    const OrderedNeighbours& neighbours = default_neighbours(search.adjacency);
    Levels<Id> frontiers;
    for (const Index source : sources) frontiers.start(source);
    Index distance = 0;
    for (frontiers.advance(); frontiers.size() > 0 && !enough; frontiers.advance()) {
        ++distance;
        const Id* const now = frontiers.now();
        for (Index first = 0; first < frontiers.size(); first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, frontiers.size());
            search.control.poll(last - first);
            Id* const next = frontiers.next(last - first);
            Index entered = 0;
            for (Index i = first; i < last; ++i) {
                const auto at = static_cast<Index>(now[i] >> move_bits);
                auto moves = neighbours[open[at] & without_reverse[now[i] & 15]];
                for (unsigned d; (d = moves & 15) != no_move; moves >>= 4) {
                    const Index to = at + step[d];
                    if (enter(at, to, d, distance))
                        next[entered++] = static_cast<Id>(to << move_bits | d);
                }
            }
            frontiers.filled(entered);
        }
    }
    return distance;
}

template <class Id, Recorder R>
void keep_shortest(const Search& search, const SearchResult& result, std::uint8_t* const level,
                   R& record) {
    const Adjacency adjacency = search.adjacency;
    const Shape shape = adjacency.shape();
    const std::uint8_t* const reached = result.reached.data();
    bool arrived = false;
    level[search.start] = rest(0);
    const auto flow = [&](Index at, Index to, unsigned d, Index distance) {
        if (level[to] != 0) {
            if (level[to] == level[at] && to > at)
                record.on(Event::close, shape.cell(at), adjacency.direction_of(d));
            return false;
        }
        level[to] = rest(distance);
        record.on(Event::walk, shape.cell(at), adjacency.direction_of(d));
        if (reached[to] == goal_mark) arrived = true;
        return true;
    };
    const Index distance = spread<Id>(search, {&search.start, 1}, arrived, flow);

    Buffer<Index> sources(static_cast<Index>(search.goals.size()));
    Index count = 0;
    for (const Index goal : search.goals)
        if (level[goal] != 0 && level[goal] != kept) {
            level[goal] = kept;
            sources[count++] = goal;
        }
    bool back = false;
    const std::span<const Index> nearest(sources.data(), static_cast<std::size_t>(count));
    spread<Id>(search, nearest, back, [&](Index, Index to, unsigned, Index steps) {
        if (level[to] != rest(distance - steps)) return false;
        level[to] = kept;
        if (to == search.start) back = true;
        return true;
    });
}

}  // namespace

template <Recorder R>
SearchResult collision(Search& search, R& record) {
    const Adjacency adjacency = search.adjacency;
    SearchResult result = at_start(search, record);
    if (result.found) return stay(search, std::move(result), record);
    Buffer<std::uint8_t> left(adjacency.size(), true);
    if (fits_32_bits(adjacency))
        keep_shortest<std::uint32_t>(search, result, left.data(), record);
    else
        keep_shortest<Index>(search, result, left.data(), record);

    Filling fill(search, result, record);
    by_pieces(adjacency.size(), search.control, [&](Index first, Index last) {
        const Index before = fill.explored();
        for (Index i = first; i < last; ++i) {
            if (left[i] == 0) continue;
            const bool stays = left[i] == kept || i == search.start;
            left[i] =
                static_cast<std::uint8_t>(stays ? adjacency.open()[i] & adjacency.moves() : 0);
            if (stays) continue;
            fill(i);
            result.reached[i] = filled_mark;
        }
        search.control.done(fill.explored() - before);
    });
    result.explored = fill.explored();
    return search_in(search, std::move(left), std::move(result), record);
}

template SearchResult collision(Search&, NoTrace&);
template SearchResult collision(Search&, Trace&);

}  // namespace meiro
