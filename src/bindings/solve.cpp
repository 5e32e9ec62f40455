// Solving, and paths as one byte per step.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string>

#include "../core/registry.hpp"
#include "../core/solve/solvers.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_space.hpp"
#include "recording.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

const Solver& find_solver(std::string_view name) {
    for (const Solver& s : solvers())
        if (s.name == name) return s;
    throw py::key_error(std::string(name));
}

std::array<Direction, 4> order_of(const std::array<unsigned, 4>& given) {
    std::array<Direction, 4> out{};
    unsigned seen = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        if (given[i] > 3) throw py::value_error("directions must be 0..3");
        out[i] = static_cast<Direction>(given[i]);
        seen |= bit(out[i]);
    }
    if (seen != 15) throw py::value_error("directions must hold each direction once");
    return out;
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

// What a solver is asked for beside the space, start and goals. Python gives what differs from
// these.
struct HeldSolveOptions {
    SolveOptions options;  // views of the arrays
    Seed seed;
    int threads = 1;

    HeldSolveOptions(const py::dict& given, const HeldSpace& space) {
        if (given.empty()) return;
        const auto take = [&]<class T>(const char* name, T& field) {
            if (given.contains(name)) field = given[name].template cast<T>();
        };
        SeedWords words{};
        take("seed", words);
        seed = seed_of(words);
        std::array<unsigned, 4> order_given{0, 1, 2, 3};
        take("directions", order_given);
        options.directions = order_of(order_given);
        take("random", options.random);
        take("order", options.order);
        bool left = false;
        take("left", left);
        options.hand = left ? Hand::left : Hand::right;
        take("max_steps", options.max_steps);
        take("turn_cost", options.turn_cost);
        take("threads", threads);
        take("weights", weights_);
        if (weights_) options.weights = flat(*weights_, space.costs_each(), "weights");
        if (!space.on_graph()) return;
        take("positions", positions_);
        if (positions_) {
            const Index axes = positions_->ndim() == 2 ? positions_->shape(1) : 0;
            if (axes != 2 && axes != 3) throw py::value_error("positions must have 2 or 3 columns");
            options.positions = flat(*positions_, space.places() * axes, "positions");
        }
        take("clockwise", clockwise_);
        if (clockwise_) options.clockwise = flat(*clockwise_, space.graph().slots(), "clockwise");
    }

private:
    std::optional<Array<double>> weights_, positions_;
    std::optional<Array<GraphId>> clockwise_;
};

struct SolveCall {
    const Solver& solver;
    const HeldSpace& space;
    bool order;  // is wanted
    const py::object& progress;
    const py::object& recording;
};

// The result as a dict: arrays that the solver does not make are None. Steps are moves of squares
// and edges of a graph, walks are moves and cells. with_search(control, run) calls run(search).
template <AnySearch S, class Held, class WithSearch>
py::dict solved(const SolveCall& call, Shape shape, Space kind, WithSearch with_search) {
    const Solver& solver = call.solver;
    typename S::Result result;
    double cost = 0;
    Buffer<Index> path, walk;  // on a graph
    Buffer<std::uint8_t> reached;
    Watching<Held> watching(call.recording);
    detached({call.progress, call.space.places()}, [&](Control& control) {
        with_search(control, [&](S search) {
            watching.run(shape, kind, control,
                         [&](auto& record) { result = solver.run(search, record); });
            cost = path_cost(search, result);
            if constexpr (std::is_same_v<S, GraphSearch>) {
                const OpenGraph& maze = search.graph;
                if (result.found) path = places_along(maze, search.start, result.steps, control);
                walk = places_along(maze, search.start, result.walk, control);
                reached = Buffer<std::uint8_t>(maze.cells());
                by_each(maze.cells(), control, [&](Index i) {
                    reached[i] = GraphMarks::is_free(result.reached[i]) ? 0 : 1;
                });
            }
        });
    });
    auto sides = call.space.shape();
    sides.erase(sides.begin());
    const auto places = [&](bool is, auto& buffer) {
        return is ? py::object(given_away(std::move(buffer), sides)) : py::none();
    };
    const auto line = [](bool is, auto& buffer) {
        const Index size = buffer.size();
        return is ? py::object(given_away(std::move(buffer), {size})) : py::none();
    };
    const bool walks = solver.is(SolverTrait::walks);
    py::dict dict;
    dict["found"] = result.found;
    dict["explored"] = result.explored;
    dict["goal"] = result.goal;
    dict["reason"] = std::string(result.reason);
    dict["cost"] = cost;
    dict["steps"] = line(true, result.steps);
    dict["order"] = places(call.order, result.order);
    dict["remains"] = places(solver.is(SolverTrait::fills), result.remains);
    if constexpr (std::is_same_v<S, GraphSearch>) {
        dict["path"] = line(true, path);
        dict["reached"] = places(true, reached);
        dict["walk"] = line(walks, walk);
    } else {
        dict["path"] = py::none();
        dict["reached"] = places(true, result.reached);
        dict["walk"] = line(walks, result.walk);
    }
    return dict;
}

