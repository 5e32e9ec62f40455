// The tiles of a maze, and what two tiles must know of each other: see tiles.hpp.
#pragma once

#include <algorithm>

#include "../../buffer.hpp"
#include "../../passages.hpp"

namespace meiro::tiles {

constexpr Index largest_tile = Index{1} << 14;  // cells; two walls a cell have ids of 15 bits

// On which sides a window has neighbours in the maze that it is a part of.
struct Sides {
    bool north = false, east = false, south = false, west = false;
    bool any() const { return north || east || south || west; }
};

// All tiles but the last of a row or column have the same shape. Columns are cut at even ones: a
// block of random words serves two.
struct Tiling {
    Shape shape, tile, count;
    Wrap wrap;
    Sides outer;

    explicit Tiling(Shape whole, Index most = largest_tile, Wrap round = {}, Sides beside = {})
        : shape(whole), wrap(round), outer(beside) {
        Index side = 2;
        while (4 * side * side <= most) side *= 2;
        // The least number of parts of at most `limit`, as equal as can be.
        const auto even_share = [](Index size, Index limit) {
            const Index parts = (size - 1) / limit + 1;
            return (size + parts - 1) / parts;
        };
        const Index wide = whole.rows < side ? (most / whole.rows) & ~Index{1} : side;
        const Index cols = even_share(whole.cols, wide);
        tile.cols = cols == whole.cols ? cols : cols + (cols & 1);
        tile.rows = even_share(whole.rows, tile.cols < side ? most / tile.cols : side);
        count = {(whole.rows - 1) / tile.rows + 1, (whole.cols - 1) / tile.cols + 1};
    }
};

// A tile: where it lies and on which sides it has neighbours, which may be the tile itself where
// the maze wraps. Its cells there *touch*, and have names.
struct Tile {
    Index row, col;
    Shape shape;
    bool north, east, south, west;

    Tile(const Tiling& t, Index i, Index j)
        : row(i * t.tile.rows),
          col(j * t.tile.cols),
          shape{std::min(t.tile.rows, t.shape.rows - row),
                std::min(t.tile.cols, t.shape.cols - col)},
          north(i > 0 || t.wrap.rows || t.outer.north),
          east(j + 1 < t.count.cols || t.wrap.cols || t.outer.east),
          south(i + 1 < t.count.rows || t.wrap.rows || t.outer.south),
          west(j > 0 || t.wrap.cols || t.outer.west) {}

    // How many names there are. Some may go unused: a corner has two.
    Index names() const {
        return (Index{north} + Index{south}) * shape.cols +
               (Index{west} + Index{east}) * shape.rows;
    }
    // The name of a touching cell (row and column in the tile), in 0 .. names() - 1.
    Index name(Cell c) const {
        Index before = 0;
        if (north && c.row == 0) return c.col;
        before += north ? shape.cols : 0;
        if (south && c.row == shape.rows - 1) return before + c.col;
        before += south ? shape.cols : 0;
        if (west && c.col == 0) return before + c.row;
        before += west ? shape.rows : 0;
        return before + c.row;
    }
    // Walls that join() may have to look at: less than one a name, and those to the next tiles.
    Index candidates() const {
        return names() + (east ? shape.rows : 0) + (south ? shape.cols : 0);
    }
};

// A wall whose fate join() decides, and the names of the components it separates.
template <class Id>
struct Candidate {
    std::int32_t weight;  // the high bits
    Id wall;              // 2 * cell + (1 if to the south, 0 if to the east)
    Id a, b;
};

// Where the names and the candidates of each tile begin, in those of the whole maze.
struct Places {
    Buffer<Index> names, candidates;

    explicit Places(const Tiling& t) : names(t.count.size() + 1), candidates(t.count.size() + 1) {
        names[0] = candidates[0] = 0;
        for (Index k = 0; k < t.count.size(); ++k) {
            const Tile tile(t, k / t.count.cols, k % t.count.cols);
            names[k + 1] = names[k] + tile.names();
            candidates[k + 1] = candidates[k] + tile.candidates();
        }
    }
};

// The maze that is made, and what decides it.
template <class W>
struct Plan {
    Tiling tiling;
    Passages maze;
    Mask mask;
    W weights;
    Places places;
    const std::uint8_t* among = nullptr;  // if not null: the passages that the tree is one of
};

}  // namespace meiro::tiles
