// Transforms of mazes that open and close passages.
//
// All but unicursal() work on the bytes of `maze` as lay_out() fills them: the low half holds open
// directions, the high half existing neighbours, so border, mask and periodic axes need no cases.
// The caller clears the high half by Passages::finish(). All draws have the purpose `transform`;
// each transform has a lane of its own, so that two with one seed are independent.
#pragma once

#include <limits>
#include <span>

#include "../buffer.hpp"
#include "../passages.hpp"
#include "../random.hpp"

namespace meiro {

// The numbers are part of the stream's version: never renumber, only append.
enum class TransformLane : std::uint64_t {
    braid = 1,
    add_loops,
    join_regions,
    remove_islands,
    symmetric,
    symmetric_doors,
    origin_shift,
    perturb,
    partial_search
};
// A transform that works in parts has random numbers for each of them.
inline Random transform_random(const Seed& seed, TransformLane lane, Index part = 0) {
    return Random(seed, Purpose::transform,
                  static_cast<std::uint64_t>(lane) | static_cast<std::uint64_t>(part) << 8);
}

// The most bytes per cell that each transform takes, its result included, below 2^31 cells; from
// there on twice as many, as cell numbers take 8 bytes. Python checks the memory by them before it
// allocates.
namespace transform_bytes {
inline constexpr int add_loops = 2, braid = 6, fill_dead_ends = 6, unicursal = 8, join_regions = 21,
                     remove_islands = 21, symmetric = 2 + join_regions, origin_shift = 3,
                     perturb = 20;
}  // namespace transform_bytes

// About how many steps of Control::poll a cell takes, for the progress of one large maze; counted.
namespace transform_steps {
inline constexpr int add_loops = 8, braid = 5, fill_dead_ends = 5, join_regions = 17,
                     remove_islands = 15, walk = 12, partial_search = 8;
}  // namespace transform_steps

// Fills `maze` with the open directions of `passages` and the existing neighbours. Directions
// across the border (unless periodic) or into masked-out cells are left out.
void lay_out(const Passages& maze, const std::uint8_t* passages, Mask mask, Control& control,
             int threads = 1);

// The walls to the east and south between two existing cells.
constexpr unsigned standing_walls(unsigned byte) {
    return byte >> 4 & ~byte & (bit(Direction::east) | bit(Direction::south));
}

// Does a cell have exactly one passage?
constexpr bool is_dead_end(unsigned byte) {
    const unsigned open = byte & 15u;
    return open != 0 && (open & (open - 1)) == 0;
}

// Opens a wall of each dead end, taken with probability p. Scratch: 5 bytes per cell if all cells
// are dead ends, 9 from 2^32 cells on.
void braid(const Passages& maze, const Seed& seed, Chance p, Control& control, int threads = 1);

// Fills the dead ends, `rounds` times, except those in `kept` (-1: none); filled cells become 0 in
// the maze and in `mask_out`. Scratch: 4 bytes per dead end (8 from 2^32 cells on); where there are
// as many rounds as cells, first one or two bytes per cell, shared by threads.
void fill_dead_ends(const Passages& maze, std::uint8_t* mask_out, std::span<const Index> kept,
                    Index rounds, Control& control, int threads = 1);

// The number of standing_walls(), and opening n of them, chosen uniformly without replacement.
Index count_walls(const Passages& maze, Control& control);
void add_loops(const Passages& maze, const Seed& seed, Index n, Control& control);

// Opens walls between regions, in random order, until one region per component of the mask is left.
// Scratch: 4 bytes per cell and 4 per wall between regions (8 and 8 from 2^31 cells on), at most
// doubled.
void join_regions(const Passages& maze, const Seed& seed, Control& control);

// Closes passages until no loop is left: a random spanning tree of each region, that of Kruskal's
// algorithm on its passages in random order. Scratch: a byte per cell, and that of
// minimum_forest().
void remove_islands(const Passages& maze, const Seed& seed, Control& control, int threads = 1);

// Moves the root of each component `steps` times. Scratch: a byte per cell. The maze is perfect.
void origin_shift(const Passages& maze, const Seed& seed, Index steps, Control& control);

// Closes a passage and opens a wall between the parts, n times. The maze is perfect. Scratch: 4
// bytes per passage and 9 per cell (8 and 17 from 2^31 cells on), at most doubled.
void perturb(const Passages& maze, const Seed& seed, Index n, Control& control);

// Opens passages of a maze without any, whose axes are not periodic, by a search that is stopped;
// returns its start, -1: drawn. Scratch: a byte per cell.
struct SearchLimits {
    Index start, cells, depth;
    bool forks;
};
Index partial_search(const Passages& maze, std::uint8_t* visited, const Seed& seed,
                     const SearchLimits& limits, Control& control);

// The walk around each region, as a maze of twice the sides: each cell becomes four. `out`, and
// `mask_out` unless mask is null, have four times as many bytes. Linear.
void unicursal(const std::uint8_t* passages, Shape shape, Mask mask, std::uint8_t* out,
               std::uint8_t* mask_out, Control& control);

// The map from a cell to its image.
enum class MazeSymmetry : std::uint8_t { left_right, top_bottom, half_turn };

// One half of `passages` joined to its image (see symmetric.cpp). `mask_out`: cells that then
// exist.
void symmetric(const Passages& maze, const std::uint8_t* passages, Mask mask, MazeSymmetry how,
               const Seed& seed, std::uint8_t* mask_out, Control& control);

// body(Id{}), a type for the numbers below `size`.
template <class Body>
void with_ids_below(Index size, Body body) {
    if (size <= Index{std::numeric_limits<std::uint32_t>::max()})
        body(std::uint32_t{});
    else
        body(Index{});
}

}  // namespace meiro
