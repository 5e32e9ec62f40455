// Hunt and kill: walk from `start`, each step uniform among the unvisited neighbours, until there
// is no such neighbour; then hunt for an unvisited cell adjacent to the tree, the first one in
// row-major order, join it to a uniform one of its visited neighbours, and walk on from it.
//   J. Buck, Mazes for Programmers (2015), ch. 5. Law: hunt_and_kill.
//
// hunt = random_row: the first such cell from the left, in a uniform one of the rows that have one.
// run=, bias=: the choice of a step of the walk (direction_bias.hpp); joining stays uniform. If a
// hunt finds nothing and cells are left (a mask with several components), it continues from a
// random one.
//
// Row by row without bias on a lattice that is not periodic, the hunt is a pass over the maze:
// hunt_and_kill_rectangle.hpp. Here the unvisited cells adjacent to the tree are kept in a
// BitsetTree, which finds the first of all, or the first from the beginning of a row. Rows to hunt
// in are drawn from a list of rows that had such a cell; a row without one is removed when it is
// drawn, and the draw repeated.
//
// Time: linear, whatever the mask. Measured, ns per cell: 24 at 1000 x 1000, 23 at 4000 x 4000;
// random_row, which jumps between rows, 28, 38 and, out of the caches, 83 at 10000 x 10000. A
// cursor per row that scans the bytes is as fast on a square, but takes 960 on a comb-shaped mask
// of 1000 x 1000, where this takes 9. Scratch: a bit per cell, 5 bytes per row for random_row; with
// a mask 4 bytes per cell for its components.
#include <bit>
#include <limits>

#include "hunt_and_kill_rectangle.hpp"
#include "job.hpp"
#include "shared/bitset_tree.hpp"
#include "shared/direction_bias.hpp"
#include "shared/margins.hpp"
#include "shared/start_cell.hpp"
#include "shared/step_table.hpp"

namespace meiro {
namespace {

// The general form: any lattice, hunt and bias.
template <class Id, Recorder R>
class HuntAndKill {
public:
    HuntAndKill(Job& job, R& record) : job_(job), record_(record) {}

    void run() {
        for (Index part = first_cell(job_); part >= 0; part = unvisited_.take(random_)) {
            Cell at = maze_.cell(part);
            record_.on(Event::visit, at);
            reach(at);
            do walk(at);
            while (hunt(at));
        }
    }

private:
    std::uint8_t& byte(Cell c) const { return maze_.bytes()[shape_.id(c)]; }
    unsigned free(Cell c) const { return byte(c) >> 4; }

    static Index around(Index i, Index size) { return i < 0 ? size - 1 : i < size ? i : 0; }
    // The neighbour, across the border if need be.
    Cell next(Cell c, Direction d) const {
        return {around(c.row + row_step(d), shape_.rows), around(c.col + col_step(d), shape_.cols)};
    }
    // The visited neighbours of an unvisited cell, as bits.
    unsigned visited(Cell c) const { return maze_.existing(job_.mask, shape_.id(c)) & ~free(c); }

    // Marks the cell as visited: its free neighbours lose it as a choice, and can be hunted.
    void reach(Cell at) {
        frontier_.erase(shape_.id(at));
        for (unsigned left = free(at); left != 0; left &= left - 1) {
            const auto d = static_cast<Direction>(std::countr_zero(left));
            const Cell cell = next(at, d);
            byte(cell) &= taken(opposite(d));
            frontier_.insert(shape_.id(cell));
            if (random_row_ && listed_[cell.row] == 0) {
                listed_[cell.row] = 1;
                rows_.push(static_cast<Id>(cell.row));
            }
        }
    }

    void open(Cell at, Direction d, unsigned clause = 0) {
        byte(at) |= static_cast<std::uint8_t>(bit(d));
        byte(next(at, d)) |= static_cast<std::uint8_t>(bit(opposite(d)));
        record_.on(Event::carve, at, d, clause);
    }

    void walk(Cell& at) {
        Direction came = Direction::none;
        Index steps = 0;
        for (unsigned choices = free(at); choices != 0; choices = free(at)) {
            came = biased_ ? direction_bias_.pick(choices, came, random_) : random_.pick(choices);
            open(at, came);
            at = next(at, came);
            reach(at);
            if (++steps == poll_chunk) {
                job_.control.poll(4 * poll_chunk);
                job_.control.done(poll_chunk);
                steps = 0;
            }
        }
        job_.control.poll(4 * steps + 4);
        job_.control.done(steps);
    }

    // Hunts the next cell and joins it. False if no unvisited cell is adjacent to the tree.
    bool hunt(Cell& at) {
        const Index cell = random_row_ ? in_some_row() : frontier_.next(0);
        if (cell < 0) return false;
        at = maze_.cell(cell);
        const Direction d = random_.pick(visited(at));
        record_.on(Event::back, next(at, d));
        open(next(at, d), opposite(d), 1);
        reach(at);
        job_.control.done(1);
        return true;
    }

    // A row without such a cell is removed when it is drawn, and the draw repeated.
    Index in_some_row() {
        while (!rows_.empty()) {
            const Index i = random_.below(rows_.size());
            const auto row = static_cast<Index>(rows_[i]);
            const Index cell = frontier_.next(row * shape_.cols);
            if (cell >= 0 && cell < (row + 1) * shape_.cols) return cell;
            listed_[row] = 0;
            rows_[i] = rows_.top();
            rows_.pop();
            job_.control.poll();
        }
        return -1;
    }

    Job& job_;
    R& record_;
    const Passages maze_ = job_.maze;
    const Shape shape_ = maze_.shape();
    Random random_{job_.seed};
    const DirectionBias direction_bias_{job_.options};
    const bool biased_ = DirectionBias::requested(job_.options);
    const bool random_row_ = job_.options.hunt == Hunt::random_row;
    Unvisited<Id> unvisited_{job_};
    BitsetTree frontier_{shape_.size()};  // the unvisited cells that have a visited neighbour
    Stack<Id> rows_;                      // random_row: all that have one, and some that had
    Buffer<std::uint8_t> listed_{random_row_ ? shape_.rows : 0, true};  // is a row among them
};

// Is the hunt a pass over the maze?
bool by_pass(const Job& job) {
    return !job.maze.wrap().any() && job.options.hunt == Hunt::row_major &&
           !DirectionBias::requested(job.options);
}
bool whole(const Job& job) {
    const Index start = job.options.start;
    return job.mask == nullptr && (start == Options::first_cell || start == 0);
}

}  // namespace

constexpr Runs<Job> hunt_and_kill = job_runs([]<Recorder R>(Job& job, R& record) {
    const bool small = job.maze.size() <= std::numeric_limits<std::int32_t>::max();
    with_margins(job, [&](Job& framed, Inside inside) {
        framed.maze.begin(framed.mask, framed.control);
        with_ids<R>(small, [&]<class Id>(Id) {
            if (by_pass(framed) && whole(framed))
                HuntAndKillRectangle<Id, true, R>(framed, record, inside).run();
            else if (by_pass(framed))
                HuntAndKillRectangle<Id, false, R>(framed, record, inside).run();
            else
                HuntAndKill<Id, R>(framed, record).run();
        });
        framed.maze.finish(framed.control);
    });
});

}  // namespace meiro
