// Small mazes get margins, so that no step of theirs has to ask whether it is at the border: a
// quarter of the cells of 16 x 16 lie there, in an order that no processor predicts.
#pragma once

#include <cstring>
#include <limits>

#include "../job.hpp"

namespace meiro {

// Passages::enter for a cell that is neither in the first row nor in the last.
inline void enter_inside(std::uint8_t* bytes, Index cols, Index cell) {
    bytes[cell - cols] &= taken(Direction::south);
    bytes[cell + cols] &= taken(Direction::north);
    bytes[cell - 1] &= taken(Direction::east);
    bytes[cell + 1] &= taken(Direction::west);
}

// Do the four bytes adjacent to a cell exist? They do in a row with rows above and below, on a
// lattice that is not periodic; writes to those across the border change nothing. With margins they
// do everywhere, and only one cell, the last of the first row, is said to be at the border: what is
// always true would take one more register than that.
class Inside {
public:
    explicit Inside(const Passages& maze)
        : cols_(maze.shape().cols),
          size_(maze.wrap().any() || maze.shape().rows < 3
                    ? 0
                    : static_cast<std::uint64_t>(maze.size() - 2 * cols_)) {}
    static Inside margins(const Passages& maze) {
        Inside all(maze);
        all.size_ = std::numeric_limits<std::uint64_t>::max();
        return all;
    }
    Index cols() const { return cols_; }
    bool operator()(Index cell) const { return static_cast<std::uint64_t>(cell - cols_) < size_; }
    // Enters a cell of the maze, whose bytes are in a register.
    template <class Topology>
    void enter(const Topology& maze, std::uint8_t* bytes, Index cell) const {
        if ((*this)(cell)) [[likely]]
            enter_inside(bytes, cols_, cell);
        else
            maze.enter(cell);
    }

private:
    Index cols_;
    std::uint64_t size_;
};

// body(job, inside), which begins and finishes the maze of the job: a small one is made in scratch
// between two rows of zeros, and copied.
template <class Body>
void with_margins(Job& job, Body body) {
    constexpr Index most = Index{1} << 13;
    const Passages& maze = job.maze;
    const Index size = maze.size(), margin = maze.shape().cols;
    if (maze.wrap().any() || size > most - 2 * margin) return body(job, Inside(maze));
    std::uint8_t bytes[most];
    std::memset(bytes, 0, static_cast<std::size_t>(margin));
    std::memset(bytes + margin + size, 0, static_cast<std::size_t>(margin));
    Job framed = job;
    framed.maze = Passages(bytes + margin, maze.shape());
    body(framed, Inside::margins(framed.maze));
    std::memcpy(maze.bytes(), framed.maze.bytes(), static_cast<std::size_t>(size));
}

}  // namespace meiro
