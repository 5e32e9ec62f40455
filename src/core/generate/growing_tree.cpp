// Growing tree: a list of active cells, at first `start`. A step chooses one; if it has unvisited
// neighbours, a uniform one of them is carved and comes to the end of the list; if not, the cell is
// removed. choose= says which: the newest, the oldest, a random one, the middle one (of n cells
// that with n / 2 before it, rounded down), or odds of these, drawn anew for each step.
//   J. Buck, Mazes for Programmers (2015), ch. 11; W. D. Pullen, Think Labyrinth,
//   astrolog.org/labyrnth/algrithm.htm
// Laws: backtracker (newest), growing_tree_oldest, growing_tree_random; of a mix that of the slow
// version in the tests. run= and bias= make a direction likelier (direction_bias.hpp).
// With a mask in several parts it goes on from a uniform unvisited cell.
//
// Time: linear for every choice. A step of a mix accesses a random cell of the list
// (active_list.hpp) and of the maze, which is bound by memory: measured at 4000 x 4000, newest and
// random evenly take 4 times as long as random alone, all four evenly 3 times. Scratch: at worst an
// id per cell, 4 bytes (8 from 2^32 cells on, with run= or bias= from 2^30); with a mask one more
// for its components.
//
// The newest alone is the backtracker. The random one is drawn ahead (prefetched_draws.hpp).
#include <algorithm>
#include <type_traits>

#include "../buffer.hpp"
#include "job.hpp"
#include "shared/active_list.hpp"
#include "shared/direction_bias.hpp"
#include "shared/margins.hpp"
#include "shared/prefetched_draws.hpp"
#include "shared/start_cell.hpp"
#include "shared/step_table.hpp"

namespace meiro {
namespace {

// random: the order of the cells does not matter, and a cell that cannot grow has no effect until
// it is removed. So the last cell takes the place of a removed one.
template <class Id, class Topology, Recorder R>
class RandomChoice {
public:
    RandomChoice(Job& job, R& record, const Topology& maze, Inside inside)
        : job_(job), record_(record), maze_(maze), inside_(inside) {}

    Random& random() { return random_; }
    bool empty() const { return cells_.empty(); }
    void plant(Index cell) { cells_.push(static_cast<Id>(cell)); }

    void run_chunk() {
        cells_.reserve(room, maze_.size() + 1);
        std::uint8_t* const bytes = maze_.bytes();
        const Inside inside = inside_;
        Id* const list = cells_.begin();
        Index size = cells_.size();
        Index carved = 0;
        const auto turn = [&](Draw draw) {
            const auto at = static_cast<Index>(list[draw.place]);
            const unsigned free = maze_.free(at);
            if (free == 0) {
                list[draw.place] = list[--size];
                return;
            }
            const auto d = pick_by(free, draw.digit);
            const Index to = maze_.next(at, d);
            record_.on(Event::carve, maze_.cell(at), d);
            bytes[at] |= static_cast<std::uint8_t>(bit(d));
            bytes[to] |= static_cast<std::uint8_t>(bit(opposite(d)));
            inside.enter(maze_, bytes, to);
            ++carved;
            // The cell that grew stays in its place, or the new one takes it, or the last. As
            // masks: g++ makes a branch of conditions, which goes wrong every other time.
            const Id at_grows = maze_.free(at) != 0 ? 1 : 0, to_grows = maze_.free(to) != 0 ? 1 : 0;
            const auto choose = [](Id condition, Index yes, Id no) {
                return static_cast<Id>(no ^ ((no ^ static_cast<Id>(yes)) & (0 - condition)));
            };
            const Id last = list[size - 1];
            list[size] = static_cast<Id>(to);
            list[draw.place] = choose(at_grows, at, choose(to_grows, to, last));
            size += static_cast<Index>(at_grows + to_grows) - 1;
        };
        prefetched_.run(
            poll_chunk, 1, 12, random_, list, [&] { return size; }, turn,
            [&](Id cell) { prefetch_around(maze_, static_cast<Index>(cell)); });
        cells_.resize(size);
        job_.control.done(carved);
        job_.control.poll(4 * poll_chunk);
    }

private:
    static constexpr Index room = poll_chunk + 2 * DrawBatch::most;

    Job& job_;
    R& record_;
    const Topology maze_;
    const Inside inside_;
    Random random_{job_.seed};
    PrefetchedDraws prefetched_{};
    Stack<Id> cells_{std::min(maze_.size() + 1, room) + 1};
};

// oldest: a cell remains the oldest until it cannot grow, so cells come and go level by level.
template <class Id, class Topology, Recorder R>
class OldestChoice {
public:
    OldestChoice(Job& job, R& record, const Topology& maze, Inside inside)
        : job_(job), record_(record), maze_(maze), inside_(inside) {}

    Random& random() { return random_; }
    bool empty() const { return done_ == level_.size(); }
    void plant(Index cell) {
        level_.clear();
        level_.push(static_cast<Id>(cell));
        done_ = 0;
    }

