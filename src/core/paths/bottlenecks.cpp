// Bottlenecks: the places that every path from the start to a goal passes.
//
// Every bottleneck lies on any one path, so one shortest path is swept from its start: from each of
// its places everything beside the path that was not reached before is flooded, and `far` is the
// farthest place of the path that a flood met. If the sweep arrives at `far`, no detour passes it:
//
//   S-a-b-c-G      the flood from a returns to the path at c, so far = c: b is no bottleneck,
//     |   |        a and c are
//     +---+
//
// Another goal counts as the end of the path. Time: linear, each place is flooded once. Scratch: a
// byte per site, and an id per site, touched only on the path; of graphs 17 bytes a cell.
#include <algorithm>

#include "../solve/bfs_levels.hpp"
#include "path_queries.hpp"

namespace meiro {
namespace {

constexpr unsigned seen = Descent::awaited;  // this mark is free by now

// Sweeps a path of `length` steps, next(place) from place to place. Of the marks two bits are used.
template <Places P, class Next>
Bottlenecks sweep(const P places, std::uint8_t* const marks, std::span<const Index> goals,
                  Index start, Index length, Next next, Control& control) {
    using Entry = typename P::Entry;
    Buffer<Entry> positions(places.size());  // on the path
    Entry* const position = positions.data();
    const auto add = [&](Index at, Index i) {
        marks[at] |= Descent::on_path;
        position[at] = static_cast<Entry>(i);
        control.poll();
    };
    for (const Index goal : goals) add(goal, length);
    for (Index i = 0, at = start; i < length; ++i, at = next(at)) add(at, i);
    Bottlenecks found{Buffer<Index>(length), 0};  // an upper bound; touched as needed
    Levels<Entry> levels;
    Index far = 0;
    for (Index i = 0, at = start; i < length; ++i, at = next(at)) {
        if (i > 0 && far <= i) found.places[found.count++] = at;
        levels.push(P::entry(at));
        for (levels.advance(); levels.size() > 0; levels.advance())
            levels.spread(places, control, [&](Index to, typename P::Move) {
                const std::uint8_t mark = marks[to];
                if ((mark & Descent::on_path) != 0) {
                    far = std::max(far, static_cast<Index>(position[to]));
                    return false;
                }
                if ((mark & seen) != 0) return false;
                marks[to] = mark | seen;
                return true;
            });
    }
    return found;
}

}  // namespace

template <class Maze>
Bottlenecks bottlenecks(const Maze& maze, std::span<const Index> goals, Index start,
                        Control& control) {
    DescentOf<Maze> descent = descend(maze, goals, start, control);
    if (descent.length < 0) return {};
    return with_places(maze, [&](const auto& places) {
        const auto next = [&](Index at) {
            return places.to(at, first_down(places, descent, at, control));
        };
        return sweep(places, descent.marks.data(), goals, start, descent.length, next, control);
    });
}

template Bottlenecks bottlenecks(const Adjacency&, std::span<const Index>, Index, Control&);
template Bottlenecks bottlenecks(const OpenGraph&, std::span<const Index>, Index, Control&);

}  // namespace meiro
