// Between passages and the drawn grid: cell (r, c) stands at site (2r + 1, 2c + 1), WALL = 1, ROAD
// = 0.
#pragma once

#include "../control.hpp"
#include "../lattice.hpp"
#include "../passages.hpp"

namespace meiro {

inline constexpr std::uint8_t road = 0, wall = 1;

// Rows [first, last) of the grid of a maze into `out`, which has room for them. Masked-out cells
// are WALL; where the maze wraps, what leads over the rim is ROAD on both sides. About a nanosecond
// a cell.
void expand(const std::uint8_t* passages, Shape shape, Mask mask, Index first, Index last,
            std::uint8_t* out, Control& control);

enum class GridFault : std::uint8_t {
    none,
    post,  // that is road
    door,  // to a cell that is WALL
    seam   // road on one side of the rim and wall on the other, where it wraps
};
struct Contracted {
    GridFault fault = GridFault::none;
    Cell site{0, 0};   // of the fault
    bool full = true;  // all cells are road
};

// The grid of `shape` cells back to passages; mask[cell] = 1 where the cell is road. Road sites in
// the border are passages where the maze wraps; else they are openings and no matter here.
Contracted contract(const std::uint8_t* grid, Shape shape, Wrap wrap, std::uint8_t* passages,
                    std::uint8_t* mask, Control& control);

}  // namespace meiro
