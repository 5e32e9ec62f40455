// The minimum spanning tree, tile by tile: exactly that of Kruskal on the whole lattice, by any
// number of threads.
//
// In a tile that fits the cache, walls are visited from the lightest on. A component *touches* if
// it holds a cell that has a neighbour in another tile. A wall that separates two components is
//   final     if one of them does not touch: it is the lightest wall on that component's border;
//   critical  if both touch: other tiles decide whether it opens.
// A wall within a component, or within several components connected by critical walls, is the
// heaviest of a cycle and never opens. Invariant: a component of final walls holds at most one
// touching cell, which is its root and gives it its name. join() is Kruskal over the names on the
// critical walls and those between tiles, under 5 % of all; the walls it opens complete the tree.
//
// Two things spare most of the work in a tile. First, each cell that does not touch takes its
// lightest wall (O. Boruvka, 1926): 5/14 of all walls, 71 % of the tree, without sorting, searching
// or branches. Then only the walls lighter than `heavy` are sorted; of the others most are by then
// within a component and are left out unsorted.
//
// On periodic lattices the tiles on opposite sides of the border are neighbours; a tile may be its
// own.
//
// In a window of a larger maze the same holds for all of it: contract() opens what is final, and
// what is critical is left to pieces.hpp.
//
// W has the members of Weights (weights.hpp). Scratch: 2 bytes a cell and 0.5 MiB a thread; with a
// wrap at worst, in three rows, 19 (below 2^31 cells).
#pragma once

#include <cstring>

#include "../../disjoint_set.hpp"
#include "../shared/weights.hpp"
#include "tile_join.hpp"
#include "tile_walls.hpp"
#include "tiling.hpp"

namespace meiro::tiles {

constexpr std::int32_t heavy = 0x49000000;  // 0.57: above 0.5 most cells are connected

// Processes one tile after the other; each thread has its own.
template <class Id, class W>
class TileDecider {
public:
    explicit TileDecider(const Plan<W>& plan) : TileDecider(plan, plan.tiling.tile) {}

    // Writes the passages of the final walls, and the candidates from `out` on; returns their end.
    Candidate<Id>* decide(Index i, Index j, Candidate<Id>* out) {
        const Tile tile(plan_.tiling, i, j);
        const Shape whole = plan_.tiling.shape;
        cols_ = tile.shape.cols;
        cells_ = tile.shape.size();
        names_ = plan_.places.names[i * plan_.tiling.count.cols + j];
        out_ = out;
        walls_.weigh(tile, whole, plan_.mask);
        const auto [tiles_down, tiles_right] = plan_.tiling.count;
        const Wrap wrap = plan_.tiling.wrap;
        if (i + 1 < tiles_down || wrap.rows) cross(tile, (i + 1) % tiles_down, j, true);
        if (j + 1 < tiles_right || wrap.cols) cross(tile, i, (j + 1) % tiles_right, false);
        walls_.close();
        mark(tile);
        take_lightest();
        shorten();
        regions_.reset(0, tile.names());
        settle(tile, 0, heavy);
        shorten();
        settle(tile, heavy, absent);
        for (Index r = 0; r < tile.shape.rows; ++r)
            std::memcpy(plan_.maze.bytes() + whole.id({tile.row + r, tile.col}),
                        open_.data() + r * cols_, static_cast<std::size_t>(cols_));
        return out_;
    }

private:
    TileDecider(const Plan<W>& plan, Shape largest)
        : plan_(plan),
          walls_(plan.weights, largest),
          rim_(largest.cols),
          parent_(largest.size()),
          open_(largest.size()),
          touches_(largest.size()),
          ways_(largest.size() + 2 * largest.cols),
          regions_(2 * (largest.rows + largest.cols)) {
        std::fill(rim_.begin(), rim_.end(), absent);
    }

    Cell in_tile(Index cell) const { return {cell / cols_, cell % cols_}; }

