#include "adjacency.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "border.hpp"
#include "buffer.hpp"
#include "passages.hpp"

namespace meiro {
namespace {

// The bytes of the sites [first, last) of a row; `above` and `below` are null at the border.
void row_of_walls(const std::uint8_t* above, const std::uint8_t* row, const std::uint8_t* below,
                  Index cols, Index first, Index last, std::uint8_t* out) {
    const auto road = [](std::uint8_t site) { return site == 0 ? 1u : 0u; };
    const auto site = [&](Index c, unsigned sideways) {
        const unsigned up = above != nullptr ? road(above[c]) * bits::north : 0;
        const unsigned down = below != nullptr ? road(below[c]) * bits::south : 0;
        return static_cast<std::uint8_t>(road(row[c]) != 0 ? up | down | sideways : 0);
    };
    if (cols == 1) {
        out[0] = site(0, 0);
        return;
    }
    if (first == 0) out[0] = site(0, road(row[1]) * bits::east);
    const Index from = std::max<Index>(first, 1), to = std::min(last, cols - 1);
    // Without branches, so that the compiler can vectorize it.
    if (above != nullptr && below != nullptr)
        for (Index c = from; c < to; ++c) {
            const auto moves = static_cast<std::uint8_t>(
                (above[c] == 0 ? bits::north : 0) | (row[c + 1] == 0 ? bits::east : 0) |
                (below[c] == 0 ? bits::south : 0) | (row[c - 1] == 0 ? bits::west : 0));
            out[c] = static_cast<std::uint8_t>(row[c] == 0 ? moves : 0);
        }
    else
        for (Index c = from; c < to; ++c)
            out[c] = site(c, road(row[c + 1]) * bits::east | road(row[c - 1]) * bits::west);
    if (last == cols) out[cols - 1] = site(cols - 1, road(row[cols - 2]) * bits::west);
}

// The bytes of the sites of a row with diagonal moves.
template <Corners corners>
void all_moves_of_row(const std::uint8_t* above, const std::uint8_t* row, const std::uint8_t* below,
                      Index cols, std::uint8_t* out) {
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
        const unsigned moves =
            n | e << 1 | s << 2 | w << 3 | open(road(above, east) & right, n, e) << 4 |
            open(road(below, east) & right, s, e) << 5 | open(road(below, west) & left, s, w) << 6 |
            open(road(above, west) & left, n, w) << 7;
        return static_cast<std::uint8_t>(row[c] == 0 ? moves : 0);
    };
    out[0] = site(0, 0, cols > 1 ? 1 : 0);
    // Without branches, so that the compiler can vectorize it.
    for (Index c = 1; c < cols - 1; ++c) out[c] = site(c, 1, 1);
    if (cols > 1) out[cols - 1] = site(cols - 1, 1, 0);
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
    const auto [rows, cols] = shape;
    by_bands(shape, control, threads,
             [&, rows = rows, cols = cols](Index first, Index last, Control& worker) {
                 for (Index r = first; r < last; ++r) {
                     const std::uint8_t* const row = walls + r * cols;
                     const std::uint8_t* const above = r > 0 ? row - cols : nullptr;
                     const std::uint8_t* const below = r + 1 < rows ? row + cols : nullptr;
                     const auto columns = [&](Index from, Index to) {
                         row_of_walls(above, row, below, cols, from, to, out + r * cols);
                     };
                     if (last - first > 1)
                         columns(0, cols);
                     else  // a row may be long
                         by_pieces(cols, worker, columns);
                 }
             });
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
    Buffer<std::uint8_t> outside(shape.cols);
    std::fill(outside.begin(), outside.end(), std::uint8_t{1});
    const auto rows_by = [&](auto rule) {
        by_bands(shape, control, [&](Index first, Index last) {
            const auto [rows, cols] = shape;
            for (Index r = first; r < last; ++r) {
                const std::uint8_t* const row = walls + r * cols;
                const std::uint8_t* const above = r > 0 ? row - cols : outside.data();
                const std::uint8_t* const below = r + 1 < rows ? row + cols : outside.data();
                all_moves_of_row<rule.value>(above, row, below, cols, out + r * cols);
            }
        });
    };
    if (corners == Corners::never) rows_by(std::integral_constant<Corners, Corners::never>());
    if (corners == Corners::one_free) rows_by(std::integral_constant<Corners, Corners::one_free>());
    if (corners == Corners::always) rows_by(std::integral_constant<Corners, Corners::always>());
    return {out, shape, HighBits::diagonals};
}

}  // namespace meiro
