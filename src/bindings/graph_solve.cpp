// Solvers and queries about paths on mazes of graphs.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../core/batch.hpp"
#include "../core/graph/paths/graph_paths.hpp"
#include "../core/graph/solve/graph_solvers.hpp"
#include "../core/registry.hpp"
#include "binding.hpp"
#include "held_graph.hpp"
#include "object_lock.hpp"
#include "recording.hpp"
#include "search_space.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

const Solver& find_graph_solver(std::string_view name) {
    for (const Solver& s : solvers())
        if (s.name == name && s.graph != nullptr) return s;
    throw py::key_error(std::string(name));
}

std::span<const Index> graph_cells(const Array<Index>& given, const Graph& graph,
                                   const char* name) {
    const auto cells = flat(given, given.size(), name);
    if (cells.empty()) throw py::value_error(std::string(name) + " must be one or more");
    for (const Index cell : cells)
        if (cell < 0 || cell >= graph.cells())
            throw py::value_error(std::string(name) + ": no such cell");
    return cells;
}

const std::uint8_t* open_of(const Bytes& open, const Graph& graph) {
    return flat(open, graph.edges(), "open").data();
}

// Each slot has a next one of its own cell, and all of a cell are one cycle.
bool is_rotation(const Graph& graph, std::span<const GraphId> clockwise, Control& control) {
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        const GraphId first = graph.first()[cell], end = graph.first()[cell + 1];
        GraphId slot = first;
        for (GraphId i = first; i < end; ++i) {
            slot = clockwise[static_cast<std::size_t>(slot)];
            if (slot < first || slot >= end || (slot == first) != (i + 1 == end)) return false;
        }
        control.poll(2 + graph.degree(cell));
    }
    return true;
}

// The result as a dict: arrays that the solver does not make are None.
py::dict solve_graph(const std::string& algorithm, const HeldGraph& held, const Bytes& open,
                     Index start, const Array<Index>& goals,
                     const std::optional<Array<double>>& weights,
                     const std::optional<Array<double>>& positions,
                     const std::optional<Array<GraphId>>& clockwise,
                     const std::array<std::uint64_t, 3>& seed, bool random, bool left,
                     Index max_steps, bool order, const py::object& progress,
                     HeldGraphRecording* watching) {
    const Solver& solver = find_graph_solver(algorithm);
    const Graph& graph = held.graph();
    const std::uint8_t* const passages = open_of(open, graph);
    const auto ends = graph_cells(goals, graph, "goals");
    if (start < 0 || start >= graph.cells()) throw py::value_error("start: no such cell");
    GraphSolveOptions options{.random = random,
                              .order = order,
                              .hand = left ? Hand::left : Hand::right,
                              .max_steps = max_steps,
                              .weights = {},
                              .positions = {},
                              .clockwise = {}};
    if (weights) options.weights = flat(*weights, graph.edges(), "weights");
    if (positions) {
        const Index axes = positions->ndim() == 2 ? positions->shape(1) : 0;
        if (axes != 2 && axes != 3) throw py::value_error("positions must have 2 or 3 columns");
        options.positions = flat(*positions, graph.cells() * axes, "positions");
    }
    if (clockwise) options.clockwise = flat(*clockwise, graph.slots(), "clockwise");
    if (!clockwise && solver.name == "wall_follower")
        throw py::value_error("wall_follower needs clockwise");
    GraphSearchResult result;
    double cost = 0;
    bool sound = true;
    Buffer<Index> path, walk;
    Buffer<std::uint8_t> explored;
    // The cells along some edges from the start.
    const auto cells_along = [&](const Buffer<GraphId>& edges, Control& control) {
        Buffer<Index> cells(edges.size() + 1);
        Index at = cells[0] = start;
        for (Index i = 0; i < edges.size(); ++i) {
            cells[i + 1] = at = graph.other_end(edges[i], at);
            control.poll(2);
        }
        return cells;
    };
    std::optional<ObjectLock::Held> alone;
    if (watching != nullptr) alone.emplace(watching->lock());
    detached({progress, graph.cells()}, [&](Control& control) {
        sound = !clockwise || is_rotation(graph, options.clockwise, control);
        if (!sound) return;
        const OpenGraph maze(graph, passages, control);
        GraphSearch search{maze, start, ends, {{seed[0], seed[1]}, seed[2]}, options, control};
        if (watching == nullptr) {
            NoTrace silent;
            result = solver.graph(search, silent);
        } else {
            watching->recording().run(
                {1, graph.cells() + graph.edges()}, Space::sites, control,
                [&](Trace& trace) { result = solver.graph_trace(search, trace); });
        }
        cost = path_cost(search, result);
        if (result.found) path = cells_along(result.path, control);
        if (solver.walks) walk = cells_along(result.walk, control);
        explored = Buffer<std::uint8_t>(graph.cells());
        by_pieces(graph.cells(), control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i)
                explored[i] = reached_by::free(result.by[i]) ? 0 : 1;
        });
    });
    if (!sound) throw py::value_error("clockwise is no rotation of the slots of each cell");
    const auto array = []<class T>(Buffer<T>& buffer, bool wanted) {
        const Index size = buffer.size();
        return wanted ? py::object(given_away(std::move(buffer), {size})) : py::none();
    };
    py::dict out;
    out["found"] = result.found;
    out["n_explored"] = result.explored;
    out["goal"] = result.goal;
    out["cost"] = cost;
    out["reason"] = std::string(result.reason);
    out["path"] = array(path, true);
    out["edges"] = array(result.path, true);
    out["explored"] = array(explored, true);
    out["order"] = array(result.order, order);
    out["walk"] = array(walk, solver.walks);
    out["remains"] = array(result.remains, solver.fills);
    return out;
}

