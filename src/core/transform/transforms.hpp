// Mazes made of mazes, by opening and closing passages.
//
// All but unicursal() work in the bytes of `maze` as lay_out() fills them: the low half is what is
// open, the high half the neighbours that exist, so the rim, a mask and a wrap are the same thing.
// Passages::finish() clears the high half; that is left to the caller. Every draw is of the purpose
// `transform`; each transform has a lane of its own, so that two of one seed have nothing in
// common.
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
    symmetric_doors
};
inline Random transform_random(const Seed& seed, TransformLane lane) {
    return Random(seed, Purpose::transform, static_cast<std::uint64_t>(lane));
}

// The most bytes a cell that each transform takes, its result included, below 2^31 cells; from
// there on, where cell numbers take 8 bytes, twice as many. Python asks for them before it
// allocates.
namespace transform_bytes {
inline constexpr int add_loops = 2, braid = 6, fill_dead_ends = 6, unicursal = 8, join_regions = 21,
                     remove_islands = 21, symmetric = 2 + join_regions;
}  // namespace transform_bytes

// `maze` gets what is open in `passages`, and the neighbours that exist. What would lead over the
// rim or out of the mask is left out.
void lay_out(const Passages& maze, const std::uint8_t* passages, Mask mask, Control& control);

// The walls to the east and south that stand between two cells that exist.
constexpr unsigned standing_walls(unsigned byte) {
    return byte >> 4 & ~byte & (bit(Direction::east) | bit(Direction::south));
}

// Has a cell one passage?
constexpr bool is_dead_end(unsigned byte) {
    const unsigned open = byte & 15u;
    return open != 0 && (open & (open - 1)) == 0;
}

// Opens a wall of each dead end, taken with probability p. Scratch: 5 bytes a cell where all are
// dead ends, 9 from 2^32 cells on.
void braid(const Passages& maze, const Seed& seed, Chance p, Control& control);

// Fills dead ends, `rounds` times all that there are, but those of `kept`: their cells are 0 and
// their bytes in `there`, which says what exists, too. Scratch: 4 bytes a dead end (8).
void fill_dead_ends(const Passages& maze, std::uint8_t* mask_out, std::span<const Index> kept,
                    Index rounds, Control& control);

// How many standing_walls() there are, and n of them opened, every n equally likely.
Index count_walls(const Passages& maze, Control& control);
void add_loops(const Passages& maze, const Seed& seed, Index n, Control& control);

// Opens walls that part regions, in random order, until there are none. Scratch: 4 bytes a cell and
// 4 a wall that parts two regions (8 and 8 from 2^31 cells on), at most doubled.
void join_regions(const Passages& maze, const Seed& seed, Control& control);

// Closes passages until no loop is left: a random spanning tree of each region, by Kruskal's
// algorithm on its passages in random order. Scratch: 4 bytes a cell and 4 a passage (8 and 8).
void remove_islands(const Passages& maze, const Seed& seed, Control& control);

// The way around each region, of a maze of twice the sides: each cell becomes four. `out`, and
// `there` unless mask is null, have four times as many bytes. Linear.
void unicursal(const std::uint8_t* passages, Shape shape, Mask mask, std::uint8_t* out,
               std::uint8_t* mask_out, Control& control);

// Which cell another one is the image of.
enum class MazeSymmetry : std::uint8_t { left_right, top_bottom, half_turn };

// One half of `passages` and its image, joined: symmetric.cpp says how. `there`: what exists then.
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
