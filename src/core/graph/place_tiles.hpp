// Tiles at points of a grid of integers, and numbers for the corners that they share.
#pragma once

#include <cstdint>

#include "../buffer.hpp"
#include "../control.hpp"

namespace meiro {

// Tile t has the form kind[t], or the only one if `kind` is null, around the point (x[t], y[t]):
// form f has the corners first[f] .. first[f + 1] - 1 of `dx` and `dy`, in order around it.
struct Tiles {
    const std::int64_t* x;
    const std::int64_t* y;
    const std::uint8_t* kind;
    Index count;
    const std::int64_t* first;
    const std::int64_t* dx;
    const std::int64_t* dy;
    Index forms;
};

// The corners, numbered row by row: number[x + cols * y] is that of the corner at (x, y), where
// there is one.
struct GridCorners {
    Index cols = 0;
    Buffer<std::uint32_t> number;
    Index count = 0;
    Index sides = 0;    // of all tiles
    bool valid = true;  // no corner has negative coordinates, and no tile a form that is not there
};
GridCorners grid_corners(const Tiles& tiles, Control& control);

// The coordinates of the corners times the units, and the numbers of the corners of each tile as in
// match_sides.hpp.
struct PlacedTiles {
    double* corners;
    std::int64_t* indptr;
    std::int64_t* indices;
};
void place_tiles(const Tiles& tiles, const GridCorners& grid, double x_unit, double y_unit,
                 const PlacedTiles& out, Control& control);

}  // namespace meiro
