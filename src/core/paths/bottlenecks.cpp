// Bottlenecks: the places that every path from the start to a goal passes.
//
// Every bottleneck lies on any one path, so one shortest path is swept from its start. If the sweep
// arrives at the farthest place of the path that a flood met, no detour passes it:
//
//   S-a-b-c-G      the flood from a returns to the path at c, so c is the farthest:
//     |   |        b is no bottleneck, a and c are
//     +---+
//
// Time: linear. Scratch: a byte per site, and an id per site, touched only on the path; of graphs
// 17 bytes a cell.
#include "sweep.hpp"

namespace meiro {

template <class Maze>
Bottlenecks bottlenecks(const Maze& maze, std::span<const Index> goals, Index start,
                        Control& control) {
    DescentOf<Maze> descent = descend(maze, goals, start, control);
    if (descent.length < 0) return {};
    Bottlenecks found{Buffer<Index>(descent.length), 0};  // an upper bound; touched as needed
    with_places(maze, [&](const auto& places) {
        sweep_path(
            places, descent, goals, start, control, [](Index, Index) {},
            [&](Index i, Index at, auto move, Farthest far) {
                if (i + 1 < descent.length && far.place <= i + 1)
                    found.places[found.count++] = places.to(at, move);
            });
    });
    return found;
}

template Bottlenecks bottlenecks(const Adjacency&, std::span<const Index>, Index, Control&);
template Bottlenecks bottlenecks(const OpenGraph&, std::span<const Index>, Index, Control&);

}  // namespace meiro
