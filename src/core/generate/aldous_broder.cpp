// Aldous-Broder: a random walk over all cells; each cell keeps the passage of its first entrance.
//   D. J. Aldous, The random walk construction of uniform spanning trees and uniform labelled
//   trees, SIAM J. Discrete Math. 3 (1990) 450. doi:10.1137/0403039
//   A. Broder, Generating random spanning trees, FOCS '89, 442. doi:10.1109/SFCS.1989.63516
// Law: uniform; with weights= or bias= as conductances, the probability of a maze is proportional
// to the product of those of its passages. Components of a mask are walked one after the other,
// each from its first cell.
//
// Time: the cover time of the walk, some 57 steps per cell at 1000 x 1000, growing as (log side)^2.
// If weights= make it far longer, the maze is made by elimination (graph/unequal_weights.hpp).
// Scratch: 2 bytes for 64 cells.
//
// Why it is fast: the walk draws one of four directions and stays if there is no cell
// (walk_topology.hpp), so its position does not wait for memory. And most of the time it is among
// visited cells: in the middle of 3 x 3 tiles of 8 x 8 cells that are all entered, 8 steps cannot
// find a new cell, and are done at once as one leap, by adding up their offsets. Where the 3 x 3
// tiles lie within the rectangle, a step looks at the cell that it leads to, and only if that has
// no passage whether it is new or missing. With weights=, or while traced, it goes step by step. A
// component of a mask is complete when no wall between an entered cell and another one is left, so
// its cells need not be counted beforehand. Measured, ns per cell at 1000 x 1000, textbook form
// 167: step by step 77; leaps, and no border test within the rectangle, 54. At 16 x 16, too small
// for leaps, 39. With bias= 542 by free neighbours, 149 by lazy steps. Leaps of 32 steps among
// tiles of 32 x 32 cells took two thirds of all steps, but no time less: what counts are the steps
// beside new cells. Nor did tables of where four steps lead, which halve the instructions of these:
// a mask of which 3 % is missing makes the walk stay 3 times a cell, which nothing predicts.
#include <type_traits>
#include <utility>

#include "../buffer.hpp"
#include "job.hpp"
#include "shared/by_elimination.hpp"
#include "shared/conductances.hpp"
#include "shared/walk_topology.hpp"

namespace meiro {
namespace {

constexpr int leap = 8;  // steps, and the side of a tile

// The offset of four steps, by their eight bits: 4 + rows in the high half, 4 + columns in the low.
constexpr auto make_shifts() {
    std::array<std::uint16_t, 256> shifts{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        Cell to{4, 4};
        for (unsigned i = 0; i < 8; i += 2) {
            const auto d = static_cast<Direction>(byte >> i & 3);
            to = {to.row + row_step(d), to.col + col_step(d)};
        }
        shifts[byte] = static_cast<std::uint16_t>(to.row << 8 | to.col);
    }
    return shifts;
}
constexpr auto shifts = make_shifts();

// The offset of eight steps, of 16 bits.
Cell offset(unsigned some) {
    const unsigned by = shifts[some & 255] + shifts[some >> 8];
    return {static_cast<Index>(by >> 8) - leap, static_cast<Index>(by & 255) - leap};
}

// The state of tiles of 8 x 8 cells, a byte each: the number of the 3 x 3 tiles around it of which
// all cells exist and were entered; and `safe`: the 3 x 3 lie within the rectangle.
class Tiles {
public:
    static constexpr std::uint8_t safe = 16, known = safe | 9;

    // No tile of a smaller maze is in the middle of eight others.
    static bool worth(Shape shape) { return shape.rows >= 3 * leap && shape.cols >= 3 * leap; }

    Tiles(Shape shape, Control& control)
        : rows_(shape.rows / leap + 1), cols_(shape.cols / leap + 1) {
        polled_fill(left_.data(), left_.size(), leap * leap, control);
        for (Index row = 1; row + 2 < rows_; ++row)
            polled_fill(state_.data() + row * cols_ + 1, std::max<Index>(cols_ - 3, 0), safe,
                        control);
    }

    const std::uint8_t* states() const { return state_.data(); }
    Index cols() const { return cols_; }
    void enter(Cell cell) {
        const Index row = cell.row / leap, col = cell.col / leap;
        if (--left_[row * cols_ + col] != 0) return;
        for (Index r = std::max<Index>(row - 1, 0); r < std::min(row + 2, rows_); ++r)
            for (Index c = std::max<Index>(col - 1, 0); c < std::min(col + 2, cols_); ++c)
                ++state_[r * cols_ + c];
    }

private:
    Index rows_, cols_;
    Buffer<std::uint8_t> left_{rows_ * cols_};  // cells that are missing, or were not entered
    Buffer<std::uint8_t> state_{rows_ * cols_, true};
};

template <bool leaps, class Pick, Recorder R>
class Tour {
public:
    Tour(Job& job, R& record, Pick pick) : job_(job), record_(record), pick_(std::move(pick)) {}

    void run() {
        const Passages maze = topology_.maze();
        if constexpr (std::is_same_v<Pick, Weighted>)
            pick_.begin([this](Index cell) { return topology_.free(cell); }, job_.control);
        for (Index cell = 0; cell < maze.size(); ++cell) {
            job_.control.poll();
            if ((maze.bytes()[cell] & 15) != 0) continue;
            job_.control.done(1);
            if (!job_.exists(cell)) continue;
            record_.on(Event::visit, maze.cell(cell));
            left_ = job_.mask == nullptr ? maze.size() - 1 : std::popcount(topology_.free(cell));
            at_ = cell;
            if constexpr (leaps) tiles_.enter(maze.cell(cell));
            while (left_ != 0) run_chunk();
            if (job_.mask == nullptr) break;
        }
        maze.finish(job_.control);
    }

private:
    void run_chunk() {
        entered_ = 0;
        if constexpr (std::is_same_v<Pick, Weighted>)
            weigh();
        else
            stroll();
        job_.control.done(entered_);
    }

