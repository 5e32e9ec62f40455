// The step of a weighted walk: each neighbour with probability proportional to the conductance of
// the wall to it. Where walks sample trees, the probability of a tree is then proportional to the
// product of the conductances of its passages.
#pragma once

#include <bit>

#include "../../registry.hpp"
#include "direction_bias.hpp"

namespace meiro {

// All conductances equal.
struct Even {
    Direction operator()(Index, unsigned free, Random& random) const { return random.pick(free); }
};

// bias=: `bias` for a horizontal passage, 1 for a vertical one; exact, in integers.
class Biased {
public:
    explicit Biased(const Options& options) : direction_bias_(options) {}
    Direction operator()(Index, unsigned free, Random& random) const {
        // Where all four are free the direction does not wait for memory.
        if (free == 15) [[likely]]
            return direction_bias_.pick(15, Direction::none, random);
        return direction_bias_.pick(free, Direction::none, random);
    }

private:
    DirectionBias direction_bias_;
};

// weights=. Only sums, one product and comparisons of doubles, rounded as in IEEE 754: the same
// maze on every machine.
class Weighted {
public:
    Weighted(const Options& options, const Passages& maze)
        : weights_(options.weights.data()),
          shape_(maze.shape()),
          wrap_(maze.wrap()),
          inverse_(~std::uint64_t{0} / static_cast<std::uint64_t>(shape_.cols) + 1) {}

    Direction operator()(Index cell, unsigned free, Random& random) const {
        const std::array<Index, 4> ids = walls(cell);
        const auto weight = [&](std::size_t d) {
            return (free >> d & 1u) != 0 ? weights_[ids[d]] : 0.0;
        };
        const double north = weight(0), east = north + weight(1), south = east + weight(2);
        const double total = south + weight(3);
        const std::uint64_t word = random();
        const double goal = static_cast<double>(word >> 11) * 0x1p-53 * total;
        // As if all weights were equal: mostly right, and then the walk goes on before the weights
        // are there, as the branch is foreseen.
        const std::array<double, 5> upto{0, north, east, south, total};
        const auto guess = static_cast<std::size_t>(word >> 62);
        if (goal >= upto[guess] && goal < upto[guess + 1]) [[likely]]
            return static_cast<Direction>(guess);
        const int first = (goal < north ? 0 : 1) + (goal < east ? 0 : 1) + (goal < south ? 0 : 1);
        if (goal < total) [[likely]]
            return static_cast<Direction>(first);
        return static_cast<Direction>(std::bit_width(free) - 1);  // rounded up to the total
    }

private:
    // The ids of the existing walls around a cell, by direction: those of wall_id(). The row is the
    // quotient by a product, exact for all cells whose weights fit in memory.
    std::array<Index, 4> walls(Index cell) const {
        const auto [rows, cols] = shape_;
        const auto number = static_cast<std::uint64_t>(cell);
        const Index row = cols == 1 ? cell : static_cast<Index>(multiply(number, inverse_).high);
        const Index col = cell - row * cols;
        const Index over_east = shape_.walls() + row;
        const Index over_south = shape_.walls() + (wrap_.cols ? rows : 0) + col;
        const Index east = cell - row;
        const Index south = shape_.vertical_walls() + cell;
        return {cell >= cols ? south - cols : over_south, col + 1 < cols ? east : over_east,
                cell + cols < shape_.size() ? south : over_south, col > 0 ? east - 1 : over_east};
    }

    const double* weights_;
    Shape shape_;
    Wrap wrap_;
    std::uint64_t inverse_;  // 2^64 / cols, rounded up
};

// body(pick), one of the three.
template <class Body>
void with_conductances(const Job& job, Body body) {
    if (!job.options.weights.empty())
        body(Weighted(job.options, job.maze));
    else if (job.options.bias != even_odds)
        body(Biased(job.options));
    else
        body(Even{});
}

}  // namespace meiro