// The length of a shortest path of each maze, -1 for none, and with `paths` the cells of each,
// (n, longest + 1), -1 behind its end.
py::tuple solve_graphs(const HeldGraph& held, const Bytes& open, const Array<Index>& starts,
                       const Array<Index>& goals, const py::object& require_paths, int threads,
                       const py::object& progress) {
    const Graph& graph = held.graph();
    if (open.ndim() != 2 || open.shape(1) != graph.edges())
        throw py::value_error("open must have shape (n, edges)");
    const Index n = open.shape(0);
    if (starts.size() != n || goals.size() != n)
        throw py::value_error("starts and goals must be one for each maze");
    if (n > 0) {
        graph_cells(starts, graph, "starts");
        graph_cells(goals, graph, "goals");
    }
    const std::uint8_t* const bytes = open.data();
    const Index *const from = starts.data(), *const to = goals.data();
    const bool wanted = !require_paths.is_none();
    Array<Index> lengths(n);
    Index* const length = lengths.mutable_data();
    GraphId* cells = nullptr;
    Index width = 0;
    // The second time with a place for the cells.
    const auto run = [&] {
        const Index size = graph.edges() + graph.cells();
        detached({progress, n * graph.cells()}, [&](Control& control) {
            by_dozens(n, size, control, threads, [&](Index first, Index last, Control& worker) {
                const GraphSolveOptions options;
                for (Index i = first; i < last; ++i) {
                    const OpenGraph maze(graph, bytes + i * graph.edges(), worker);
                    GraphSearch search{maze, from[i], {to + i, 1}, {}, options, worker};
                    NoTrace silent;
                    const GraphSearchResult found = graph_bfs(search, silent);
                    length[i] = found.found ? found.path.size() : -1;
                    if (cells == nullptr) continue;
                    GraphId* const row = cells + i * width;
                    Index at = from[i];
                    for (Index k = 0; k < width; ++k) {
                        row[k] = k <= length[i] ? static_cast<GraphId>(at) : -1;
                        if (k < length[i]) at = graph.other_end(found.path[k], at);
                        worker.poll();
                    }
                }
            });
        });
    };
    run();
    if (!wanted) return py::make_tuple(lengths, py::none());
    for (Index i = 0; i < n; ++i) width = std::max(width, length[i] + 1);
    require_paths(width);
    Array<GraphId> paths({n, width});
    cells = paths.mutable_data();
    run();
    return py::make_tuple(lengths, paths);
}

