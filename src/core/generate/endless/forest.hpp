// The minimal spanning forest of the plane in a window: the limit of the minimum spanning trees of
// ever larger boxes, one tree with probability 1.
//
// Each rectangle of the window is decided in a box around it, as a piece of a maze (mst_tiles): all
// walls but the critical ones, whose two cells are connected with the rim of the box by lighter
// walls. The few critical ones in the rectangle are decided by their contours (contour.hpp). The
// same in a maze with a border, which has fewer walls (Field::has): it is the tree of Kruskal.
//
// Time: linear in the boxes, but for the contours, whose time has no bound (see there). The threads
// take rectangles, then contours. Scratch: a MiB a thread.
#pragma once

#include "field.hpp"

namespace meiro::endless {

// Writes the passages of the cells from (row, col) on; those that leave the window, too.
void forest(const Field& field, Cell first, Shape shape, std::uint8_t* out, Control& control,
            int threads);

}  // namespace meiro::endless
