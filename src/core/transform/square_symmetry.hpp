// A maze turned and mirrored: the eight symmetries of the square, in bytes that are cells.
#pragma once

#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

// First rows and columns are read from the last to the first, then rows and columns exchanged.
struct Symmetry {
    bool rows = false, cols = false, exchanged = false;

    constexpr Shape of(Shape shape) const {
        return exchanged ? Shape{shape.cols, shape.rows} : shape;
    }
};

// The cells of `from`, of `shape`, to their places in `to`, which has room for as many; no memory
// is in both. The directions in the low four bits go along, if the bytes are `passages`. About 0.5
// ns a cell.
void turn(const std::uint8_t* from, Shape shape, Symmetry how, bool passages, std::uint8_t* to,
          int threads, Control& control);

}  // namespace meiro
