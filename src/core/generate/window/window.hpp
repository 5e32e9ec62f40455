// Windows of mazes that are too large to be made: the passages of some rows and columns, byte for
// byte those of the whole maze, whose shape may go to 2^30 x 2^30. For the algorithms that decide a
// wall from what is near, or from the row before it.
//
//   kruskal               and prim, boruvka: from a box around the window, and for a few walls from
//                         floods as far as need be: ../endless/forest.hpp
//   binary_tree           from the window alone
//   percolation           p = 1/2: from the window alone; else the rows are drawn from their begin
//   sidewinder            rows from their begin: how many words were drawn is not known before
//   pole_toppling         as sidewinder
//
// Time: linear in the window; where rows are drawn from their begin, in the part of the maze to the
// left of its end. Scratch: two rows of the window a thread; turned by towards=, the window.
#pragma once

#include <string_view>

#include "../../control.hpp"
#include "../../lattice.hpp"
#include "../../options.hpp"
#include "../../random.hpp"

namespace meiro {

inline constexpr Index longest_side = Index{1} << 30;

struct Window {
    Shape whole;
    Cell first;
    Shape shape;
    std::uint8_t* out;  // receives the passages, those that leave the window too
    Seed seed;
    const Options& options;
    Control& control;
    int threads = 1;
    std::int64_t memory = 0;  // bytes that the search around one wall may take
};

void kruskal_window(const Window& window);
void binary_tree_window(const Window& window);
void sidewinder_window(const Window& window);
void percolation_window(const Window& window);
void pole_toppling_window(const Window& window);

// Makes a window by the algorithm of a name; false: the name is not that of one.
bool make_window(std::string_view algorithm, const Window& window);

}  // namespace meiro
