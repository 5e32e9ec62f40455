// Step table of backtracker and hunt_and_kill. Their critical path is load, mask, table, add from
// the byte of one cell to that of the next; the table holds the step itself, and the digit of the
// draw is ready beforehand, in a register.
#pragma once

#include <bit>
#include <type_traits>

#include "../../passages.hpp"
#include "../../random.hpp"

namespace meiro {

// Random::digit() with the rest of the word in a register, as its address is never taken.
class Digits {
public:
    template <class Draws>
    unsigned next(Draws& random) {
        if (left_ == 0) [[unlikely]] {
            rest_ = random.digits();
            left_ = detail::digits_a_word;
        }
        --left_;
        const Product p = multiply(rest_, 12);
        rest_ = p.low;
        return static_cast<unsigned>(p.high);
    }

private:
    std::uint64_t rest_ = 0;
    int left_ = 0;
};

template <class Id>
struct TableStep {
    std::make_signed_t<Id> offset;
    std::uint8_t leave;   // change of the cell's byte: opens the direction, no longer free
    std::uint8_t arrive;  // bit set in the next cell's byte: open on that side
    Direction direction() const { return static_cast<Direction>(std::countr_zero(leave)); }
};

// The steps from a cell, by its free directions (still in the high half of a byte) and a digit.
template <class Id>
class StepTable {
public:
    explicit StepTable(const Passages& maze) {
        TableStep<Id> step[4];
        for (const Direction d : directions)
            step[static_cast<std::size_t>(d)] = {static_cast<std::make_signed_t<Id>>(maze.step(d)),
                                                 static_cast<std::uint8_t>(bit(d) * 17),
                                                 static_cast<std::uint8_t>(bit(opposite(d)))};
        for (unsigned free = 1; free < 16; ++free)
            for (unsigned digit = 0; digit < 12; ++digit)
                steps_[free << 4 | digit] = step[static_cast<std::size_t>(pick_by(free, digit))];
    }
    const TableStep<Id>& at(unsigned free, unsigned digit) const { return (steps_ + digit)[free]; }

private:
    TableStep<Id> steps_[256];
};

}  // namespace meiro
