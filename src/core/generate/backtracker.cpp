// Recursive backtracker: depth-first search from `start`, each step uniform among the neighbours
// that are not visited yet. Also "digging" (anahori), randomized depth-first search.
//   J. Buck, Mazes for Programmers (2015), ch. 5. Law: backtracker.
//
// The stack holds only cells that had a second choice when they were left: the others can never be
// gone on from, so popping past them would be work without result. Where the stack runs empty and
// cells are left (a mask in several parts), it goes on from a random unvisited cell.
// after_dead_end = random: go on from a cell chosen uniformly among the carved ones that still have
// an unvisited neighbour, instead of the newest.
//
// Time: linear. Scratch: at worst one id a cell for the stack; with a mask one more for the parts.
//
// What takes the time is the way from one cell's byte to the next one's: load, mask, table, add. So
// the table gives the step itself, the digit of the draw is ready beforehand, the byte of the cell
// is in a register while the walk is there, and only the rim asks which neighbours there are.
// Walking and going back are loops of their own, since each is followed by more of the same.
// Measured, ns a cell at 100 x 100: one loop over Passages and Random 10.8; two loops, remainder in
// a register, table of steps 8.0; one question for the rim, no shift before the table 7.0; popping
// by fours 7.1.
#include <algorithm>
#include <bit>
#include <limits>
#include <type_traits>

#include "../buffer.hpp"
#include "generators.hpp"

namespace meiro {
namespace {

constexpr Index chunk = 1 << 12;

// Cells that no walk has reached yet, for masks in several parts. An unvisited cell has nothing
// open and a free neighbour; a cell without neighbours is finished from the start.
template <class Id>
class Unvisited {
public:
    explicit Unvisited(const Job& job) : maze_(job.maze), control_(job.control) {}

