// The minimum spanning tree in pieces, for mazes larger than the memory of one machine. Three
// functions, whose results can be sent anywhere:
//
//   reduce   a rectangle -> its *critical* walls, those whose fate is decided outside: fewer than
//            the cells on its rim. All others are known: see tiles.hpp, a rectangle is a large tile
//   merge    two pieces side by side, and the walls between them -> the critical walls of both
//            together, and the walls that are open now, in increasing order
//   apply    a rectangle and its open ones among critical walls and those around it -> passages
//
//   +---+---+      Pieces are merged until one is the whole maze, which has no critical walls; then
//   | a | b |      the open walls of each merge go back to the pieces that they lie in or beside,
//   +---+---+      and each piece is made by apply.
//
// Cells and walls are numbered in the whole maze: cell = row * cols + col, wall = 2 * cell + (1 if
// to the south, 0 if to the east), in 61 bits.
#pragma once

#include <span>

#include "../../options.hpp"
#include "contraction.hpp"

namespace meiro::tiles {

struct WholeMaze {
    Shape shape;
    Seed seed;
    Factor bias;
};
struct Rectangle {
    Cell first;
    Shape shape;
};
// On which sides the maze goes on.
constexpr Sides sides_of(const Rectangle& at, Shape whole) {
    return {at.first.row > 0, at.first.col + at.shape.cols < whole.cols,
            at.first.row + at.shape.rows < whole.rows, at.first.col > 0};
}
struct Piece {
    Rectangle at;
    std::span<const Critical> critical;  // with places on its rim, checked
};

inline constexpr Index largest_piece = Index{1} << 31;  // cells

// The critical walls of a rectangle that has neighbours on some sides, with cells counted from its
// first one, which may be any of the plane. Writes the passages of the walls that are known to be
// open to `out`.
void reduce(const Seed& seed, Factor bias, const Rectangle& at, Sides sides, std::uint8_t* out,
            Stack<Critical>& critical, Control& control, int threads);
// The same in a maze.
void reduce(const WholeMaze& whole, const Rectangle& at, std::uint8_t* out,
            Stack<Critical>& critical, Control& control, int threads);
// The rectangle of two pieces side by side, or an empty one if they are not.
Rectangle merged(const Rectangle& a, const Rectangle& b);
void merge(const WholeMaze& whole, const Piece& a, const Piece& b, Stack<Critical>& critical,
           Stack<Index>& open, Control& control);
// Opens the wall to the south or to the east of a cell in passages of a shape, on the sides that
// lie in it.
void open_wall(Shape shape, Cell cell, bool south, std::uint8_t* out);
// Opens walls in the passages of a rectangle; those elsewhere are left out.
void open(const WholeMaze& whole, const Rectangle& at, std::span<const Index> walls,
          std::uint8_t* out);

}  // namespace meiro::tiles
