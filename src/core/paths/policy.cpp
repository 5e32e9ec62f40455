// The best moves towards the nearest of some goals: descend and policy.
//
// A flood from the goals, level by level. A site that is reached again from the same level has one
// more best move, so after that level a site knows all of them. A distance need only be known
// modulo 3, as neighbours differ by at most one step. Time: linear in the sites reached. Scratch: a
// byte per site, and two levels. Invariant: all marks are final, except those of the level being
// built.
#include "../solve/bfs_levels.hpp"
#include "path_queries.hpp"

namespace meiro {
namespace {

constexpr std::uint8_t level_mark(Index level) {
    return static_cast<std::uint8_t>((1 + level % 3) << 4);
}

// The direction back, of a site that was reached by move d.
constexpr std::array<std::uint8_t, 8> back{4, 8, 1, 2, 4, 8, 1, 2};

template <class Id>
Descent flood(const SquarePlaces<Id> places, std::span<const Index> goals, Index start,
              Control& control) {
    Descent descent;
    descent.marks = Buffer<std::uint8_t>(places.size(), true);
    std::uint8_t* const marks = descent.marks.data();
    Levels<Id> levels;
    if (start >= 0) marks[start] = Descent::awaited;
    for (const Index goal : goals) {
        if ((marks[goal] & Descent::level) != 0) continue;
        if (marks[goal] != 0) descent.length = 0;
        marks[goal] = level_mark(0);
        levels.start(goal);
    }
    levels.advance();
    for (Index level = 1; levels.size() > 0 && descent.length < 0; ++level) {
        descent.last = Levels<Id>::site(levels.now()[0]);
        descent.far = level - 1;
        const std::uint8_t mark = level_mark(level);
        unsigned met = 0;
        levels.spread(places, control, [&](Index to, unsigned d) {
            const std::uint8_t before = marks[to];
            if ((before & Descent::level) != 0) {
                if ((before & Descent::level) == mark) marks[to] = before | back[d];
                return false;
            }
            met |= before;
            marks[to] = mark | back[d];
            return true;
        });
        if (met != 0) descent.length = level;
        control.done(levels.size());
        levels.advance();
    }
    return descent;
}

}  // namespace

Descent descend(const Adjacency& adjacency, std::span<const Index> goals, Index start,
                Control& control) {
    return with_places(adjacency,
                       [&](const auto& places) { return flood(places, goals, start, control); });
}

Buffer<std::uint8_t> policy(const Adjacency& adjacency, std::span<const Index> goals,
                            Control& control) {
    Buffer<std::uint8_t> bits = descend(adjacency, goals, -1, control).marks;
    std::uint8_t* const mark = bits.data();
    by_each(adjacency.size(), control, [=](Index i) { mark[i] &= Descent::moves; });
    return bits;
}

}  // namespace meiro
