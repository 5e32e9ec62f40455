// The weights of the plane, or of a maze in it, with cells beyond whose border there is no wall.
#pragma once

#include "../mst_tiles/pieces.hpp"
#include "../shared/weights.hpp"

namespace meiro::endless {

class Field {
public:
    explicit Field(const Seed& seed) : weights_(seed, even_odds), seed_(seed) {}
    Field(const Seed& seed, Factor bias, Shape shape)
        : weights_(seed, bias), seed_(seed), bias_(bias), shape_(shape), bounded_(true) {}

    const Seed& seed() const { return seed_; }
    Factor bias() const { return bias_; }
    BiasedWeights::Row row(Index r) const { return weights_.row(r); }

    // The part of a rectangle that lies within the border, and on which sides there are cells.
    tiles::Rectangle within(const tiles::Rectangle& box) const {
        if (!bounded_) return box;
        const Cell first{std::max<Index>(box.first.row, 0), std::max<Index>(box.first.col, 0)};
        return {first,
                {std::min(box.first.row + box.shape.rows, shape_.rows) - first.row,
                 std::min(box.first.col + box.shape.cols, shape_.cols) - first.col}};
    }
    tiles::Sides sides(const tiles::Rectangle& box) const {
        return bounded_ ? tiles::sides_of(box, shape_) : tiles::Sides{true, true, true, true};
    }

    std::uint64_t at(Cell c, bool south) const { return weights_.at(c, south); }

    // Is there a wall between a cell and the next one?
    bool has(Cell c, bool south) const {
        return !bounded_ || (c.row >= 0 && c.col >= 0 && c.row + (south ? 1 : 0) < shape_.rows &&
                             c.col + (south ? 0 : 1) < shape_.cols);
    }

private:
    BiasedWeights weights_;
    Seed seed_;
    Factor bias_ = even_odds;
    Shape shape_{};
    bool bounded_ = false;
};

// The same for any weights; those of the plane need not say it.
template <class W>
bool has_wall(const W& weights, Cell c, bool south) {
    if constexpr (requires { weights.has(c, south); })
        return weights.has(c, south);
    else
        return true;
}

}  // namespace meiro::endless
