#include "adjacency.hpp"

#include <algorithm>
#include <stdexcept>

#include "border.hpp"
#include "buffer.hpp"
#include "passages.hpp"

namespace meiro {
namespace {

// The bytes of the sites [first, last) of a row between two others; with diagonal moves or without.
template <bool diagonal, Corners corners>
void moves_of_row(const std::uint8_t* above, const std::uint8_t* row, const std::uint8_t* below,
                  Index cols, Index first, Index last, std::uint8_t* out) {
    const auto site = [&](Index c, unsigned left, unsigned right) {  // 1: there is a column there
        const auto road = [](const std::uint8_t* sites, Index at) {
            return sites[at] == 0 ? 1u : 0u;
        };
        const auto open = [](unsigned to, unsigned one, unsigned other) {
            if (corners == Corners::always) return to;
            return to & (corners == Corners::never ? one & other : one | other);
        };
        const Index west = c - left, east = c + right;
        const unsigned n = road(above, c), e = road(row, east) & right, s = road(below, c),
                       w = road(row, west) & left;
        unsigned moves = n | e << 1 | s << 2 | w << 3;
        if constexpr (diagonal)
            moves |= open(road(above, east) & right, n, e) << 4 |
                     open(road(below, east) & right, s, e) << 5 |
                     open(road(below, west) & left, s, w) << 6 |
                     open(road(above, west) & left, n, w) << 7;
        return static_cast<std::uint8_t>(row[c] == 0 ? moves : 0);
    };
    if (first == 0) out[0] = site(0, 0, cols > 1 ? 1 : 0);
    // Without branches, so that the compiler can vectorize it.
    for (Index c = std::max<Index>(first, 1), end = std::min(last, cols - 1); c < end; ++c)
        out[c] = site(c, 1, 1);
    if (last == cols && cols > 1) out[cols - 1] = site(cols - 1, 1, 0);
}

template <bool diagonal, Corners corners = Corners::never>
void moves_of_rows(const std::uint8_t* walls, Shape shape, std::uint8_t* out, Control& control,
                   int threads) {
    Buffer<std::uint8_t> outside(shape.cols);
    std::fill(outside.begin(), outside.end(), std::uint8_t{1});
    by_bands(shape, control, threads, [&](Index begin, Index end, Control& worker) {
        const auto [rows, cols] = shape;
        for (Index r = begin; r < end; ++r) {
            const std::uint8_t* const row = walls + r * cols;
            const std::uint8_t* const above = r > 0 ? row - cols : outside.data();
            const std::uint8_t* const below = r + 1 < rows ? row + cols : outside.data();
            const auto columns = [&, cols = cols](Index first, Index last) {
                moves_of_row<diagonal, corners>(above, row, below, cols, first, last,
                                                out + r * cols);
            };
            if (end - begin > 1)
                columns(0, cols);
            else  // a row may be long
                by_pieces(cols, worker, columns);
        }
    });
}

}  // namespace

Adjacency adjacency_of_passages(const std::uint8_t* passages, Shape shape) {
    const auto [rows, cols] = shape;
    unsigned over = 0;
    const std::uint8_t* last = passages + (rows - 1) * cols;
    for (Index c = 0; c < cols; ++c) over |= (passages[c] & bits::north) | (last[c] & bits::south);
    for (Index r = 0; r < rows; ++r)
        over |= (passages[r * cols] & bits::west) | (passages[r * cols + cols - 1] & bits::east);
    if (over != 0) throw std::invalid_argument("passages lead over the rim");
    return {passages, shape};
}

Adjacency adjacency_of_passages(const std::uint8_t* passages, Shape shape, Wrap wrap,
                                std::uint8_t* out, Control& control) {
    if (!wrap.any()) return adjacency_of_passages(passages, shape);
    by_each(shape.size(), control, [&](Index i) { out[i] = passages[i] & 15; });
    unsigned refused = 0;
    // Moves the bits across the border from the low to the high half, or clears them.
    const auto lift = [&](Index site, unsigned move, bool wraps) {
        const unsigned over = out[site] & move;
        refused |= wraps ? 0 : over;
        out[site] = static_cast<std::uint8_t>(out[site] - over + (over << 4));
    };
    each_opposite(shape, control, [&](Index one, Index other, Direction d) {
        lift(one, bit(d), wraps_over(wrap, d));
        lift(other, bit(opposite(d)), wraps_over(wrap, d));
    });
    if (refused != 0) throw std::invalid_argument("passages lead over the rim");
    return {out, shape, HighBits::periodic};
}

Adjacency adjacency_of_walls(const std::uint8_t* walls, Shape shape, std::uint8_t* out,
                             Control& control, int threads, Wrap wrap) {
    moves_of_rows<false>(walls, shape, out, control, threads);
    if (!wrap.any()) return {out, shape};
    each_opposite(shape, control, [&](Index one, Index other, Direction d) {
        if (!wraps_over(wrap, d) || (walls[one] | walls[other]) != 0) return;
        out[one] = static_cast<std::uint8_t>(out[one] | bit(d) << 4);
        out[other] = static_cast<std::uint8_t>(out[other] | bit(opposite(d)) << 4);
    });
    return {out, shape, HighBits::periodic};
}

Adjacency adjacency_with_diagonals(const std::uint8_t* walls, Shape shape, std::uint8_t* out,
                                   Control& control, Corners corners) {
    const auto moves = corners == Corners::never      ? moves_of_rows<true, Corners::never>
                       : corners == Corners::one_free ? moves_of_rows<true, Corners::one_free>
                                                      : moves_of_rows<true, Corners::always>;
    moves(walls, shape, out, control, 1);
    return {out, shape, HighBits::diagonals};
}

}  // namespace meiro
