// Parts of a maze: cut out, put into a larger one, and joined by doors.
#pragma once

#include "../control.hpp"
#include "../lattice.hpp"
#include "../random.hpp"

namespace meiro {

// A rectangle of `shape` from one array of bytes to another, whose rows are `from_stride` and
// `to_stride` long. What leads out of it on the sides `closed` (bits N E S W) is closed.
void copy_part(const std::uint8_t* from, Index from_stride, std::uint8_t* to, Index to_stride,
               Shape shape, unsigned closed, Control& control);

// Walls in a line: those `towards` a neighbour of `size` cells, the first at `first`, `step` apart.
struct Seam {
    Index first, step, size;
    Direction towards;
};

// Opens `doors` of the walls of a seam that part two cells of the mask, all choices equally likely,
// and returns how many there were to choose from. If they are fewer, none is opened. They are all
// closed before.
Index open_doors(std::uint8_t* passages, Shape shape, Mask mask, const Seam& seam, Index doors,
                 Random random, Control& control);

// Two different numbers of 0 .. n-1, all pairs equally likely. n > 1.
struct Two {
    Index first, second;
};
Two two_of(Index n, Random random);

}  // namespace meiro
