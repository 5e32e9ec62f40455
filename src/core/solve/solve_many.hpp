// Solving many mazes of one shape, each from a start to a goal.
#pragma once

#include <span>

#include "../control.hpp"

namespace meiro {

struct ManyMazes {
    const std::uint8_t* passages;  // n mazes, one after the other
    Index n;
    Shape shape;
    Wrap wrap;
    std::span<const Index> starts, goals;  // one per maze; a start of -1 is no cell
};

// Steps of the shortest paths, -1 where no path leads to the goal. `came`, unless null: n * cells
// zeros, which receive the moves that path_of_each() needs.
void lengths_of_each(const ManyMazes& many, Index* lengths, std::uint8_t* came, Control& control,
                     int threads);

// The paths, each `places` pairs (row, col); pairs after the goal are -1.
void path_of_each(const ManyMazes& many, const Index* lengths, const std::uint8_t* came,
                  Index places, std::int32_t* paths, Control& control, int threads);

// Paths of `each` cells (row, col), with -1 after the goal, as path_of_each() fills them, in sites
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
                const Index height = 2 * shape.rows, width = 2 * shape.cols;
                visit(down == 0  ? row
                      : down > 0 ? 0
                                 : height,
                      right == 0  ? col
                      : right > 0 ? 0
                                  : width);
                visit(down == 0  ? row
                      : down > 0 ? height
                                 : 0,
                      right == 0  ? col
                      : right > 0 ? width
                                  : 0);
            }
            visit(2 * Index{at[2]} + 1, 2 * Index{at[3]} + 1);
        }
    }
};

// The most sites of a path.
Index most_sites(const CellPaths& paths, Control& control);
// The sites, each path `places` pairs (row, col); pairs after the goal are -1.
void grid_path_of_each(const CellPaths& paths, Index places, std::int32_t* out, Control& control);
// marks: n grids of zeros, which become 1 on the path.
void mark_path_of_each(const CellPaths& paths, std::uint8_t* marks, Control& control);

}  // namespace meiro
