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
// Time: 1 ns per step; by default as many steps as aldous_broder makes. Scratch: a byte per cell.
//
// Why it is fast: the position of the root does not wait for memory (walk_topology.hpp), and a step
// writes one byte; the passages are made from the arrows at the end.
#include <type_traits>

#include "../buffer.hpp"
#include "job.hpp"
#include "shared/start_cell.hpp"
#include "shared/walk_topology.hpp"

namespace meiro {
namespace {

// The byte of an arrow: its direction; `reached`: its component was begun; `joined`: the root has
// left the cell; and this: the root is here, the cell has no arrow.
constexpr unsigned root_here = 0x20;

// covers: until all cells of the component were visited, instead of a number of steps.
template <bool covers, Recorder R>
class Shift {
public:
    Shift(Job& job, R& record)
        : job_(job), record_(record), topology_(job), arrows_(job.maze.size()), random_(job.seed) {
        polled_fill(arrows_.data(), arrows_.size(), 0, job.control);
    }

    void run() {
        const Passages maze = topology_.maze();
        walk(first_cell(job_));
        for (Index cell = 0; job_.mask != nullptr && cell < maze.size(); ++cell) {
            job_.control.poll();
            if (job_.mask[cell] != 0 && (arrows_[cell] & reached) == 0) walk(cell);
        }
        by_pieces(maze.size(), job_.control, [&](Index first, Index last) {
            for (Index cell = first; cell < last; ++cell) {
                if ((arrows_[cell] & (reached | root_here)) != reached) continue;
                const auto d = static_cast<Direction>(arrows_[cell] & direction_bits);
                topology_.open(cell, topology_.next(cell, d), d);
            }
        });
        maze.finish(job_.control);
        job_.control.done(maze.size() - told_);
    }

private:
    void walk(Index root) {
        const auto carved = [&](Index cell, Direction d) {
            if constexpr (!covers) record_.on(Event::carve, topology_.maze().cell(cell), d, 1);
        };
        record_.on(Event::visit, topology_.maze().cell(root));
        Index cells = arrows_.size();
        if (job_.mask != nullptr)
            cells = reach(topology_, arrows_.data(), root, job_.control, carved);
        else if constexpr (!covers)
            comb(root, carved);
        at_ = root;
        const Index before = told_;
        const Index whole = covers ? cells - 1 : cells > 1 ? job_.options.steps : 0;
        for (Index left = whole; left > 0;) {
            left = stroll(left);
            const double share = static_cast<double>(whole - left) / static_cast<double>(whole);
            report_progress(before + static_cast<Index>(share * static_cast<double>(cells - 1)));
        }
        arrows_[at_] = reached | root_here;
        report_progress(before + cells);
    }

    // The comb: every row leads to its first cell, the first column to the first cell of all; then
    // the path to the root is reversed.
    template <class Carved>
    void comb(Index root, Carved carved) {
        const auto [rows, cols] = topology_.maze().shape();
        std::uint8_t* const arrows = arrows_.data();
        polled_fill(arrows, arrows_.size(), reached | static_cast<unsigned>(Direction::west),
                    job_.control);
        for (Index row = 0; row < rows; ++row) {
            arrows[row * cols] = reached | static_cast<unsigned>(Direction::north);
            job_.control.poll();
        }
        arrows[0] = reached | root_here;
        unsigned turned = reached | root_here;
        for (Index at = root;; job_.control.poll()) {
            const unsigned arrow = arrows[at];
            arrows[at] = static_cast<std::uint8_t>(turned);
            const auto d = static_cast<Direction>(arrow & direction_bits);
            if ((arrow & root_here) != 0) break;
            turned = reached | static_cast<unsigned>(opposite(d));
            at += topology_.maze().step(d);
        }
        if constexpr (std::is_same_v<R, Trace>)
            for (Index cell = 0; cell < arrows_.size(); ++cell, job_.control.poll())
                if (cell != root) carved(cell, static_cast<Direction>(arrows[cell] & 3));
    }

    // Up to a chunk of words; what is left of the steps, or of the cells to be visited.
    Index stroll(Index left) {
        std::uint8_t* const arrows = arrows_.data();
        const std::uint8_t* const bytes = topology_.maze().bytes();
        const std::array<Index, 4> step = steps(topology_.maze().shape().cols);
        Random random = random_;
        Index at = at_;
        for (int n = 0; n < walk_chunk && left > 0; ++n) {
            std::uint64_t word = random();
            for (int k = 0; k < 32; ++k, word >>= 2) {
                const auto d = static_cast<Direction>(word & 3);
                Index to = at + step[word & 3];
                if ((bytes[at] & free_bits[word & 3]) == 0) [[unlikely]] {
                    to = topology_.next_over_rim(at, d);
                    if (to == at) continue;
                }
                tell_step(at, to, d);
                arrows[at] = static_cast<std::uint8_t>(reached | joined | (word & 3));
                at = to;
                left -= !covers || (arrows[at] & joined) == 0 ? 1 : 0;
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
            const bool has = !covers || (arrows_[to] & joined) != 0;
            record_.on(Event::walk, topology_.maze().cell(at), d);
            if (has && old == opposite(d)) return;
            record_.on(Event::carve, topology_.maze().cell(at), d);
            if (has) record_.on(Event::close, topology_.maze().cell(to), old);
        }
    }
    void report_progress(Index done) {
        job_.control.done(done - told_);
        told_ = done;
    }

    Job& job_;
    R& record_;
    const WalkTopology topology_;
    Buffer<std::uint8_t> arrows_;
    Random random_;
    Index at_ = 0;    // the root
    Index told_ = 0;  // cells, as progress
};

}  // namespace

template <Recorder R>
void origin_shift(Job& job, R& record) {
    if (job.options.steps < 0)
        Shift<true, R>(job, record).run();
    else
        Shift<false, R>(job, record).run();
}

template void origin_shift(Job&, NoTrace&);
template void origin_shift(Job&, Trace&);

}  // namespace meiro
