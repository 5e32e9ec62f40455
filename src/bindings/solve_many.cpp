// Solving many mazes at once.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>

#include "../core/solve/solve_many.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "search_space.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// (lengths, paths or None). ask(places) is called with the size of the paths before memory is taken
// for them; if it is None, only lengths are computed. A start of -1 is no cell.
py::tuple solve_many(const Bytes& passages, std::array<bool, 2> wraps, const Array<Index>& starts,
                     const Array<Index>& goals, const py::object& ask, int threads,
                     const py::object& progress) {
    if (passages.ndim() != 3) throw py::value_error("passages must be 3-D");
    const Index n = passages.shape(0);
    const Shape shape = checked_shape(passages.shape(1), passages.shape(2));
    const bool paths = !ask.is_none();
    const auto check = [&](const Array<Index>& places, const char* name, Index least) {
        const auto cells = flat(places, n, name);
        for (const Index cell : cells)
            if (cell < least || cell >= shape.size())
                throw py::value_error(std::string(name) + " is outside");
        return cells;
    };
    const ManyMazes many{
        passages.data(),         n, shape, wrap_of(wraps, shape), check(starts, "starts", -1),
        check(goals, "goals", 0)};
    if (paths && std::max(shape.rows, shape.cols) > Index{1} << 31)
        throw py::value_error("a side is too long for paths of int32");
    Array<Index> lengths(n);
    Index* const to = lengths.mutable_data();
    Buffer<std::uint8_t> came;
    Index places = 0;
    detached({progress, n * shape.size()}, [&](Control& control) {
        if (paths) came = Buffer<std::uint8_t>(n * shape.size(), true);
        lengths_of_each(many, to, came.data(), control, threads);
        by_pieces(n, control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) places = std::max(places, to[i] + 1);
        });
    });
    if (!paths) return py::make_tuple(lengths, py::none());
    ask(places);
    Buffer<std::int32_t> out;
    detached({}, [&](Control& control) {
        out = Buffer<std::int32_t>(n * places * 2);
        path_of_each(many, to, came.data(), places, out.data(), control, threads);
    });
    return py::make_tuple(lengths, given_away(std::move(out), {n, places, 2}));
}

// Paths of cells (n, places, 2), and the steps of each; every cell of a path is in the maze, and
// next to the one before, maybe over the border.
CellPaths paths_of(const Array<std::int32_t>& paths, const Array<Index>& lengths,
                   std::array<Index, 2> sides) {
    const Shape shape = checked_shape(sides[0], sides[1]);
    if (paths.ndim() != 3 || paths.shape(2) != 2) throw py::value_error("paths must be (n, k, 2)");
    const Index n = paths.shape(0), each = paths.shape(1);
    const std::int32_t* const at = paths.data();
    const auto steps = flat(lengths, n, "lengths");
    for (Index i = 0; i < n; ++i) {
        const Index length = steps[static_cast<std::size_t>(i)];
        if (length >= each) throw py::value_error("a path is longer than its array");
        for (Index k = 0; k <= length; ++k) {
            const Index row = at[2 * (i * each + k)], col = at[2 * (i * each + k) + 1];
            if (row < 0 || row >= shape.rows || col < 0 || col >= shape.cols)
                throw py::value_error("a path is outside");
        }
    }
    return {at, steps.data(), n, each, shape};
}

// (n, most, 2). ask(most) is called with the size of a path before memory is taken.
Array<std::int32_t> grid_paths(const Array<std::int32_t>& paths, const Array<Index>& lengths,
                               std::array<Index, 2> sides, const py::object& ask) {
    const CellPaths given = paths_of(paths, lengths, sides);
    Index most = 0;
    detached({}, [&](Control& control) { most = most_sites(given, control); });
    ask(most);
    Array<std::int32_t> out({given.n, most, Index{2}});
    std::int32_t* const to = out.mutable_data();
    detached({}, [&](Control& control) { grid_path_of_each(given, most, to, control); });
    return out;
}

// (n, 2 rows + 1, 2 cols + 1): 1 on the sites of the path.
Bytes path_masks(const Array<std::int32_t>& paths, const Array<Index>& lengths,
                 std::array<Index, 2> sides) {
    const CellPaths given = paths_of(paths, lengths, sides);
    const Shape sites = given.shape.grid();
    Buffer<std::uint8_t> marks;
    detached({}, [&](Control& control) {
        marks = Buffer<std::uint8_t>(given.n * sites.size(), true);
        mark_path_of_each(given, marks.data(), control);
    });
    return given_away(std::move(marks), {given.n, sites.rows, sites.cols});
}

}  // namespace

void bind_solve_many(py::module_& m) {
    def(m, "solve_many", &solve_many, py::arg("passages"), py::arg("wrap"), py::arg("starts"),
        py::arg("goals"), py::arg("ask"), py::arg("threads"), py::arg("progress"));
    def(m, "grid_paths", &grid_paths, py::arg("paths"), py::arg("lengths"), py::arg("shape"),
        py::arg("ask"));
    def(m, "path_masks", &path_masks, py::arg("paths"), py::arg("lengths"), py::arg("shape"));
}

}  // namespace meiro
