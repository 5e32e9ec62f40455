// Many mazes of one shape: their grids, their soundness, and cells that are far apart.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "../core/passages.hpp"
#include "../core/paths/double_sweep_many.hpp"
#include "../core/transform/grid.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_space.hpp"
#include "maze_array.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// The grids of all mazes, (n, 2 rows + 1, 2 cols + 1).
Bytes expand_many(const Bytes& passages, const std::optional<Bytes>& mask) {
    const Batch batch = batch_of(passages, mask, {false, false});
    const Shape sites = batch.shape.grid();
    Bytes out({batch.n, sites.rows, sites.cols});
    std::uint8_t* const to = writable(out);
    detached({}, [&](Control& control) {
        for (Index i = 0; i < batch.n; ++i)
            expand(batch.maze(i), batch.shape, batch.mask_of(i), 0, sites.rows,
                   to + i * sites.size(), control);
    });
    return out;
}

// The index of the first array that is not a sound maze, and its first bad cell; -1, -1 if all are.
py::tuple first_fault_of_many(const Bytes& passages, const std::optional<Bytes>& mask,
                              std::array<bool, 2> wrap) {
    const Batch batch = batch_of(passages, mask, wrap);
    Index maze = -1, cell = -1;
    detached({}, [&](Control& control) {
        for (Index i = 0; i < batch.n && cell < 0; ++i) {
            // Passages is a view that can write; this code only reads.
            auto* bytes = const_cast<std::uint8_t*>(batch.maze(i));
            control.poll(batch.shape.size() / 8 + 1);
            cell = Passages(bytes, batch.shape, batch.wrap).first_fault(batch.mask_of(i), control);
            if (cell >= 0) maze = i;
        }
    });
    return py::make_tuple(maze, cell);
}

// For each place of one maze the number of those `among` that are at least so far away, as
// count_far().
Array<Index> far_counts(const py::tuple& parts, const Bytes& among, Index least) {
    const HeldSpace space(parts);
    space.require_one();
    const auto chosen = flat(among, space.places(), "among");
    if (std::any_of(chosen.begin(), chosen.end(), [](std::uint8_t byte) { return byte > 1; }))
        throw py::value_error("among must be 0 or 1");
    if (least < 1) throw py::value_error("least must be 1 or more");
    Array<Index> counts(space.places());
    Index* const to = counts.mutable_data();
    detached({}, [&](Control& control) {
        space.each(control, 1, [&](const auto& maze, Index, Control& one, int) {
            count_far(maze, chosen.data(), least, to, one);
        });
    });
    return counts;
}

}  // namespace

void bind_batch(py::module_& m) {
    def(m, "expand_many", &expand_many, py::arg("passages"), py::arg("mask"));
    def(m, "first_fault_of_many", &first_fault_of_many, py::arg("passages"), py::arg("mask"),
        py::arg("wrap"));
    def(m, "far_counts", &far_counts, py::arg("space"), py::arg("among"), py::arg("least"));
}

}  // namespace meiro
