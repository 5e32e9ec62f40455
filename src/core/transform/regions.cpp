// Opening and closing walls for given regions and loops: join_regions, remove_islands, add_loops.
//   J. B. Kruskal, Proc. AMS 7 (1956) 48. doi:10.1090/S0002-9939-1956-0078686-7
//   D. E. Knuth, The Art of Computer Programming 2 (1969), 3.4.2, Algorithm S.
//
// join_regions and remove_islands visit walls in uniformly random order. join_regions keeps all
// passages, and opens each wall that still separates two regions when it is visited. remove_islands
// starts from no passages, visits the given ones, and closes each that would form a loop. Time:
// nearly constant per cell and wall.
#include "regions.hpp"

namespace meiro {

void lay_out(const Passages& maze, const std::uint8_t* passages, Mask mask, Control& control,
             int threads) {
    maze.begin(mask, control, threads);
    std::uint8_t* const bytes = maze.bytes();
    by_pieces(maze.size(), control, threads, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i)
            bytes[i] = static_cast<std::uint8_t>(bytes[i] | (passages[i] & bytes[i] >> 4));
    });
}

void join_regions(const Passages& maze, const Seed& seed, Control& control) {
    on_regions(maze, control, [&](auto, const auto&, auto& regions) {
        regions.gather();
        regions.join_all(transform_random(seed, TransformLane::join_regions));
    });
}

void remove_islands(const Passages& maze, const Seed& seed, Control& control) {
    on_regions(maze, control, [&](auto id, const auto& topology, auto& regions) {
        Random random = transform_random(seed, TransformLane::remove_islands);
        Stack<decltype(id)> passages;
        each_wall(maze, control, open_walls, [&](Index wall, Index, Direction) {
            passages.push(static_cast<decltype(id)>(wall));
        });
        regions.in_random_order(passages, random, [&](Index cell, Direction d) {
            if (regions.merge(cell, d)) return;
            maze.bytes()[cell] &= static_cast<std::uint8_t>(~bit(d));
            maze.bytes()[topology.next(cell, d)] &= static_cast<std::uint8_t>(~bit(opposite(d)));
        });
    });
}

Index count_walls(const Passages& maze, Control& control) {
    Index count = 0;
    by_pieces(maze.size(), control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) {
            const unsigned standing = standing_walls(maze.bytes()[i]);
            count += static_cast<Index>((standing >> 1 & 1) + (standing >> 2));
        }
    });
    return count;
}

void add_loops(const Passages& maze, const Seed& seed, Index n, Control& control) {
    Random random = transform_random(seed, TransformLane::add_loops);
    Index left = count_walls(maze, control);
    with_topology(maze, [&](const auto& topology) {
        // Takes each wall with probability (still wanted) / (still to visit).
        each_wall(maze, control, standing_walls, [&](Index, Index cell, Direction d) {
            if (n == 0 || random.below(left--) >= n) return;
            topology.open(cell, d);
            --n;
        });
    });
}

}  // namespace meiro
