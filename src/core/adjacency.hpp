// The moves of a search: a byte per site, with a bit for every open move. Move d of a site leads to
// site + offsets()[d], and d ^ 2 leads back:
//
//   bits 0 .. 3   N, E, S, W
//   bits 4 .. 7   the same directions across the border, of a periodic maze;
//                 or the diagonals NE, SE, SW, NW, of an array
//
// So a search takes a step across the border like any other, without a test, and one code serves
// all lattices.
//
// The passages of a maze that is not periodic are an Adjacency as they stand; those of a periodic
// maze, and a wall/road array, are converted in one pass. Only the functions below make an
// Adjacency, and they check or clear the bits at the border: whatever a user passes, no move leads
// outside the memory, so searches need no bounds checks.
#pragma once

#include <array>

#include "assert.hpp"
#include "control.hpp"
#include "lattice.hpp"

namespace meiro {

// Which diagonal steps an array has: those beside which both sites are road, or at least one, or
// all between two roads.
enum class Corners : std::uint8_t { never, one_free, always };

// The meaning of the high four bits.
enum class HighBits : std::uint8_t { unused, periodic, diagonals };

// The differences of rows and of columns, per move, without diagonal ones.
struct MoveOffsets {
    std::array<Index, 8> row, col;
    explicit MoveOffsets(Shape shape)
        : row{-1, 0, 1, 0, shape.rows - 1, 0, 1 - shape.rows, 0},
          col{0, 1, 0, -1, 0, 1 - shape.cols, 0, shape.cols - 1} {}
};

class Adjacency {
public:
    const std::uint8_t* open() const { return open_; }
    Shape shape() const { return shape_; }
    Index size() const { return shape_.size(); }
    // The difference of site numbers, per move.
    std::array<Index, 8> offsets() const {
        const auto [rows, cols] = shape_;
        if (high_bits_ == HighBits::diagonals)
            return {-cols, 1, cols, -1, 1 - cols, cols + 1, cols - 1, -cols - 1};
        const Index column = (rows - 1) * cols, row = cols - 1;
        return {-cols, 1, cols, -1, column, -row, -column, row};
    }
    // The bits that are moves. If the high bits are unused, they may have any value.
    unsigned moves() const { return high_bits_ == HighBits::unused ? 0x0f : 0xff; }
    HighBits high_bits() const { return high_bits_; }
    // Where a move leads.
    Index after(Index at, unsigned move) const { return at + offsets()[move]; }
    Direction direction_of(unsigned move) const {
        return static_cast<Direction>(high_bits_ == HighBits::diagonals ? move : move & 3u);
    }

private:
    Adjacency(const std::uint8_t* open, Shape shape, HighBits high_bits = HighBits::unused)
        : open_(open), shape_(shape), high_bits_(high_bits) {}
    friend Adjacency adjacency_of_passages(const std::uint8_t*, Shape);
    friend Adjacency adjacency_of_passages(const std::uint8_t*, Shape, Wrap, std::uint8_t*,
                                           Control&);
    friend Adjacency adjacency_of_walls(const std::uint8_t*, Shape, std::uint8_t*, Control&, int,
                                        Wrap);
    friend Adjacency adjacency_with_diagonals(const std::uint8_t*, Shape, std::uint8_t*, Control&,
                                              Corners);

    const std::uint8_t* open_;
    Shape shape_;
    HighBits high_bits_;
};

// Passages as they stand. Checks the border, in time linear in its length: std::invalid_argument.
Adjacency adjacency_of_passages(const std::uint8_t* passages, Shape shape);

// The same for a maze that may be periodic; if it is, its moves are written to `out`, a byte per
// site.
Adjacency adjacency_of_passages(const std::uint8_t* passages, Shape shape, Wrap wrap,
                                std::uint8_t* out, Control& control);

// A wall/road array (0 = road) with steps to the four neighbours, and across the borders that wrap,
// written to `out`, a byte per site, by threads that share the rows. About 0.2 ns per site.
Adjacency adjacency_of_walls(const std::uint8_t* walls, Shape shape, std::uint8_t* out,
                             Control& control, int threads = 1, Wrap wrap = {});

// The same with steps to all eight, none of them across a border.
Adjacency adjacency_with_diagonals(const std::uint8_t* walls, Shape shape, std::uint8_t* out,
                                   Control& control, Corners corners = Corners::never);

// The moves of a byte of an Adjacency, in the order in which to try their directions: four bits
// each, the first lowest, 15 (no_move) at the end. Only moves of adjacency.moves() are followed.
class OrderedNeighbours {
public:
    constexpr OrderedNeighbours(const std::array<Direction, 4>& order, unsigned moves) {
        for (unsigned byte = 0; byte < 256; ++byte) {
            std::uint64_t packed = 0;
            unsigned count = 0;
            for (const Direction d : order)
                for (const unsigned over : {0u, 4u})
                    if ((byte & moves & bit(d) << over) != 0)
                        packed |= (static_cast<std::uint64_t>(d) | over) << (4 * count++);
            table_[byte] = packed | ~std::uint64_t{0} << (4 * count);
        }
    }
    constexpr std::uint64_t operator[](unsigned byte) const {
        MEIRO_ASSERT(byte < 256);
        return table_[byte];
    }

private:
    std::array<std::uint64_t, 256> table_{};
};

inline constexpr unsigned no_move = 15;

// without_reverse[d]: the mask for the byte of a site that was reached by move d, all moves but the
// reverse; trying that one costs a mispredicted branch at every second site.
inline constexpr unsigned from_nowhere = 8;
inline constexpr auto without_reverse = [] {
    std::array<std::uint8_t, 16> mask{};
    for (unsigned d = 0; d < 16; ++d)
        mask[d] = static_cast<std::uint8_t>(d < from_nowhere ? ~(1u << (d ^ 2u)) : ~0u);
    return mask;
}();

}  // namespace meiro
