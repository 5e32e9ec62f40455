// How many cells there are of each kind: one pass over the bytes of a maze.
//
// A word holds sixteen cells, with counters of half a byte. Only three of the five degrees are
// counted, as n0 + .. + n4 = cells and n1 + 2 n2 + 3 n3 + 4 n4 = 2 passages. About 0.1 ns per cell.
#pragma once

#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

struct CellCounts {
    Index cells = 0;                     // existing cells
    Index horizontal = 0, vertical = 0;  // passages, each counted at its western or northern cell
    Index isolated = 0, dead_ends = 0, corridors = 0, junctions = 0, crossroads = 0;  // degree 0..4
    Index straights = 0;  // corridors whose two passages are opposite

    Index passages() const { return horizontal + vertical; }
    Index turns() const { return corridors - straights; }
};

// Counts of a sound maze with `cells` existing cells; the bytes of the others are 0.
CellCounts count_cells(const std::uint8_t* passages, Index size, Index cells, Control& control,
                       int threads = 1);

// counts[i] += 1 where cell i exists and its byte b is in the set, which has bit b.
void add_positions(const std::uint8_t* passages, Mask mask, Index size, unsigned set, Index* counts,
                   Control& control);

}  // namespace meiro
