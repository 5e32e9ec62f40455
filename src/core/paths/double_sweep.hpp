// The two cells of a maze that are farthest apart, by two floods a part.
#pragma once

#include "../adjacency.hpp"
#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

// Two of the cells and the steps between them; length -1 where there is no cell to choose.
struct Pair {
    Index first = 0, second = 0, length = -1;
};

// Of the cells with a byte in `among` (all, where it is null), two with a way between them that are
// far apart: on trees no other two are farther.
Pair farthest(const Adjacency& adjacency, const std::uint8_t* among, Control& control);

}  // namespace meiro
