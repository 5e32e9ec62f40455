// Solving many mazes: lengths_of_each and path_of_each.
//
// Each maze is flooded from its start as bfs does, so the paths are those of bfs. Small mazes are
// handed to a thread in batches that share scratch: a byte per cell (two for periodic mazes) and
// two levels. Time: linear in the sites reached. Each cell keeps the move that reached it.
#include "solve_many.hpp"

#include <algorithm>

#include "../batch.hpp"
#include "bfs_levels.hpp"
#include "search.hpp"

namespace meiro {
namespace {

// Calls body(maze, scratch from make(), control) for every maze.
template <class Make, class Body>
void each_maze(const ManyMazes& many, Control& control, int threads, Make make, Body body) {
    const Index cells = many.shape.size();
    by_dozens(many.n, cells, control, threads, [&](Index first, Index last, Control& worker) {
        auto shared = make();
        for (Index i = first; i < last; ++i) {
            worker.poll(16);
            body(i, shared, worker);
            worker.done(cells);
        }
    });
}

// Steps from start to goal, by levels. Invariant: `came` is 1 + the move, of every site reached.
template <class Id>
Index length_of(const Adjacency& adjacency, Index start, Index goal, std::uint8_t* came,
                Levels<Id>& levels, Control& control) {
    if (start < 0) return -1;
    if (start == goal) return 0;
    const SquarePlaces<Id> places(adjacency);
    came[start] = start_mark;
    came[goal] = goal_mark;
    levels.clear();
    levels.start(start);
    bool met = false;
    const Index length = levels.flood(places, control, met, [&](Index to, unsigned d, Index) {
        const std::uint8_t before = came[to];
        if ((before & reached_mask) != 0) return false;
        met |= before != 0;
        came[to] = static_cast<std::uint8_t>(d + 1);
        return true;
    });
    return met ? length : -1;
}

template <class Id>
void measure(const ManyMazes& many, Index* lengths, std::uint8_t* came, Control& control,
             int threads) {
    const Index cells = many.shape.size();
    struct Shared {
        Buffer<std::uint8_t> scratch, came;
        Levels<Id> levels;
    };
    const auto make = [&] {
        return Shared{Buffer<std::uint8_t>(many.wrap.any() ? cells : 0),
                      Buffer<std::uint8_t>(came == nullptr ? cells : 0),
                      {}};
    };
    each_maze(many, control, threads, make, [&](Index i, Shared& shared, Control& worker) {
        std::uint8_t* const marks = came != nullptr ? came + i * cells : shared.came.data();
        if (came == nullptr) polled_fill(marks, cells, 0, worker);
        const Adjacency adjacency = adjacency_of_passages(many.passages + i * cells, many.shape,
                                                          many.wrap, shared.scratch.data(), worker);
        const auto which = static_cast<std::size_t>(i);
        lengths[i] = length_of(adjacency, many.starts[which], many.goals[which], marks,
                               shared.levels, worker);
    });
}

}  // namespace

void lengths_of_each(const ManyMazes& many, Index* lengths, std::uint8_t* came, Control& control,
                     int threads) {
    if (many.shape.size() <= std::numeric_limits<std::uint32_t>::max() >> move_bits)
        measure<std::uint32_t>(many, lengths, came, control, threads);
    else
        measure<Index>(many, lengths, came, control, threads);
}

void path_of_each(const ManyMazes& many, const Index* lengths, const std::uint8_t* came,
                  Index places, std::int32_t* paths, Control& control, int threads) {
    const Index rows = many.shape.rows, cols = many.shape.cols;
    each_maze(
        many, control, threads, [] { return 0; },
        [&](Index i, int, Control& worker) {
            const std::uint8_t* const reached = came + i * rows * cols;
            std::int32_t* const path = paths + i * places * 2;
            const Index length = lengths[i];
            polled_fill(path + 2 * (length + 1), 2 * (places - 1 - length), -1, worker);
            auto [row, col] = many.shape.cell(many.goals[static_cast<std::size_t>(i)]);
            for (Index k = length; k >= 0; --k) {
                if (k % poll_chunk == 0) worker.poll(poll_chunk);
                path[2 * k] = static_cast<std::int32_t>(row);
                path[2 * k + 1] = static_cast<std::int32_t>(col);
                if (k == 0) break;
                const unsigned move = reached[row * cols + col] - 1u;
                const auto towards = static_cast<Direction>(move & 3u);
                const bool over = move > 3;
                row += row_step(towards) * (over ? rows - 1 : -1);
                col += col_step(towards) * (over ? cols - 1 : -1);
            }
        });
}

Index most_sites(const CellPaths& paths, Control& control) {
    Index most = 0;
    for (Index i = 0; i < paths.n; ++i) {
        Index count = 0;
        paths.sites_of(i, control, [&](Index, Index) { ++count; });
        most = std::max(most, count);
        control.poll();
    }
    return most;
}

void grid_path_of_each(const CellPaths& paths, Index places, std::int32_t* out, Control& control) {
    for (Index i = 0; i < paths.n; ++i) {
        std::int32_t* to = out + 2 * i * places;
        std::int32_t* const end = to + 2 * places;
        paths.sites_of(i, control, [&](Index row, Index col) {
            *to++ = static_cast<std::int32_t>(row);
            *to++ = static_cast<std::int32_t>(col);
        });
        polled_fill(to, end - to, -1, control);
    }
}

void mark_path_of_each(const CellPaths& paths, std::uint8_t* marks, Control& control) {
    const Shape sites = paths.shape.grid();
    for (Index i = 0; i < paths.n; ++i) {
        std::uint8_t* const grid = marks + i * sites.size();
        paths.sites_of(i, control, [&](Index row, Index col) { grid[sites.id({row, col})] = 1; });
        control.poll();
    }
}

}  // namespace meiro
