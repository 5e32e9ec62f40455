// Solving, and paths as one byte per step.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
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
    std::optional<Array<double>> weights, positions;
    std::optional<Array<GraphId>> clockwise;
    SeedWords seed{};
    SolveOptions plain;  // without the arrays
    int threads = 1;

    explicit HeldSolveOptions(const py::dict& given) : given_(given) {
        if (given.empty()) return;
        take("weights", weights);
        take("positions", positions);
        take("clockwise", clockwise);
        take("seed", seed);
        std::array<unsigned, 4> order_given{0, 1, 2, 3};
        take("directions", order_given);
        plain.directions = order_of(order_given);
        take("random", plain.random);
        take("order", plain.order);
        bool left = false;
        take("left", left);
        plain.hand = left ? Hand::left : Hand::right;
        take("max_steps", plain.max_steps);
        take("turn_cost", plain.turn_cost);
        take("threads", threads);
    }
    Seed as_seed() const { return seed_of(seed); }

private:
    template <class T>
    void take(const char* name, T& field) {
        if (given_.contains(name)) field = given_[name].template cast<T>();
    }

    const py::dict& given_;
};

// The result as a dict: arrays that the solver does not make are None. Steps are moves of squares
// and edges of a graph, walks are moves and cells.
class SolveResult {
public:
    explicit SolveResult(const HeldSpace& space) : shape_(space.shape()) {
        shape_.erase(shape_.begin());
    }
    template <class Result>
    void take(Result& result, const Solver& solver, bool order) {
        dict["found"] = result.found;
        dict["explored"] = result.explored;
        dict["goal"] = result.goal;
        dict["reason"] = std::string(result.reason);
        dict["steps"] = line(result.steps);
        dict["order"] = order ? places(result.order) : py::none();
        dict["remains"] = solver.is(SolverTrait::fills) ? places(result.remains) : py::none();
    }
    template <class T>
    static py::object line(Buffer<T>& buffer) {
        const Index size = buffer.size();
        return given_away(std::move(buffer), {size});
    }
    template <class T>
    py::object places(Buffer<T>& buffer) const {
        return given_away(std::move(buffer), shape_);
    }
    py::dict dict;

private:
    std::vector<py::ssize_t> shape_;
};

struct SolveCall {
    const Solver& solver;
    const HeldSpace& space;
    Index start;
    std::span<const Index> goals;
    const HeldSolveOptions& options;
    const py::object& progress;
};

py::dict solve_squares(const SolveCall& call, const py::object& recording) {
    const HeldSpace& space = call.space;
    const HeldSolveOptions& given = call.options;
    SolveOptions options = given.plain;
    if (given.weights) options.weights = flat(*given.weights, space.places(), "weights");
    SearchResult result;
    double cost = 0;
    Watching<HeldRecording> watching(recording);
    Buffer<std::uint8_t> scratch = space.scratch_of_one();
    detached({call.progress, space.places()}, [&](Control& control) {
        Search search{space.adjacency(scratch, control, given.threads),
                      call.start,
                      call.goals,
                      given.as_seed(),
                      options,
                      control,
                      given.threads};
        watching.run(search.adjacency.shape(), space.sites() ? Space::sites : Space::cells, control,
                     [&](auto& record) { result = call.solver.run(search, record); });
        cost = path_cost(search, result);
    });
    SolveResult out(space);
    out.take(result, call.solver, given.plain.order);
    out.dict["cost"] = cost;
    out.dict["path"] = py::none();
    out.dict["reached"] = out.places(result.reached);
    out.dict["walk"] =
        call.solver.is(SolverTrait::walks) ? SolveResult::line(result.walk) : py::none();
    return out.dict;
}

py::dict solve_graph(const SolveCall& call, const py::object& recording) {
    const HeldSpace& space = call.space;
    const HeldSolveOptions& given = call.options;
    const Graph& graph = space.graph();
    SolveOptions options = given.plain;
    if (given.weights) options.weights = flat(*given.weights, graph.edges(), "weights");
    if (given.positions) {
        const Index axes = given.positions->ndim() == 2 ? given.positions->shape(1) : 0;
        if (axes != 2 && axes != 3) throw py::value_error("positions must have 2 or 3 columns");
        options.positions = flat(*given.positions, graph.cells() * axes, "positions");
    }
    if (given.clockwise) options.clockwise = flat(*given.clockwise, graph.slots(), "clockwise");
    if (!given.clockwise && call.solver.name == "wall_follower")
        throw py::value_error("wall_follower needs clockwise");
    GraphSearchResult result;
    double cost = 0;
    bool sound = true;
    Buffer<Index> path, walk;
    Buffer<std::uint8_t> reached;
    Watching<HeldGraphRecording> watching(recording);
    detached({call.progress, graph.cells()}, [&](Control& control) {
        sound = !given.clockwise || is_rotation(graph, options.clockwise, control);
        if (!sound) return;
        const auto rows = space.open_graph(control);
        const OpenGraph& maze = *rows;
        GraphSearch search{maze, call.start, call.goals, given.as_seed(), options, control};
        watching.run(places_of(graph), Space::sites, control,
                     [&](auto& record) { result = call.solver.run(search, record); });
        cost = path_cost(search, result);
        if (result.found) path = places_along(maze, call.start, result.steps, control);
        if (call.solver.is(SolverTrait::walks))
            walk = places_along(maze, call.start, result.walk, control);
        reached = Buffer<std::uint8_t>(graph.cells());
        by_each(graph.cells(), control,
                [&](Index i) { reached[i] = GraphMarks::is_free(result.reached[i]) ? 0 : 1; });
    });
    if (!sound) throw py::value_error("clockwise is no rotation of the slots of each cell");
    SolveResult out(space);
    out.take(result, call.solver, given.plain.order);
    out.dict["cost"] = cost;
    out.dict["path"] = SolveResult::line(path);
    out.dict["reached"] = out.places(reached);
    out.dict["walk"] = call.solver.is(SolverTrait::walks) ? SolveResult::line(walk) : py::none();
    return out.dict;
}

// `recording`: a Recording, of a graph a GraphRecording, or None.
py::dict solve(const std::string& algorithm, const py::tuple& parts, Index start,
               const Array<Index>& goals, const py::dict& options, const py::object& progress,
               const py::object& recording) {
    const Solver& solver = find_solver(algorithm);
    const HeldSpace space(parts);
    space.require_one();
    const Ends ends = ends_of(space, start, goals);
    const HeldSolveOptions given(options);
    const SolveCall call{solver, space, start, ends.goals, given, progress};
    if (!space.on_graph()) return solve_squares(call, recording);
    if (!solver.run.graphs) throw py::key_error(algorithm);
    return solve_graph(call, recording);
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
