// Transforms that open and close edges of a maze on a graph, in place: `open` has a byte an edge.
// Draws have the lanes of the same transforms of squares. Each works on one thread.
#pragma once

#include <span>

#include "../transform/transform_many.hpp"
#include "../transform/transforms.hpp"
#include "open_graph.hpp"

namespace meiro {

// As braid() of squares: opens a wall of each dead end, taken with probability p. Scratch: 17 bytes
// a cell.
void braid(const Graph& graph, std::uint8_t* open, const Seed& seed, Chance p, Control& control,
           int threads = 1);

// The closed edges that are no self loops, and `n` of them opened, each set equally likely.
Index count_walls(const Graph& graph, const std::uint8_t* open, Control& control);
void add_loops(const Graph& graph, std::uint8_t* open, const Seed& seed, Index n, Control& control);

// As join_regions() and remove_islands() of squares: closed edges, or open ones, are visited in an
// order that is uniform over all, and one that joins two regions is open afterwards. Scratch: 4
// bytes an edge and 8 a cell.
void join_regions(const Graph& graph, std::uint8_t* open, const Seed& seed, Control& control);
void remove_islands(const Graph& graph, std::uint8_t* open, const Seed& seed, Control& control,
                    int threads = 1);

// Closes the passages of dead ends, `rounds` times, but not of the cells in `kept`, -1 for none. A
// round takes the cells that have degree 1 at its beginning; of two that have only each other the
// one with the lower number stays, so their passage is closed and nothing else. Scratch: 17 bytes a
// cell.
void fill_dead_ends(const Graph& graph, std::uint8_t* open, std::span<const Index> kept,
                    Index rounds, Control& control);

// Walks on spanning trees, in place, as origin_shift() and perturb() of squares; the maze is
// perfect. The root of origin_shift() moves to a uniform slot of its cell. Scratch: 16 and 13 bytes
// a cell, and of perturb() 4 for each passage.
void origin_shift(const Graph& graph, std::uint8_t* open, const Seed& seed, Index steps,
                  Control& control);
void perturb(const Graph& graph, std::uint8_t* open, const Seed& seed, Index n, Control& control);

// The tree by which a search reaches every cell.
enum class SearchOrder : std::uint8_t { breadth_first, depth_first };

// Opens, in `open` (a byte an edge, all 0), the edge by which the search first reaches each cell:
// from `start` in its component, from the first cell in others. Neighbours come in the order of the
// edges. Depth first is that of the textbook: a cell goes as deep as it can before the next
// neighbour.
void search_tree(const Graph& graph, Index start, SearchOrder order, std::uint8_t* open,
                 Control& control);

}  // namespace meiro
