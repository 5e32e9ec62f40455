// The cells in the border, with those opposite them, which are their neighbours on periodic axes.
#pragma once

#include "control.hpp"
#include "lattice.hpp"

namespace meiro {

// Is the lattice periodic across this side of the border?
constexpr bool wraps_over(Wrap wrap, Direction side) {
    return side == Direction::north || side == Direction::south ? wrap.rows : wrap.cols;
}

// body(one, other, side) for each two cells opposite each other: `one` lies on that side, west or
// north.
template <class Body>
void each_opposite(Shape shape, Control& control, Body body) {
    const auto [rows, cols] = shape;
    for (Index r = 0; r < rows; ++r, control.poll())
        body(r * cols, r * cols + cols - 1, Direction::west);
    by_each(cols, control, [&, rows = rows, cols = cols](Index c) {
        body(c, (rows - 1) * cols + c, Direction::north);
    });
}

}  // namespace meiro
