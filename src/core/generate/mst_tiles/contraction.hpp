// Kruskal on what is left of a rectangle of a larger maze: see tiles.hpp and pieces.hpp.
//
// The cells on the rim of the rectangle that have neighbours outside *touch*; they have places, in
// 0 .. rim_places() - 1:
//
//      0   1   2
//      6   .   8       2 x cols for the first and the last row, then 2 x rows for the columns
//      7   .   9       between them (some go unused: a corner belongs to its row), if any of these
//      3   4   5       touch: a band has no places for its height
#pragma once

#include "../../buffer.hpp"
#include "../../disjoint_set.hpp"
#include "tiling.hpp"

namespace meiro::tiles {

constexpr Index rim_places(Shape shape, Sides touching) {
    return 2 * (shape.cols + (touching.west || touching.east ? shape.rows : 0));
}
constexpr Index rim_place(Shape shape, Cell c) {
    if (c.row == 0) return c.col;
    if (c.row == shape.rows - 1) return shape.cols + c.col;
    return 2 * shape.cols + (c.col == 0 ? 0 : shape.rows) + c.row;
}

// body(cell) for the cells on some sides of a rectangle; for a corner perhaps twice.
template <class Body>
void each_rim_cell(Shape shape, Sides sides, Control& control, Body body) {
    for (Index c = 0; c < shape.cols && (sides.north || sides.south); ++c) {
        if (sides.north) body(Cell{0, c});
        if (sides.south) body(Cell{shape.rows - 1, c});
        control.poll(8);
    }
    for (Index r = 0; r < shape.rows && (sides.west || sides.east); ++r) {
        if (sides.west) body(Cell{r, 0});
        if (sides.east) body(Cell{r, shape.cols - 1});
        control.poll(8);
    }
}

// A wall whose fate is decided outside, and the places on the rim of the components it separates.
struct Critical {
    std::uint64_t weight;
    Index wall;  // 2 * cell + (1 if to the south, 0 if to the east)
    Index a, b;
};

// Components, of which each holds at most one cell that touches.
class Contraction {
public:
    // Of components 0 .. count - 1 in a rectangle with places on its rim.
    Contraction(Index count, Index places, Control& control)
        : components_(count), places_(count, true), regions_(places) {
        components_.reset(count, control);
        regions_.reset(places, control);
    }

    // The component holds the cell at a place of the rim.
    void touches(Index component, Index place) {
        places_[component] = static_cast<std::uint32_t>(place + 1);
    }

    struct Fate {
        bool opens, waits;  // neither: it stays closed
        Index a, b;         // the places, if it waits
    };
    // Of a wall between two components, those lighter having been decided.
    Fate decide(Index one, Index other) {
        const std::uint32_t a = components_.find(static_cast<std::uint32_t>(one));
        const std::uint32_t b = components_.find(static_cast<std::uint32_t>(other));
        if (a == b) return {};
        const std::uint32_t p = places_[a], q = places_[b];
        if (p != 0 && q != 0)
            return {false, regions_.join(p - 1, q - 1), Index{p} - 1, Index{q} - 1};
        components_.join(a, b);
        places_[std::min(a, b)] = p | q;
        return {true, false, 0, 0};
    }

private:
    DisjointSet<std::uint32_t> components_;
    Buffer<std::uint32_t> places_;        // by root: 1 + its place, 0 without one
    DisjointSet<std::uint32_t> regions_;  // of places, by walls that wait
};

}  // namespace meiro::tiles
