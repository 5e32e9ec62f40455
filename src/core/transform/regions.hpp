// Connected components of the cells, and walls in random order: shared by join_regions,
// remove_islands and symmetric.
#pragma once

#include <type_traits>

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
    Regions(const Topology& maze, Control& control)
        : maze_(maze), control_(control), sets_(maze.size()) {
        sets_.reset(maze.size(), control);
    }

    // Joins regions along all passages.
    void gather() {
        each_wall(maze_, control_, open_walls,
                  [this](Index, Index cell, Direction d) { merge(cell, d); });
    }
    bool parts(Index cell, Direction d) {
        return sets_.find(static_cast<Id>(cell)) !=
               sets_.find(static_cast<Id>(maze_.next(cell, d)));
    }
    // True if they were two regions.
    bool merge(Index cell, Direction d) {
        return sets_.join(static_cast<Id>(cell), static_cast<Id>(maze_.next(cell, d)));
    }
    // Visits walls between regions in random order, until none is left.
    void join_all(Random random) {
        Stack<Id> walls;
        each_wall(maze_, control_, standing_walls, [&](Index wall, Index cell, Direction d) {
            if (parts(cell, d)) walls.push(static_cast<Id>(wall));
        });
        in_random_order(walls, random, [this](Index cell, Direction d) {
            if (merge(cell, d)) maze_.open(cell, d);
        });
    }
    // body(cell, direction) for each; every order is equally likely.
    template <class Body>
    void in_random_order(Stack<Id>& walls, Random& random, Body body) {
        constexpr Index chunk = Index{1} << 10;
        for (Index left = walls.size(); left > 0;) {
            const Index stop = std::max<Index>(0, left - chunk);
            control_.poll(16 * (left - stop));  // random access: cache misses
            for (; left > stop; --left) {
                const Index k = random.below(left);
                const auto wall = static_cast<Index>(walls[k]);
                walls[k] = walls[left - 1];
                body(wall >> 1, side_of(wall));
            }
        }
    }

private:
    const Topology maze_;
    Control& control_;
    DisjointSet<Id> sets_;
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
