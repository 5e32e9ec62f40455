// The step of a weighted walk: each neighbour with probability proportional to the conductance of
// the wall to it. Where walks sample trees, the probability of a tree is then proportional to the
// product of the conductances of its passages.
#pragma once

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
        : weights_(options.weights.data()), shape_(maze.shape()), wrap_(maze.wrap()) {}

    Direction operator()(Index cell, unsigned free, Random& random) const {
        const std::array<Index, 4> ids = walls(cell);
        std::array<double, 4> upto{};
        double total = 0;
        auto last = Direction::none;
        for (const Direction d : directions) {
            const auto i = static_cast<std::size_t>(d);
            if ((free & bit(d)) != 0) {
                total += weights_[ids[i]];
                last = d;
            }
            upto[i] = total;
        }
        const double share = static_cast<double>(random() >> 11) * 0x1p-53;
        const double goal = share * total;
        for (const Direction d : directions)
            if (goal < upto[static_cast<std::size_t>(d)]) return d;
        return last;  // the product was rounded up to the total
    }

private:
    // The ids of the existing walls around a cell, by direction: those of wall_id(), with one
    // division for all.
    std::array<Index, 4> walls(Index cell) const {
        const auto [rows, cols] = shape_;
        const auto [row, col] = shape_.cell(cell);
        const Index over_east = shape_.walls() + row;
        const Index over_south = shape_.walls() + (wrap_.cols ? rows : 0) + col;
        const Index east = cell - row;
        const Index south = shape_.vertical_walls() + cell;
        return {row > 0 ? south - cols : over_south, col + 1 < cols ? east : over_east,
                row + 1 < rows ? south : over_south, col > 0 ? east - 1 : over_east};
    }

    const double* weights_;
    Shape shape_;
    Wrap wrap_;
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
