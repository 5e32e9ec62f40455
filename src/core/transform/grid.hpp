// Conversion between passages and the drawn grid; WALL = 1, ROAD = 0. Cell (r, c) is site (2r + 1,
// 2c + 1):
//
//   # # # # #
//   #   .   #      two cells in a row, the site "." between them is ROAD
//   # # # # #      if there is a passage
#pragma once

#include <string_view>

#include "../control.hpp"
#include "../lattice.hpp"
#include "../passages.hpp"

namespace meiro {

inline constexpr std::uint8_t road_site = 0, wall_site = 1;

// Writes rows [first, last) of the grid of a maze to `out`. Masked-out cells are WALL; a passage of
// a periodic maze across the border is ROAD on both sides; free posts are ROAD, unless `posts`.
// About a nanosecond per cell.
void expand(const std::uint8_t* passages, Shape shape, Mask mask, Index first, Index last,
            std::uint8_t* out, Control& control, bool posts = true);

struct GridFault {
    static constexpr std::string_view none = {},
                                      post = "post",  // a post that is road and not free
        door = "door",                                // a door to a cell that is WALL
        seam = "seam";  // periodic: road on one side of the border, wall on the other
};
struct Contracted {
    std::string_view fault = GridFault::none;
    Cell site{0, 0};   // of the fault
    bool full = true;  // all cells are road
};

// Converts the grid of `shape` cells back to passages; mask[cell] = 1 where the cell is road. Road
// sites in the border are passages if the maze is periodic; else they are openings, ignored here.
Contracted contract(const std::uint8_t* grid, Shape shape, Wrap wrap, std::uint8_t* passages,
                    std::uint8_t* mask, Control& control);

}  // namespace meiro
