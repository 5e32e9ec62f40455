// A maze is made where it will stay: Passages is a view over rows * cols bytes that it does not
// own, NumPy's own memory. No padding, no sentinel, no second copy.
//
// While a maze is made, the low half of a byte holds the open directions and the high half the
// neighbours that are still *free* (not yet part of the maze). begin() sets those that exist, so
// the rim and any mask are the same thing and one code serves both. Walkers read the high half and
// never leave it; finish() clears it. Bits: N = 1, E = 2, S = 4, W = 8.
#pragma once

#include "control.hpp"
#include "lattice.hpp"

namespace meiro {

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
    // The neighbour. Here and in enter() and open() only where nothing wraps: see PeriodicPassages.
    Index next(Index cell, Direction d) const { return cell + step(d); }

    // Nothing open; free = the neighbours that exist. Masked-out cells are 0 and nobody's
    // neighbour.
    void begin(Mask mask, Control& control) const;

    // The neighbours of a cell that no one has entered: 4 bits, for Random::pick.
    unsigned free(Index cell) const { return bytes_[cell] >> 4; }

    // No neighbour may choose it any more.
    void enter(Index cell) const {
        // In the first and last column the byte beside belongs to the other end of the next row,
        // whose bit over the rim is clear anyway: only the ends of the memory need a check.
        const Index n = size();
        if (cell >= shape_.cols) [[likely]]
            bytes_[cell - shape_.cols] &= static_cast<std::uint8_t>(~(bit(Direction::south) << 4));
        if (cell + shape_.cols < n) [[likely]]
            bytes_[cell + shape_.cols] &= static_cast<std::uint8_t>(~(bit(Direction::north) << 4));
        if (cell > 0) [[likely]]
            bytes_[cell - 1] &= static_cast<std::uint8_t>(~(bit(Direction::east) << 4));
        if (cell + 1 < n) [[likely]]
            bytes_[cell + 1] &= static_cast<std::uint8_t>(~(bit(Direction::west) << 4));
    }

    // Opens the wall on both sides. The neighbour must exist.
    void open(Index cell, Direction towards) const {
        bytes_[cell] |= static_cast<std::uint8_t>(bit(towards));
        bytes_[cell + step(towards)] |= static_cast<std::uint8_t>(bit(opposite(towards)));
    }

    // Only the open directions remain.
    void finish(Control& control) const;

    // Is it a maze as it stands: no bit above 15, none over the rim or out of the mask, and every
    // passage open on both sides? The first cell where it is not; -1 if all is well.
    Index first_fault(Mask mask, Control& control) const;

private:
    std::uint8_t* bytes_;
    Shape shape_;
    Wrap wrap_;
    std::array<Index, 4> steps_;
};

// The same where the lattice wraps: the neighbour of a cell in the rim is on the other side. Half
// as fast; algorithms that take a wrap are templates over the two.
class PeriodicPassages {
public:
    explicit PeriodicPassages(const Passages& maze) : maze_(maze) {}
    // NOLINTNEXTLINE(misc-explicit-constructor): what asks for no neighbour may take it for one
    operator const Passages&() const { return maze_; }

    Shape shape() const { return maze_.shape(); }
    Wrap wrap() const { return maze_.wrap(); }
    Index size() const { return maze_.size(); }
    std::uint8_t* bytes() const { return maze_.bytes(); }
    Cell cell(Index id) const { return maze_.cell(id); }
    Index step(Direction d) const { return maze_.step(d); }  // away from the rim
    unsigned free(Index cell) const { return maze_.free(cell); }
    void begin(Mask mask, Control& control) const { maze_.begin(mask, control); }
    void finish(Control& control) const { maze_.finish(control); }

    Index next(Index cell, Direction d) const { return beyond(shape(), cell, d); }
    void enter(Index cell) const {
        for (const Direction d : directions)
            bytes()[next(cell, d)] &= static_cast<std::uint8_t>(~(bit(opposite(d)) << 4));
    }
    void open(Index cell, Direction towards) const {
        bytes()[cell] |= static_cast<std::uint8_t>(bit(towards));
        bytes()[next(cell, towards)] |= static_cast<std::uint8_t>(bit(opposite(towards)));
    }

private:
    Passages maze_;
};

// body(topology), which is a Passages or a PeriodicPassages.
template <class Body>
void with_topology(const Passages& maze, Body body) {
    if (maze.wrap().any())
        body(PeriodicPassages(maze));
    else
        body(maze);
}

}  // namespace meiro
