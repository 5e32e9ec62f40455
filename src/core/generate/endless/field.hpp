// The weights of the plane, or of a maze in it, with cells beyond whose border there is no wall.
#pragma once

#include "../shared/weights.hpp"

namespace meiro::endless {

class Field {
public:
    explicit Field(const Seed& seed) : weights_(seed, even_odds) {}
    Field(const Seed& seed, Factor bias, Shape shape)
        : weights_(seed, bias), shape_(shape), bounded_(true) {}

    BiasedWeights::Row row(Index r) const { return weights_.row(r); }

    // Is there a wall between a cell and the next one?
    bool has(Cell c, bool south) const {
        return !bounded_ || (c.row >= 0 && c.col >= 0 && c.row + (south ? 1 : 0) < shape_.rows &&
                             c.col + (south ? 0 : 1) < shape_.cols);
    }

private:
    BiasedWeights weights_;
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
