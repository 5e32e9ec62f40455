// Collision: water flows from the start; a wall is built where two fronts meet; dead ends are
// filled.
//   W. D. Pullen, Think Labyrinth: maze algorithms, "Collision solver".
//
// Pullen repeats the flood until no fronts collide; then the remaining places are exactly those on
// shortest paths to the nearest goal (or goals, if several are equally near). One flood finds the
// same set: it stops at the distance of the nearest goal, and from there all places are kept that
// are one step nearer to the start, level by level. All others reached are filled, and a
// second flood searches the rest. A trace shows the first flood as walks, each meeting of fronts as
// a wall that is put, and one fill or visit of every place.
//
// Distances are kept modulo 3: neighbours differ by at most one step, so this tells which one is
// nearer. Time: linear in the sites reached. Scratch: two bytes per site, on a graph 9 a cell, and
// the levels. Invariant: all places of a level have the same distance.
#include "bfs_levels.hpp"
#include "dead_end_filling.hpp"

namespace meiro {
namespace {

constexpr std::uint8_t kept = 4;
// The mark of a place at this distance; 0 means not reached.
constexpr std::uint8_t rest(Index distance) {
    return static_cast<std::uint8_t>(1 + distance % 3);
}

// Marks the places reached in `level`; calls reach(place) for each in turn.
template <Places P, AnySearch S, class OnReach, Recorder R>
void keep_shortest(const S& search, P places, const typename S::Result& result,
                   std::uint8_t* const level, OnReach on_reach, R& record) {
    const auto* const reached = result.reached.data();
    SearchEvents<S, R> events(search, record);
    Levels<typename P::Entry> levels;
    bool arrived = false;
    level[search.start] = rest(0);
    levels.push(P::entry(search.start));
    const auto flow = [&](Index to, typename P::Move move, Index distance) {
        if (level[to] != 0) {
            if (std::is_same_v<R, NoTrace> || level[to] != rest(distance - 1)) return false;
            const Index at = places.from(to, move);
            if (to > at) events.left(Event::close, at, places.edge(move));
            return false;
        }
        level[to] = rest(distance);
        on_reach(to);
        if constexpr (!std::is_same_v<R, NoTrace>)
            events.left(Event::walk, places.from(to, move), places.edge(move));
        if (reached[to] == S::Marks::goal) arrived = true;
        return true;
    };
    const Index distance = levels.flood(places, search.control, arrived, flow);

    levels.clear();
    for (const Index goal : search.goals) {
        search.control.poll();
        if (level[goal] == 0 || level[goal] == kept) continue;
        level[goal] = kept;
        levels.push(P::entry(goal));
    }
    bool back = false;
    levels.flood(places, search.control, back, [&](Index to, typename P::Move, Index steps) {
        if (level[to] != rest(distance - steps)) return false;
        level[to] = kept;
        if (to == search.start) back = true;
        return true;
    });
}

// Fills what was reached and is on no shortest path. Returns what remains.
template <Recorder R>
Buffer<std::uint8_t> fill_rest(Search& search, SearchResult& result, R& record) {
    const Adjacency adjacency = search.adjacency;
    Buffer<std::uint8_t> left(adjacency.size(), true);
    with_places(adjacency, [&](const auto& places) {
        keep_shortest(search, places, result, left.data(), [](Index) {}, record);
    });
    Filling fill(search, result, record);
    by_pieces(adjacency.size(), search.control, [&](Index first, Index last) {
        const Index before = fill.explored();
        for (Index i = first; i < last; ++i) {
            if (left[i] == 0 || left[i] == kept || i == search.start) continue;
            left[i] = 0;
            fill(i);
            result.reached[i] = filled_mark;
        }
        search.control.done(fill.explored() - before);
    });
    result.explored = fill.explored();
    return left;
}

template <Recorder R>
Buffer<std::uint8_t> fill_rest(GraphSearch& search, GraphSearchResult& result, R& record) {
    const GraphPlaces places = search.places();
    Buffer<std::uint8_t> left(places.size(), true);
    Buffer<GraphId> cells(left.size());  // in the order in which they were reached
    Index count = 0;
    keep_shortest(
        search, places, result, left.data(),
        [&](Index cell) { cells[count++] = static_cast<GraphId>(cell); }, record);
    Reach reach(search, places, result, record);
    for (Index i = 0; i < count; ++i) {
        search.control.poll(2);
        if (left[cells[i]] == kept) continue;
        left[cells[i]] = 0;
        reach.fill(cells[i]);
    }
    result.explored = reach.explored();
    return left;
}

}  // namespace

constexpr SolverRuns collision = on_squares_and_graphs([](auto& search, auto& record) {
    return search_remaining(
        search, [&](auto& result) { return fill_rest(search, result, record); }, record);
});

}  // namespace meiro
