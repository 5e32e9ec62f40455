// Origin shift: each cell has an arrow to its parent; the root moves to a neighbour and points
// there.
//   Y. Hu, R. Lyons, P. Tang, A reverse Aldous-Broder algorithm, Ann. Inst. H. Poincare Probab.
//   Statist. 57 (2021) 890. doi:10.1214/20-AIHP1101
//
// An arrow is the last exit of the walk from its cell. Law: uniform by default, where the root
// moves until it has visited all cells: exact, by the theorem of the paper. With steps= it makes
// that many steps, in each component, from a fixed tree: a comb, in which each row leads to its
// first cell and the first column to the first cell of all; with a mask the depth-first tree of the
// component, which tries north, east, south, west. The root begins at `start` (the arrows on the
// path to it are reversed), in the other components of a mask at their first cell. The more steps,
// the nearer to uniform.
//
// Time: 1 ns per step; by default as many steps as aldous_broder makes. Scratch: a byte per cell,
// and one around each row and column.
//
// Why it is fast: the position of the root does not wait for memory (walk_topology.hpp), and a step
// reads one byte and writes one: around the cells there is a rim, so the byte of the cell that a
// step leads to tells border, missing cells and new ones. That takes 0.7 times as long at 1500 x
// 1500, and 0.75 with 3 % of the cells missing. Leaps as of aldous_broder there are none, as each
// step changes an arrow. Eight steps without a jump back gave nothing; a single test for the rim
// and new cells neither, and at 10 x 10 it took 1.4 times as long, as nothing predicts it. The
// passages are made from the arrows at the end.
#include <algorithm>
#include <type_traits>

#include "../buffer.hpp"
#include "job.hpp"
#include "shared/start_cell.hpp"
#include "shared/walk_topology.hpp"

namespace meiro {
namespace {

// The byte of a cell is the direction of its arrow, and `reached` as long as the root has not left
// it; or if it has no arrow: its component was not begun; the root is here; there is no cell.
constexpr unsigned unknown = 0x20, root_here = 0x10, outside = 0x80;
constexpr unsigned no_arrow = unknown | root_here | outside;

// covers: until all cells of the component were visited, instead of a number of steps.
template <bool covers, Recorder R>
class Shift {
public:
    Shift(Job& job, R& record) : job_(job), record_(record) {
        polled_fill(arrows_.data(), arrows_.size(), outside, job.control);
        each_piece([&](Index first, Index at, Index count) {
            for (Index k = 0; k < count; ++k)
                if (job_.exists(first + k)) arrows_[at + k] = unknown;
        });
    }

    void run() {
        const Passages maze = topology_.maze();
        walk(place(maze.cell(first_cell(job_))));
        if (job_.mask != nullptr)
            each_piece([&](Index, Index at, Index count) {
                for (Index k = 0; k < count; ++k)
                    if (arrows_[at + k] == unknown) walk(at + k);
            });
        each_piece([&](Index first, Index at, Index count) {
            for (Index k = 0; k < count; ++k) {
                if ((arrows_[at + k] & no_arrow) != 0) continue;
                const auto d = static_cast<Direction>(arrows_[at + k] & direction_bits);
                topology_.open(first + k, topology_.next(first + k, d), d);
            }
        });
        maze.finish(job_.control);
        job_.control.done(maze.size() - told_);
    }

    // For reach(): the neighbour of a place, or the place itself at a border; and the directions
    // of those that exist.
    Index next(Index at, Direction d) const {
        const Index to = at + steps(width_)[static_cast<std::size_t>(d)];
        return arrows_[to] == outside ? over_rim(at, d) : to;
    }
    unsigned free(Index at) const {
        unsigned found = 0;
        for (const Direction d : directions) found |= next(at, d) != at ? bit(d) : 0;
        return found;
    }

private:
    // The places of cells, with a rim of those outside: a column that is west of the first one and
    // east of the last one, and a row above and below.
    Index place(Cell cell) const { return (cell.row + 1) * width_ + cell.col; }
    Cell cell(Index at) const { return {at / width_ - 1, at % width_}; }
    // body(cell, place, count) for all cells, some of a row at a time, with polls.
    template <class Body>
    void each_piece(Body body) {
        const auto [rows, cols] = topology_.maze().shape();
        for (Index row = 0; row < rows; ++row)
            for (Index col = 0; col < cols; col += poll_chunk) {
                const Index count = std::min(poll_chunk, cols - col);
                body(row * cols + col, place({row, col}), count);
                job_.control.poll(count / 16 + 1);
            }
    }
    // Where a step leads to that fails within the border.
    Index over_rim(Index at, Direction d) const {
        if (!job_.maze.wrap().any()) return at;
        const Passages maze = topology_.maze();
        return place(maze.cell(topology_.next_over_rim(maze.shape().id(cell(at)), d)));
    }

