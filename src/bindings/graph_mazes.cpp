// Transforms of many mazes on one graph, and questions about their paths: `open` has shape (n,
// edges).
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../core/graph/graph_transforms.hpp"
#include "../core/graph/paths/graph_paths.hpp"
#include "../core/transform/transform_many.hpp"
#include "binding.hpp"
#include "held_graph.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

using GraphSeed = std::array<std::uint64_t, 3>;
Seed graph_seed(const GraphSeed& words) {
    return {{words[0], words[1]}, words[2]};
}

// Runs work(open, i, control) on a copy of each maze; returns the copies.
template <class Work>
Bytes transformed_graphs(const HeldGraph& held, const Bytes& open, int threads,
                         const py::object& progress, Work work) {
    const Graph& graph = held.graph();
    const Index n = rows_of(open, graph), edges = graph.edges();
    Bytes out({n, edges});
    const std::uint8_t* const from = open.data();
    std::uint8_t* const to = writable(out);
    detached({progress, n * graph.cells()}, [&](Control& control) {
        by_dozens(n, edges + graph.cells(), control, threads,
                  [&](Index first, Index last, Control& worker) {
                      for (Index i = first; i < last; ++i) {
                          by_pieces(edges, worker, [&](Index begin, Index end) {
                              for (Index edge = begin; edge < end; ++edge)
                                  to[i * edges + edge] = from[i * edges + edge] != 0 ? 1 : 0;
                          });
                          work(to + i * edges, i, worker);
                          worker.done(graph.cells());
                      }
                  });
    });
    return out;
}

Bytes braid_graphs(const HeldGraph& held, const Bytes& open, const GraphSeed& seed, std::uint64_t p,
                   int threads, const py::object& progress) {
    return transformed_graphs(
        held, open, threads, progress, [&](std::uint8_t* maze, Index i, Control& control) {
            braid(held.graph(), maze, replicate(graph_seed(seed), i), Chance{p}, control);
        });
}

Array<Index> count_graph_walls(const HeldGraph& held, const Bytes& open) {
    const Graph& graph = held.graph();
    const Index n = rows_of(open, graph);
    Array<Index> counts(n);
    Index* const to = counts.mutable_data();
    const std::uint8_t* const from = open.data();
    detached({}, [&](Control& control) {
        for (Index i = 0; i < n; ++i) to[i] = count_walls(graph, from + i * graph.edges(), control);
    });
    return counts;
}

// Opens n[i] walls of maze i.
Bytes add_loops_to_graphs(const HeldGraph& held, const Bytes& open, const GraphSeed& seed,
                          const Array<Index>& n, int threads, const py::object& progress) {
    const auto counts = flat(n, rows_of(open, held.graph()), "n");
    return transformed_graphs(held, open, threads, progress,
                              [&](std::uint8_t* maze, Index i, Control& control) {
                                  add_loops(held.graph(), maze, replicate(graph_seed(seed), i),
                                            counts[static_cast<std::size_t>(i)], control);
                              });
}

// kept: (n, k), or (1, k) for all.
Bytes fill_graphs(const HeldGraph& held, const Bytes& open, const Array<Index>& kept, Index rounds,
                  int threads, const py::object& progress) {
    const Graph& graph = held.graph();
    const Index n = rows_of(open, graph);
    if (kept.ndim() != 2 || (kept.shape(0) != n && kept.shape(0) != 1))
        throw py::value_error("kept must have a row for each maze, or one");
    const Index each = kept.shape(1);
    const bool same = kept.shape(0) == 1;
    const Index* const cells = kept.data();
    for (const Index cell : flat(kept, kept.size(), "kept"))
        if (cell < 0 || cell >= graph.cells()) throw py::value_error("kept: no such cell");
    return transformed_graphs(
        held, open, threads, progress, [&](std::uint8_t* maze, Index i, Control& control) {
            const Index* const row = cells + (same ? 0 : i * each);
            fill_dead_ends(graph, maze, {row, static_cast<std::size_t>(each)}, rounds, control);
        });
}

// work(maze, i, control) for each maze, on threads.
template <class Work>
void for_each_maze(const HeldGraph& held, const Bytes& open, int threads,
                   const py::object& progress, Work work) {
    const Graph& graph = held.graph();
    const Index n = rows_of(open, graph), edges = graph.edges();
    const std::uint8_t* const from = open.data();
    detached({progress, n * graph.cells()}, [&](Control& control) {
        by_dozens(n, edges + graph.cells(), control, threads,
                  [&](Index first, Index last, Control& worker) {
                      for (Index i = first; i < last; ++i)
                          work(OpenGraph(graph, from + i * edges, worker), i, worker);
                  });
    });
}

