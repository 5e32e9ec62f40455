// Passages and the drawn grid, and the check of passages from users.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "../core/transform/grid.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_space.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// Rows first, first + 1, ... of the grid of each maze, as many as `out` has, (n, k, 2 cols + 1),
// with all posts or without free ones.
void expand_rows(const Bytes& passages, const std::optional<Booleans>& mask, Index first, Bytes out,
                 bool posts, int threads) {
    const Batch mazes = batch_of(passages, mask, {false, false});
    const Shape shape = mazes.shape, grid = shape.grid();
    if (out.ndim() != 3 || out.shape(0) != mazes.n || out.shape(2) != grid.cols || first < 0 ||
        first + out.shape(1) > grid.rows)
        throw py::value_error("out must be rows of the grid of the maze");
    const Shape rows{out.shape(1), out.shape(2)};
    std::uint8_t* const to = writable(out);
    // Wide bands, where there are many: two threads that touch fresh memory in one huge page (2 MB)
    // at the same time would both clear it.
    const bool large = rows.size() >= Index{threads} << 24;
    const Index band = std::max<Index>(1, (Index{1} << (large ? 22 : 20)) / rows.cols);
    detached({}, [&](Control& control) {
        for (Index i = 0; i < mazes.n; ++i)
            by_shares(rows.rows, band, control, threads, [&](Index from, Index end, Control& own) {
                expand(mazes.maze(i), shape, mazes.mask_of(i), first + from, first + end,
                       to + i * rows.size() + from * rows.cols, own, posts);
            });
    });
}

// (passages, mask or None, None) of a grid; the last item is (kind, row, col) of the first fault if
// it is not the grid of a maze.
py::tuple contract_grid(const Bytes& grid, std::array<bool, 2> wraps) {
    const Shape sites = shape_of(grid, "grid");
    if (sites.rows < 3 || sites.cols < 3 || sites.rows % 2 == 0 || sites.cols % 2 == 0)
        throw py::value_error("a maze grid has odd sides of at least 3");
    const Shape shape = checked_shape((sites.rows - 1) / 2, (sites.cols - 1) / 2);
    const Wrap wrap = wrap_of(wraps, shape);
    Bytes passages({shape.rows, shape.cols});
    Booleans mask({shape.rows, shape.cols});
    std::uint8_t* const open = writable(passages);
    std::uint8_t* const mask_out = writable(mask);
    Contracted result;
    detached({}, [&](Control& control) {
        result = contract(grid.data(), shape, wrap, open, mask_out, control);
    });
    if (result.fault != GridFault::none)
        return py::make_tuple(passages, mask,
                              py::make_tuple(result.fault, result.site.row, result.site.col));
    return py::make_tuple(passages, result.full ? py::object(py::none()) : py::object(mask),
                          py::none());
}

// The index of the first array that is not a sound maze, and its first bad cell; -1, -1 if all are.
py::tuple first_fault(const Bytes& passages, const std::optional<Booleans>& mask,
                      std::array<bool, 2> wrap) {
    const Batch mazes = batch_of(passages, mask, wrap);
    Index maze = -1, cell = -1;
    detached({}, [&](Control& control) {
        for (Index i = 0; i < mazes.n && cell < 0; ++i) {
            // Passages is a view that can write; this code only reads.
            auto* bytes = const_cast<std::uint8_t*>(mazes.maze(i));
            control.poll(mazes.shape.size() / 8 + 1);
            cell = Passages(bytes, mazes.shape, mazes.wrap).first_fault(mazes.mask_of(i), control);
            if (cell >= 0) maze = i;
        }
    });
    return py::make_tuple(maze, cell);
}

}  // namespace

void bind_grid(py::module_& m) {
    def(m, "expand_rows", &expand_rows, "passages", "mask", "first", "out", "posts", "threads");
    def(m, "contract_grid", &contract_grid, "grid", "wrap");
    def(m, "first_fault", &first_fault, "passages", "mask", "wrap");
}

}  // namespace meiro
