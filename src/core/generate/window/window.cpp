#include "window.hpp"

#include "../../buffer.hpp"
#include "../../transform/square_symmetry.hpp"

namespace meiro {
namespace {

struct Row {
    std::string_view name;
    void (*make)(const Window&);
};
constexpr Row rows[] = {
    {"binary_tree", binary_tree_window},
    {"boruvka", kruskal_window},
    {"kruskal", kruskal_window},
    {"percolation", percolation_window},
    {"pole_toppling", pole_toppling_window},
    {"prim", kruskal_window},
    {"sidewinder", sidewinder_window},
};

// towards=: the same window of the upright maze, turned. See orientation.hpp.
void make_turned(const Window& window, void (*make)(const Window&)) {
    const Shape whole = window.whole, shape = window.shape;
    const Cell first = window.first;
    const Direction towards = window.options.towards;
    const bool sideways = towards != Direction::south;
    Buffer<std::uint8_t> scratch(shape.size());
    Window upright = window;
    upright.first =
        towards == Direction::south  ? Cell{whole.rows - first.row - shape.rows, first.col}
        : towards == Direction::west ? Cell{first.col, first.row}
                                     : Cell{whole.cols - first.col - shape.cols, first.row};
    if (sideways) {
        upright.whole = {whole.cols, whole.rows};
        upright.shape = {shape.cols, shape.rows};
    }
    upright.out = scratch.data();
    make(upright);
    turn(scratch.data(), upright.shape, {towards != Direction::west, false, sideways}, true,
         window.out, window.threads, window.control);
}

}  // namespace

bool make_window(std::string_view algorithm, const Window& window) {
    for (const Row& row : rows) {
        if (row.name != algorithm) continue;
        if (window.options.towards == Direction::north)
            row.make(window);
        else
            make_turned(window, row.make);
        return true;
    }
    return false;
}

}  // namespace meiro