// Row i of cells (n, k), or of (1, k) for all mazes.
class CellRows {
public:
    CellRows(const Array<Index>& cells, Index n, const Graph& graph, const char* name)
        : cells_(cells.data()), each_(cells.ndim() == 2 ? cells.shape(1) : 0) {
        if (cells.ndim() != 2 || (cells.shape(0) != n && cells.shape(0) != 1) || each_ < 1)
            throw py::value_error(std::string(name) + " must have a row for each maze, or one");
        step_ = cells.shape(0) == 1 ? 0 : each_;
        for (const Index cell : flat(cells, cells.size(), name))
            if (cell < 0 || cell >= graph.cells())
                throw py::value_error(std::string(name) + ": no such cell");
    }
    std::span<const Index> row(Index i) const {
        return {cells_ + i * step_, static_cast<std::size_t>(each_)};
    }

private:
    const Index* cells_;
    Index each_, step_ = 0;
};

// (n, cells): steps, int32; with weights, of all mazes or of each, costs, float64.
py::array distances_on_graphs(const HeldGraph& held, const Bytes& open, const Array<Index>& sources,
                              const std::optional<Array<double>>& weights, int threads,
                              const py::object& progress) {
    const Graph& graph = held.graph();
    const Index n = rows_of(open, graph), cells = graph.cells(), edges = graph.edges();
    const CellRows from(sources, n, graph, "sources");
    if (!weights) {
        Array<GraphId> out({n, cells});
        GraphId* const to = out.mutable_data();
        for_each_maze(held, open, threads, progress,
                      [&](const OpenGraph& maze, Index i, Control& control) {
                          graph_distances(maze, from.row(i), to + i * cells, control);
                      });
        return out;
    }
    const bool shared = weights->ndim() == 1;
    const auto costs = flat(*weights, shared ? edges : n * edges, "weights");
    Array<double> out({n, cells});
    double* const to = out.mutable_data();
    for_each_maze(
        held, open, threads, progress, [&](const OpenGraph& maze, Index i, Control& control) {
            const auto own = costs.subspan(static_cast<std::size_t>(shared ? 0 : i * edges),
                                           static_cast<std::size_t>(edges));
            graph_costs(maze, own, from.row(i), to + i * cells, control);
        });
    return out;
}

Array<GraphId> policies_on_graphs(const HeldGraph& held, const Bytes& open,
                                  const Array<Index>& goals, int threads,
                                  const py::object& progress) {
    const Graph& graph = held.graph();
    const Index n = rows_of(open, graph), cells = graph.cells();
    const CellRows ends(goals, n, graph, "goals");
    Array<GraphId> out({n, cells});
    GraphId* const to = out.mutable_data();
    for_each_maze(held, open, threads, progress,
                  [&](const OpenGraph& maze, Index i, Control& control) {
                      graph_policy(maze, ends.row(i), to + i * cells, control);
                      control.done(cells);
                  });
    return out;
}

// (n, 3): the ends of a longest shortest path, and its length.
Array<Index> farthest_on_graphs(const HeldGraph& held, const Bytes& open, int threads) {
    Array<Index> out({rows_of(open, held.graph()), Index{3}});
    Index* const to = out.mutable_data();
    for_each_maze(held, open, threads, py::none(),
                  [&](const OpenGraph& maze, Index i, Control& control) {
                      const GraphLongest found = longest_path(maze, true, control);
                      to[3 * i] = found.start;
                      to[3 * i + 1] = found.goal;
                      to[3 * i + 2] = found.length;
                  });
    return out;
}

}  // namespace

void bind_graph_mazes(py::module_& m) {
    def(m, "braid_graphs", &braid_graphs, py::arg("graph"), py::arg("passages"), py::arg("seed"),
        py::arg("p"), py::arg("threads"), py::arg("progress"));
    def(m, "count_graph_walls", &count_graph_walls, py::arg("graph"), py::arg("passages"));
    def(m, "add_loops_to_graphs", &add_loops_to_graphs, py::arg("graph"), py::arg("passages"),
        py::arg("seed"), py::arg("n"), py::arg("threads"), py::arg("progress"));
    def(m, "distances_on_graphs", &distances_on_graphs, py::arg("graph"), py::arg("passages"),
        py::arg("sources"), py::arg("weights"), py::arg("threads"), py::arg("progress"));
    def(m, "policies_on_graphs", &policies_on_graphs, py::arg("graph"), py::arg("passages"),
        py::arg("goals"), py::arg("threads"), py::arg("progress"));
    def(m, "farthest_on_graphs", &farthest_on_graphs, py::arg("graph"), py::arg("passages"),
        py::arg("threads"));
    def(m, "fill_graphs", &fill_graphs, py::arg("graph"), py::arg("passages"), py::arg("kept"),
        py::arg("rounds"), py::arg("threads"), py::arg("progress"));
}

}  // namespace meiro