    void candidate(const Tile& tile, Index wall, Index a, Index b) {
        const auto e = walls_.ends(wall);
        const Cell c = in_tile(e.a);
        const Index cell = plan_.tiling.shape.id({tile.row + c.row, tile.col + c.col});
        *out_++ = {walls_.weight(wall), static_cast<Id>(2 * cell + (e.south ? 1 : 0)),
                   static_cast<Id>(a), static_cast<Id>(b)};
    }
    // The walls between this tile and a next one.
    void cross(const Tile& tile, Index i, Index j, bool to_south) {
        const Tile next(plan_.tiling, i, j);
        const Index names = plan_.places.names[i * plan_.tiling.count.cols + j];
        const Index length = to_south ? cols_ : tile.shape.rows;
        for (Index k = 0; k < length; ++k) {
            const Cell one = to_south ? Cell{tile.shape.rows - 1, k} : Cell{k, cols_ - 1};
            const Cell other = to_south ? Cell{0, k} : Cell{k, 0};
            const Index wall = tile.shape.id(one) + (to_south ? cells_ : 0);
            if (walls_.weight(wall) != absent)
                candidate(tile, wall, names_ + tile.name(one), names + next.name(other));
        }
    }
    // Marks the touching cells.
    void mark(const Tile& tile) {
        const auto [rows, cols] = tile.shape;
        for (Index r = 0; r < rows; ++r) {
            std::uint8_t* const row = touches_.data() + r * cols;
            const bool all = (r == 0 && tile.north) || (r == rows - 1 && tile.south);
            std::memset(row, all ? 1 : 0, static_cast<std::size_t>(cols));
            if (tile.west) row[0] = 1;
            if (tile.east) row[cols - 1] = 1;
        }
    }

    // Every cell that does not touch opens its lightest wall, if it has just one such. Loops over
    // bytes and words without a branch or a table, for the compiler to make vectors of.
    void take_lightest() {
        const Index cols = cols_;
        std::uint8_t* const way = ways_.data() + cols;  // after a row of no ways, and before one
        std::memset(way - cols, 0, static_cast<std::size_t>(cols));
        std::memset(way + cells_, 0, static_cast<std::size_t>(cols));
        const std::int32_t* above = rim_.data();
        for (Index first = 0; first < cells_; first += cols) {
            const std::int32_t *const right = walls_.east() + first, *const left = right - 1;
            const std::int32_t* const below = walls_.south() + first;
            const std::uint8_t* const touches = touches_.data() + first;
            std::uint8_t* const to = way + first;
            for (Index c = 0; c < cols; ++c) {
                const std::int32_t least =
                    std::min(std::min(above[c], right[c]), std::min(below[c], left[c]));
                to[c] = static_cast<std::uint8_t>(
                    (above[c] == least ? bits::north : 0) | (right[c] == least ? bits::east : 0) |
                    (below[c] == least ? bits::south : 0) | (left[c] == least ? bits::west : 0));
            }
            for (Index c = 0; c < cols; ++c) {
                const std::uint8_t one = to[c];  // or several, by a tie or where there are no walls
                const bool go = (one & (one - 1)) == 0 && touches[c] == 0;
                to[c] = go ? one : std::uint8_t{0};
            }
            above = below;
        }
        std::uint8_t* const open = open_.data();
        std::uint16_t* const parent = parent_.data();
        for (Index i = 0; i < cells_; ++i) {
            const unsigned from_north = way[i - cols] & bits::south,
                           from_south = way[i + cols] & bits::north;
            const unsigned from_west = way[i - 1] & bits::east, from_east = way[i + 1] & bits::west;
            open[i] = static_cast<std::uint8_t>(way[i] | from_north >> 2 | from_south << 2 |
                                                from_west << 2 | from_east >> 2);
            // Of two cells with the same lightest wall the first is the root.
            const unsigned to = way[i] & ~(from_south << 2 | from_east >> 2);
            parent[i] = static_cast<std::uint16_t>(
                static_cast<unsigned>(i) + (to >> 1 & 1) - (to >> 3 & 1) +
                static_cast<unsigned>(cols) * ((to >> 2 & 1) - (to & 1)));
        }
    }

    // Most cells then point at their root.
    void shorten() {
        std::uint16_t* const parent = parent_.data();
        for (int pass = 0; pass < 2; ++pass)
            for (Index i = 0; i < cells_; ++i) parent[i] = parent[parent[i]];
    }

