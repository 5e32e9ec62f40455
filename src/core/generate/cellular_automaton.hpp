// Life-like cellular automata on wall/road arrays.
//   M. Gardner, Mathematical Games, Scientific American, October 1970.
#pragma once

#include "../control.hpp"
#include "../lattice.hpp"
#include "../random.hpp"

namespace meiro {

struct AutomatonRule {
    unsigned born, survives;  // bit n: a road becomes, a wall stays a wall beside n walls
    Wrap wrap;
    bool outside;  // the value of the sites outside the array
};

// The first generation: a site is a wall, 1, if its random word is less than p * 2^64.
void random_walls(const Seed& seed, double p, Shape shape, std::uint8_t* sites, Control& control);

// So many generations of the sites, 0 or 1. It stops early at a fixed point.
void run_automaton(const AutomatonRule& rule, Shape shape, std::uint8_t* sites, Index generations,
                   Control& control);

}  // namespace meiro
