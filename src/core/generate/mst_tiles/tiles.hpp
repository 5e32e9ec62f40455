// The minimum spanning tree, tile by tile: exactly that of Kruskal on the whole lattice, by any
// number of threads.
//
// In a tile that fits the cache, components are joined by their lightest walls (O. Boruvka, 1926),
// round by round. A component *touches* if it holds a cell that has a neighbour in another tile.
// The lightest wall on a component's border is
//   final     if the component does not touch: all of its walls are in the tile;
//   critical  if it touches, and so do all others: other tiles decide whether it opens.
// A wall within a component, or within several components connected by lighter critical walls (a
// *region*), is the heaviest of a cycle and never opens. Invariant: a component of final walls
// holds at most one touching cell, which is its root and gives it its name. join() is Kruskal over
// the names on the critical walls and those between tiles, under 5 % of all; the walls it opens
// complete the tree.
//
// The first round is one of cells, in loops that are vectors: it opens 5/14 of all walls, 71 % of
// the tree. The other rounds (tile_tree.hpp) first have only the walls lighter than `heavy` that
// are still between two components, a fifth of all; of the heavier ones nearly all are by then
// within a component or region. Nothing is sorted, no loop has a branch to mispredict. Measured at
// 4000 x 4000: two thirds of the time of Kruskal with sorted walls after the first round.
//
// On periodic lattices the tiles on opposite sides of the border are neighbours; a tile may be its
// own.
//
// In a window of a larger maze the same holds for all of it: contract() opens what is final, and
// what is critical is left to pieces.hpp.
//
// W has the members of Weights (weights.hpp). Scratch: 2 bytes a cell and 0.9 MiB a thread; with a
// wrap at worst, in three rows, 19 (below 2^31 cells).
#pragma once

#include <cstring>

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
    explicit TileDecider(const Plan<W>& plan) : plan_(plan) {}

    // Writes the passages of the final walls, and the candidates from `out` on; returns their end.
    Candidate<Id>* decide(Index i, Index j, Candidate<Id>* out) {
        const Tile tile(plan_.tiling, i, j);
        const Shape whole = plan_.tiling.shape;
        cols_ = tile.shape.cols;
        cells_ = tile.shape.size();
        names_ = plan_.places.names[i * plan_.tiling.count.cols + j];
        out_ = out;
        walls_.weigh(tile, whole, plan_.mask, plan_.among);
        const auto [tiles_down, tiles_right] = plan_.tiling.count;
        const Wrap wrap = plan_.tiling.wrap;
        if (i + 1 < tiles_down || wrap.rows) cross(tile, (i + 1) % tiles_down, j, true);
        if (j + 1 < tiles_right || wrap.cols) cross(tile, i, (j + 1) % tiles_right, false);
        walls_.close();
        tree_.begin(tile, walls_.east(),
                    {&walls_, [](const void* walls, Index a, Index b) {
                         return static_cast<const TileWalls<W>*>(walls)->lighter(a, b);
                     }});
        settle(tile, 0, heavy);
        tree_.merge();
        settle(tile, heavy, absent);
        for (Index r = 0; r < tile.shape.rows; ++r)
            std::memcpy(plan_.maze.bytes() + whole.id({tile.row + r, tile.col}),
                        tree_.passages() + r * cols_, static_cast<std::size_t>(cols_));
        return out_;
    }

private:
    Cell in_tile(Index cell) const { return {cell / cols_, cell % cols_}; }

    void candidate(const Tile& tile, Index wall, Index a, Index b) {
        const auto e = WallNumbers{cols_, cells_}.ends(wall);
        const Cell c = in_tile(e.a);
        const Index cell = plan_.tiling.shape.id({tile.row + c.row, tile.col + c.col});
        *out_++ = {walls_.weight(wall), static_cast<Id>(2 * cell + e.south), static_cast<Id>(a),
                   static_cast<Id>(b)};
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
    void settle(const Tile& tile, std::int32_t from, std::int32_t below) {
        const auto name = [&](Index cell) { return names_ + tile.name(in_tile(tree_.root(cell))); };
        tree_.open_final(from, below);
        while (tree_.take_critical())
            for (const std::uint16_t wall : tree_.taken()) {
                const auto e = tree_.walls().ends(wall);
                candidate(tile, wall, name(e.a), name(e.b));
            }
    }

    const Plan<W>& plan_;
    TileWalls<W> walls_{plan_.weights, plan_.tiling.tile};
    Index cols_ = 0, cells_ = 0, names_ = 0;
    Candidate<Id>* out_ = nullptr;
    TileTree tree_{plan_.tiling.tile};
};

// All of it, or of a window of a larger maze: then the walls whose fate is decided outside are
// pushed to `critical`, the lightest first, with cells counted from the window's first. `largest`:
// cells of a tile, for the tests. `among`: the tree is one of these passages, not those of `maze`;
// of several components of them each has one.
template <class Id, class W>
void tree(Passages maze, Mask mask, const W& weights, Control& control, int threads,
          Index largest = largest_tile, Sides outer = {}, Stack<Critical>* critical = nullptr,
          const std::uint8_t* among = nullptr) {
    const Tiling tiling(maze.shape(), largest, maze.wrap(), outer);
    const Plan<W> plan{tiling, maze, mask, weights, Places(tiling), among};
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
    by_shares(count, 8, control, threads, [&](Index first, Index last, Control& worker) {
        TileDecider<Id, W> decider(plan);
        for (Index k = first; k < last; ++k) {
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
