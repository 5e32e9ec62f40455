// The drawn grid with wide corridors and thick walls: every cell is corridor x corridor sites,
// every post wall x wall, and a wall between two cells what lies between.
#pragma once

#include <array>

#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

struct Thickness {
    Index corridor, wall;

    // Where row, or column, i of the plain grid begins, and how many it becomes.
    constexpr Index begin(Index i) const { return i / 2 * (corridor + wall) + i % 2 * wall; }
    constexpr Index size(Index i) const { return i % 2 == 0 ? wall : corridor; }
    // Whether a side of `sites` is that of a grid of so many cells.
    constexpr bool fits(Index sites, Index cells) const {
        return corridor > 0 && wall > 0 && sites > wall && corridor <= sites - wall &&
               (sites - wall) / (corridor + wall) == cells &&
               (sites - wall) % (corridor + wall) == 0;
    }
    friend bool operator==(const Thickness&, const Thickness&) = default;
};

// What stands for road and for wall: `size` bytes each.
struct Inks {
    std::array<const std::uint8_t*, 2> of;
    Index size;
};

// Rows [first, last) of the plain grid of a maze, wide, into `out`, where the whole wide grid has
// its place. As expand(). About as fast as memory is written.
void widen(const std::uint8_t* passages, Shape shape, Mask mask, Thickness wide, Index first,
           Index last, const Inks& inks, std::uint8_t* out, Control& control);

// The plain grid of a wide one, of `shape` cells, in walls (1) and roads (0). Returns the first
// site that is not as the first of its block; {-1, -1} if all are.
Cell narrow(const std::uint8_t* sites, Shape shape, Thickness wide, std::uint8_t* grid,
            Control& control);

}  // namespace meiro
