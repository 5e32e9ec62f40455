// Sweeps a shortest path from its start: from each of its places everything beside the path that
// was not reached before is flooded, so what lies behind a place of the path is reached from there.
// Time: linear, each place is flooded once. Scratch: an entry per place, touched only on the path.
#pragma once

#include "../solve/bfs_levels.hpp"
#include "path_queries.hpp"

namespace meiro {

// The farthest place of the path to which a passage leads from what was reached so far, and how
// many do.
struct Farthest {
    Index place = 0, passages = 0;
};

// reached(place, i): a place beside the path, from place i of it. swept(i, at, move, farthest): all
// that is reached from places 0 .. i is known, and the path goes on from `at` by `move`. Of the
// marks of the descent two bits are used; another goal counts as the end of the path.
template <Places P, class Descent, class Reached, class Swept>
void sweep_path(const P places, Descent& descent, std::span<const Index> goals, Index start,
                Control& control, Reached reached, Swept swept) {
    constexpr unsigned seen = Descent::awaited;  // this mark is free by now
    using Entry = typename P::Entry;
    std::uint8_t* const marks = descent.marks.data();
    const Index length = descent.length;
    Buffer<Entry> positions(places.size());  // on the path
    Entry* const position = positions.data();
    const auto add = [&](Index at, Index i) {
        marks[at] |= Descent::on_path;
        position[at] = static_cast<Entry>(i);
        control.poll();
    };
    const auto move_on = [&](Index at) { return first_down(places, descent, at, control); };
    for (const Index goal : goals) add(goal, length);
    for (Index i = 0, at = start; i < length; ++i, at = places.to(at, move_on(at))) add(at, i);
    Levels<Entry> levels;
    Farthest far;
    for (Index i = 0, at = start; i < length; ++i) {
        levels.push(P::entry(at));
        levels.flood(places, control, [&](Index to, typename P::Move, Index) {
            const std::uint8_t mark = marks[to];
            if ((mark & Descent::on_path) != 0) {
                const auto place = static_cast<Index>(position[to]);
                if (place > far.place) far = {place, 0};
                far.passages += place == far.place ? 1 : 0;
                return false;
            }
            if ((mark & seen) != 0) return false;
            marks[to] = mark | seen;
            reached(to, i);
            return true;
        });
        const auto move = move_on(at);
        swept(i, at, move, far);
        at = places.to(at, move);
    }
}

}  // namespace meiro
