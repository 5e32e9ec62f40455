// The walls of one tile: their weights, and those of a range of weights in order. See tiles.hpp.
#pragma once

#include <algorithm>
#include <bit>

#include "../../buffer.hpp"
#include "../shared/weights.hpp"
#include "tiling.hpp"

namespace meiro::tiles {

constexpr std::int32_t absent = 0x7fffffff;  // the wall does not exist, or not in this tile
constexpr std::uint32_t wall_bits = 0x7fff;  // of a key: the wall; above are bits of its weight

constexpr std::int32_t high(std::uint64_t word) {
    const auto bits = static_cast<std::int32_t>(word >> 33);
    return bits - (bits == absent ? 1 : 0);
}

// They are numbered by their cells, first those to the east, then those to the south: in the order
// of the wall ids. A wall is compared by the high 31 bits of its weight, ties by the whole word,
// then by number.
template <class W>
class TileWalls {
public:
    TileWalls(const W& weights, Shape largest)
        : source_(weights),
          weights_(2 * largest.size() + 1),
          keys_(2 * largest.size()),
          count_((Index{1} << buckets(2 * largest.size())) + 1),
          walls_(2 * largest.size()) {}

    // All walls to the east and to the south of the tile's cells, those that lead out of it
    // included. `mask`: of the whole maze.
    void weigh(const Tile& tile, Shape whole, Mask mask) {
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
    const std::int32_t* south() const { return weights_.data() + 1 + cells_; }
    std::int32_t weight(Index wall) const { return east()[wall]; }

    struct Ends {
        Index a, b;
        bool south;
    };
    Ends ends(Index wall) const {
        const bool south = wall >= cells_;
        const Index a = wall - (south ? cells_ : 0);
        return {a, a + (south ? cols_ : 1), south};
    }

    // The walls with weights in [from, below) whose ends are not plainly in one component, from the
    // lightest on.
    struct SortedKeys {
        const std::uint32_t* keys;
        Index size;
        Index operator[](Index k) const { return keys[k] & wall_bits; }
    };
    SortedKeys sorted(std::int32_t from, std::int32_t below, const std::uint16_t* parent) {
        const Index n = sift(from, below, parent);
        sort(n);
        return {keys_.data(), n};
    }

private:
    std::uint64_t word(Index wall) const {
        const Ends e = ends(wall);
        return source_.at({row_ + e.a / cols_, col_ + e.a % cols_}, e.south);
    }
    static int buckets(Index walls) {
        const auto width = std::bit_width(static_cast<std::uint64_t>(walls));
        return std::clamp(static_cast<int>(width) - 1, 0, 14);
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
    Index sift(std::int32_t from, std::int32_t below, const std::uint16_t* parent) {
        const auto range = static_cast<std::uint32_t>(below - from);
        std::uint16_t* const walls = walls_.data();
        Index n = 0;
        const auto look = [&](const std::int32_t* weights, Index first, Index cells, Index step) {
            for (Index i = 0; i < cells; ++i) {
                walls[n] = static_cast<std::uint16_t>(first + i);
                n += static_cast<Index>(static_cast<std::uint32_t>(weights[i] - from) < range) &
                     static_cast<Index>(parent[i] != parent[i + step]);
            }
        };
        look(east(), 0, cells_ - 1, 1);
        look(south(), cells_, cells_ - cols_, cols_);
        return n;
    }
    // keys_ = walls_ by weight: in about as many buckets as there are walls, then by insertion. A
    // key is the bits of the weight below those of the bucket, and the wall.
    void sort(Index n) {
        const int bits = buckets(n);
        const auto bucket = [bits](std::int32_t w) { return w >> (31 - bits); };
        const Index end = Index{1} << bits;
        const std::int32_t* const weights = east();
        const std::uint16_t* const walls = walls_.data();
        std::uint32_t *const keys = keys_.data(), *const count = count_.data();
        std::fill(count, count + end + 1, 0);
        for (Index k = 0; k < n; ++k) ++count[bucket(weights[walls[k]]) + 1];
        for (Index b = 0; b < end; ++b) count[b + 1] += count[b];
        for (Index k = 0; k < n; ++k) {
            const std::int32_t w = weights[walls[k]];
            keys[count[bucket(w)]++] =
                (static_cast<std::uint32_t>(w) << (bits + 1) & ~wall_bits) | walls[k];
        }
        // Buckets are in order, keys within one are not: a key never leaves its bucket, whose end
        // count_ holds now.
        for (Index b = 0, first = 0; b < end; ++b) {
            const Index last = count[b];
            if (last - first > 32) [[unlikely]] {  // by a bias, or many ties
                std::sort(keys + first, keys + last);
                first = last;
                continue;
            }
            for (Index k = first + 1; k < last; ++k) {
                const std::uint32_t key = keys[k];
                Index hole = k;
                for (; hole > first && keys[hole - 1] > key; --hole) keys[hole] = keys[hole - 1];
                keys[hole] = key;
            }
            first = last;
        }
        const auto tie = [&](Index k) { return (keys[k - 1] ^ keys[k]) >> 15 == 0; };
        for (Index k = 1; k < n; ++k)
            if (tie(k)) [[unlikely]] {
                const Index first = k - 1;
                while (k < n && tie(k)) ++k;
                std::sort(keys + first, keys + k, [&](std::uint32_t a, std::uint32_t b) {
                    const std::uint64_t p = word(a & wall_bits), q = word(b & wall_bits);
                    return p != q ? p < q : (a & wall_bits) < (b & wall_bits);
                });
            }
    }

    const W& source_;
    Index row_ = 0, col_ = 0, cols_ = 0, cells_ = 0;
    Buffer<std::int32_t> weights_;
    Buffer<std::uint32_t> keys_, count_;
    Buffer<std::uint16_t> walls_;
};

}  // namespace meiro::tiles
