// Steps of walks on cells, across the border of periodic lattices too, and through one component of
// a mask. Shared by wilson, aldous_broder and origin_shift.
#pragma once

#include <bit>

#include "../job.hpp"

namespace meiro {

// The state of a cell in a walk, beside the direction in which it was last left.
constexpr unsigned direction_bits = 3, reached = 0x40, joined = 0x80;

// Words of 32 steps between two polls.
constexpr int walk_chunk = 1 << 10;

// By direction, of a byte of Passages: is there a neighbour?
inline constexpr std::array<std::uint8_t, 4> free_bits{16, 32, 64, 128};

// Marks the component of `first`, depth first: each of its cells becomes `reached` and keeps the
// direction back to `first`, passed to on_found(cell, direction). Returns the number of cells.
template <class Topology, class OnFound>
Index reach(const Topology& maze, std::uint8_t* state, Index first, Control& control,
            const OnFound& on_found) {
    Index at = first;
    Index count = 1;
    state[first] = reached;
    for (;;) {
        control.poll();
        unsigned free = maze.free(at);
        Index to = at;
        Direction d{};
        for (; free != 0; free &= free - 1) {
            d = directions[static_cast<std::size_t>(std::countr_zero(free))];
            to = maze.next(at, d);
            if ((state[to] & reached) == 0) break;
        }
        if (free != 0) {
            at = to;
            state[at] = static_cast<std::uint8_t>(reached | static_cast<unsigned>(opposite(d)));
            on_found(at, opposite(d));
            ++count;
        } else if (at != first) {
            at = maze.next(at, static_cast<Direction>(state[at] & direction_bits));
        } else {
            return count;
        }
    }
}

// Steps of a lazy walk, which draws one of four directions and stays if there is no cell. The trees
// of first entrances and of last exits do not depend on the stays, and 64 random bits make 32
// steps. The bytes know the neighbours within the border only; neighbours across it, on periodic
// lattices, are looked up when a step fails, so that all other steps cost the same as before.
class WalkTopology {
public:
    explicit WalkTopology(const Job& job)
        : maze_(job.maze.bytes(), job.maze.shape()), wrap_(job.maze.wrap()), mask_(job.mask) {
        maze_.begin(job.mask, job.control);
    }

    const Passages& maze() const { return maze_; }

    // The cell across the border that a failed step leads to; `cell` if there is no such cell.
    Index next_over_rim(Index cell, Direction d) const {
        if (!wrap_.any()) return cell;
        const auto [row, col] = maze_.cell(cell);
        const auto [rows, cols] = maze_.shape();
        const bool over = d == Direction::north   ? wrap_.rows && row == 0
                          : d == Direction::south ? wrap_.rows && row + 1 == rows
                          : d == Direction::east  ? wrap_.cols && col + 1 == cols
                                                  : wrap_.cols && col == 0;
        const Index to = beyond(maze_.shape(), cell, d);
        return over && exists(mask_, cell) && exists(mask_, to) ? to : cell;
    }
    // The neighbour, across the border or not; `cell` if there is no neighbour.
    Index next(Index cell, Direction d) const {
        return (maze_.free(cell) & bit(d)) != 0 ? maze_.next(cell, d) : next_over_rim(cell, d);
    }
    // The directions of existing neighbours.
    unsigned free(Index cell) const {
        unsigned found = maze_.free(cell);
        if (wrap_.any())
            for (const Direction d : directions)
                found |= next_over_rim(cell, d) != cell ? bit(d) : 0;
        return found;
    }
    void open(Index cell, Index to, Direction d) const {
        maze_.bytes()[cell] |= static_cast<std::uint8_t>(bit(d));
        maze_.bytes()[to] |= static_cast<std::uint8_t>(bit(opposite(d)));
    }

private:
    const Passages maze_;
    Wrap wrap_;
    Mask mask_;
};

}  // namespace meiro