    void run_chunk() {
        next_.reserve(4 * poll_chunk, maze_.size() + 1);
        std::uint8_t* const bytes = maze_.bytes();
        const Inside inside = inside_;
        const Index stop = std::min(level_.size(), done_ + poll_chunk);
        Id* const begin = next_.end();
        Id* end = begin;
        Digits digits = digits_;
        Index carved = 0;
        for (const Id* cell = level_.begin() + done_; cell != level_.begin() + stop; ++cell) {
            const auto at = static_cast<Index>(*cell);
            for (unsigned free = maze_.free(at); free != 0; free = maze_.free(at)) {
                const auto d = pick_by(free, digits.next(random_));
                const Index to = maze_.next(at, d);
                record_.on(Event::carve, maze_.cell(at), d);
                bytes[at] |= static_cast<std::uint8_t>(bit(d));
                bytes[to] |= static_cast<std::uint8_t>(bit(opposite(d)));
                inside.enter(maze_, bytes, to);
                ++carved;
                *end = static_cast<Id>(to);
                end += maze_.free(to) != 0 ? 1 : 0;
            }
        }
        digits_ = digits;
        job_.control.done(carved);
        job_.control.poll(4 * (stop - done_) + 1);
        next_.resize(next_.size() + (end - begin));
        done_ = stop;
        if (done_ == level_.size()) {
            std::swap(level_, next_);
            next_.clear();
            done_ = 0;
        }
    }

private:
    Job& job_;
    R& record_;
    const Topology maze_;
    const Inside inside_;
    Random random_{job_.seed};
    Digits digits_;
    const Index room_ = std::min(maze_.size(), poll_chunk) + 2;  // at first
    Stack<Id> level_{room_}, next_{room_};
    Index done_ = 0;  // of the level
};

// Any odds: here the cells that cannot grow count until they are chosen. With run= or bias= an item
// is 4 * cell + the direction in which it was entered.
template <bool biased, class Id, class Topology, Recorder R>
class MixedChoice {
public:
    MixedChoice(Job& job, R& record, const Topology& maze)
        : job_(job), record_(record), maze_(maze) {}

    Random& random() { return random_; }
    bool empty() const { return active_.empty(); }
    void plant(Index cell) {
        root_ = cell;
        push(cell, Direction::north);
    }

    void run_chunk() {
        Index carved = 0;
        for (Index left = poll_chunk / 4; left > 0 && !active_.empty(); --left) {
            const Id slot = active_.find(chooser_.next(random_), random_);
            const auto item = static_cast<Index>(active_[slot]);
            const Index at = biased ? item >> 2 : item;
            const unsigned free = maze_.free(at);
            if (free == 0) {
                active_.erase(slot, chooser_, job_.control);
                continue;
            }
            Direction d;
            if constexpr (biased)
                d = direction_bias_.pick(
                    free, at == root_ ? Direction::none : static_cast<Direction>(item & 3),
                    random_);
            else
                d = random_.pick(free);
            const Index to = maze_.next(at, d);
            record_.on(Event::carve, maze_.cell(at), d);
            maze_.open(at, d);
            maze_.enter(to);
            ++carved;
            push(to, d);
        }
        job_.control.done(carved);
        job_.control.poll(4 * poll_chunk);
    }

private:
    void push(Index cell, Direction entered) {
        const Index item = biased ? cell << 2 | static_cast<Index>(entered) : cell;
        active_.push(static_cast<Id>(item), chooser_, job_.control);
    }

    Job& job_;
    R& record_;
    const Topology maze_;
    Random random_{job_.seed};
    const Chooser chooser_{job_.options};
    const DirectionBias direction_bias_{job_.options};
    GrowingList<Id> active_{256};
    Index root_ = -1;
};

template <class Id, class Tree, class Topology, Recorder R>
void grow(Tree tree, Job& job, R& record, const Topology& maze) {
    Unvisited<Id> unvisited(job);
    for (Index at = first_cell(job); at >= 0; at = unvisited.take(tree.random())) {
        maze.enter(at);
        record.on(Event::visit, maze.cell(at));
        job.control.done(1);
        tree.plant(at);
        while (!tree.empty()) tree.run_chunk();
    }
}

template <class Id, class Topology, Recorder R>
void by_choice(Job& job, R& record, const Topology& maze, Inside inside) {
    const Chooser chooser(job.options);
    if (chooser.only(Choice::random))
        grow<Id>(RandomChoice<Id, Topology, R>(job, record, maze, inside), job, record, maze);
    else if (chooser.only(Choice::oldest))
        grow<Id>(OldestChoice<Id, Topology, R>(job, record, maze, inside), job, record, maze);
    else
        grow<Id>(MixedChoice<false, Id, Topology, R>(job, record, maze), job, record, maze);
}

}  // namespace

constexpr Runs<Job> growing_tree = job_runs([]<Recorder R>(Job& job, R& record) {
    if (Chooser(job.options).only(Choice::newest)) return backtracker(job, record);
    const Index size = job.maze.size();
    const bool biased = DirectionBias::requested(job.options);
    constexpr Index most = ActiveList<std::uint32_t>::hole;
    with_margins(job, [&](Job& framed, Inside inside) {
        framed.maze.begin(framed.mask, framed.control);
        with_ids_and_topology<R>(
            framed.maze, size <= (biased ? most / 4 : most),
            [&]<class Id, class Topology>(Id, const Topology& maze) {
                if (biased)
                    grow<Id>(MixedChoice<true, Id, Topology, R>(framed, record, maze), framed,
                             record, maze);
                else
                    by_choice<Id>(framed, record, maze, inside);
            });
        framed.maze.finish(framed.control);
    });
});

}  // namespace meiro
