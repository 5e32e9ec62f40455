// What hangs together: regions of roads, islands of walls, loops, and whether a maze is perfect.
//
// Counts come from one scan that keeps the sets of one row of sites (as Eller's algorithm does), so
// that a picture of any size needs the memory of a few rows. Neighbours are the four straight ones.
// Loops are independent cycles: edges - vertices + components.
#pragma once

#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

struct Census {
    Index regions = 0;      // components of roads, or of cells joined by passages
    Index loops = 0;        // independent cycles of the roads
    Index islands = 0;      // components of walls that have no site in the border; of a torus, that
                            // has none, those beyond the first
    Index open_blocks = 0;  // 2 x 2 roads
    Index bare_posts = 0;   // walls, not in the border, without a wall beside them
    Index parts = 0;        // components of the mask: the regions that a maze could at least have
};

// Of a wall/road array, 0 = road. About 5 ns a site.
Census census_of_walls(const std::uint8_t* walls, Shape shape, Control& control);

// Of a maze, as if its grid were looked at. The posts within one face of the graph of passages hang
// together by walls, so islands and loops are the same number, whatever the mask; posts are walls,
// so there are no open blocks.
Census census_of_passages(const std::uint8_t* passages, Shape shape, Mask mask, Control& control);

// The same of a maze that wraps. Loops that wind around it have no island.
Census census_of_periodic(const std::uint8_t* passages, Shape shape, Wrap wrap, Mask mask,
                          Control& control);

// One tree a part: as few passages as can join every part of the mask, and they do.
inline bool is_perfect(const Census& maze) {
    return maze.regions == maze.parts && maze.loops == 0;
}

// Numbers the components of the sites that are equal to `kind`: 1, 2, ... in the order of their
// first sites, 0 elsewhere. Returns how many. T holds every site: int32 below 2^31 of them, int64.
// Where the maze wraps, of which the sites are the grid, the two sides of the border are one.
template <class T>
Index label(const std::uint8_t* sites, Shape shape, Wrap wrap, std::uint8_t kind, T* labels,
            Control& control);

// Numbers the parts of a maze that hang together by passages: 1, 2, ... in the order of their first
// cells, 0 where there is no cell. Returns how many. T holds every cell.
template <class T>
Index label_cells(const std::uint8_t* passages, Shape shape, Wrap wrap, Mask mask, T* labels,
                  Control& control);

}  // namespace meiro
