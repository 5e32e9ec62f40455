// Solving many mazes of one shape, each from a start to a goal: their paths as arrays.
#pragma once

#include "bfs_levels.hpp"
#include "search.hpp"

namespace meiro {

// Finds the paths of bfs, in one maze after the other, in the same scratch: a mark per place, and
// two levels.
template <AnySearch S>
class PathFinder {
public:
    using Places = decltype(std::declval<const S&>().places());
    using Steps = decltype(S::Result::steps);

    explicit PathFinder(Index places) : reached_(places) {}

    // The number of steps; -1 if there is no path, or `start` is -1, which is no place.
    Index length(const Places& places, Index start, Index goal, Control& control);
    // Those of the last path.
    Steps steps(const Places& places, Index length, Index goal, Control& control) const;

private:
    using Marks = typename S::Marks;
    Buffer<typename Marks::Mark> reached_;
    Levels<typename Places::Entry> levels_;
};

// Writes the places along `length` steps from `start`, and -1 behind them, `most` in all: rows and
// columns, or cells of a graph. The length is -1 if there is no path.
void list_places(Shape shape, Index start, const Buffer<std::uint8_t>& moves, Index length,
                 Index most, std::int32_t* out, Control& control);
void list_places(const Graph& graph, Index start, const Buffer<GraphId>& edges, Index length,
                 Index most, std::int32_t* out, Control& control);

// Paths of `each` cells (row, col), with -1 after the goal, as list_places() has them, in sites
// of the grid: doors included, and both sites of a door in a periodic border.
struct CellPaths {
    const std::int32_t* cells;
    const Index* lengths;  // steps, -1: no path
    Index n, each;
    Shape shape;

    // visit(row, col) for each site of path i.
    template <class Visit>
    void sites_of(Index i, Control& control, Visit visit) const {
        const std::int32_t* at = cells + 2 * i * each;
        if (lengths[i] < 0) return;
        visit(2 * Index{at[0]} + 1, 2 * Index{at[1]} + 1);
        for (Index k = 0; k < lengths[i]; ++k, at += 2) {
            if (k % poll_chunk == 0) control.poll(poll_chunk);
            const Index row = 2 * Index{at[0]} + 1, col = 2 * Index{at[1]} + 1;
            const Index down = Index{at[2]} - at[0], right = Index{at[3]} - at[1];
            const bool over = down > 1 || down < -1 || right > 1 || right < -1;
            if (!over) {
                visit(row + down, col + right);
            } else {  // the step is the other way
                const auto rim = [](Index by, Index here, Index backwards, Index forwards) {
                    return by == 0 ? here : by > 0 ? backwards : forwards;
                };
                const Index height = 2 * shape.rows, width = 2 * shape.cols;
                visit(rim(down, row, 0, height), rim(right, col, 0, width));
                visit(rim(down, row, height, 0), rim(right, col, width, 0));
            }
            visit(2 * Index{at[2]} + 1, 2 * Index{at[3]} + 1);
        }
    }
};

// The most sites of a path.
Index most_sites(const CellPaths& paths, Control& control);
// The sites, each path `places` pairs (row, col); pairs behind its end are -1.
void grid_path_of_each(const CellPaths& paths, Index places, std::int32_t* out, Control& control);
// marks: n grids of zeros, which become 1 on the path.
void mark_path_of_each(const CellPaths& paths, std::uint8_t* marks, Control& control);

}  // namespace meiro
