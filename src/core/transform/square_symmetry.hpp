// Rotations and reflections of a maze: the eight symmetries of the square, applied to cell bytes.
#pragma once

#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

// Rows and columns are reversed first, then exchanged with each other.
struct Symmetry {
    bool rows = false, cols = false, exchanged = false;

    constexpr Shape of(Shape shape) const {
        return exchanged ? Shape{shape.cols, shape.rows} : shape;
    }
};

// Writes the cells of `from`, of `shape`, to their images in `to`; the arrays must not overlap. If
// the bytes are `passages`, the directions in the low four bits are permuted too. About 0.5 ns per
// cell.
void turn(const std::uint8_t* from, Shape shape, Symmetry how, bool passages, std::uint8_t* to,
          int threads, Control& control);

// The same for each of n layers, which also reports the progress of more than one.
void turn_each(const std::uint8_t* from, Index n, Shape shape, Symmetry how, bool passages,
               std::uint8_t* to, int threads, Control& control);

}  // namespace meiro
