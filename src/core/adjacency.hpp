// What can be walked: one byte a site, a bit for every move that is open. Move d of a site leads to
// site + offsets()[d], and d ^ 2 leads back. Bits N = 1, E = 2, S = 4, W = 8; the high four bits
// are the same directions over the rim, to the other side of a maze that wraps, or the diagonals
// NE, SE, SW, NW of an array: so a search takes a step of the torus as any other, without a test,
// and one code serves all.
//
// The passages of a flat maze are an Adjacency as they stand; those of one that wraps, and a
// wall/road array, become one in one pass. It is made only by the functions below, which check or
// set the rim: whatever a user hands over, no bit leads outside the memory, so searches need no
// bounds.
#pragma once

#include <array>

#include "control.hpp"
#include "lattice.hpp"

namespace meiro {

// What the high four bits are.
enum class HighBits : std::uint8_t { unused, periodic, diagonals };

class Adjacency {
public:
    const std::uint8_t* open() const { return open_; }
    Shape shape() const { return shape_; }
    Index size() const { return shape_.size(); }
    // What to add to a site to come to the next, per move.
    std::array<Index, 8> offsets() const {
        const auto [rows, cols] = shape_;
        if (high_bits_ == HighBits::diagonals)
            return {-cols, 1, cols, -1, 1 - cols, cols + 1, cols - 1, -cols - 1};
        const Index column = (rows - 1) * cols, row = cols - 1;
        return {-cols, 1, cols, -1, column, -row, -column, row};
    }
    // The bits that are moves; of a flat maze the others are anything.
    unsigned moves() const { return high_bits_ == HighBits::unused ? 0x0f : 0xff; }
    HighBits high_bits() const { return high_bits_; }
    Direction direction_of(unsigned move) const {
        return static_cast<Direction>(high_bits_ == HighBits::diagonals ? move : move & 3u);
    }

private:
    Adjacency(const std::uint8_t* open, Shape shape, HighBits high_bits = HighBits::unused)
        : open_(open), shape_(shape), high_bits_(high_bits) {}
    friend Adjacency adjacency_of_passages(const std::uint8_t*, Shape);
    friend Adjacency adjacency_of_passages(const std::uint8_t*, Shape, Wrap, std::uint8_t*,
                                           Control&);
    friend Adjacency adjacency_of_walls(const std::uint8_t*, Shape, std::uint8_t*, Control&);
    friend Adjacency adjacency_with_diagonals(const std::uint8_t*, Shape, std::uint8_t*, Control&);
    friend Adjacency adjacency_subset(const Adjacency&, const std::uint8_t*);

    const std::uint8_t* open_;
    Shape shape_;
    HighBits high_bits_;
};

// Passages as they stand. The rim is checked again, which costs its length: std::invalid_argument.
Adjacency adjacency_of_passages(const std::uint8_t* passages, Shape shape);

// The same of a maze that may wrap; if it does they are written to `room`, of as many bytes.
Adjacency adjacency_of_passages(const std::uint8_t* passages, Shape shape, Wrap wrap,
                                std::uint8_t* out, Control& control);

// A wall/road array (0 = road) with steps to the four neighbours, written to `room` of as many
// bytes. About 0.2 ns a site.
Adjacency adjacency_of_walls(const std::uint8_t* walls, Shape shape, std::uint8_t* out,
                             Control& control);

// The same with steps to all eight; a diagonal one needs both corners beside it to be road.
Adjacency adjacency_with_diagonals(const std::uint8_t* walls, Shape shape, std::uint8_t* out,
                                   Control& control);

// Some of the moves of `adjacency`: `open` has no bit that it has not, and none without its move
// back.
Adjacency adjacency_subset(const Adjacency& adjacency, const std::uint8_t* open);

// The moves of a byte of an Adjacency, in the order that their directions are to be looked at: four
// bits each, the first lowest, 15 (no_move) at the end. Only those of adjacency.moves() are
// followed.
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
    constexpr std::uint64_t operator[](unsigned byte) const { return table_[byte]; }

private:
    std::array<std::uint64_t, 256> table_{};
};

inline constexpr unsigned no_move = 15;

// without_reverse[d]: what to keep of the byte of a site that was reached by move d, all but the
// move back; looking back there costs a mispredicted branch at every second site.
inline constexpr unsigned from_nowhere = 8;
inline constexpr auto without_reverse = [] {
    std::array<std::uint8_t, 16> mask{};
    for (unsigned d = 0; d < 16; ++d)
        mask[d] = static_cast<std::uint8_t>(d < from_nowhere ? ~(1u << (d ^ 2u)) : ~0u);
    return mask;
}();

}  // namespace meiro
