// Recursive backtracker: depth-first search from `start`, each step uniform among the neighbours
// that are not visited yet. Also "digging" (anahori), randomized depth-first search.
//   J. Buck, Mazes for Programmers (2015), ch. 5. Law: backtracker.
//
// The stack holds only cells that had a second choice when they were left: the others can never
// grow again. When the stack is empty and cells are left (a mask with several components), it
// continues from a random unvisited cell. after_dead_end = random: continue from a uniform one of
// the carved cells that still have an unvisited neighbour, instead of the newest.
//
// Time: linear. Scratch: at worst one id per cell for the stack; with a mask one more for its
// components.
//
// run=, bias=: the choice of a step (direction_bias.hpp). Straight on is the direction in which the
// cell was entered, after a dead end as well.
//
// Why it is fast: the critical path leads from one cell's byte to the next one's (step_table.hpp),
// so the byte of the current cell stays in a register, and only the border tests which neighbours
// exist. Walking and backtracking are separate loops, as steps of either kind come in series.
// Measured, ns per cell at 100 x 100: one loop over Passages and Random 10.8; two loops, remainder
// in a register, step table 8.0; a single border test, no shift before the table 7.0; popping by
// fours 7.1. With run=, bias= or a periodic lattice a plain loop is used: 20 and 17.
#include <algorithm>
#include <limits>

#include "../buffer.hpp"
#include "job.hpp"
#include "shared/direction_bias.hpp"
#include "shared/margins.hpp"
#include "shared/start_cell.hpp"
#include "shared/step_table.hpp"

namespace meiro {
namespace {

constexpr int entered_bits = 4;  // of a direction or none, beside an id

template <class Id, bool newest, Recorder R>
class Backtracker {
public:
    Backtracker(Job& job, R& record, Inside inside) : job_(job), record_(record), inside_(inside) {}

    void run() {
        for (Index at = first_cell(job_); at >= 0; at = unvisited_.take(random_)) {
            maze_.enter(at);
            record_.on(Event::visit, maze_.cell(at));
            for (bool more = true; more; job_.control.poll(poll_chunk)) more = run_chunk(at);
        }
    }

private:
    // Walks and backtracks for up to a chunk of steps, from `at`, which it updates. False if the
    // stack is empty.
    bool run_chunk(Index& start) {
        again_.reserve(poll_chunk, maze_.size() + 1);
        std::uint8_t* const bytes = maze_.bytes();
        const Inside inside = inside_;
        const Id* const base = again_.begin();
        Id* top = again_.end();
        Digits digits = digits_;
        Index at = start;
        Index left = poll_chunk;
        Index back = 0;
        std::uint8_t value = bytes[at];
        for (;;) {
            unsigned free = value & 0xf0u;
            while (free != 0 && left > 0) {
                *top = static_cast<Id>(at);
                top += (free & (free - 1)) != 0 ? 1 : 0;
                const TableStep<Id> step = steps_.at(free, digits.next(random_));
                record_.on(Event::carve, maze_.cell(at), step.direction());
                bytes[at] = value ^ step.leave;
                at += step.offset;
                value = bytes[at];
                free = value & 0xf0u;
                value |= step.arrive;
                inside.enter(maze_, bytes, at);
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
        job_.control.done(poll_chunk - left - back);
        start = at;
        return more;
    }

    Job& job_;
    R& record_;
    const Passages maze_ = job_.maze;
    const Inside inside_;
    Random random_{job_.seed};
    Digits digits_;
    Unvisited<Id> unvisited_{job_};
    Stack<Id> again_{std::min(maze_.size() + 1, poll_chunk) + 1};  // cells to go on from, each once
    const StepTable<Id> steps_{maze_};
};

// The same over a Passages or a PeriodicPassages, step by step, with run= and bias=.
template <class Topology, class Id, Recorder R>
class BiasedBacktracker {
public:
    BiasedBacktracker(Job& job, R& record, const Topology& topology)
        : job_(job), record_(record), topology_(topology) {}

    void run() {
        for (at_ = first_cell(job_); at_ >= 0; at_ = unvisited_.take(random_)) {
            entered_ = Direction::none;
            topology_.enter(at_);
            record_.on(Event::visit, topology_.cell(at_));
            for (bool more = true; more; job_.control.poll(4 * poll_chunk)) more = run_chunk();
        }
    }

private:
    bool run_chunk() {
        Index carved = 0;
        bool more = true;
        for (Index left = poll_chunk; more && left > 0; --left) {
            const unsigned free = topology_.free(at_);
            carved += free != 0 ? 1 : 0;
            more = free != 0 ? carve(free) : back();
        }
        job_.control.done(carved);
        return more;
    }

    bool carve(unsigned free) {
        if ((free & (free - 1)) != 0)
            again_.push(static_cast<Id>(at_ << entered_bits | static_cast<Index>(entered_)));
        entered_ = biased_ ? direction_bias_.pick(free, entered_, random_) : random_.pick(free);
        record_.on(Event::carve, topology_.cell(at_), entered_);
        topology_.open(at_, entered_);
        at_ = topology_.next(at_, entered_);
        topology_.enter(at_);
        return true;
    }

    bool back() {
        if (again_.empty()) return false;
        if (!newest_) std::swap(again_[random_.below(again_.size())], again_.top());
        const auto place = static_cast<Index>(again_.pop());
        at_ = place >> entered_bits;
        entered_ = static_cast<Direction>(place & ((1 << entered_bits) - 1));
        record_.on(Event::back, topology_.cell(at_));
        return true;
    }

    Job& job_;
    R& record_;
    const Topology topology_;
    Random random_{job_.seed};
    const DirectionBias direction_bias_{job_.options};
    const bool biased_ = DirectionBias::requested(job_.options);
    const bool newest_ = job_.options.after_dead_end == AfterDeadEnd::newest;
    Unvisited<Id> unvisited_{job_};
    Stack<Id> again_;  // as above, with the direction in which each was entered
    Index at_ = 0;
    Direction entered_ = Direction::none;
};

}  // namespace

constexpr Runs<Job> backtracker = job_runs([]<Recorder R>(Job& job, R& record) {
    const Index size = job.maze.size();
    const bool newest = job.options.after_dead_end == AfterDeadEnd::newest;
    with_margins(job, [&](Job& framed, Inside inside) {
        framed.maze.begin(framed.mask, framed.control);
        if (DirectionBias::requested(framed.options) || framed.maze.wrap().any())
            with_ids_and_topology<R>(
                framed.maze, size <= std::numeric_limits<std::uint32_t>::max() >> entered_bits,
                [&]<class Id, class Topology>(Id, const Topology& topology) {
                    BiasedBacktracker<Topology, Id, R>(framed, record, topology).run();
                });
        else
            with_ids<R>(size <= std::numeric_limits<std::int32_t>::max(), [&]<class Id>(Id) {
                newest ? Backtracker<Id, true, R>(framed, record, inside).run()
                       : Backtracker<Id, false, R>(framed, record, inside).run();
            });
        framed.maze.finish(framed.control);
    });
});

}  // namespace meiro
