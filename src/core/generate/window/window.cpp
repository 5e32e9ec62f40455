#include "window.hpp"

#include <utility>

#include "../../buffer.hpp"
#include "../shared/orientation.hpp"

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

// towards=: the same window of the upright maze, turned.
void make_turned(const Window& window, void (*make)(const Window&)) {
    const Orientation orientation(window.options.towards, window.whole);
    const Symmetry how = orientation.symmetry();
    Buffer<std::uint8_t> scratch(window.shape.size());
    Window upright = window;
    upright.whole = orientation.upright();
    upright.shape = how.of(window.shape);
    if (how.exchanged) std::swap(upright.first.row, upright.first.col);
    if (how.rows) upright.first.row = upright.whole.rows - upright.shape.rows - upright.first.row;
    upright.out = scratch.data();
    make(upright);
    turn(scratch.data(), upright.shape, how, true, window.out, window.threads, window.control);
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
