// Connected components: the counts and labels behind meiro.check, and Maze.is_perfect.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <type_traits>
#include <utility>

#include "../core/graph/graph_measure.hpp"
#include "../core/graph/paths/graph_paths.hpp"
#include "../core/measure/components.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_space.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

void census_of_graphs(const HeldSpace& space, Census* out, Control& control, int threads) {
    const Index n = space.n();
    Buffer<Index> ends(n, true);
    Buffer<double> values(2 * n);
    const std::array list{measure_named("regions"), measure_named("loops")};
    measure_graphs({space.graph(), space.open(), n, ends.data(), ends.data()}, list, values.data(),
                   control, threads);
    for (Index i = 0; i < n; ++i) {
        out[i] = {.regions = static_cast<Index>(values[2 * i]),
                  .loops = static_cast<Index>(values[2 * i + 1]),
                  .islands = -1,
                  .open_blocks = -1,
                  .bare_posts = -1,
                  .parts = static_cast<Index>(space.graph().roots().size())};
        control.poll();
    }
}

// For each maze (perfect, regions, loops, islands, open blocks, bare posts, parts): (n, 7). A graph
// has no islands, open blocks and posts: they are -1.
Array<Index> check(const py::tuple& parts, int threads, const py::object& progress) {
    const HeldSpace space(parts);
    const Index n = space.n();
    return new_array<Index>(
        {n, Index{7}}, {progress, space.all_places()}, [&](Index* to, Control& control) {
            Buffer<Census> found(n);
            if (space.on_graph())
                census_of_graphs(space, found.data(), control, threads);
            else if (space.sites())
                found[0] = census_of_walls(space.squares().passages, space.squares().shape, control,
                                           threads);
            else
                census_of_each(space.squares(), found.data(), control, threads);
            by_each(n, control, [&](Index i) {
                const Census& census = found[i];
                const std::array<Index, 7> row{
                    is_perfect(census) ? 1 : 0, census.regions,    census.loops, census.islands,
                    census.open_blocks,         census.bare_posts, census.parts};
                std::copy(row.begin(), row.end(), to + 7 * i);
            });
        });
}

template <class T>
py::tuple components_as(const HeldSpace& space, int threads) {
    Buffer<T> labels(space.all_places());
    Array<Index> counts(space.n());
    Index* const count = counts.mutable_data();
    const Index size = space.places();
    detached({}, [&](Control& control) {
        if (space.on_graph()) {
            if constexpr (std::is_same_v<T, GraphId>)
                space.each(control, threads, [&](const auto& maze, Index i, Control& one, int) {
                    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(maze)>, OpenGraph>)
                        count[i] = label_cells(maze, labels.data() + i * size, one);
                });
            return;
        }
        const Batch& mazes = space.squares();
        each_of_dozens(mazes.n, size, control, threads, [&](Index i, Control& worker) {
            T* const to = labels.data() + i * size;
            count[i] = space.sites() ? label(mazes.maze(i), mazes.shape, mazes.wrap, 0, to, worker)
                                     : label_cells(mazes.maze(i), mazes.shape, mazes.wrap,
                                                   mazes.mask_of(i), to, worker);
        });
    });
    return py::make_tuple(given_away(std::move(labels), space.shape()), std::move(counts));
}

// (labels, the number of components of each maze)
py::tuple components(const py::tuple& parts, int threads) {
    const HeldSpace space(parts);
    return space.places() < Index{1} << 31 ? components_as<std::int32_t>(space, threads)
                                           : components_as<std::int64_t>(space, threads);
}

}  // namespace

void bind_check(py::module_& m) {
    def(m, "check", &check, "space", "threads", "progress");
    def(m, "components", &components, "space", "threads");
}

}  // namespace meiro
