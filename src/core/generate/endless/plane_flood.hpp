// Does a wall belong to the minimal spanning forest of the plane? It does unless its two cells are
// connected by lighter walls: by two floods over lighter walls, one from each cell, of which always
// the smaller one goes on. They meet, and the wall stays; or one of them has no further cell, and
// it opens. One of the two happens with probability 1:
//   R. Lyons, Y. Peres, O. Schramm, Minimal spanning forests, Ann. Probab. 34 (2006) 1665.
//   doi:10.1214/009117906000000269
// Both are undecided at a distance r with a probability of about r^-2, and cells at that distance
// are about r^1.9: the number of visits has a tail of 1 / visits, so no bound holds everywhere.
//
// Tiles of 64 x 64 cells, a page of memory each, are filled when a flood comes to them. The box
// around the wall is memory that the system gives when it is written; a flood that leaves it starts
// again in a larger one.
#pragma once

#include <array>
#include <compare>
#include <utility>

#include "../../buffer.hpp"
#include "../../control.hpp"
#include "../../random.hpp"
#include "field.hpp"

namespace meiro::endless {

// A wall of the plane: to the east or to the south of a cell.
struct PlaneWall {
    std::uint64_t weight;
    bool south;
    Cell cell;
    // The order of Kruskal: ties go to vertical walls, then row by row.
    friend auto operator<=>(const PlaneWall& a, const PlaneWall& b) {
        if (a.weight != b.weight) return a.weight <=> b.weight;
        if (a.south != b.south) return static_cast<int>(a.south) <=> static_cast<int>(b.south);
        return a.cell.row != b.cell.row ? a.cell.row <=> b.cell.row : a.cell.col <=> b.cell.col;
    }
};

// The Philox block of a row that holds the weights of columns `col` (even) and `col` + 1.
constexpr std::uint64_t weight_block(Index col) {
    return 2 * static_cast<std::uint64_t>(col) / 4;
}

template <class W>
class PlaneFlood {
public:
    PlaneFlood(const W& weights, std::int64_t memory, Control& control)
        : weights_(weights), memory_(memory), control_(control) {}

    bool opens(const PlaneWall& wall) {
        wall_ = wall;
        for (bits_ = 8;; bits_ += bits_ == 8 ? 3 : 2) {
            const Verdict verdict = in_box();
            if (verdict != Verdict::left) return verdict == Verdict::exhausted;
        }
    }

private:
    enum class Verdict { met, exhausted, left, none };  // left: the box
    static constexpr int tile_bits = 6;
    static constexpr Index tile_side = Index{1} << tile_bits, tile_size = tile_side * tile_side;
    // Bits of a cell; `filled` is that of the first cell of a tile.
    static constexpr unsigned east = 1, south = 2, reached = 4, filled = 16;

    Index tile_of(Cell c) const {
        return (c.row >> tile_bits << (bits_ - tile_bits)) + (c.col >> tile_bits);
    }
    Index place(Cell c) const {
        constexpr Index low = tile_side - 1;
        return tile_of(c) * tile_size + ((c.row & low) << tile_bits) + (c.col & low);
    }

    Verdict in_box() {
        const Index side = Index{1} << bits_;
        corner_ = {wall_.cell.row - side / 2, (wall_.cell.col - side / 2) & ~Index{1}};
        cells_ = Buffer<std::uint8_t>();  // before the next one
        cells_ = Buffer<std::uint8_t>(side * side, true);
        held_ = 0;
        const Cell first{wall_.cell.row - corner_.row, wall_.cell.col - corner_.col};
        const Cell second{first.row + (wall_.south ? 1 : 0), first.col + (wall_.south ? 0 : 1)};
        visits_ = {0, 0};
        for (int k = 0; k < 2; ++k) {
            const Cell from = k == 0 ? first : second;
            frontier_[k].clear();
            frontier_[k].push(from);
            cells_[place(from)] |= static_cast<std::uint8_t>(reached << k);
        }
        for (;;) {
            const int k = visits_[0] <= visits_[1] ? 0 : 1;
            const Verdict verdict = advance(k);
            if (verdict != Verdict::none) return verdict;
        }
    }

