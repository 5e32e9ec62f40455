// Bottlenecks: the sites that every path from the start to a goal passes.
//
// Every bottleneck lies on any one path, so one shortest path is swept from its start: from each of
// its sites everything beside the path that was not reached before is flooded, and `far` is the
// farthest site of the path that a flood met. If the sweep arrives at `far`, no detour passes it:
//
//   S-a-b-c-G      the flood from a returns to the path at c, so far = c: b is no bottleneck,
//     |   |        a and c are
//     +---+
//
// Another goal counts as the end of the path. Time: linear, each site is flooded once. Scratch: a
// byte per site, and an id per site, touched only on the path.
#include <algorithm>

#include "../solve/bfs_levels.hpp"
#include "path_queries.hpp"

namespace meiro {
namespace {

constexpr unsigned seen = Descent::awaited;  // this mark is free by now

template <class Id>
Bottlenecks sweep(const Adjacency& adjacency, std::span<const Index> goals, Index start,
                  Control& control) {
    Descent descent = descend(adjacency, goals, start, control);
    const Index length = descent.length;
    Bottlenecks found;
    if (length < 0) return found;
    const auto step = adjacency.offsets();
    const Shape shape = adjacency.shape();
    std::uint8_t* const marks = descent.marks.data();
    Buffer<Id> places(adjacency.size());
    Id* const place = places.data();  // position of a site on the path
    const auto on = [&](Index at) { return at + step[first_move(descent.down(adjacency, at))]; };
    for (const Index goal : goals) {
        marks[goal] |= Descent::on_path;
        place[goal] = static_cast<Id>(length);
    }
    for (Index i = 0, at = start; i < length; ++i) {
        if (i % poll_chunk == 0) control.poll(poll_chunk);
        marks[at] |= Descent::on_path;
        place[at] = static_cast<Id>(i);
        at = on(at);
    }
    found.count = 0;
    found.places = Buffer<Index>(2 * length);  // an upper bound; touched as needed
    Levels<Id> levels;
    Index far = 0;
    for (Index i = 0, at = start; i < length; ++i, at = on(at)) {
        if (i > 0 && far <= i) {
            const auto [row, col] = shape.cell(at);
            found.places[2 * found.count] = row;
            found.places[2 * found.count++ + 1] = col;
        }
        levels.start(at);
        for (levels.advance(); levels.size() > 0; levels.advance())
            levels.spread(SquarePlaces<Id>(adjacency), control, [&](Index to, unsigned) {
                if ((marks[to] & Descent::on_path) != 0) {
                    far = std::max(far, static_cast<Index>(place[to]));
                    return false;
                }
                if ((marks[to] & seen) != 0) return false;
                marks[to] |= seen;
                return true;
            });
    }
    return found;
}

}  // namespace

Bottlenecks bottlenecks(const Adjacency& adjacency, std::span<const Index> goals, Index start,
                        Control& control) {
    return fits_32_bits(adjacency) ? sweep<std::uint32_t>(adjacency, goals, start, control)
                                   : sweep<Index>(adjacency, goals, start, control);
}

}  // namespace meiro
