#include "double_sweep_many.hpp"

#include "../solve/bfs_levels.hpp"
#include "path_queries.hpp"

namespace meiro {
namespace {

// Invariant: a cell that a flood reached has its tag; before tags repeat, all are cleared.
template <Places P>
void count(const P places, const std::uint8_t* among, Index least, Index* counts,
           Control& control) {
    Buffer<std::uint8_t> tags(places.size(), true);
    Levels<typename P::Entry> levels;
    std::uint8_t* const tag_of = tags.data();
    std::uint8_t tag = 0;
    for (Index source = 0; source < places.size(); ++source) {
        control.poll();
        counts[source] = 0;
        if (among[source] == 0) continue;
        if (++tag == 0) {
            polled_fill(tag_of, places.size(), 0, control);
            tag = 1;
        }
        tag_of[source] = tag;
        levels.clear();
        levels.push(P::entry(source));
        levels.advance();
        Index far = 0;
        for (Index steps = 1; levels.size() > 0; ++steps) {
            const unsigned counted = steps >= least ? 1 : 0;
            levels.spread(places, control, [&](Index to, typename P::Move) {
                if (tag_of[to] == tag) return false;
                tag_of[to] = tag;
                far += among[to] & counted;
                return true;
            });
            levels.advance();
        }
        counts[source] = far;
    }
}

}  // namespace

template <class Maze>
void count_far(const Maze& maze, const std::uint8_t* among, Index least, Index* counts,
               Control& control) {
    with_places(maze, [&](const auto& places) { count(places, among, least, counts, control); });
}

template void count_far(const Adjacency&, const std::uint8_t*, Index, Index*, Control&);
template void count_far(const OpenGraph&, const std::uint8_t*, Index, Index*, Control&);

}  // namespace meiro
