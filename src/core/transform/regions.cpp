// Opening and closing walls for given regions and loops: join_regions, remove_islands, add_loops.
//   J. B. Kruskal, Proc. AMS 7 (1956) 48. doi:10.1090/S0002-9939-1956-0078686-7
//   D. E. Knuth, The Art of Computer Programming 2 (1969), 3.4.2, Algorithm S.
//
// join_regions visits walls in uniformly random order, and opens each that still separates two
// regions when it is visited. remove_islands would visit the passages so, from none of them open,
// and leave each closed that would form a loop: what is left is the minimum spanning forest by
// random weights, which is made tile by tile (mst_tiles/tiles.hpp). Time: nearly constant per cell
// and wall.
#include "regions.hpp"
#include "../generate/shared/minimum_tree.hpp"

namespace meiro {

void lay_out(const Passages& maze, const std::uint8_t* passages, Mask mask, Control& control,
             int threads) {
    maze.begin(mask, control, threads);
    std::uint8_t* const bytes = maze.bytes();
    by_each(maze.size(), control, threads, [&](Index i) {
        bytes[i] = static_cast<std::uint8_t>(bytes[i] | (passages[i] & bytes[i] >> 4));
    });
}

void join_regions(const Passages& maze, const Seed& seed, Control& control) {
    on_regions(maze, control, [&](auto, const auto&, auto& regions) {
        regions.gather();
        regions.join_all(transform_random(seed, TransformLane::join_regions));
    });
}

void remove_islands(const Passages& maze, const Seed& seed, Control& control, int threads) {
    Buffer<std::uint8_t> passages(maze.size());
    polled_copy(maze.bytes(), maze.size(), passages.data(), control, threads);
    // The weights are not those by which a maze of this seed was made.
    Random random = transform_random(seed, TransformLane::remove_islands);
    const std::uint64_t key = random();
    minimum_forest(maze, passages.data(), Seed{{key, random()}}, control, threads);
    by_each(maze.size(), control, threads, [&](Index i) {
        maze.bytes()[i] = static_cast<std::uint8_t>(maze.bytes()[i] | (passages[i] & 0xf0));
    });
}

Index count_walls(const Passages& maze, Control& control) {
    Index count = 0;
    by_each(maze.size(), control, [&](Index i) {
        const unsigned standing = standing_walls(maze.bytes()[i]);
        count += static_cast<Index>((standing >> 1 & 1) + (standing >> 2));
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