// Steps, int32; with weights costs, float64.
py::array distances_on_graph(const HeldGraph& held, const Bytes& open, const Array<Index>& sources,
                             const std::optional<Array<double>>& weights,
                             const py::object& progress) {
    const Graph& graph = held.graph();
    const std::uint8_t* const passages = open_of(open, graph);
    const auto from = graph_cells(sources, graph, "sources");
    if (!weights) {
        Buffer<GraphId> out(graph.cells());
        detached({progress, graph.cells()}, [&](Control& control) {
            graph_distances(OpenGraph(graph, passages, control), from, out.data(), control);
        });
        return given_away(std::move(out), {graph.cells()});
    }
    const auto costs = flat(*weights, graph.edges(), "weights");
    Buffer<double> out(graph.cells());
    detached({progress, graph.cells()}, [&](Control& control) {
        graph_costs(OpenGraph(graph, passages, control), costs, from, out.data(), control);
    });
    return given_away(std::move(out), {graph.cells()});
}

py::tuple components_of_graph(const HeldGraph& held, const Bytes& open) {
    const Graph& graph = held.graph();
    const std::uint8_t* const passages = open_of(open, graph);
    Buffer<GraphId> labels(graph.cells());
    GraphId count = 0;
    detached({}, [&](Control& control) {
        count = label_cells(OpenGraph(graph, passages, control), labels.data(), control);
    });
    return py::make_tuple(given_away(std::move(labels), {graph.cells()}), count);
}

Array<GraphId> policy_on_graph(const HeldGraph& held, const Bytes& open, const Array<Index>& goals,
                               const py::object& progress) {
    const Graph& graph = held.graph();
    const std::uint8_t* const passages = open_of(open, graph);
    const auto ends = graph_cells(goals, graph, "goals");
    Buffer<GraphId> next(graph.cells());
    detached({progress, graph.cells()}, [&](Control& control) {
        graph_policy(OpenGraph(graph, passages, control), ends, next.data(), control);
    });
    return given_away(std::move(next), {graph.cells()});
}

// (length, count in limbs, mask); a length of -1 and Nones if no path exists.
py::tuple shortest_paths_on_graph(const HeldGraph& held, const Bytes& open, Index start,
                                  const Array<Index>& goals, const py::object& progress) {
    const Graph& graph = held.graph();
    const std::uint8_t* const passages = open_of(open, graph);
    const auto ends = graph_cells(goals, graph, "goals");
    if (start < 0 || start >= graph.cells()) throw py::value_error("start: no such cell");
    Index length = -1;
    Buffer<std::uint64_t> count;
    Buffer<std::uint8_t> mask(graph.cells(), true);
    detached({progress, graph.cells()}, [&](Control& control) {
        const OpenGraph maze(graph, passages, control);
        Buffer<GraphId> distance(graph.cells());
        graph_distances(maze, ends, distance.data(), control);
        length = distance[start];
        if (length >= 0) count = count_paths(maze, distance.data(), start, mask.data(), control);
    });
    if (length < 0) return py::make_tuple(-1, py::none(), py::none());
    const Index limbs = count.size();
    return py::make_tuple(length, given_away(std::move(count), {limbs}),
                          given_away(std::move(mask), {graph.cells()}));
}

// All shortest paths, the cells of one at a time; it keeps the graph.
class GraphShortestPaths {
public:
    // NOLINTNEXTLINE(modernize-pass-by-value): `def_constructor` gives references.
    GraphShortestPaths(const py::object& held, const Bytes& open, Index start,
                       const Array<Index>& goals, const py::object& progress)
        : held_(held), start_(start) {
        const Graph& graph = held_.cast<const HeldGraph&>().graph();
        const std::uint8_t* const passages = open_of(open, graph);
        const auto ends = graph_cells(goals, graph, "goals");
        if (start < 0 || start >= graph.cells()) throw py::value_error("start: no such cell");
        detached({progress, graph.cells()}, [&](Control& control) {
            maze_ = std::make_unique<OpenGraph>(graph, passages, control);
            Buffer<GraphId> distance(graph.cells());
            graph_distances(*maze_, ends, distance.data(), control);
            length_ = distance[start];
            list_ = std::make_unique<GraphPathList>(*maze_, std::move(distance), start);
        });
    }
    GraphShortestPaths(const GraphShortestPaths&) = delete;
    GraphShortestPaths& operator=(const GraphShortestPaths&) = delete;
    ~GraphShortestPaths() = default;