    // A uniform one, -1 if there is none.
    Index take(Random& random) {
        if (!collected_) collect();
        while (!cells_.empty()) {
            const Index i = random.below(cells_.size());
            const auto cell = static_cast<Index>(cells_[i]);
            cells_[i] = cells_.pop();
            if (waits(cell)) return cell;
        }
        return -1;
    }

private:
    bool waits(Index cell) const {
        return (maze_.bytes()[cell] & 15) == 0 && maze_.free(cell) != 0;
    }
    void collect() {
        collected_ = true;
        for (Index cell = 0; cell < maze_.size(); ++cell) {
            control_.poll();
            if (waits(cell)) cells_.push(static_cast<Id>(cell));
        }
    }
    const Passages maze_;
    Control& control_;
    Stack<Id> cells_{1};
    bool collected_ = false;
};

// Random::digit() with the rest of the word in a register: nothing else has its address.
class Digits {
public:
    unsigned next(Random& random) {
        if (left_ == 0) [[unlikely]] {
            do rest_ = random();
            while (rest_ * detail::twelves < detail::unfair);
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

// The byte of a neighbour in the opposite of this direction, when its free direction is taken.
constexpr std::uint8_t taken(Direction d) {
    return static_cast<std::uint8_t>(~(bit(d) << 4));
}

template <class Id>
struct Move {
    std::make_signed_t<Id> step;
    std::uint8_t leave;   // into the byte of the cell: the direction is open, and free no more
    std::uint8_t arrive;  // into the byte of the next cell: open on that side as well
    Direction direction() const { return static_cast<Direction>(std::countr_zero(leave)); }
};

// The moves out of a cell, by its free directions (still in the high half of a byte) and a digit.
template <class Id>
class Moves {
public:
    explicit Moves(const Passages& maze) {
        for (unsigned free = 1; free < 16; ++free)
            for (unsigned digit = 0; digit < 12; ++digit) {
                const auto d = static_cast<Direction>(detail::pick_table[free][digit]);
                moves_[free << 4 | digit] = {static_cast<std::make_signed_t<Id>>(maze.step(d)),
                                             static_cast<std::uint8_t>(bit(d) * 17),
                                             static_cast<std::uint8_t>(bit(opposite(d)))};
            }
    }
    const Move<Id>& at(unsigned free, unsigned digit) const { return (moves_ + digit)[free]; }

private:
    Move<Id> moves_[256];
};

template <class Id, bool newest, Recorder R>
class Walk {
public:
    Walk(Job& job, R& record)
        : job_(job),
          record_(record),
          maze_(job.maze),
          random_(job.seed),
          unvisited_(job),
          moves_(maze_) {}

    void run() {
        Index at = job_.options.start;
        if (at < 0)
            for (at = 0; job_.mask != nullptr && job_.mask[at] == 0; ++at) job_.control.poll();
        while (at >= 0) {
            maze_.enter(at);
            record_.on(Event::visit, maze_.cell(at));
            for (bool more = true; more; job_.control.poll(chunk)) more = part(at);
            at = job_.mask == nullptr ? -1 : unvisited_.take(random_);
        }
    }

private:
    // Up to a chunk of steps and of cells gone back over, on from `at` and to where it comes. False
    // if the stack ran empty.
    bool part(Index& start) {
        again_.reserve(chunk);
        std::uint8_t* const bytes = maze_.bytes();
        const Index cols = maze_.shape().cols;
        // Of the rows between the first and the last; all four bytes around each are there.
        const auto inner = static_cast<std::uint64_t>(std::max<Index>(0, maze_.size() - 2 * cols));
        const Id* const base = again_.begin();
        Id* top = again_.end();
        Digits digits = digits_;
        Index at = start;
        Index left = chunk;
        Index back = 0;
        std::uint8_t value = bytes[at];
        for (;;) {
            unsigned free = value & 0xf0u;
            while (free != 0 && left > 0) {
                *top = static_cast<Id>(at);
                top += (free & (free - 1)) != 0 ? 1 : 0;
                const Move<Id> move = moves_.at(free, digits.next(random_));
                record_.on(Event::carve, maze_.cell(at), move.direction());
                bytes[at] = value ^ move.leave;
                at += move.step;
                value = bytes[at];
                free = value & 0xf0u;
                value |= move.arrive;
                const auto beyond_first_row = static_cast<std::uint64_t>(at - cols);
                if (beyond_first_row < inner) [[likely]] {
                    bytes[at - cols] &= taken(Direction::south);
                    bytes[at + cols] &= taken(Direction::north);
                    bytes[at - 1] &= taken(Direction::east);
                    bytes[at + 1] &= taken(Direction::west);
                } else {
                    maze_.enter(at);
                }
                --left;
            }
            bytes[at] = value;
            if (left == 0) break;
            const Id* const stop = top - base > left ? top - left : base;
            const Id* const before = top;
            while (value < 16 && top != stop) {
                if constexpr (!newest) std::swap(again_[random_.below(top - base)], top[-1]);
                at = static_cast<Index>(*--top);
                record_.on(Event::back, maze_.cell(at));
                value = bytes[at];
            }
            left -= before - top;
            back += before - top;
            if (value < 16) break;
        }
        const bool more = value >= 16 || top != base;
        digits_ = digits;
        again_.resize(top - base);
        job_.control.done(chunk - left - back);
        start = at;
        return more;
    }

    Job& job_;
    R& record_;
    const Passages maze_;
    Random random_;
    Digits digits_;
    Unvisited<Id> unvisited_;
    Stack<Id> again_;  // cells to go on from, each once
    const Moves<Id> moves_;
};

}  // namespace

template <Recorder R>
void backtracker(Job& job, R& record) {
    job.maze.begin(job.mask, job.control);
    const bool small = job.maze.size() <= std::numeric_limits<std::int32_t>::max();
    const bool newest = job.options.after_dead_end == AfterDeadEnd::newest;
    if (small)
        newest ? Walk<std::uint32_t, true, R>(job, record).run()
               : Walk<std::uint32_t, false, R>(job, record).run();
    else
        newest ? Walk<std::uint64_t, true, R>(job, record).run()
               : Walk<std::uint64_t, false, R>(job, record).run();
    job.maze.finish(job.control);
}

template void backtracker(Job&, NoTrace&);
template void backtracker(Job&, Trace&);

}  // namespace meiro
