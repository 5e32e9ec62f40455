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
    const Index cols = shape.cols, last_row = shape.size() - cols;
    for (Index at = 0; at <= last_row; at += cols, control.poll())
        body(at, at + cols - 1, Direction::west);
    by_each(cols, control, [&](Index c) { body(c, last_row + c, Direction::north); });
}

}  // namespace meiro
