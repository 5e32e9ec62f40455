// Passages and the drawn grid, and the check of passages from users.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "../core/transform/grid.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// Rows first .. first + len(out) - 1 of the grid of a maze, with all posts or without free ones.
void expand_rows(const Bytes& passages, const std::optional<Bytes>& mask_bytes, Index first,
                 Bytes out, bool posts, int threads) {
    const Shape shape = shape_of(passages, "passages");
    const Shape rows = shape_of(out, "out");
    if (rows.cols != shape.grid().cols || first < 0 || first + rows.rows > shape.grid().rows)
        throw py::value_error("out must be rows of the grid of the maze");
    const Mask mask = mask_of(mask_bytes, shape);
    std::uint8_t* const to = writable(out);
    // Wide bands, where there are many: two threads that touch fresh memory in one huge page (2 MB)
    // at the same time would both clear it.
    const bool large = rows.size() >= Index{threads} << 24;
    const Index band = std::max<Index>(1, (Index{1} << (large ? 22 : 20)) / rows.cols);
    const Index bands = (rows.rows + band - 1) / band;
    detached({}, [&](Control& control) {
        parallel(control, threads, bands, [&](Index i, Control& own) {
            const Index from = i * band, end = std::min(from + band, rows.rows);
            expand(passages.data(), shape, mask, first + from, first + end, to + from * rows.cols,
                   own, posts);
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
    Bytes mask({shape.rows, shape.cols});
    std::uint8_t* const open = writable(passages);
    std::uint8_t* const mask_out = writable(mask);
    Contracted result;
    detached({}, [&](Control& control) {
        result = contract(grid.data(), shape, wrap, open, mask_out, control);
    });
    constexpr const char* names[] = {"", "post", "door", "seam"};
    if (result.fault != GridFault::none)
        return py::make_tuple(passages, mask,
                              py::make_tuple(names[static_cast<std::size_t>(result.fault)],
                                             result.site.row, result.site.col));
    return py::make_tuple(passages, result.full ? py::object(py::none()) : py::object(mask),
                          py::none());
}

// The number of the first cell whose bits are not sound; -1 if all are.
Index first_fault(const Bytes& passages, const std::optional<Bytes>& mask_bytes,
                  std::array<bool, 2> wraps) {
    const Shape shape = shape_of(passages, "passages");
    const Mask mask = mask_of(mask_bytes, shape);
    const Wrap wrap = wrap_of(wraps, shape);
    Index fault = -1;
    detached({}, [&](Control& control) {
        // Passages is a view that can write; this code only reads.
        auto* bytes = const_cast<std::uint8_t*>(passages.data());
        fault = Passages(bytes, shape, wrap).first_fault(mask, control);
    });
    return fault;
}

}  // namespace

void bind_grid(py::module_& m) {
    def(m, "expand_rows", &expand_rows, py::arg("passages"), py::arg("mask"), py::arg("first"),
        py::arg("out"), py::arg("posts"), py::arg("threads"));
    def(m, "contract_grid", &contract_grid, py::arg("grid"), py::arg("wrap"));
    def(m, "first_fault", &first_fault, py::arg("passages"), py::arg("mask"), py::arg("wrap"));
}

}  // namespace meiro
