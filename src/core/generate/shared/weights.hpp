// The weight of a wall: a pure function of (seed, wall), so that kruskal, prim and boruvka make the
// same maze from the same seed, whatever the order, tile or thread.
//
// Lane = row; words 2 * col and 2 * col + 1 of the purpose `weigh` are the weights of the walls to
// the east and to the south of cell (row, col): one Philox block serves two cells. A weight does
// not depend on the shape. Ties go to the lower wall id, so that the order of all walls is total.
#pragma once

#include "../../options.hpp"

namespace meiro {

// The block of a row that holds the weights of columns `col` (even) and `col` + 1, which may be
// below 0.
constexpr std::uint64_t weight_block(Index col) {
    return 2 * static_cast<std::uint64_t>(col) / 4;
}

// found(k, walls) for each two cells k and k + 1 of a piece of a row with a mark: bit 0 is the wall
// to the east, bit 1 that to the south; `walls` has both cells' in the order of their words in
// weight_block(). They are listed without a branch, as they are unpredictable. There is room for a
// mark past the end, and for a pair more than half as many as cells.
template <class Found>
void each_two_marked(std::uint8_t* marks, std::uint16_t* pairs, Index cells, Found found) {
    marks[cells] = 0;
    Index count = 0;
    for (Index k = 0; k < cells; k += 2) {
        pairs[count] = static_cast<std::uint16_t>(k);
        count += (marks[k] | marks[k + 1]) != 0 ? 1 : 0;
    }
    for (Index i = 0; i < count; ++i) {
        const Index k = pairs[i];
        found(k, static_cast<unsigned>(marks[k] | marks[k + 1] << 2));
    }
}

class Weights {
public:
    explicit Weights(const Seed& seed) : seed_(seed) {}

    // The weights of a row: block(k) is {east, south} of column 2 * k, then {east, south} of column
    // 2 * k + 1.
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

// The order of walls: by weight, then by id.
template <class W>
bool is_lighter(const W& weights, Shape shape, Wrap wrap, Wall a, Wall b) {
    const std::uint64_t p = weights.at(shape.cell(a.cell), a.south);
    const std::uint64_t q = weights.at(shape.cell(b.cell), b.south);
    return p != q ? p < q : wall_id(shape, a, wrap) < wall_id(shape, b, wrap);
}

// The same with bias=: walls to the east are `bias` times as light; if bias is below 1, walls to
// the south are 1 / bias times as light. A weight is the word times a fraction of 2^64, the high
// half of the product.
class BiasedWeights {
public:
    BiasedWeights(const Seed& seed, Factor bias) : weights_(seed) {
        if (bias > even_odds)
            east_ = reciprocal(bias);
        else if (bias < even_odds)
            south_ = bias << 44;
    }

    struct Row {
        Random words;
        std::uint64_t east, south;
        Block block(std::uint64_t k) const {
            const Block b = words.block(k);
            return {scaled(b[0], east), scaled(b[1], south), scaled(b[2], east),
                    scaled(b[3], south)};
        }
    };
    Row row(Index r) const { return {weights_.row(r), east_, south_}; }
    std::uint64_t at(Cell c, bool south) const {
        return scaled(weights_.at(c, south), south ? south_ : east_);
    }

private:
    static std::uint64_t scaled(std::uint64_t word, std::uint64_t share) {
        return share == 0 ? word : multiply(word, share).high;
    }
    // 2^84 / bias, rounded down, by long division: bias is scaled by 2^20, the result by 2^64.
    static constexpr std::uint64_t reciprocal(Factor bias) {
        std::uint64_t quotient = 0, rest = 1;
        for (int k = 0; k < 84; ++k) {
            rest *= 2;
            quotient = 2 * quotient + (rest >= bias ? 1 : 0);
            rest -= rest >= bias ? bias : 0;
        }
        return quotient;
    }

    Weights weights_;
    std::uint64_t east_ = 0, south_ = 0;  // 0: a factor of 1
};

}  // namespace meiro