    // NOLINTNEXTLINE(readability-make-member-function-const): `def` takes methods that are not.
    Index length() { return length_; }
    py::object next() {
        const ObjectLock::Held alone(lock_);
        bool more = false;
        if (length_ >= 0) detached({}, [&](Control& control) { more = list_->next(control); });
        if (!more) return py::none();
        Array<Index> cells(length_ + 1);
        Index* to = cells.mutable_data();
        *to++ = start_;
        for (const GraphId slot : list_->slots()) *to++ = maze_->to()[slot];
        return cells;
    }

private:
    py::object held_;
    Index start_;
    std::unique_ptr<OpenGraph> maze_;
    std::unique_ptr<GraphPathList> list_;
    ObjectLock lock_;
    Index length_ = -1;
};

// Cells (k,), or None if no path exists.
py::object bottlenecks_of_graph(const HeldGraph& held, const Bytes& open, Index start,
                                const Array<Index>& goals) {
    const Graph& graph = held.graph();
    const std::uint8_t* const passages = open_of(open, graph);
    const auto ends = graph_cells(goals, graph, "goals");
    if (start < 0 || start >= graph.cells()) throw py::value_error("start: no such cell");
    GraphBottlenecks found;
    detached({}, [&](Control& control) {
        found = bottlenecks(OpenGraph(graph, passages, control), ends, start, control);
    });
    if (found.count < 0) return py::none();
    return given_away(std::move(found.cells), {found.count});
}

// (start, goal, length, upper bound, the edges of the path)
py::tuple longest_path_of_graph(const HeldGraph& held, const Bytes& open, bool exact) {
    const Graph& graph = held.graph();
    const std::uint8_t* const passages = open_of(open, graph);
    GraphLongest found;
    detached({}, [&](Control& control) {
        found = longest_path(OpenGraph(graph, passages, control), exact, control);
    });
    const Index length = found.edges.size();
    return py::make_tuple(found.start, found.goal, found.length, found.at_most,
                          given_away(std::move(found.edges), {length}));
}

}  // namespace

void bind_graph_solve(py::module_& m) {
    def(m, "solve_graph", &solve_graph, py::arg("algorithm"), py::arg("graph"), py::arg("passages"),
        py::arg("start"), py::arg("goals"), py::arg("weights"), py::arg("positions"),
        py::arg("clockwise"), py::arg("seed"), py::arg("random"), py::arg("left"),
        py::arg("max_steps"), py::arg("order"), py::arg("progress"),
        py::arg("recording") = py::none());
    def(m, "solve_graphs", &solve_graphs, py::arg("graph"), py::arg("passages"), py::arg("starts"),
        py::arg("goals"), py::arg("require_paths"), py::arg("threads"), py::arg("progress"));
    def(m, "distances_on_graph", &distances_on_graph, py::arg("graph"), py::arg("passages"),
        py::arg("sources"), py::arg("weights"), py::arg("progress"));
    def(m, "components_of_graph", &components_of_graph, py::arg("graph"), py::arg("passages"));
    def(m, "policy_on_graph", &policy_on_graph, py::arg("graph"), py::arg("passages"),
        py::arg("goals"), py::arg("progress"));
    def(m, "shortest_paths_on_graph", &shortest_paths_on_graph, py::arg("graph"),
        py::arg("passages"), py::arg("start"), py::arg("goals"), py::arg("progress"));
    py::class_<GraphShortestPaths> paths(m, "GraphShortestPaths");
    def_constructor<const py::object&, const Bytes&, Index, const Array<Index>&, const py::object&>(
        paths, py::arg("graph"), py::arg("passages"), py::arg("start"), py::arg("goals"),
        py::arg("progress"));
    def(paths, "length", &GraphShortestPaths::length);
    def(paths, "next", &GraphShortestPaths::next);
    def(m, "bottlenecks_of_graph", &bottlenecks_of_graph, py::arg("graph"), py::arg("passages"),
        py::arg("start"), py::arg("goals"));
    def(m, "longest_path_of_graph", &longest_path_of_graph, py::arg("graph"), py::arg("passages"),
        py::arg("exact"));
}

}  // namespace meiro
