// Seams, where a maze is joined by doors.
#pragma once

#include "../control.hpp"
#include "../lattice.hpp"
#include "../random.hpp"

namespace meiro {

// Walls in a line: the walls of `size` cells in direction `towards`, the first cell `first`, `step`
// apart.
struct Seam {
    Index first, step, size;
    Direction towards;
};

// Opens `doors` walls of a seam between existing cells, chosen uniformly without replacement, and
// returns the number of candidates. If these are fewer, opens nothing. All must be closed before.
Index open_doors(std::uint8_t* passages, Shape shape, Mask mask, const Seam& seam, Index doors,
                 Random random, Control& control);

// Two different numbers of 0 .. n-1, all pairs equally likely. n > 1.
struct Two {
    Index first, second;
};
Two two_of(Index n, Random random);

}  // namespace meiro
