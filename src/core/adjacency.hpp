// What can be walked: one byte a site, a bit for every way that leads on. Way d of a site leads to
// site + moves()[d], and d ^ 2 leads back. Bits N = 1, E = 2, S = 4, W = 8; the high four bits are
// the same directions over the rim, to the other side of a maze that wraps, or the diagonals NE,
// SE, SW, NW of an array: so a search takes a step of the torus as any other, without a test, and
// one code serves all.
//
// The passages of a flat maze are Links as they stand; those of one that wraps, and a wall/road
// array, become Links in one pass. Links are made only by the functions below, which check or set
// the rim: whatever a user hands over, no bit leads outside the memory, so searches need no bounds.
#pragma once

#include <array>

#include "control.hpp"
#include "lattice.hpp"

namespace meiro {

// What the high four bits are.
enum class High : std::uint8_t { nothing, over_the_rim, diagonals };

class Links {
public:
    const std::uint8_t* open() const { return open_; }
    Shape shape() const { return shape_; }
    Index size() const { return shape_.size(); }
    // What to add to a site to come to the next, per way.
    std::array<Index, 8> moves() const {
        const auto [rows, cols] = shape_;
        if (high_ == High::diagonals)
            return {-cols, 1, cols, -1, 1 - cols, cols + 1, cols - 1, -cols - 1};
        const Index column = (rows - 1) * cols, row = cols - 1;
        return {-cols, 1, cols, -1, column, -row, -column, row};
    }
    // The bits that are ways; of a flat maze the others are anything.
    unsigned ways() const { return high_ == High::nothing ? 0x0f : 0xff; }
    High high() const { return high_; }
    Direction direction_of(unsigned way) const {
        return static_cast<Direction>(high_ == High::diagonals ? way : way & 3u);
    }

private:
    Links(const std::uint8_t* open, Shape shape, High high = High::nothing)
        : open_(open), shape_(shape), high_(high) {}
    friend Links links_of_passages(const std::uint8_t*, Shape);
    friend Links links_of_passages(const std::uint8_t*, Shape, Wrap, std::uint8_t*, Control&);
    friend Links links_of_walls(const std::uint8_t*, Shape, std::uint8_t*, Control&);
    friend Links links_with_diagonals(const std::uint8_t*, Shape, std::uint8_t*, Control&);
    friend Links links_left(const Links&, const std::uint8_t*);

    const std::uint8_t* open_;
    Shape shape_;
    High high_;
};

// Passages as they stand. The rim is checked again, which costs its length: std::invalid_argument.
Links links_of_passages(const std::uint8_t* passages, Shape shape);

// The same of a maze that may wrap; if it does they are written to `room`, of as many bytes.
Links links_of_passages(const std::uint8_t* passages, Shape shape, Wrap wrap, std::uint8_t* room,
                        Control& control);

// A wall/road array (0 = road) with steps to the four neighbours, written to `room` of as many
// bytes. About 0.2 ns a site.
Links links_of_walls(const std::uint8_t* walls, Shape shape, std::uint8_t* room, Control& control);

// The same with steps to all eight; a diagonal one needs both corners beside it to be road.
Links links_with_diagonals(const std::uint8_t* walls, Shape shape, std::uint8_t* room,
                           Control& control);

// Some of the ways of `links`: `open` has no bit that it has not, and none without its way back.
Links links_left(const Links& links, const std::uint8_t* open);

// Which ways a byte of Links has, in the order that their directions are to be looked at: four bits
// each, the first lowest, 15 at the end. Only those of links.ways() are followed.
class Choices {
public:
    constexpr Choices(const std::array<Direction, 4>& order, unsigned ways) {
        for (unsigned byte = 0; byte < 256; ++byte) {
            std::uint64_t packed = 0;
            unsigned count = 0;
            for (const Direction d : order)
                for (const unsigned over : {0u, 4u})
                    if ((byte & ways & bit(d) << over) != 0)
                        packed |= (static_cast<std::uint64_t>(d) | over) << (4 * count++);
            table_[byte] = packed | ~std::uint64_t{0} << (4 * count);
        }
    }
    constexpr std::uint64_t operator[](unsigned byte) const { return table_[byte]; }

private:
    std::array<std::uint64_t, 256> table_{};
};

inline constexpr unsigned no_choice = 15;

// onward[d]: what to keep of the Links of a site that was reached by way d, all but the way back;
// looking back there costs a mispredicted branch at every second site.
inline constexpr unsigned from_nowhere = 8;
inline constexpr auto onward = [] {
    std::array<std::uint8_t, 16> mask{};
    for (unsigned d = 0; d < 16; ++d)
        mask[d] = static_cast<std::uint8_t>(d < from_nowhere ? ~(1u << (d ^ 2u)) : ~0u);
    return mask;
}();

}  // namespace meiro