// `recording`: a Recording, of a graph a GraphRecording, or None.
py::dict solve(const std::string& algorithm, const py::tuple& parts, Index start,
               const Array<Index>& goals, const py::dict& given, const py::object& progress,
               const py::object& recording) {
    const Solver& solver = find_solver(algorithm);
    const HeldSpace space(parts);
    space.require_one();
    const Ends ends = ends_of(space, start, goals);
    const HeldSolveOptions held(given, space);
    const SolveOptions& options = held.options;
    const SolveCall call{solver, space, options.order, progress, recording};
    if (space.on_graph()) {
        const Graph& graph = space.graph();
        if (!solver.run.graphs) throw py::key_error(algorithm);
        const bool turns = std::ssize(options.clockwise) == graph.slots();
        if (!turns && algorithm == "wall_follower")
            throw py::value_error("wall_follower needs clockwise");
        return solved<GraphSearch, HeldGraphRecording>(
            call, places_of(graph), Space::sites, [&](Control& control, auto run) {
                if (turns && !is_rotation(graph, options.clockwise, control))
                    throw std::invalid_argument(
                        "clockwise is no rotation of the slots of each cell");
                const auto maze = space.open_graph(control);
                run(GraphSearch{*maze, start, ends.goals, held.seed, options, control});
            });
    }
    Buffer<std::uint8_t> scratch = space.scratch_of_one();
    return solved<Search, HeldRecording>(
        call, space.squares().shape, space.sites() ? Space::sites : Space::cells,
        [&](Control& control, auto run) {
            run(Search{space.adjacency(scratch, control, held.threads), start, ends.goals,
                       held.seed, options, control, held.threads});
        });
}

// The places of a path, (k, 2), in a space of `height` x `width`: each step `stride` times, as grid
// sites lie between cells. A step across the border of a grid has the border sites of both sides.
// With 8 moves the high four are diagonal steps, not steps across the border.
Array<Index> walk(const Bytes& steps, Index row, Index col, Index stride, Index height, Index width,
                  int moves) {
    if (stride < 1) throw py::value_error("stride must be at least 1");
    const Index count = steps.size();
    const std::uint8_t* const step = steps.data();
    const unsigned rim = moves == 8 ? 0 : 4, ways = moves == 8 ? 7 : 3;
    const auto over = [&](Index i) { return (step[i] & rim) != 0; };
    Index places = 1 + count * stride;
    detached({}, [&](Control& control) {
        by_each(stride > 1 ? count : 0, control, [&](Index i) { places += over(i) ? 1 : 0; });
    });
    return new_array<Index>({places, Index{2}}, {}, [&](Index* to, Control& control) {
        constexpr Index chunk = Index{1} << 14;
        const auto put = [&] {
            *to++ = row;
            *to++ = col;
        };
        put();
        for (Index first = 0; first < count; first += chunk) {
            control.poll(chunk * stride);
            for (Index i = first; i < std::min(first + chunk, count); ++i) {
                const Index down = row_steps[step[i] & ways], right = col_steps[step[i] & ways];
                for (Index k = 0; k < stride; ++k) {
                    if (over(i) && k == stride - 1) {  // from the border, or the last cell
                        row -= down * (stride > 1 ? height - 1 : height);
                        col -= right * (stride > 1 ? width - 1 : width);
                        if (stride > 1) put();
                    }
                    row += down;
                    col += right;
                    put();
                }
            }
        }
    });
}

}  // namespace

void bind_solve(py::module_& m) {
    def(m, "solve", &solve, "algorithm", "space", "start", "goals", "options", "progress",
        "recording");
    def(m, "walk", &walk, "steps", "row", "col", "stride", "height", "width", "moves");
}

}  // namespace meiro