    // Kruskal on the walls with weights in [from, below), those lighter being settled.
    void settle(const Tile& tile, std::int32_t from, std::int32_t below) {
        const auto walls = walls_.sorted(from, below, parent_.data());
        std::uint16_t* const parent = parent_.data();
        std::uint8_t *const open = open_.data(), *const touches = touches_.data();
        const auto root = [parent](Index x) {
            for (Index up; (up = parent[x]) != x; x = up) parent[x] = parent[up];
            return x;
        };
        for (Index k = 0; k < walls.size; ++k) {
            const auto e = walls_.ends(walls[k]);
            const Index a = root(e.a), b = root(e.b);
            if (a == b) continue;
            if ((touches[a] & touches[b]) != 0) {
                connect(tile, walls[k], a, b);
                continue;
            }
            // What touches stays a root; else the smaller number.
            const bool a_stays = touches[a] > touches[b] || (touches[a] == touches[b] && a < b);
            parent[a_stays ? b : a] = static_cast<std::uint16_t>(a_stays ? a : b);
            open[e.a] |= static_cast<std::uint8_t>(bit(Direction::east) << (e.south ? 1 : 0));
            open[e.b] |=
                static_cast<std::uint8_t>(e.south ? bit(Direction::north) : bit(Direction::west));
        }
    }
    // A wall between two touching components: critical, or never opened.
    void connect(const Tile& tile, Index wall, Index a, Index b) {
        const Index name = tile.name(in_tile(a)), other = tile.name(in_tile(b));
        if (regions_.join(static_cast<std::uint32_t>(name), static_cast<std::uint32_t>(other)))
            candidate(tile, wall, names_ + name, names_ + other);
    }

    const Plan<W>& plan_;
    TileWalls<W> walls_;
    Index cols_ = 0, cells_ = 0, names_ = 0;
    Candidate<Id>* out_ = nullptr;
    Buffer<std::int32_t> rim_;  // all absent: what the first row has in the north
    Buffer<std::uint16_t> parent_;
    Buffer<std::uint8_t> open_, touches_, ways_;
    DisjointSet<std::uint32_t> regions_;  // of names, by critical walls
};

// All of it, or of a window of a larger maze: then the walls whose fate is decided outside are
// pushed to `critical`, the lightest first, with cells counted from the window's first. `largest`:
// cells of a tile, for the tests.
template <class Id, class W>
void tree(Passages maze, Mask mask, const W& weights, Control& control, int threads,
          Index largest = largest_tile, Sides outer = {}, Stack<Critical>* critical = nullptr) {
    const Tiling tiling(maze.shape(), largest, maze.wrap(), outer);
    const Plan<W> plan{tiling, maze, mask, weights, Places(tiling)};
    const Index rows = tiling.count.rows, cols = tiling.count.cols;
    if (rows * cols == 1 && !maze.wrap().any() && !outer.any()) {
        TileDecider<Id, W>(plan).decide(0, 0, nullptr);
        control.poll(8 * maze.size());
        control.done(maze.size());
        return;
    }
    const Buffer<Index>& at = plan.places.candidates;
    const Index count = rows * cols;
    Buffer<Candidate<Id>> candidates(at[count]);
    Buffer<Index> end(count);
    constexpr Index some = 8;  // that a thread takes at once
    parallel(control, threads, (count - 1) / some + 1, [&](Index item, Control& worker) {
        TileDecider<Id, W> decider(plan);
        for (Index k = item * some; k < std::min(count, (item + 1) * some); ++k) {
            const Index i = k / cols, j = k % cols;
            end[k] = decider.decide(i, j, candidates.data() + at[k]) - candidates.data();
            worker.poll(8 * tiling.tile.size());
            worker.done(Tile(tiling, i, j).shape.size());
        }
    });
    Index n = end[0];
    for (Index k = 1; k < count; ++k) {
        std::copy(candidates.data() + at[k], candidates.data() + end[k], candidates.data() + n);
        n += end[k] - at[k];
        control.poll(end[k] - at[k]);
    }
    sort(plan, candidates.data(), n, control, threads);
    if (critical == nullptr)
        join(plan, candidates.data(), n, control);
    else
        contract(plan, candidates.data(), n, *critical, control);
}

}  // namespace meiro::tiles