    // One level of the flood from cell k of the wall. The cells of a tile that a cell reaches
    // within it are visited at once, in the cache; a level ends where tiles do.
    Verdict advance(int k) {
        const Index last = (Index{1} << bits_) - 1;
        const auto own = static_cast<std::uint8_t>(reached << k);
        const unsigned other = reached << (1 - k);
        bool met = false;
        next_.clear();
        near_.clear();
        for (const Cell& entry : frontier_[k]) {
            const Index tile = tile_of(entry);
            require(entry);
            near_.push(entry);
            const auto reach = [&](Cell c, bool open) {
                std::uint8_t& cell = cells_[place(c)];
                met |= open && (cell & other) != 0;
                const bool fresh = open && (cell & own) == 0, here = tile_of(c) == tile;
                cell |= fresh ? own : std::uint8_t{0};
                near_.push_if(c, fresh && here);
                next_.push_if(c, fresh && !here);
            };
            while (!near_.empty()) {
                const Cell c = near_.pop();
                if (c.row == 0 || c.col == 0 || c.row == last || c.col == last)
                    return Verdict::left;
                const Cell north{c.row - 1, c.col}, west{c.row, c.col - 1};
                if (c.row % tile_side == 0) require(north);
                if (c.col % tile_side == 0) require(west);
                near_.reserve(4);
                next_.reserve(4);
                const unsigned here = cells_[place(c)];
                reach({c.row, c.col + 1}, (here & east) != 0);
                reach({c.row + 1, c.col}, (here & south) != 0);
                reach(north, (cells_[place(north)] & south) != 0);
                reach(west, (cells_[place(west)] & east) != 0);
                ++visits_[k];
            }
            if (met) return Verdict::met;
            control_.poll(64);
        }
        std::swap(frontier_[k], next_);
        return frontier_[k].empty() ? Verdict::exhausted : Verdict::none;
    }

    void require(Cell c) {
        const Index tile = place(c) & ~(tile_size - 1);
        if ((cells_[tile] & filled) == 0) [[unlikely]]
            fill(tile, {c.row & ~(tile_side - 1), c.col & ~(tile_side - 1)});
    }
    void fill(Index tile, Cell first) {
        held_ += tile_size;
        const Index all = held_ + 16 * (frontier_[0].size() + frontier_[1].size() + next_.size());
        if (all > memory_) throw OutOfMemory(static_cast<std::size_t>(2 * all));
        std::uint8_t* out = cells_.data() + tile;
        *out |= static_cast<std::uint8_t>(filled);
        const Index col = corner_.col + first.col;
        for (Index r = 0; r < tile_side; ++r, out += tile_side) {
            const Index row = corner_.row + first.row + r;
            const auto words = weights_.row(row);
            for (Index c = 0; c < tile_side; c += 2) {
                const Block four = words.block(weight_block(col + c));
                for (Index i = 0; i < 4; ++i) {
                    const std::uint64_t weight = four[static_cast<std::size_t>(i)];
                    const PlaneWall wall{weight, i % 2 != 0, {row, col + c + i / 2}};
                    const bool lighter =
                        weight != wall_.weight ? weight < wall_.weight : wall < wall_;
                    const bool there = has_wall(weights_, wall.cell, wall.south);
                    out[c + i / 2] |=
                        static_cast<std::uint8_t>((lighter && there ? 1u : 0u) << i % 2);
                }
            }
        }
        control_.poll(tile_size);
    }

    const W& weights_;
    const std::int64_t memory_;
    Control& control_;
    PlaneWall wall_{};
    int bits_ = 0;       // of the side of the box
    Cell corner_{0, 0};  // of the box; cells within it are counted from there
    Buffer<std::uint8_t> cells_;
    std::int64_t held_ = 0;  // bytes of filled tiles
    std::array<Index, 2> visits_{0, 0};
    Stack<Cell> frontier_[2], next_, near_;
};

}  // namespace meiro::endless
