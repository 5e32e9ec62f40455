// What several test files use: small worlds that are easily looked through.
#pragma once

#include <cstdint>
#include <vector>

#include "lattice.hpp"
#include "random.hpp"

namespace meiro {

using Bytes = std::vector<std::uint8_t>;

// Under TSan tests look for races: what one thread computes, and how often, is judged without.
#ifdef __SANITIZE_THREAD__
inline constexpr bool only_races = true;
#else
inline constexpr bool only_races = false;
#endif

inline const Shape shapes[] = {{1, 1}, {1, 2}, {2, 1}, {1, 9},  {9, 1},
                               {2, 2}, {3, 5}, {7, 4}, {16, 17}};

// Every way that a shape can wrap; a side that does is long enough.
inline std::vector<Wrap> wraps_of(Shape shape) {
    std::vector<Wrap> out;
    for (const bool rows : {false, true})
        for (const bool cols : {false, true})
            if ((!rows || shape.rows >= least_wrap) && (!cols || shape.cols >= least_wrap))
                out.push_back({rows, cols});
    return out;
}

inline std::size_t at(Index i) {
    return static_cast<std::size_t>(i);
}

// A mask of about 3 cells of 4; all, where `seed` is 0.
inline Bytes some_mask(Shape shape, std::uint64_t seed) {
    Bytes mask(at(shape.size()), 1);
    Random random(Seed{{seed, 99}});
    if (seed != 0)
        for (std::uint8_t& m : mask) m = random.bits(2) != 0 ? 1 : 0;
    return mask;
}

// Is there a neighbour in this direction? Said as plainly as can be.
inline bool neighbour(Shape shape, const Bytes& mask, Index row, Index col, Direction d,
                      Wrap wrap = {}) {
    Index r = row + row_step(d);
    Index c = col + col_step(d);
    if (wrap.rows) r = (r + shape.rows) % shape.rows;
    if (wrap.cols) c = (c + shape.cols) % shape.cols;
    if (r < 0 || r >= shape.rows || c < 0 || c >= shape.cols) return false;
    return mask[at(shape.id({row, col}))] != 0 && mask[at(shape.id({r, c}))] != 0;
}

// Passages open at random, on both sides.
inline Bytes some_passages(Shape shape, const Bytes& mask, std::uint64_t seed, Wrap wrap = {}) {
    Bytes open(at(shape.size()), 0);
    Random random(Seed{{seed, 98}});
    for (Index row = 0; row < shape.rows; ++row)
        for (Index col = 0; col < shape.cols; ++col)
            for (const Direction d : {Direction::east, Direction::south})
                if (neighbour(shape, mask, row, col, d, wrap) && random.coin()) {
                    const Index id = shape.id({row, col});
                    const Index beside = shape.id(
                        {(row + row_step(d)) % shape.rows, (col + col_step(d)) % shape.cols});
                    open[at(id)] |= static_cast<std::uint8_t>(bit(d));
                    open[at(beside)] |= static_cast<std::uint8_t>(bit(opposite(d)));
                }
    return open;
}

}  // namespace meiro
