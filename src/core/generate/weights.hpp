// The weight of a wall: a pure function of (seed, wall), defined here and nowhere else, so that
// kruskal, prim and boruvka make the same maze from the same seed, whatever the order, tile or
// thread.
//
// Lane = row; words 2 * col and 2 * col + 1 of the purpose `weigh` are the weights of the walls to
// the east and to the south of cell (row, col): one Philox block serves two cells. A weight does
// not depend on the shape. Ties go to the lower wall id, so that the order of all walls is total.
#pragma once

#include "../random.hpp"

namespace meiro {

class Weights {
public:
    explicit Weights(const Seed& seed) : seed_(seed) {}

    // Of a row: block(k) gives {east, south} of column 2 * k, then {east, south} of column 2 * k
    // + 1.
    Random row(Index r) const {
        return Random(seed_, Purpose::weigh, static_cast<std::uint64_t>(r));
    }

    // The wall to the east or to the south of a cell.
    std::uint64_t at(Cell c, bool south) const {
        return row(c.row).at(2 * static_cast<std::uint64_t>(c.col) + (south ? 1 : 0));
    }

private:
    Seed seed_;
};

// Walls as ids (lattice.hpp) and as the cell on their north or west side.
struct Wall {
    Index cell;  // parted from the cell to the east, or to the south
    bool south;
};
constexpr Wall wall_of(Shape shape, Index id) {
    const Index vertical = shape.vertical_walls();
    if (id < vertical)
        return {id + id / (shape.cols - 1), false};  // no id is vertical in one column
    return {id - vertical, true};
}
constexpr Index wall_id(Shape shape, Wall wall) {
    return wall.south ? shape.vertical_walls() + wall.cell : wall.cell - wall.cell / shape.cols;
}

}  // namespace meiro
