#include "adjacency.hpp"

#include <algorithm>
#include <stdexcept>

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
    by_pieces(shape.size(), control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) out[i] = passages[i] & 15;
    });
    unsigned refused = 0;
    // Moves the bits across the border from the low to the high half, or clears them.
    const auto lift = [&](Index site, unsigned move, bool wraps) {
        const unsigned over = out[site] & move;
        refused |= wraps ? 0 : over;
        out[site] = static_cast<std::uint8_t>(out[site] - over + (over << 4));
    };
    const auto [rows, cols] = shape;
    for (Index r = 0; r < rows; ++r) {
        lift(r * cols, bits::west, wrap.cols);
        lift(r * cols + cols - 1, bits::east, wrap.cols);
        control.poll();
    }
    by_pieces(cols, control, [&, rows = rows, cols = cols](Index first, Index last) {
        for (Index c = first; c < last; ++c) {
            lift(c, bits::north, wrap.rows);
            lift((rows - 1) * cols + c, bits::south, wrap.rows);
        }
    });
    if (refused != 0) throw std::invalid_argument("passages lead over the rim");
    return {out, shape, HighBits::periodic};
}

Adjacency adjacency_of_walls(const std::uint8_t* walls, Shape shape, std::uint8_t* out,
                             Control& control, int threads) {
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
    return {out, shape};
}

Adjacency adjacency_with_diagonals(const std::uint8_t* walls, Shape shape, std::uint8_t* out,
                                   Control& control) {
    // A diagonal step is open if the four moves around it are: N and E here, E from the site to the
    // north, N from the site to the east. The four straight moves of the adjacent rows are computed
    // already.
    adjacency_of_walls(walls, shape, out, control);
    const auto [rows, cols] = shape;
    by_bands(shape, control, [&, rows = rows, cols = cols](Index first, Index last) {
        for (Index r = first; r < last; ++r) {
            std::uint8_t* const row = out + r * cols;
            const std::uint8_t* const above = r > 0 ? row - cols : row;
            const std::uint8_t* const below = r + 1 < rows ? row + cols : row;
            for (Index c = 0; c < cols; ++c) {
                const unsigned moves = row[c] & 15u;
                const unsigned up = (moves & bits::north) != 0 ? above[c] : 0u;
                const unsigned down = (moves & bits::south) != 0 ? below[c] : 0u;
                // The bits E and W of the site above, and of the site below, that this site has as
                // well.
                const unsigned ups = up & moves, downs = down & moves;
                row[c] = static_cast<std::uint8_t>(
                    moves | ((ups & bits::east) << 3) | ((downs & bits::east) << 4) |
                    ((downs & bits::west) << 3) | ((ups & bits::west) << 4));
            }
        }
    });
    return {out, shape, HighBits::diagonals};
}

Adjacency adjacency_subset(const Adjacency& adjacency, const std::uint8_t* open) {
    return {open, adjacency.shape(), adjacency.high_bits()};
}

}  // namespace meiro
