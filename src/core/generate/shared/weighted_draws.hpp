// One of four directions by weights that are different at every place. Nine bits of a word are
// compared with the ends of the directions, in 512ths of the sum, kept in four bytes a place; where
// they are equal the rest of a number of 53 bits is drawn, and the sums of the weights decide. Only
// sums, quotients, products and comparisons of doubles, rounded as in IEEE 754: the same maze on
// every machine.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "../../buffer.hpp"
#include "../../random.hpp"

namespace meiro {

class WeightedDraws {
public:
    static constexpr int draws_a_word = 7;
    static constexpr Index put_steps = 4;  // for polls
    // The sums of the weights up to each direction.
    using Sums = std::array<double, 4>;

    explicit WeightedDraws(Index places = 0) : ends_(places) {}

    // The sum of all is not 0.
    [[gnu::noinline]] void put(Index place, const Sums& upto) {
        std::uint32_t ends = 0;
        for (unsigned k = 0; k < 3; ++k)
            ends |= std::min(static_cast<std::uint32_t>(upto[k] / upto[3] * parts), parts - 1)
                    << 10 * k;
        ends_[place] = ends;
    }

    // Before a draw without a word left: take one.
    bool empty() const { return left_ == 0; }
    void take(std::uint64_t word) {
        word_ = word;
        left_ = draws_a_word;
    }

    // sums() are those of the place, and free() the directions whose weights are not 0.
    template <class SumsOf, class Free>
    Direction draw(Index place, Random& random, SumsOf sums, Free free) {
        const auto drawn = static_cast<std::uint32_t>(word_ & (parts - 1));
        word_ >>= 9;
        --left_;
        // Three numbers of nine bits in a word; the bit above each tells which one is larger.
        constexpr std::uint32_t ones = 1 | 1 << 10 | 1 << 20, above = ones << 9;
        const std::uint32_t over = (drawn * ones | above) - ends_[place];
        const std::uint32_t reached = over & above;
        if (reached != ((over - ones) & above)) [[unlikely]]
            return decide(drawn, sums(), free(), random);
        return static_cast<Direction>((reached >> 9 & 1) + (reached >> 19 & 1) + (reached >> 29));
    }

private:
    static constexpr std::uint32_t parts = 512;

    [[gnu::noinline]] static Direction decide(std::uint32_t drawn, const Sums& upto, unsigned free,
                                              Random& random) {
        const std::uint64_t number = std::uint64_t{drawn} << 44 | random() >> 20;
        // A share of a sum near the least double would lose its digits.
        const double unit = upto[3] < 0x1p-900 ? 0x1p200 : 1;
        const double goal = static_cast<double>(number) * 0x1p-53 * (unit * upto[3]);
        unsigned d = 0;
        for (std::size_t k = 0; k < 3; ++k) d += goal < unit * upto[k] ? 0u : 1u;
        // (Rounding may make the goal the sum of all.)
        return static_cast<Direction>(std::min(d, static_cast<unsigned>(std::bit_width(free)) - 1));
    }

    Buffer<std::uint32_t> ends_;
    std::uint64_t word_ = 0;
    int left_ = 0;
};

}  // namespace meiro