    void stroll() {
        const Passages maze = topology_.maze();
        std::uint8_t* const bytes = maze.bytes();
        const std::array<Index, 4> step = steps(maze.shape().cols);
        const std::uint8_t* const tiles = tiles_.states();
        const Index tile_cols = tiles_.cols();
        Random random = random_;
        Index at = at_;
        auto [row, col] = maze.cell(at);
        for (int n = 0; n < walk_chunk; ++n) {
            std::uint64_t word = pick_(random);
            for (int k = 0; k < 32; k += leap, word >>= 2 * leap) {
                auto some = static_cast<unsigned>(word & 0xffff);
                const std::uint8_t tile = leaps ? tiles[(row >> 3) * tile_cols + (col >> 3)] : 0;
                const auto [down, right] = offset(some);
                row += down;
                col += right;
                if (leaps && tile == Tiles::known) {
                    at += down * step[2] + right;
                } else if (leaps && tile >= Tiles::safe) {
#pragma GCC unroll 8
                    for (int i = 0; i < leap; ++i, some >>= 2) {
                        const Index from = at;
                        at += step[some & 3];
                        if ((bytes[at] & 15) != 0) [[likely]]
                            continue;
                        const auto d = static_cast<Direction>(some & 3);
                        if ((bytes[from] & free_bits[some & 3]) == 0) {
                            at = from;
                            row -= row_step(d);
                            col -= col_step(d);
                            continue;
                        }
                        // The steps that are left, and after them some to the north.
                        const Cell rest = offset(some >> 2);
                        enter(from, at, d, {row - rest.row - i - 1, col - rest.col});
                        if (left_ == 0) {
                            random_ = random;
                            return;
                        }
                    }
                } else {
                    for (int i = 0; i < leap; ++i, some >>= 2) {
                        const auto d = static_cast<Direction>(some & 3);
                        Index to = at + step[some & 3];
                        if ((bytes[at] & free_bits[some & 3]) == 0) [[unlikely]] {
                            to = topology_.next_over_rim(at, d);
                            if (to == at) continue;
                        }
                        if ((bytes[to] & 15) == 0) [[unlikely]] {
                            enter(at, to, d, maze.cell(to));
                            if (left_ == 0) {
                                random_ = random;
                                return;
                            }
                        } else {
                            record_.on(Event::back, maze.cell(to));
                        }
                        at = to;
                    }
                    if constexpr (leaps) {
                        const Cell cell = maze.cell(at);
                        row = cell.row;
                        col = cell.col;
                    }
                }
            }
        }
        at_ = at;
        random_ = random;
        job_.control.poll(walk_chunk * 32);
    }

    void weigh() {
        const WalkTopology topology = topology_;
        const Passages maze = topology.maze();
        const auto free = [&](Index cell) { return topology.free(cell); };
        Random random = random_;
        Index at = at_;
        for (int n = 0; n < walk_chunk; ++n) {
            const Direction d = pick_(at, free, random);
            const Index to = topology.next(at, d);
            if ((maze.bytes()[to] & 15) == 0) [[unlikely]] {
                enter(at, to, d, maze.cell(to));
                if (left_ == 0) break;
            } else {
                record_.on(Event::back, maze.cell(to));
            }
            at = to;
        }
        at_ = at;
        random_ = random;
        job_.control.poll(walk_chunk * 4);
    }

    void enter(Index from, Index to, Direction by, Cell cell) {
        record_.on(Event::carve, topology_.maze().cell(from), by);
        topology_.open(from, to, by);
        ++entered_;
        left_ += job_.mask == nullptr ? -1 : walls_to_new(to);
        if constexpr (leaps) tiles_.enter(cell);
    }

    // Walls between an entered cell and another: those that `cell` adds less those that it removes.
    Index walls_to_new(Index cell) const {
        Index walls = 0;
        for (const Direction d : directions) {
            const Index near = topology_.next(cell, d);
            if (near != cell) walls += (topology_.maze().bytes()[near] & 15) == 0 ? 1 : -1;
        }
        return walls;
    }

    Job& job_;
    R& record_;
    Pick pick_;
    const WalkTopology topology_{job_};
    Random random_{job_.seed};
    Tiles tiles_{leaps ? job_.maze.shape() : Shape{}, job_.control};
    Index at_ = 0;
    Index left_ = 0;     // cells not entered; with a mask walls between an entered one and another
    Index entered_ = 0;  // cells, in this chunk
};

template <Recorder R>
void run_aldous_broder(Job& job, R& record) {
    if (!job.options.weights.empty() && !walk_covers_soon(job))
        return make_by_elimination(job, record);
    if (!job.options.weights.empty())
        return Tour<false, Weighted, R>(job, record, {job.options, job.maze}).run();
    LazySteps steps(job.options);
    if constexpr (std::is_same_v<R, NoTrace>) {
        if (Tiles::worth(job.maze.shape()))
            return Tour<true, LazySteps, R>(job, record, steps).run();
    }
    Tour<false, LazySteps, R>(job, record, steps).run();
}

}  // namespace

const Runs<Job> aldous_broder{run_aldous_broder, run_aldous_broder};

}  // namespace meiro
