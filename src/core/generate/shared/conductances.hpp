// The step of a weighted walk: each neighbour with probability proportional to the conductance of
// the wall to it. Where walks sample trees, the probability of a tree is then proportional to the
// product of the conductances of its passages.
#pragma once

#include <bit>

#include "../job.hpp"
#include "weighted_draws.hpp"

namespace meiro {

// Directions of lazy walks, 32 in a word, two bits each, drawn without a look at the cell: such a
// walk stays where there is no neighbour, which changes neither the tree of first entrances nor
// that of last exits. bias=: `bias` for a horizontal step, 1 for a vertical one; exact, in
// integers.
class LazySteps {
public:
    explicit LazySteps(const Options& options) : biased_(options.bias != even_odds) {
        if (!biased_) return;
        const std::uint64_t odds[4] = {even_odds, options.bias, even_odds, options.bias};
        for (const std::uint64_t odd : odds) total_ += odd;
        std::uint64_t upto = 0;
        std::size_t from = 0;
        for (unsigned d = 0; d < 4; ++d) {
            upto += odds[d];
            const std::uint64_t to = upto * bytes / total_;
            for (; from < to; ++from) direction_[from] = static_cast<std::uint8_t>(d);
            if (d == 3) break;
            at_[d] = to;
            rest_[d] = upto * bytes % total_;
            if (rest_[d] != 0 && from == to) direction_[from++] = undecided;
        }
    }
    std::uint64_t operator()(Random& random) const { return biased_ ? biased(random) : random(); }

private:
    static constexpr std::uint64_t bytes = 256;
    static constexpr std::uint8_t undecided = 4;

    [[gnu::noinline]] std::uint64_t biased(Random& random) const {
        std::uint64_t steps = 0;
        for (int shift = 0; shift < 64;) {
            std::uint64_t word = random();
            for (int k = 0; k < 8; ++k, word >>= 8, shift += 2) {
                std::uint64_t d = direction_[word & 255];
                if (d == undecided) [[unlikely]]
                    d = decide(word & 255, random);
                steps |= d << shift;
            }
        }
        return steps;
    }

    // The first byte of a uniform number nearly always tells the direction. If not, the rest of
    // the number does, which is uniform as well.
    std::uint64_t decide(std::uint64_t first, Random& random) const {
        const auto rest = static_cast<std::uint64_t>(random.below(static_cast<Index>(total_)));
        std::uint64_t d = 0;
        for (std::size_t k = 0; k < 3; ++k)
            d += first > at_[k] || (first == at_[k] && rest >= rest_[k]) ? 1 : 0;
        return d;
    }

    bool biased_;
    std::uint64_t total_ = 0;
    std::array<std::uint64_t, 3> at_{}, rest_{};  // where a direction ends: in 256ths, and the rest
    std::array<std::uint8_t, bytes> direction_{};
};

// All conductances equal. free(cell): the directions of the existing neighbours.
struct Even {
    template <class Free>
    void begin(Free, Control&) {}
    template <class Free>
    Direction operator()(Index cell, Free free, Random& random) const {
        return random.pick(free(cell));
    }
};

// weights=, or bias=.
class Weighted {
public:
    static bool requested(const Options& options) {
        return !options.weights.empty() || options.bias != even_odds;
    }
    Weighted(const Options& options, const Passages& maze)
        : weights_(options.weights.empty() ? nullptr : options.weights.data()),
          by_direction_{1, static_cast<double>(options.bias) / even_odds, 1,
                        static_cast<double>(options.bias) / even_odds},
          shape_(maze.shape()),
          wrap_(maze.wrap()) {}

    template <class Free>
    void begin(Free free, Control& control) {
        draws_ = WeightedDraws(shape_.size());
        for (Index cell = 0; cell < shape_.size(); ++cell, control.poll(WeightedDraws::put_steps))
            if (const unsigned there = free(cell); there != 0) draws_.put(cell, sums(cell, there));
    }
    template <class Free>
    Direction operator()(Index cell, Free free, Random& random) {
        if (draws_.empty()) [[unlikely]]
            draws_.take(random());
        return draws_.draw(
            cell, random, [&] { return sums(cell, free(cell)); }, [&] { return free(cell); });
    }

private:
    [[gnu::noinline]] WeightedDraws::Sums sums(Index cell, unsigned free) const {
        const std::array<Index, 4> ids = walls(cell);
        WeightedDraws::Sums upto{};
        double sum = 0;
        for (std::size_t d = 0; d < 4; ++d) {
            if ((free >> d & 1u) != 0)
                sum += weights_ != nullptr ? weights_[ids[d]] : by_direction_[d];
            upto[d] = sum;
        }
        return upto;
    }

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
    std::array<double, 4> by_direction_;  // if there are no weights
    Shape shape_;
    Wrap wrap_;
    // 2^64 / cols, rounded up.
    std::uint64_t inverse_ = ~std::uint64_t{0} / static_cast<std::uint64_t>(shape_.cols) + 1;
    WeightedDraws draws_;
};

}  // namespace meiro
