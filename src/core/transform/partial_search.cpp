// Part of a maze, by a depth-first search that is stopped: from its start the search moves to a
// uniform neighbour that it has not visited, and back where it has visited all of them. It ends
// after a number of cells; it does not go deeper than a limit; or, without forks, it ends where it
// would turn back.
//
// Law: without limits that of backtracker from this start. Time: linear. Scratch: a byte per cell.
#include "transforms.hpp"

namespace meiro {

Index partial_search(const Passages& maze, std::uint8_t* visited, const Seed& seed,
                     const SearchLimits& limits, Control& control) {
    Random random = transform_random(seed, TransformLane::partial_search);
    Buffer<std::uint8_t> back(maze.size());  // the direction to the cell before, where visited
    const Index start = limits.start < 0 ? random.below(maze.size()) : limits.start;
    polled_fill(visited, maze.size(), 0, control);
    visited[start] = 1;
    Index at = start, depth = 0;
    for (Index count = 1; count < limits.cells; control.poll(4)) {
        unsigned ways = 0;
        if (depth < limits.depth)
            for (unsigned free = maze.free(at); free != 0; free &= free - 1) {
                const auto d = static_cast<Direction>(std::countr_zero(free));
                if (visited[maze.next(at, d)] == 0) ways |= bit(d);
            }
        if (ways != 0) {
            const Direction d = random.pick(ways);
            maze.open(at, d);
            at = maze.next(at, d);
            back[at] = static_cast<std::uint8_t>(opposite(d));
            visited[at] = 1;
            ++depth;
            ++count;
        } else if (limits.forks && at != start) {
            at = maze.next(at, static_cast<Direction>(back[at]));
            --depth;
        } else {
            break;
        }
    }
    return start;
}

}  // namespace meiro
