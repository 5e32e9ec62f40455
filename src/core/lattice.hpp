// The square lattice: shapes, cells, posts, directions, masks, periodic axes.
//
// A *cell* is (row, col) with row 0 at the top; its id is row * cols + col. A *post* is a corner
// where walls meet; there are (rows + 1) x (cols + 1) posts, the outer ring belongs to the outer
// wall. A *site* is a place of the drawn grid, (2 rows + 1) x (2 cols + 1): cell (r, c) is site (2r
// + 1, 2c + 1), post (i, j) is site (2i, 2j). One cell with its four posts and walls:
//
//   + - +      + post     (even, even)
//   | o |      o cell     (odd, odd)
//   + - +      - | wall   (one odd, one even)
#pragma once

#include <array>
#include <cstdint>

namespace meiro {

using Index = std::int64_t;

struct Cell {
    Index row, col;
    friend bool operator==(const Cell&, const Cell&) = default;
};

struct Post {
    Index row, col;
    friend bool operator==(const Post&, const Post&) = default;
};

struct Shape {
    Index rows = 0, cols = 0;

    constexpr Index size() const { return rows * cols; }
    constexpr Index id(Cell c) const { return c.row * cols + c.col; }
    constexpr Cell cell(Index id) const { return {id / cols, id % cols}; }
    // Walls are numbered left to right, top to bottom: first the vertical, then the horizontal
    // ones. If the lattice is periodic, the walls across the east border follow (one per row), then
    // those across the south border (one per column).
    constexpr Index vertical_walls() const { return rows * (cols - 1); }
    constexpr Index horizontal_walls() const { return (rows - 1) * cols; }
    constexpr Index walls() const { return vertical_walls() + horizontal_walls(); }
    constexpr Shape grid() const { return {2 * rows + 1, 2 * cols + 1}; }
    friend bool operator==(const Shape&, const Shape&) = default;
};

// Where an order of directions is fixed, it is this one. The bit of direction d is 1 << d, and d ^
// 2 is the opposite direction. Diagonals occur only in searches on arrays.
enum class Direction : std::uint8_t {
    north,
    east,
    south,
    west,
    north_east,
    south_east,
    south_west,
    north_west,
    none = 15
};

inline constexpr std::array<Direction, 4> directions{Direction::north, Direction::east,
                                                     Direction::south, Direction::west};

constexpr unsigned bit(Direction d) {
    return 1u << static_cast<unsigned>(d);
}
// The bits of the four directions.
namespace bits {
inline constexpr unsigned north = bit(Direction::north), east = bit(Direction::east),
                          south = bit(Direction::south), west = bit(Direction::west);
}
constexpr Direction opposite(Direction d) {
    return static_cast<Direction>(static_cast<unsigned>(d) ^ 2u);
}
constexpr Index row_step(Direction d) {
    return d == Direction::north ? -1 : d == Direction::south ? 1 : 0;
}
constexpr Index col_step(Direction d) {
    return d == Direction::west ? -1 : d == Direction::east ? 1 : 0;
}

// The opposite of all eight directions, diagonals included.
inline constexpr std::array<Index, 8> row_steps{-1, 0, 1, 0, -1, 1, 1, -1};
inline constexpr std::array<Index, 8> col_steps{0, 1, 0, -1, 1, 1, -1, -1};

// The same bits in all eight bytes of a word: eight cells, or posts, at a time.
constexpr std::uint64_t each(unsigned bits) {
    return bits * 0x0101010101010101u;
}

// One of two unsigned numbers, without a branch.
template <class T>
constexpr T select(bool which, T one, T other) {
    return other ^ ((one ^ other) & (T{0} - static_cast<T>(which)));
}

// The difference of ids to the neighbour, per direction; rows are `stride` long.
constexpr std::array<Index, 4> steps(Index stride) {
    return {-stride, 1, stride, -1};
}

// Which cells exist: one byte per cell, or null if all do.
using Mask = const std::uint8_t*;
constexpr bool exists(Mask mask, Index cell) {
    return mask == nullptr || mask[cell] != 0;
}

// Is the lattice periodic along rows, columns? A periodic side is at least 3 long, so that no two
// walls separate the same two cells.
struct Wrap {
    bool rows = false, cols = false;
    constexpr bool any() const { return rows || cols; }
    friend bool operator==(const Wrap&, const Wrap&) = default;
};
inline constexpr Index least_wrap = 3;

// The neighbour of a cell, across the border if need be.
constexpr Index beyond(Shape shape, Index cell, Direction d) {
    switch (d) {
        case Direction::north:
            return cell - shape.cols + (cell < shape.cols ? shape.size() : 0);
        case Direction::south:
            return cell + shape.cols - (cell + shape.cols < shape.size() ? 0 : shape.size());
        case Direction::east:
            return cell + 1 - ((cell + 1) % shape.cols != 0 ? 0 : shape.cols);
        default:
            return cell - 1 + (cell % shape.cols != 0 ? 0 : shape.cols);
    }
}

// Walls as ids (see Shape) and as the cell on their north or west side.
struct Wall {
    Index cell;  // the cell to the west, or to the north, of the wall
    bool south;
    constexpr Direction towards() const { return south ? Direction::south : Direction::east; }
};
constexpr Index wall_count(Shape shape, Wrap wrap) {
    return shape.walls() + (wrap.cols ? shape.rows : 0) + (wrap.rows ? shape.cols : 0);
}
constexpr Wall wall_of(Shape shape, Index id, Wrap wrap = {}) {
    const Index vertical = shape.vertical_walls();
    if (id < vertical)
        return {id + id / (shape.cols - 1), false};  // no id is vertical in one column
    if (id < shape.walls()) return {id - vertical, true};
    const Index over = id - shape.walls();
    if (wrap.cols && over < shape.rows) return {(over + 1) * shape.cols - 1, false};
    return {over - (wrap.cols ? shape.rows : 0) + (shape.rows - 1) * shape.cols, true};
}
constexpr Index wall_id(Shape shape, Wall w, Wrap wrap = {}) {
    const auto [row, col] = shape.cell(w.cell);
    if (w.south) {
        if (row + 1 < shape.rows) return shape.vertical_walls() + w.cell;
        return shape.walls() + (wrap.cols ? shape.rows : 0) + col;
    }
    return col + 1 < shape.cols ? w.cell - row : shape.walls() + row;
}

}  // namespace meiro
