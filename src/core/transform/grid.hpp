// Conversion between passages and the drawn grid; WALL = 1, ROAD = 0. Cell (r, c) is site (2r + 1,
// 2c + 1):
//
//   # # # # #
//   #   .   #      two cells in a row, the site "." between them is ROAD
//   # # # # #      if there is a passage
#pragma once

#include "../control.hpp"
#include "../lattice.hpp"
#include "../passages.hpp"

namespace meiro {

inline constexpr std::uint8_t road_site = 0, wall_site = 1;

// The cells around the posts of row `row` of the grid. A post is free if the four walls that meet
// there are open: the pillar of a room. The first and the last row, and column, of posts are one
// where the maze is periodic; elsewhere no wall of theirs inside the maze is open.
//
//   # # # # #      # # # # #
//   # . . . #      # . . . #
//   # . # . #      # . . . #     the post is free: right without posts
//   # . . . #      # . . . #
//   # # # # #      # # # # #
class PostRow {
public:
    PostRow(const std::uint8_t* passages, Shape shape, Index row)
        : above_(passages + (row / 2 + shape.rows - 1) % shape.rows * shape.cols),
          below_(passages + row / 2 % shape.rows * shape.cols),
          cols_(shape.cols) {}

    // Is the wall to the south of the cell above open? 0 or 1.
    unsigned open(Index col) const { return above_[col] >> 2 & 1u; }
    // Is the post to the east of cell `col` free? 0 or 1; `next` is the column after.
    unsigned free(Index col, Index next) const {
        const unsigned a = above_[col], b = below_[next];
        return a >> 1 & a >> 2 & b & b >> 3 & 1;
    }
    unsigned free_on_border() const { return free(cols_ - 1, 0); }

private:
    const std::uint8_t *above_, *below_;
    Index cols_;
};

// Writes rows [first, last) of the grid of a maze to `out`. Masked-out cells are WALL; a passage of
// a periodic maze across the border is ROAD on both sides; free posts are ROAD, unless `posts`.
// About a nanosecond per cell.
void expand(const std::uint8_t* passages, Shape shape, Mask mask, Index first, Index last,
            std::uint8_t* out, Control& control, bool posts = true);

enum class GridFault : std::uint8_t {
    none,
    post,  // a post that is road and not free
    door,  // a door to a cell that is WALL
    seam   // periodic: road on one side of the border, wall on the other
};
struct Contracted {
    GridFault fault = GridFault::none;
    Cell site{0, 0};   // of the fault
    bool full = true;  // all cells are road
};

// Converts the grid of `shape` cells back to passages; mask[cell] = 1 where the cell is road. Road
// sites in the border are passages if the maze is periodic; else they are openings, ignored here.
Contracted contract(const std::uint8_t* grid, Shape shape, Wrap wrap, std::uint8_t* passages,
                    std::uint8_t* mask, Control& control);

}  // namespace meiro
