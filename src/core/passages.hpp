// Passages: a view over the rows * cols bytes of a maze that it does not own, NumPy's own memory.
// No padding, no sentinel, no second copy.
//
// During generation a byte holds
//
//   bits 0 .. 3   the open directions, N = 1, E = 2, S = 4, W = 8
//   bits 4 .. 7   the directions of *free* neighbours, not yet part of the maze
//
// begin() sets the free bits of existing neighbours, so that border and mask need no cases of their
// own: walks follow free bits only and never leave the maze. finish() clears the high half.
#pragma once

#include "assert.hpp"
#include "control.hpp"
#include "lattice.hpp"

namespace meiro {

// The mask that clears the free bit of direction d.
constexpr std::uint8_t taken(Direction d) {
    return static_cast<std::uint8_t>(~(bit(d) << 4));
}

class Passages {
public:
    Passages(std::uint8_t* bytes, Shape shape, Wrap wrap = {})
        : bytes_(bytes), shape_(shape), wrap_(wrap), steps_(steps(shape.cols)) {}

    Shape shape() const { return shape_; }
    Wrap wrap() const { return wrap_; }
    Index size() const { return shape_.size(); }
    std::uint8_t* bytes() const { return bytes_; }
    Cell cell(Index id) const { return shape_.cell(id); }
    Index step(Direction d) const { return steps_[static_cast<std::size_t>(d)]; }
    // The neighbour. This, enter() and open() ignore periodic axes: see PeriodicPassages.
    Index next(Index cell, Direction d) const { return cell + step(d); }

    // Clears all open bits; free = the existing neighbours. A masked-out cell is 0, and no cell has
    // it as a free neighbour.
    // Threads share the cells, if there is no mask.
    void begin(Mask mask, Control& control, int threads = 1) const;

    // The directions of neighbours not entered yet: 4 bits, for Random::pick.
    unsigned free(Index cell) const {
        MEIRO_ASSERT(cell >= 0 && cell < size());
        return bytes_[cell] >> 4;
    }

    // The directions of all existing neighbours, periodic ones too.
    unsigned existing(Mask mask, Index cell) const;

    // Marks the cell as entered: its neighbours lose their free bit towards it.
    void enter(Index cell) const {
        MEIRO_ASSERT(cell >= 0 && cell < size());
        // In the first and last column the adjacent byte belongs to the other end of an adjacent
        // row, whose bit across the border is clear anyway: only the ends of the memory need a
        // check.
        const Index n = size();
        if (cell >= shape_.cols) [[likely]]
            bytes_[cell - shape_.cols] &= taken(Direction::south);
        if (cell + shape_.cols < n) [[likely]]
            bytes_[cell + shape_.cols] &= taken(Direction::north);
        if (cell > 0) [[likely]]
            bytes_[cell - 1] &= taken(Direction::east);
        if (cell + 1 < n) [[likely]]
            bytes_[cell + 1] &= taken(Direction::west);
    }

    // Opens the wall on both sides. The neighbour must exist.
    void open(Index cell, Direction towards) const {
        MEIRO_ASSERT(cell >= 0 && cell < size());
        MEIRO_ASSERT(cell + step(towards) >= 0 && cell + step(towards) < size());
        bytes_[cell] |= static_cast<std::uint8_t>(bit(towards));
        bytes_[cell + step(towards)] |= static_cast<std::uint8_t>(bit(opposite(towards)));
    }

    // Leaves only the open directions.
    void finish(Control& control, int threads = 1) const;

    // The first cell that is not sound, -1 if all are. A sound byte has no bit above 15, no passage
    // across the border (unless periodic) or into a masked-out cell, and each passage is open on
    // both sides. Threads share the rows.
    Index first_fault(Mask mask, Control& control, int threads = 1) const;

private:
    void begin_rows(Mask mask, Index first, Index last, Control& control) const;

    std::uint8_t* bytes_;
    Shape shape_;
    Wrap wrap_;
    std::array<Index, 4> steps_;
};

// The same for periodic lattices: a cell in the border has its neighbour on the opposite side. Half
// as fast; algorithms on periodic lattices are templates over the two.
class PeriodicPassages {
public:
    explicit PeriodicPassages(const Passages& maze) : maze_(maze) {}
    // NOLINTNEXTLINE(misc-explicit-constructor): used as Passages where no neighbour is needed
    operator const Passages&() const { return maze_; }

    Shape shape() const { return maze_.shape(); }
    Wrap wrap() const { return maze_.wrap(); }
    Index size() const { return maze_.size(); }
    std::uint8_t* bytes() const { return maze_.bytes(); }
    Cell cell(Index id) const { return maze_.cell(id); }
    unsigned free(Index cell) const { return maze_.free(cell); }
    void begin(Mask mask, Control& control) const { maze_.begin(mask, control); }
    void finish(Control& control) const { maze_.finish(control); }

    Index next(Index cell, Direction d) const { return beyond(shape(), cell, d); }
    void enter(Index cell) const {
        for (const Direction d : directions) bytes()[next(cell, d)] &= taken(opposite(d));
    }
    void open(Index cell, Direction towards) const {
        bytes()[cell] |= static_cast<std::uint8_t>(bit(towards));
        bytes()[next(cell, towards)] |= static_cast<std::uint8_t>(bit(opposite(towards)));
    }

private:
    Passages maze_;
};

// body(topology) for a Passages or a PeriodicPassages.
template <class Body>
void with_topology(const Passages& maze, Body body) {
    if (maze.wrap().any())
        body(PeriodicPassages(maze));
    else
        body(maze);
}

// The number of cells of a mask, and the k-th of them, where there are more than k.
Index count_mask(Mask mask, Index size, Control& control);
Index cell_of_mask(Mask mask, Index k, Control& control);

}  // namespace meiro
