// What can be walked: one byte a site, a bit for every direction that leads on. Bits N = 1, E = 2,
// S = 4, W = 8, NE = 16, SE = 32, SW = 64, NW = 128; bit d leads to site + moves(cols)[d].
//
// The passages of a maze are Links as they stand; a wall/road array becomes Links in one pass.
// Links are made only by the functions below, which check or set the rim: whatever a user hands
// over, no bit leads outside the memory, so searches need no bounds.
#pragma once

#include <array>

#include "control.hpp"
#include "lattice.hpp"

namespace meiro {

// What to add to a site to come to the next, per direction; d ^ 2 is the opposite of d.
constexpr std::array<Index, 8> moves(Index cols) {
    return {-cols, 1, cols, -1, 1 - cols, cols + 1, cols - 1, -cols - 1};
}

class Links {
public:
    const std::uint8_t* open() const { return open_; }
    Shape shape() const { return shape_; }
    Index size() const { return shape_.size(); }

private:
    Links(const std::uint8_t* open, Shape shape) : open_(open), shape_(shape) {}
    friend Links links_of_passages(const std::uint8_t*, Shape);
    friend Links links_of_walls(const std::uint8_t*, Shape, std::uint8_t*, Control&);

    const std::uint8_t* open_;
    Shape shape_;
};

// Passages as they stand. The rim is checked again, which costs its length: std::invalid_argument.
Links links_of_passages(const std::uint8_t* passages, Shape shape);

// A wall/road array (0 = road) with steps to the four neighbours, written to `room` of as many
// bytes. About 0.2 ns a site.
Links links_of_walls(const std::uint8_t* walls, Shape shape, std::uint8_t* room, Control& control);

// Which directions a byte of Links has, in the order they are to be looked at: four bits each, the
// first lowest, 15 at the end. Only the four straight directions are followed.
class Choices {
public:
    constexpr explicit Choices(const std::array<Direction, 4>& order) {
        for (unsigned byte = 0; byte < 256; ++byte) {
            std::uint64_t packed = 0;
            unsigned count = 0;
            for (const Direction d : order)
                if ((byte & bit(d)) != 0) packed |= static_cast<std::uint64_t>(d) << (4 * count++);
            table_[byte] = packed | ~std::uint64_t{0} << (4 * count);
        }
    }
    constexpr std::uint64_t operator[](unsigned byte) const { return table_[byte]; }

private:
    std::array<std::uint64_t, 256> table_{};
};

inline constexpr unsigned no_choice = 15;

// onward[d]: what to keep of the Links of a site that was reached by direction d, all but the way
// back; looking back there costs a mispredicted branch at every second site.
inline constexpr unsigned from_nowhere = 8;
inline constexpr auto onward = [] {
    std::array<std::uint8_t, 16> mask{};
    for (unsigned d = 0; d < 16; ++d)
        mask[d] = static_cast<std::uint8_t>(d < from_nowhere ? ~(1u << (d ^ 2u)) : ~0u);
    return mask;
}();

}  // namespace meiro
