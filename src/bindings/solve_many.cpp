// Solving many mazes at once.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "../core/solve/solve_many.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_space.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

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

struct ManySearches {
    const HeldSpace& space;
    std::span<const Index> starts, goals;
    const py::object& ask;
    int threads;
};

// `of` knows where steps lead: a Shape, or a Graph. maze_of(i, scratch, control): one of the mazes.
template <class S, class Of, class MazeOf>
py::tuple solve_each(const ManySearches& many, const Of& of, const py::object& progress,
                     MazeOf maze_of) {
    const HeldSpace& space = many.space;
    const Index n = space.n(), size = space.places();
    const bool wanted = !many.ask.is_none();
    Array<Index> lengths(n);
    Index* const length = lengths.mutable_data();
    std::vector<typename PathFinder<S>::Steps> steps;
    Index places = 0;
    detached({progress, space.all_places()}, [&](Control& control) {
        if (wanted) steps.resize(static_cast<std::size_t>(n));
        by_dozens(n, size, control, many.threads, [&](Index first, Index last, Control& worker) {
            PathFinder<S> finder(size);
            Buffer<std::uint8_t> scratch(space.squares().wrap.any() ? size : 0);
            for (Index i = first; i < last; ++i) {
                const auto k = static_cast<std::size_t>(i);
                worker.poll(16);
                const auto maze = maze_of(i, scratch.data(), worker);
                const typename PathFinder<S>::Places ways(maze);
                length[i] = finder.length(ways, many.starts[k], many.goals[k], worker);
                if (wanted) steps[k] = finder.steps(ways, length[i], many.goals[k], worker);
                worker.done(size);
            }
        });
        by_each(n, control, [&](Index i) { places = std::max(places, length[i] + 1); });
    });
    if (!wanted) return py::make_tuple(lengths, py::none());
    many.ask(places);
    constexpr Index axes = std::is_same_v<S, GraphSearch> ? 1 : 2;
    Buffer<std::int32_t> out;
    detached({}, [&](Control& control) {
        out = Buffer<std::int32_t>(n * places * axes);
        each_of_dozens(n, places, control, many.threads, [&](Index i, Control& worker) {
            const auto k = static_cast<std::size_t>(i);
            list_places(of, many.starts[k], steps[k], length[i], places,
                        out.data() + i * places * axes, worker);
        });
    });
    std::vector<py::ssize_t> shape{n, places};
    if (axes == 2) shape.push_back(axes);
    return py::make_tuple(lengths, given_away(std::move(out), std::move(shape)));
}

// (lengths, paths or None): paths (n, places, 2) of squares, of a graph (n, places); -1 behind the
// end. ask(places) is called with the size of the paths before memory is taken for them; if it is
// None, only lengths are computed. A start of -1 is no cell.
py::tuple solve_many(const py::tuple& parts, const Array<Index>& starts, const Array<Index>& goals,
                     const py::object& ask, int threads, const py::object& progress) {
    const HeldSpace space(parts);
    if (space.sites()) throw py::value_error("sites are no mazes");
    const ManySearches many{space, cell_of_each(space, starts, "starts", -1),
                            cell_of_each(space, goals, "goals", 0), ask, threads};
    if (space.on_graph()) {
        const Graph& graph = space.graph();
        return solve_each<GraphSearch>(
            many, graph, progress, [&](Index i, std::uint8_t*, Control& control) {
                return OpenGraph(graph, space.open() + i * graph.edges(), control);
            });
    }
    const Batch& mazes = space.squares();
    if (!ask.is_none() && std::max(mazes.shape.rows, mazes.shape.cols) > Index{1} << 31)
        throw py::value_error("a side is too long for paths of int32");
    return solve_each<Search>(
        many, mazes.shape, progress, [&](Index i, std::uint8_t* scratch, Control& control) {
            return adjacency_of_passages(mazes.maze(i), mazes.shape, mazes.wrap, scratch, control);
        });
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
Booleans path_masks(const Array<std::int32_t>& paths, const Array<Index>& lengths,
                    std::array<Index, 2> sides) {
    const CellPaths given = paths_of(paths, lengths, sides);
    const Shape sites = given.shape.grid();
    Buffer<std::uint8_t> marks;
    detached({}, [&](Control& control) {
        marks = Buffer<std::uint8_t>(given.n * sites.size(), true);
        mark_path_of_each(given, marks.data(), control);
    });
    return given_away<std::uint8_t, bool>(std::move(marks), {given.n, sites.rows, sites.cols});
}

}  // namespace

void bind_solve_many(py::module_& m) {
    def(m, "solve_many", &solve_many, "space", "starts", "goals", "ask", "threads", "progress");
    def(m, "grid_paths", &grid_paths, "paths", "lengths", "shape", "ask");
    def(m, "path_masks", &path_masks, "paths", "lengths", "shape");
}

}  // namespace meiro
