// The minimal spanning forest of the plane in a rectangle: the limit of the minimum spanning trees
// of ever larger boxes, one tree with probability 1.
//
// Kruskal in a box around the rectangle, with two sets of components: the *free* ones, of the box
// alone, and the *wired* ones, where all cells of its rim are one. From the lightest wall on:
//   within a free component            it stays: lighter walls connect its cells already
//   between two wired components       it opens: whatever lies outside connects nothing more
//   between free ones, within a wired  open: what lies outside decides; the few in the rectangle
//                                      are decided by floods (plane_flood.hpp)
// The same in a maze with a border, which has fewer walls (Field::has): it is the tree of Kruskal.
// Time: linear in the box, but for the sort, and the floods, whose time has no bound (see there).
// Scratch: 40 bytes a cell of the box.
#pragma once

#include <algorithm>

#include "../../disjoint_set.hpp"
#include "../../polled_sort.hpp"
#include "plane_flood.hpp"

namespace meiro::endless {

template <class W>
class Forest {
public:
    static constexpr Index largest = 513;  // side of a rectangle

    // For rectangles of at most this shape.
    Forest(const W& weights, Shape most, std::int64_t memory, Control& control)
        : weights_(weights),
          control_(control),
          flood_(weights, memory, control),
          box_(box_of(most)),
          words_(2 * box_.size()),
          keys_(2 * box_.size()),
          free_(box_.size()),
          wired_(box_.size()) {
        MEIRO_ASSERT(most.rows <= largest && most.cols <= largest);
    }

    // The bits east and south of the cells from `first` on.
    void decide(Cell first, Shape shape, std::uint8_t* out) {
        pad_ = pad_of(shape);
        box_ = box_of(shape);
        corner_ = {first.row - pad_, (first.col - pad_) & ~Index{1}};
        weigh();
        const Index n = sort();
        join(n, {first.row - corner_.row, first.col - corner_.col}, shape, out);
    }

private:
    static constexpr int id_bits = 20;  // of the walls of a box

    static Index pad_of(Shape shape) {
        return std::clamp<Index>(std::min(shape.rows, shape.cols) / 4, 12, 64);
    }
    static Shape box_of(Shape shape) {
        const Index pad = pad_of(shape);
        return {shape.rows + 2 * pad, (shape.cols + 2 * pad + 2) & ~Index{1}};
    }

    void weigh() {
        for (Index r = 0; r < box_.rows; ++r) {
            std::uint64_t* const east = words_.data() + r * box_.cols;
            std::uint64_t* const south = east + box_.size();
            const auto row = weights_.row(corner_.row + r);
            for (Index c = 0; c < box_.cols; c += 2) {
                const Block four = row.block(weight_block(corner_.col + c));
                east[c] = four[0];
                south[c] = four[1];
                east[c + 1] = four[2];
                south[c + 1] = four[3];
            }
            control_.poll(box_.cols * 2);
        }
    }

    // keys_ = the walls by weight: a key is the high bits of the weight, and the number of the wall
    // (first those to the east, then those to the south: the order of ties).
    Index sort() {
        constexpr std::uint64_t ids = (std::uint64_t{1} << id_bits) - 1;
        Index n = 0;
        const auto take = [&](Index r, Index c, bool south) {
            const Index id = r * box_.cols + c + (south ? box_.size() : 0);
            keys_[n] = (words_[id] & ~ids) | static_cast<std::uint64_t>(id);
            n += has_wall(weights_, {corner_.row + r, corner_.col + c}, south) ? 1 : 0;
        };
        for (Index r = 0; r < box_.rows; ++r)
            for (Index c = 0; c + 1 < box_.cols; ++c) take(r, c, false);
        for (Index r = 0; r + 1 < box_.rows; ++r)
            for (Index c = 0; c < box_.cols; ++c) take(r, c, true);
        const std::uint64_t* const words = words_.data();
        const auto lighter = [words](std::uint64_t a, std::uint64_t b) {
            if ((a ^ b) > ids) [[likely]]
                return a < b;
            const std::uint64_t p = words[a & ids], q = words[b & ids];
            return p != q ? p < q : a < b;
        };
        polled_sort(keys_.begin(), keys_.begin() + n, lighter, control_);
        return n;
    }

    void join(Index n, Cell first, Shape shape, std::uint8_t* out) {
        const Index size = box_.size(), cols = box_.cols;
        free_.reset(0, size);
        wired_.reset(0, size);
        for (Index r = 0; r < box_.rows; ++r) {
            const bool whole = r == 0 || r + 1 == box_.rows;
            for (Index c = 0; c < cols; c += whole ? 1 : cols - 1)
                wired_.join(0, static_cast<std::uint32_t>(r * cols + c));
        }
        std::fill(out, out + shape.size(), std::uint8_t{0});
        for (Index k = 0; k < n; ++k) {
            if (k % poll_chunk == 0) control_.poll(poll_chunk * 4);
            const auto id = static_cast<Index>(keys_[k] & ((std::uint64_t{1} << id_bits) - 1));
            const bool south = id >= size;
            const Index a = id - (south ? size : 0), b = a + (south ? cols : 1);
            const auto u = static_cast<std::uint32_t>(a), v = static_cast<std::uint32_t>(b);
            if (!free_.join(u, v)) continue;
            const bool open = wired_.join(u, v);
            const Index row = a / cols - first.row, col = a % cols - first.col;
            if (row < 0 || col < 0 || row >= shape.rows || col >= shape.cols) continue;
            if (open ||
                flood_.opens({words_[id], south, {corner_.row + a / cols, corner_.col + a % cols}}))
                out[row * shape.cols + col] |=
                    static_cast<std::uint8_t>(south ? bits::south : bits::east);
        }
    }

    const W& weights_;
    Control& control_;
    PlaneFlood<W> flood_;
    Index pad_ = 0;  // rows and columns on each side of the rectangle
    Shape box_;
    Cell corner_{0, 0};  // of the box
    Buffer<std::uint64_t> words_, keys_;
    DisjointSet<std::uint32_t> free_, wired_;
};

}  // namespace meiro::endless
