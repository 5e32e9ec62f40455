// Walls as arrows on the lattice of posts, (rows + 1) x (cols + 1), with the outer wall already
// built, so that its posts serve as sentinels. Shared by wilson, pole_toppling and wall_extension.
//
// Each inner post ends with exactly one wall, in the direction of its arrow; the arrows lead to the
// outer wall. By planar duality, a maze is perfect if its (rows - 1) * (cols - 1) inner walls are
// connected to the outer wall and have no cycle, so if each inner post has an arrow and no arrows
// form a cycle:
//
//   +---+---+---+
//   |       ^   |      2 x 3 cells: the two inner posts "o"
//   +<--o   o   +      have an arrow each
//   |           |
//   +---+---+---+
//
// A byte per post, and eight bytes more so that eight can be read from any: `standing`, and the
// bits of its walls (N = 1, E = 2, S = 4, W = 8). Before a post is built, the algorithm may use the
// other bits. Scratch: (rows + 1) * (cols + 1) bytes, about one per cell, two in a maze of a single
// row.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "../../buffer.hpp"
#include "../../passages.hpp"

namespace meiro {

// One row of passages from the posts above and below it, cols + 1 each. A tenth of a nanosecond per
// cell in the cache: eight cells at a time in a machine word, which compilers widen to 16 or more.
void passages_between(const std::uint8_t* above, const std::uint8_t* below, std::uint8_t* open,
                      Index cols);
// The same of some short rows, from the rows + 1 of posts around them, `stride` apart: at least
// cols + 16.
void passages_of_rows(const std::uint8_t* posts, Index stride, Shape cells, std::uint8_t* open);

class Posts {
public:
    static constexpr unsigned standing = 0x80;
    // For posts in the top or bottom, and in the left or right outer wall.
    static constexpr unsigned outer_row = standing | bit(Direction::east) | bit(Direction::west);
    static constexpr unsigned outer_col = standing | bit(Direction::north) | bit(Direction::south);

    // Builds the outer wall; the inner posts are 0: bare.
    Posts(Shape cells, Control& control);

    Shape shape() const { return shape_; }
    Post post(Index id) const { return {id / shape_.cols, id % shape_.cols}; }
    std::array<Index, 4> steps() const { return meiro::steps(shape_.cols); }
    std::uint8_t* bytes() { return bytes_.data(); }
    bool built(Index id) const { return (bytes_[id] & standing) != 0; }
    // The posts of a row that are bare when their turn comes, until body(post) is false. Returns
    // whether it never was. Testing each post by itself, not eight at once, is an unpredictable
    // branch: 16.2 ns per cell of wilson instead of 13.3.
    template <class Body>
    bool each_bare(Index row, Body body) const {
        const Index last = (row + 1) * shape_.cols - 1;
        for (Index post = last + 1 - shape_.cols; post <= last; ++post) {
            std::uint64_t eight;
            std::memcpy(&eight, bytes_.data() + post, sizeof eight);
            const std::uint64_t bare = ~eight & each(standing);
            if (bare == 0) {
                post += 7;
                continue;
            }
            post += (std::endian::native == std::endian::little ? std::countr_zero(bare)
                                                                : std::countl_zero(bare)) /
                    8;
            if (post > last) break;
            if (!body(post)) return false;
        }
        return true;
    }
    void build(Index id, Direction towards) {
        bytes_[id] = static_cast<std::uint8_t>(standing | bit(towards));
    }

    // Writes the passages between the walls. All posts must be built.
    void write(const Passages& maze, Control& control) const;

private:
    Shape shape_;
    Buffer<std::uint8_t> bytes_;
};

}  // namespace meiro
