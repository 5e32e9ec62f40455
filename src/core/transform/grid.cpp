#include "grid.hpp"

#include <bit>

namespace meiro {
namespace {

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

// Sites 1 .. 2 cols of a row of cells `open`: each cell, and the wall to the east of it.
void cell_row(const std::uint8_t* open, const std::uint8_t* mask, Index cols, std::uint8_t* out) {
    for (Index c = 0; c < cols; ++c) {
        out[2 * c] = exists(mask, c) ? road_site : wall_site;
        out[2 * c + 1] = static_cast<std::uint8_t>(((open[c] & bits::east) >> 1) ^ wall_site);
    }
}

// Sites 1 .. 2 cols of the row of posts to the north or south of a row of cells `open`.
template <Direction side>
void post_row(const std::uint8_t* open, Index cols, std::uint8_t* out) {
    for (Index c = 0; c < cols; ++c) {
        out[2 * c] = static_cast<std::uint8_t>((open[c] >> static_cast<int>(side) & 1) ^ wall_site);
        out[2 * c + 1] = wall_site;
    }
}

// A row of posts without free ones, all its sites.
void row_without_free_posts(const PostRow& posts, Index cols, std::uint8_t* out, Control& control) {
    by_pieces(cols - 1, control, [&](Index from, Index to) {
        std::uint8_t* sites = out + 1 + 2 * from;
        for (Index c = from; c < to; ++c, sites += 2) {
            sites[0] = static_cast<std::uint8_t>(posts.open(c) ^ wall_site);
            sites[1] = static_cast<std::uint8_t>(posts.free(c, c + 1) ^ wall_site);
        }
    });
    out[2 * cols - 1] = static_cast<std::uint8_t>(posts.open(cols - 1) ^ wall_site);
    out[0] = out[2 * cols] = static_cast<std::uint8_t>(posts.free_on_border() ^ wall_site);
}

// Are the four sites beside the post in row r and column c of posts road, of a grid with the last
// row and column `end`? On the border only where it is periodic.
bool is_free(const std::uint8_t* grid, Cell post, Shape end, Wrap wrap) {
    const auto [r, c] = post;
    const Index width = end.cols + 1;
    const bool inner_row = r > 0 && r < end.rows, inner_col = c > 0 && c < end.cols;
    if ((!inner_row && !wrap.rows) || (!inner_col && !wrap.cols)) return false;
    const Index north = r > 0 ? r - 1 : end.rows - 1, south = r < end.rows ? r + 1 : 1;
    const Index west = c > 0 ? c - 1 : end.cols - 1, east = c < end.cols ? c + 1 : 1;
    return (grid[north * width + c] | grid[south * width + c] | grid[r * width + west] |
            grid[r * width + east]) == road_site;
}

}  // namespace

void expand(const std::uint8_t* passages, Shape shape, Mask mask, Index first, Index last,
            std::uint8_t* out, Control& control, bool posts) {
    const Index width = shape.grid().cols;
    for (Index row = first; row < last; ++row, out += width) {
        if (!posts && row % 2 == 0) {
            row_without_free_posts(PostRow(passages, shape, row), shape.cols, out, control);
            continue;
        }
        const Index cells = (row - 1) / 2 * shape.cols;
        // Only periodic mazes have passages across the border.
        out[0] = row % 2 == 0
                     ? wall_site
                     : static_cast<std::uint8_t>((passages[cells] & bits::west) >> 3 ^ wall_site);
        by_pieces(shape.cols, control, [&](Index from, Index to) {
            const std::uint8_t* open = passages + cells + from;
            std::uint8_t* sites = out + 1 + 2 * from;
            if (row == 0)
                post_row<Direction::north>(open, to - from, sites);
            else if (row % 2 == 0)
                post_row<Direction::south>(open, to - from, sites);
            else
                cell_row(open, mask == nullptr ? nullptr : mask + cells + from, to - from, sites);
        });
    }
}

Contracted contract(const std::uint8_t* grid, Shape shape, Wrap wrap, std::uint8_t* passages,
                    std::uint8_t* mask, Control& control) {
    const Index width = shape.grid().cols;
    const std::uint8_t* const bottom = grid + (shape.grid().rows - 1) * width;
    Contracted result;
    for (Index r = 0; r <= shape.rows; ++r) {
        const std::uint8_t* posts = grid + 2 * r * width;
        const std::uint8_t* cells = posts + width;
        const std::uint8_t* below = cells + width;
        for (Index c = 0; c <= shape.cols; ++c) {
            control.poll();
            if (posts[2 * c] == road_site &&
                !is_free(grid, {2 * r, 2 * c}, {2 * shape.rows, 2 * shape.cols}, wrap))
                return {GridFault::post, {2 * r, 2 * c}, false};
            if (wrap.rows && r == 0 && posts[2 * c] != bottom[2 * c])
                return {GridFault::seam, {0, 2 * c}, false};
            if (wrap.cols && c == 0 && posts[0] != posts[width - 1])
                return {GridFault::seam, {2 * r, 0}, false};
            if (r == shape.rows || c == shape.cols) continue;
            const std::uint8_t* at = cells + 2 * c + 1;
            const bool is_cell = *at == road_site;
            const unsigned open =
                ((r > 0 || wrap.rows) && posts[2 * c + 1] == road_site ? bits::north : 0) |
                ((c + 1 < shape.cols || wrap.cols) && at[1] == road_site ? bits::east : 0) |
                ((r + 1 < shape.rows || wrap.rows) && below[2 * c + 1] == road_site ? bits::south
                                                                                    : 0) |
                ((c > 0 || wrap.cols) && at[-1] == road_site ? bits::west : 0);
            if (wrap.rows && r == 0 && posts[2 * c + 1] != bottom[2 * c + 1])
                return {GridFault::seam, {0, 2 * c + 1}, false};
            if (wrap.cols && c == 0 && cells[0] != cells[width - 1])
                return {GridFault::seam, {2 * r + 1, 0}, false};
            if (!is_cell && open != 0) {
                const Direction d = directions[static_cast<std::size_t>(std::countr_zero(open))];
                return {GridFault::door, {2 * r + 1 + row_step(d), 2 * c + 1 + col_step(d)}, false};
            }
            passages[r * shape.cols + c] = static_cast<std::uint8_t>(open);
            mask[r * shape.cols + c] = is_cell ? 1 : 0;
            result.full = result.full && is_cell;
        }
    }
    return result;
}

}  // namespace meiro
