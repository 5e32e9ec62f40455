// How many cells of each kind there are: one pass over the bytes of a maze.
//
// Sixteen cells a word, with counters of half a byte. Of the five degrees only three are counted,
// as n0 + .. + n4 = cells and n1 + 2 n2 + 3 n3 + 4 n4 = 2 passages. About 0.1 ns a cell.
#pragma once

#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

struct CellCounts {
    Index cells = 0;                     // that exist
    Index horizontal = 0, vertical = 0;  // passages: each counts at its western, northern cell
    Index isolated = 0, dead_ends = 0, corridors = 0, junctions = 0, crossroads = 0;  // degree 0..4
    Index straights = 0;  // corridors whose two passages are opposite

    Index passages() const { return horizontal + vertical; }
    Index turns() const { return corridors - straights; }
};

// Of a sound maze with so many cells that exist; the bytes of the others are 0.
CellCounts count_cells(const std::uint8_t* passages, Index size, Index cells, Control& control);

// counts[i] += 1 where cell i exists and its byte is in the set: bit b says that byte b is.
void add_positions(const std::uint8_t* passages, Mask mask, Index size, unsigned set, Index* counts,
                   Control& control);

// How many cells a mask has.
Index count_mask(Mask mask, Index size, Control& control);

}  // namespace meiro
