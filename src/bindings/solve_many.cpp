// Solving many mazes at once.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>

#include "../core/graph/solve/graph_solvers.hpp"
#include "../core/solve/solve_many.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_space.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

struct ManySearches {
    std::span<const Index> starts, goals;
    const Array<Index>& lengths;
    Index* length;
    const py::object& ask;
};

py::tuple solve_graphs(const HeldSpace& space, const ManySearches& many, int threads,
                       const Progress& progress) {
    const Graph& graph = space.graph();
    GraphId* cells = nullptr;
    Index width = 0;
    // The second time with a place for the cells.
    const auto run = [&] {
        detached(progress, [&](Control& control) {
            space.each_open_graph(
                control, threads, [&](const OpenGraph& maze, Index i, Control& worker) {
                    const auto which = static_cast<std::size_t>(i);
                    const Index start = many.starts[which];
                    Index& length = many.length[i];
                    length = -1;
                    GraphSearchResult found;
                    if (start >= 0) {
                        const SolveOptions options;
                        GraphSearch search{maze, start,   many.goals.subspan(which, 1),
                                           {},   options, worker};
                        NoTrace silent;
                        found = bfs(search, silent);
                        if (found.found) length = found.steps.size();
                    }
                    if (cells == nullptr) return;
                    GraphId* const row = cells + i * width;
                    Index at = start;
                    for (Index k = 0; k < width; ++k) {
                        row[k] = k <= length ? static_cast<GraphId>(at) : -1;
                        if (k < length) at = graph.other_end(found.steps[k], at);
                        worker.poll();
                    }
                });
        });
    };
    run();
    if (many.ask.is_none()) return py::make_tuple(many.lengths, py::none());
    for (Index i = 0; i < space.n(); ++i) width = std::max(width, many.length[i] + 1);
    many.ask(width);
    Array<GraphId> paths({space.n(), width});
    cells = paths.mutable_data();
    run();
    return py::make_tuple(many.lengths, paths);
}

// One cell of each maze, or from `least` on.
std::span<const Index> cell_of_each(const HeldSpace& space, const Array<Index>& given,
                                    const char* name, Index least) {
    const auto cells = flat(given, space.n(), name);
    for (const Index cell : cells)
        if (cell < least)
            throw py::value_error(std::string(name) + " is outside");
        else if (cell >= 0)
            space.check(cell, name);
    return cells;
}

// (lengths, paths or None): paths (n, places, 2) of squares, of a graph (n, places); -1 behind the
// end. ask(places) is called with the size of the paths before memory is taken for them; if it is
// None, only lengths are computed. A start of -1 is no cell.
py::tuple solve_many(const py::tuple& parts, const Array<Index>& starts, const Array<Index>& goals,
                     const py::object& ask, int threads, const py::object& progress) {
    const HeldSpace space(parts);
    if (space.sites()) throw py::value_error("sites are no mazes");
    const auto from = cell_of_each(space, starts, "starts", -1);
    const auto to = cell_of_each(space, goals, "goals", 0);
    const Index n = space.n();
    Array<Index> lengths(n);
    Index* const length = lengths.mutable_data();
    const bool wanted = !ask.is_none();
    const Progress reports{progress, space.all_places()};
    if (space.on_graph())
        return solve_graphs(space, {from, to, lengths, length, ask}, threads, reports);
    const Shape shape = space.squares().shape;
    const ManyMazes many{space.squares().passages, n, shape, space.squares().wrap, from, to};
    if (wanted && std::max(shape.rows, shape.cols) > Index{1} << 31)
        throw py::value_error("a side is too long for paths of int32");
    Buffer<std::uint8_t> came;
    Index places = 0;
    detached(reports, [&](Control& control) {
        if (wanted) came = Buffer<std::uint8_t>(n * shape.size(), true);
        lengths_of_each(many, length, came.data(), control, threads);
        by_each(n, control, [&](Index i) { places = std::max(places, length[i] + 1); });
    });
    if (!wanted) return py::make_tuple(lengths, py::none());
    ask(places);
    Buffer<std::int32_t> out;
    detached({}, [&](Control& control) {
        out = Buffer<std::int32_t>(n * places * 2);
        path_of_each(many, length, came.data(), places, out.data(), control, threads);
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
    return new_array<std::int32_t>(
        {given.n, most, Index{2}}, {},
        [&](std::int32_t* to, Control& control) { grid_path_of_each(given, most, to, control); });
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
    def(m, "solve_many", &solve_many, "space", "starts", "goals", "ask", "threads", "progress");
    def(m, "grid_paths", &grid_paths, "paths", "lengths", "shape", "ask");
    def(m, "path_masks", &path_masks, "paths", "lengths", "shape");
}

}  // namespace meiro
