// The walls of one tile: their weights, and those of a range of weights in order. See tiles.hpp.
#pragma once

#include <algorithm>

#include "../../buffer.hpp"
#include "tile_tree.hpp"

namespace meiro::tiles {

constexpr std::int32_t high(std::uint64_t word) {
    const auto bits = static_cast<std::int32_t>(word >> 33);
    return bits - (bits == absent ? 1 : 0);
}

// A wall is compared by the high 31 bits of its weight, ties by the whole word, then by number.
template <class W>
class TileWalls {
public:
    TileWalls(const W& weights, Shape largest)
        : source_(weights), weights_(2 * largest.size() + 1) {}

    // All walls to the east and to the south of the tile's cells, those that lead out of it
    // included. `mask`: of the whole maze. `among`: its passages, if only these may open.
    void weigh(const Tile& tile, Shape whole, Mask mask, const std::uint8_t* among) {
        row_ = tile.row;
        col_ = tile.col;
        cols_ = tile.shape.cols;
        cells_ = tile.shape.size();
        weights_[0] = absent;
        for (Index r = 0; r < tile.shape.rows; ++r) {
            std::int32_t* const e = weights_.data() + 1 + r * cols_;
            std::int32_t* const s = e + cells_;
            const auto row = source_.row(row_ + r);
            auto block = static_cast<std::uint64_t>(col_ / 2);
            Index c = 0;
            for (; c + 1 < cols_; c += 2) {
                const Block words = row.block(block++);
                e[c] = high(words[0]);
                s[c] = high(words[1]);
                e[c + 1] = high(words[2]);
                s[c + 1] = high(words[3]);
            }
            if (c < cols_) {
                const Block words = row.block(block);
                e[c] = high(words[0]);
                s[c] = high(words[1]);
            }
            if (mask != nullptr) weigh_masked(r, whole, mask, e, s);
            if (among != nullptr) weigh_passages(among + whole.id({row_ + r, col_}), e, s);
        }
    }
    // From here on only those within the tile are there.
    void close() {
        std::int32_t* const east = weights_.data() + 1;
        for (Index last = cols_ - 1; last < cells_; last += cols_) east[last] = absent;
        std::fill(east + 2 * cells_ - cols_, east + 2 * cells_, absent);
    }

    // By cell; the one before the first is absent.
    const std::int32_t* east() const { return weights_.data() + 1; }
    std::int32_t weight(Index wall) const { return east()[wall]; }

    // The order of walls with equal high bits.
    bool lighter(Index one, Index other) const {
        const std::uint64_t p = word(one), q = word(other);
        return p != q ? p < q : one < other;
    }

private:
    std::uint64_t word(Index wall) const {
        const auto e = WallNumbers{cols_, cells_}.ends(wall);
        return source_.at({row_ + e.a / cols_, col_ + e.a % cols_}, e.south != 0);
    }

    // Walls without a cell on one side do not exist. (Walls across the border are considered only
    // on periodic lattices.)
    void weigh_masked(Index r, Shape whole, Mask mask, std::int32_t* e, std::int32_t* s) {
        Mask const row = mask + whole.id({row_ + r, 0});
        Mask const below = row_ + r + 1 < whole.rows ? row + whole.cols : mask;
        for (Index c = 0; c < cols_; ++c) {
            const Index col = col_ + c, right = col + 1 < whole.cols ? col + 1 : 0;
            if (row[col] == 0 || row[right] == 0) e[c] = absent;
            if (row[col] == 0 || below[col] == 0) s[c] = absent;
        }
    }

    void weigh_passages(const std::uint8_t* open, std::int32_t* e, std::int32_t* s) const {
        for (Index c = 0; c < cols_; ++c) {
            e[c] = (open[c] & bit(Direction::east)) != 0 ? e[c] : absent;
            s[c] = (open[c] & bit(Direction::south)) != 0 ? s[c] : absent;
        }
    }

    const W& source_;
    Index row_ = 0, col_ = 0, cols_ = 0, cells_ = 0;
    Buffer<std::int32_t> weights_;
};

}  // namespace meiro::tiles
