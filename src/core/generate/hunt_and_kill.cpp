// Hunt and kill: walk from `start`, each step uniform among the neighbours that are not visited
// yet, until there is none; then hunt for an unvisited cell beside the tree, the first one in
// row-major order, join it to a uniform one of its visited neighbours, and walk on from it.
//   J. Buck, Mazes for Programmers (2015), ch. 5. Law: hunt_and_kill.
//
// hunt = random_row: the first from the left in a row that is uniform among those that have such a
// cell. run=, bias=: how the walk chooses (direction_bias.hpp); the joining stays uniform. Where a
// hunt finds nothing and cells are left (a mask in several parts), it goes on from a random one of
// them.
//
// Here the unvisited cells beside the tree are kept in a BitsetTree, which gives the first of all,
// or the first from a row's beginning on. A row to hunt in is drawn from a list of those that have
// such a cell; one that has none any more is thrown out when it is drawn, and drawn again for. The
// whole rectangle from its first cell, row by row, is faster: hunt_and_kill_rectangle.hpp.
//
// Time: linear, whatever the mask. Measured, ns a cell: 24 at 1000 x 1000, 23 at 4000 x 4000;
// random_row, which jumps from row to row, 28, 38 and, out of the caches, 83 at 10000 x 10000. A
// cursor for each row that scans the bytes is as fast on a square, and takes 960 on a mask like a
// comb of 1000 x 1000, where this takes 9.
// Scratch: a bit a cell, 5 bytes a row for random_row; with a mask 4 bytes a cell for the parts.
#include <bit>
#include <limits>

#include "generators.hpp"
#include "hunt_and_kill_rectangle.hpp"
#include "shared/bitset_tree.hpp"
#include "shared/direction_bias.hpp"
#include "shared/start_cell.hpp"
#include "shared/step_table.hpp"

namespace meiro {
namespace {

// Any start, mask, wrap, hunt and bias.
template <class Id, Recorder R>
class HuntAndKill {
public:
    HuntAndKill(Job& job, R& record)
        : job_(job),
          record_(record),
          maze_(job.maze),
          shape_(maze_.shape()),
          random_(job.seed),
          direction_bias_(job.options),
          biased_(DirectionBias::requested(job.options)),
          random_row_(job.options.hunt == Hunt::random_row),
          unvisited_(job),
          frontier_(shape_.size()),
          listed_(random_row_ ? shape_.rows : 0, true) {}

    void run() {
        Index part = first_cell(job_);
        while (part >= 0) {
            Cell at = maze_.cell(part);
            record_.on(Event::visit, at);
            reach(at);
            do walk(at);
            while (hunt(at));
            part = job_.mask == nullptr ? -1 : unvisited_.take(random_);
        }
    }

private:
    std::uint8_t& byte(Cell c) const { return maze_.bytes()[shape_.id(c)]; }
    unsigned free(Cell c) const { return byte(c) >> 4; }

    static Index around(Index i, Index size) { return i < 0 ? size - 1 : i < size ? i : 0; }
    // The neighbour, over the rim if need be.
    Cell next(Cell c, Direction d) const {
        return {around(c.row + row_step(d), shape_.rows), around(c.col + col_step(d), shape_.cols)};
    }
    // The visited neighbours of one that is not, as bits: those that have something open.
    unsigned visited(Cell c) const {
        const Wrap wrap = maze_.wrap();
        unsigned bits = 0;
        for (const Direction d : directions) {
            const Index row = c.row + row_step(d);
            const Index col = c.col + col_step(d);
            const bool exists = (wrap.rows || (row >= 0 && row < shape_.rows)) &&
                                (wrap.cols || (col >= 0 && col < shape_.cols));
            if (exists && (byte(next(c, d)) & 15) != 0) bits |= bit(d);
        }
        return bits;
    }

    // It is visited: its free neighbours may not choose it any more, and can be hunted.
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

    void open(Cell at, Direction d) {
        byte(at) |= static_cast<std::uint8_t>(bit(d));
        byte(next(at, d)) |= static_cast<std::uint8_t>(bit(opposite(d)));
        record_.on(Event::carve, at, d);
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

    // To the next cell, joined. False if none is beside the tree.
    bool hunt(Cell& at) {
        const Index cell = random_row_ ? in_some_row() : frontier_.next(0);
        if (cell < 0) return false;
        at = maze_.cell(cell);
        const Direction d = random_.pick(visited(at));
        record_.on(Event::back, next(at, d));
        open(next(at, d), opposite(d));
        reach(at);
        job_.control.done(1);
        return true;
    }

    // A row that has nothing any more is found out when it is drawn, and drawn again for.
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
    const Passages maze_;
    const Shape shape_;
    Random random_;
    const DirectionBias direction_bias_;
    const bool biased_;
    const bool random_row_;
    Unvisited<Id> unvisited_;
    BitsetTree frontier_;          // the unvisited cells that have a visited neighbour
    Stack<Id> rows_;               // random_row: all that have one, and some that had
    Buffer<std::uint8_t> listed_;  // is a row among them
};

// Is it the case that is made for speed?
bool plain(const Job& job) {
    const Options& o = job.options;
    return job.mask == nullptr && !job.maze.wrap().any() && o.hunt == Hunt::row_major &&
           (o.start == Options::first_cell || o.start == 0) && !DirectionBias::requested(o);
}

}  // namespace

template <Recorder R>
void hunt_and_kill(Job& job, R& record) {
    job.maze.begin(job.mask, job.control);
    const bool small = job.maze.size() <= std::numeric_limits<std::int32_t>::max();
    if (plain(job))
        small ? HuntAndKillRectangle<std::uint32_t, R>(job, record).run()
              : HuntAndKillRectangle<std::uint64_t, R>(job, record).run();
    else
        small ? HuntAndKill<std::uint32_t, R>(job, record).run()
              : HuntAndKill<std::uint64_t, R>(job, record).run();
    job.maze.finish(job.control);
}

template void hunt_and_kill(Job&, NoTrace&);
template void hunt_and_kill(Job&, Trace&);

}  // namespace meiro
