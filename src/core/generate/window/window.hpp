// Windows of mazes that are too large to be made: the passages of some rows and columns, byte for
// byte those of the whole maze, whose shape may go to 2^30 x 2^30. For the algorithms that decide a
// wall from what is near, or from the row before it.
//
//   kruskal               and prim, boruvka: from boxes around parts of the window, and a few walls
//                         from contours as far as need be: ../endless/forest.hpp
//   binary_tree           from the window alone
//   percolation           p = 1/2: from the window alone; else rows are drawn from the begin of the
//                         segment in which the window begins: ../shared/segments.hpp
//   sidewinder            as percolation, or from the segment before: where a run begins, and
//   pole_toppling         whether a pole fell east, is known after a few cells of a segment
//
// Time: linear in the window and what is drawn before it in its rows. Scratch: two rows of the
// window a thread; turned by towards=, the window.
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
};

void kruskal_window(const Window& window);
void binary_tree_window(const Window& window);
void sidewinder_window(const Window& window);
void percolation_window(const Window& window);
void pole_toppling_window(const Window& window);

// Makes a window by the algorithm of a name; false: the name is not that of one.
bool make_window(std::string_view algorithm, const Window& window);

}  // namespace meiro
