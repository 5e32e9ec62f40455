// Unicursal mazes: a new wall along the middle of every passage leaves one path around all walls.
//   W. D. Pullen, Think Labyrinth, "Unicursal". https://www.astrolog.org/labyrnth/algrithm.htm
//
// Each cell becomes four quarters. Two adjacent quarters are joined where the cell has a wall on
// that side; where it has a passage, each continues through it on its own side of the new wall:
//
//   a wall to the north:   NW---NE       a passage to the north:   |    |
//                                                                 NW    NE
//
// So every quarter has degree 2, and the path around a region that is a tree is one closed cycle.
// Linear; no scratch.
#include <array>

#include "transforms.hpp"

namespace meiro {
namespace {

// The open directions of the quarters north-west, north-east, south-west, south-east of a cell.
constexpr auto quarters = [] {
    std::array<std::array<std::uint8_t, 4>, 16> table{};
    for (unsigned open = 0; open < 16; ++open) {
        const auto quarter = [&](unsigned up, unsigned side, unsigned along, unsigned across) {
            return static_cast<std::uint8_t>(((open & up) != 0 ? up : along) |
                                             ((open & side) != 0 ? side : across));
        };
        table[open] = {quarter(bits::north, bits::west, bits::east, bits::south),
                       quarter(bits::north, bits::east, bits::west, bits::south),
                       quarter(bits::south, bits::west, bits::east, bits::north),
                       quarter(bits::south, bits::east, bits::west, bits::north)};
    }
    return table;
}();

}  // namespace

void unicursal(const std::uint8_t* passages, Shape shape, Mask mask, std::uint8_t* out,
               std::uint8_t* mask_out, Control& control) {
    const auto [rows, cols] = shape;
    for (Index r = 0; r < rows; ++r)
        by_pieces(cols, control, [&, r = r, cols = cols](Index first, Index last) {
            for (Index half = 0; half < 2; ++half) {
                const std::uint8_t* const row = passages + r * cols;
                std::uint8_t* const to = out + (2 * r + half) * 2 * cols;
                for (Index c = first; c < last; ++c) {
                    const auto& four = quarters[row[c] & 15u];
                    to[2 * c] = four[static_cast<std::size_t>(2 * half)];
                    to[2 * c + 1] = four[static_cast<std::size_t>(2 * half + 1)];
                }
                if (mask == nullptr) continue;
                std::uint8_t* const exist = mask_out + (2 * r + half) * 2 * cols;
                for (Index c = first; c < last; ++c) {
                    const std::uint8_t cell = mask[r * cols + c] != 0 ? 1 : 0;
                    exist[2 * c] = exist[2 * c + 1] = cell;
                    if (cell == 0) to[2 * c] = to[2 * c + 1] = 0;
                }
            }
        });
}

}  // namespace meiro
