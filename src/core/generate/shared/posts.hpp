// Walls as arrows on the lattice of posts, (rows + 1) x (cols + 1), whose outer wall is built
// already: what looks like a sentinel is really there. Shared by wilson, pole_toppling and
// wall_extension.
//
// Every inner post ends with exactly one wall, which leads in the direction of its arrow; following
// the arrows one comes to the outer wall. (rows - 1) * (cols - 1) walls without a loop that all
// hang together are just what a perfect maze leaves standing (planar duality), so the maze is
// perfect because each post has its arrow and no arrows run in a circle.
//
// A byte a post, and eight more so that eight can be looked at from any: `standing` and the bits of
// its walls (N = 1, E = 2, S = 4, W = 8). While a post is not built, the other bits are the
// algorithm's own. Scratch: (rows + 1) * (cols + 1) bytes, which is one a cell and two in a maze of
// a single row.
#pragma once

#include <algorithm>

#include "../../buffer.hpp"
#include "../../passages.hpp"

namespace meiro {

// One row of passages from the posts above and below it, cols + 1 each. A tenth of a nanosecond a
// cell in the cache: eight cells at a time in a machine word, which compilers make 16 or more.
void passages_between(const std::uint8_t* above, const std::uint8_t* below, std::uint8_t* open,
                      Index cols);

class Posts {
public:
    static constexpr unsigned standing = 0x80;
    // Of a post in the top or bottom, and in the left or right outer wall.
    static constexpr unsigned outer_row = standing | bit(Direction::east) | bit(Direction::west);
    static constexpr unsigned outer_col = standing | bit(Direction::north) | bit(Direction::south);

    // The outer wall is built, the inner posts are 0: bare.
    Posts(Shape cells, Control& control);

    Shape shape() const { return shape_; }
    Post post(Index id) const { return {id / shape_.cols, id % shape_.cols}; }
    std::array<Index, 4> steps() const { return meiro::steps(shape_.cols); }
    std::uint8_t* bytes() { return bytes_.data(); }
    bool built(Index id) const { return (bytes_[id] & standing) != 0; }
    void build(Index id, Direction towards) {
        bytes_[id] = static_cast<std::uint8_t>(standing | bit(towards));
    }

    // What the walls leave open. All posts are built by now.
    void write(const Passages& maze, Control& control) const;

private:
    Shape shape_;
    Buffer<std::uint8_t> bytes_;
};

}  // namespace meiro
