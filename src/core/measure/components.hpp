// Connected components: regions of roads, islands of walls, loops, and whether a maze is perfect.
//
// One scan keeps the sets of a single row of sites (as Eller's algorithm does), so a picture of any
// height needs the memory of a few rows; several threads scan bands of rows, which are joined
// afterwards (row_sets.hpp). Adjacency is 4-connected. Loops are independent cycles: edges -
// vertices + components.
#pragma once

#include "../batch.hpp"
#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

struct Census {
    Index regions = 0;      // components of roads, or of cells joined by passages
    Index loops = 0;        // independent cycles of the roads
    Index islands = 0;      // components of walls without a site in the border; on a
                            // torus, which has no border, all but the first
    Index open_blocks = 0;  // 2 x 2 roads
    Index bare_posts = 0;   // walls inside the border without adjacent wall
    Index parts = 0;        // components of the mask: the least number of regions
};

// Of a wall/road array, 0 = road. About 5 ns per site.
Census census_of_walls(const std::uint8_t* walls, Shape shape, Control& control, int threads = 1);

// Of a maze, as if its grid were scanned. The posts within one face of the passage graph are
// connected by walls, so islands and loops are equal in number, whatever the mask; posts are walls,
// so there are no open blocks.
Census census_of_passages(const std::uint8_t* passages, Shape shape, Mask mask, Control& control,
                          int threads = 1);

// The same for a periodic maze. Loops that wind around it enclose no island.
Census census_of_periodic(const std::uint8_t* passages, Shape shape, Wrap wrap, Mask mask,
                          Control& control, int threads = 1);

// The census of each maze of a batch, on several threads, which share the mazes, or the rows of a
// single one; out: n of them.
void census_of_each(const Batch& batch, Census* out, Control& control, int threads);

// Is every component of the mask spanned by one tree?
inline bool is_perfect(const Census& maze) {
    return maze.regions == maze.parts && maze.loops == 0;
}

// Labels the connected components of the sites equal to `kind`: 1, 2, ... in the order of their
// first sites, 0 elsewhere. Returns their number. T holds every site: int32 below 2^31 sites, else
// int64. For the grid of a periodic maze the two opposite sides of the border are the same sites.
template <class T>
Index label(const std::uint8_t* sites, Shape shape, Wrap wrap, std::uint8_t kind, T* labels,
            Control& control);

// Labels the connected components of the cells: 1, 2, ... in the order of their first cells, 0 for
// cells that do not exist. Returns their number. T holds every cell.
template <class T>
Index label_cells(const std::uint8_t* passages, Shape shape, Wrap wrap, Mask mask, T* labels,
                  Control& control);

}  // namespace meiro
