// The drawn grid with wide corridors and thick walls: every cell is corridor x corridor sites,
// every post wall x wall sites, every wall between two cells the rectangle between them.
#pragma once

#include <array>

#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

struct Thickness {
    Index corridor, wall;

    // Where row, or column, i of the plain grid begins, and its width in sites.
    constexpr Index begin(Index i) const { return i / 2 * (corridor + wall) + i % 2 * wall; }
    constexpr Index size(Index i) const { return i % 2 == 0 ? wall : corridor; }
    // Is `sites` the side of a grid of `cells` cells?
    constexpr bool fits(Index sites, Index cells) const {
        return corridor > 0 && wall > 0 && sites > wall && corridor <= sites - wall &&
               (sites - wall) / (corridor + wall) == cells &&
               (sites - wall) % (corridor + wall) == 0;
    }
    friend bool operator==(const Thickness&, const Thickness&) = default;
};

// The items that stand for road and for wall: `size` bytes each.
struct Inks {
    std::array<const std::uint8_t*, 2> of;
    Index size;
};

// Widens rows [first, last) of the plain grid of a maze into `out`, which holds the whole wide
// grid. Otherwise as expand(). About as fast as memory is written.
void widen(const std::uint8_t* passages, Shape shape, Mask mask, Thickness wide, Index first,
           Index last, const Inks& inks, std::uint8_t* out, Control& control, bool posts = true);

// Reduces a wide grid of `shape` cells to the plain one, of walls (1) and roads (0). Returns the
// first site that differs from the first of its block; {-1, -1} if there is no such site.
Cell narrow(const std::uint8_t* sites, Shape shape, Thickness wide, std::uint8_t* grid,
            Control& control);

}  // namespace meiro
