// Connected components of the cells, and walls in random order: shared by join_regions and
// symmetric.
#pragma once

#include <array>
#include <type_traits>
#include <utility>

#include "../disjoint_set.hpp"
#include "transforms.hpp"

namespace meiro {

// A wall as a number: 2 * cell for the wall to its east, 2 * cell + 1 for the wall to its south.
constexpr Direction side_of(Index wall) {
    return (wall & 1) != 0 ? Direction::south : Direction::east;
}

// body(Id{}), a type that holds the numbers of walls.
template <class Body>
void with_wall_numbers(const Passages& maze, Body body) {
    with_ids_below(2 * maze.size(), body);
}

// body(wall, cell, direction) for the walls in bits_of(byte) of each cell, in order.
template <class Bits, class Body>
void each_wall(const Passages& maze, Control& control, Bits bits_of, Body body) {
    constexpr Index chunk = Index{1} << 14;
    for (Index first = 0; first < maze.size(); first += chunk) {
        const Index last = std::min(first + chunk, maze.size());
        for (Index cell = first; cell < last; ++cell) {
            const unsigned bits = bits_of(maze.bytes()[cell]);
            if ((bits & bit(Direction::east)) != 0) body(2 * cell, cell, Direction::east);
            if ((bits & bit(Direction::south)) != 0) body(2 * cell + 1, cell, Direction::south);
        }
        control.poll(8 * (last - first));
    }
}

constexpr unsigned open_walls(unsigned byte) {
    return byte & (bit(Direction::east) | bit(Direction::south));
}

template <class Id, class Topology>
class Regions {
public:
    Regions(const Topology& maze, Control& control) : maze_(maze), control_(control) {
        sets_.reset(maze.size(), control);
    }

    // Joins regions along all passages.
    void gather() {
        each_wall(maze_, control_, open_walls,
                  [this](Index, Index cell, Direction d) { merge(cell, d); });
    }
    // A cell of its region, the same for all.
    Index find(Index cell) { return static_cast<Index>(sets_.find(static_cast<Id>(cell))); }
    void join(Index cell, Index other) {
        sets_.join(static_cast<Id>(cell), static_cast<Id>(other));
    }
    // True if they were two regions.
    bool merge(Index cell, Direction d) {
        return sets_.join(static_cast<Id>(cell), static_cast<Id>(maze_.next(cell, d)));
    }
    // Visits walls between regions in random order, until none is left.
    void join_all(Random random) {
        sets_.flatten(maze_.size(), control_);
        Stack<Id> walls;
        each_wall(maze_, control_, standing_walls, [&](Index wall, Index cell, Direction d) {
            if (sets_.parent(static_cast<Id>(cell)) !=
                sets_.parent(static_cast<Id>(maze_.next(cell, d))))
                walls.push(static_cast<Id>(wall));
        });
        in_random_order(walls, random, [this](Index cell, Direction d) {
            if (merge(cell, d)) maze_.open(cell, d);
        });
    }
    // body(cell, direction) for each; every order is equally likely. A group is drawn ahead of its
    // bodies, and its memory is prefetched step by step, as every step of a wall is a cache miss.
    template <class Body>
    void in_random_order(Stack<Id>& walls, Random& random, Body body) {
        constexpr Index group = 128;
        std::array<Index, group> wall{};
        std::array<std::array<Id, 2>, group> up{};
        for (Index left = walls.size(); left > 0;) {
            const Index count = std::min(group, left);
            control_.poll(16 * count);
            for (Index i = 0; i < count; ++i) {
                wall[i] = random.below(left - i);
                prefetch(&walls[wall[i]]);
            }
            for (Index i = 0; i < count; ++i) {
                Id& drawn = walls[wall[i]];
                wall[i] = static_cast<Index>(std::exchange(drawn, walls[--left]));
                up[i] = {static_cast<Id>(wall[i] >> 1),
                         static_cast<Id>(maze_.next(wall[i] >> 1, side_of(wall[i])))};
                for (const Id item : up[i]) sets_.prefetch(item);
            }
            for (int hop = 0; hop < 2; ++hop)
                for (Index i = 0; i < count; ++i)
                    for (Id& item : up[i]) {
                        item = sets_.parent(item);
                        sets_.prefetch(item);
                    }
            for (Index i = 0; i < count; ++i) body(wall[i] >> 1, side_of(wall[i]));
        }
    }

private:
    const Topology maze_;
    Control& control_;
    DisjointSet<Id> sets_{maze_.size()};
};

// body(Regions) for the topology of the maze.
template <class Body>
void on_regions(const Passages& maze, Control& control, Body body) {
    with_wall_numbers(maze, [&](auto id) {
        with_topology(maze, [&](const auto& topology) {
            Regions<decltype(id), std::decay_t<decltype(topology)>> regions(topology, control);
            body(id, topology, regions);
        });
    });
}

}  // namespace meiro