    void walk(Index root) {
        const auto carved = [&](Index at, Direction d) {
            if constexpr (!covers) record_.on(Event::carve, cell(at), d, 1);
        };
        record_.on(Event::visit, cell(root));
        Index cells = topology_.maze().size();
        if (job_.mask != nullptr)
            cells = reach(*this, arrows_.data(), root, job_.control, carved);
        else if constexpr (!covers)
            comb(root, carved);
        else
            each_piece([&](Index, Index at, Index count) {
                std::fill_n(arrows_.data() + at, count, std::uint8_t{reached});
            });
        at_ = root;
        const Index before = told_;
        const Index whole = covers ? cells - 1 : cells > 1 ? job_.options.steps : 0;
        for (Index left = whole; left > 0;) {
            left = stroll(left);
            const double share = static_cast<double>(whole - left) / static_cast<double>(whole);
            report_progress(before + static_cast<Index>(share * static_cast<double>(cells - 1)));
        }
        arrows_[at_] = root_here;
        report_progress(before + cells);
    }

    // The comb: every row leads to its first cell, the first column to the first cell of all; then
    // the path to the root is reversed.
    template <class Carved>
    void comb(Index root, Carved carved) {
        const auto [rows, cols] = topology_.maze().shape();
        std::uint8_t* const arrows = arrows_.data();
        for (Index row = 0; row < rows; ++row) {
            std::uint8_t* const first = arrows + place({row, 0});
            polled_fill(first, cols, static_cast<unsigned>(Direction::west), job_.control);
            *first = static_cast<unsigned>(Direction::north);
        }
        arrows[place({0, 0})] = root_here;
        unsigned turned = root_here;
        for (Index at = root;; job_.control.poll()) {
            const unsigned arrow = arrows[at];
            arrows[at] = static_cast<std::uint8_t>(turned);
            if (arrow == root_here) break;
            const auto d = static_cast<Direction>(arrow);
            turned = static_cast<unsigned>(opposite(d));
            at += steps(width_)[arrow];
        }
        if constexpr (std::is_same_v<R, Trace>)
            for (Index row = 0; row < rows; ++row)
                for (Index at = place({row, 0}); at < place({row, cols}); ++at, job_.control.poll())
                    if (at != root) carved(at, static_cast<Direction>(arrows[at]));
    }

    // Up to a chunk of words; what is left of the steps, or of the cells to be visited.
    Index stroll(Index left) {
        std::uint8_t* const arrows = arrows_.data();
        const std::array<Index, 4> step = steps(width_);
        const bool wraps = job_.maze.wrap().any();
        Random random = random_;
        Index at = at_;
        for (int n = 0; n < walk_chunk && left > 0; ++n) {
            std::uint64_t word = random();
            for (int k = 0; k < 32; ++k, word >>= 2) {
                const std::uint64_t drawn = word & 3;
                const auto d = static_cast<Direction>(drawn);
                Index to = at + step[drawn];
                unsigned there = arrows[to];
                if (there == outside) [[unlikely]] {
                    if (!wraps) continue;
                    to = over_rim(at, d);
                    if (to == at) continue;
                    there = arrows[to];
                }
                tell_step(at, to, d);
                arrows[at] = static_cast<std::uint8_t>(drawn);
                at = to;
                left -= covers ? there / reached : 1;
                if (left == 0) [[unlikely]]
                    break;
            }
        }
        at_ = at;
        random_ = random;
        job_.control.poll(walk_chunk * 32);
        return left;
    }

    // The passages follow the arrows after each step: one opened, one closed, or both, or neither.
    void tell_step(Index at, Index to, Direction d) {
        if constexpr (std::is_same_v<R, Trace>) {
            const auto old = static_cast<Direction>(arrows_[to] & direction_bits);
            const bool has = !covers || (arrows_[to] & reached) == 0;
            record_.on(Event::walk, cell(at), d);
            if (has && old == opposite(d)) return;
            record_.on(Event::carve, cell(at), d);
            if (has) record_.on(Event::close, cell(to), old);
        }
    }
    void report_progress(Index done) {
        job_.control.done(done - told_);
        told_ = done;
    }

    Job& job_;
    R& record_;
    const WalkTopology topology_{job_};
    const Index width_ = job_.maze.shape().cols + 1;
    Buffer<std::uint8_t> arrows_{(job_.maze.shape().rows + 2) * width_};
    Random random_{job_.seed};
    Index at_ = 0;    // the root
    Index told_ = 0;  // cells, as progress
};

}  // namespace

constexpr Runs<Job> origin_shift_runs = job_runs([]<Recorder R>(Job& job, R& record) {
    if (job.options.steps < 0)
        Shift<true, R>(job, record).run();
    else
        Shift<false, R>(job, record).run();
});

}  // namespace meiro
