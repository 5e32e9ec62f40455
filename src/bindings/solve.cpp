// Solving, distances, and paths as one byte per step.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>

#include "../core/registry.hpp"
#include "../core/solve/solvers.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "recording.hpp"
#include "search_space.hpp"
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

// The result as a dict: arrays that the solver does not make are None.
py::dict solve(const std::string& algorithm, const Bytes& x, bool sites, std::array<bool, 2> wrap,
               int moves, Index start, const Array<Index>& goals,
               const std::optional<Array<double>>& weights,
               const std::array<std::uint64_t, 3>& seed, const std::array<unsigned, 4>& directions,
               bool random, bool left, Index max_steps, bool order, int threads,
               const py::object& progress, HeldRecording* recording) {
    const Solver& solver = find_solver(algorithm);
    SearchSpace search_space(x, sites, wrap, moves);
    search_space.check(start, "start");
    const auto ends = search_space.checked(goals, "goals");
    if (ends.empty()) throw py::value_error("goals must be one or more");
    SolveOptions options{.directions = order_of(directions),
                         .random = random,
                         .order = order,
                         .hand = left ? Hand::left : Hand::right,
                         .max_steps = max_steps,
                         .weights = {}};
    if (weights) options.weights = flat(*weights, search_space.shape.size(), "weights");
    SearchResult result;
    double cost = 0;
    std::optional<ObjectLock::Held> alone;
    if (recording != nullptr) alone.emplace(recording->lock());
    detached({progress, search_space.shape.size()}, [&](Control& control) {
        Search search{search_space.adjacency(control, threads),
                      start,
                      ends,
                      {{seed[0], seed[1]}, seed[2]},
                      options,
                      control,
                      threads};
        result = run_solver(solver, search, sites ? Space::sites : Space::cells, recording);
        cost = path_cost(search, result);
    });
    const Shape shape = search_space.shape;
    const auto array = []<class T>(Buffer<T>& buffer, std::vector<py::ssize_t> sides, bool wanted) {
        return wanted ? py::object(given_away(std::move(buffer), std::move(sides))) : py::none();
    };
    py::dict out;
    out["found"] = result.found;
    out["explored"] = result.explored;
    out["goal"] = result.goal;
    out["cost"] = cost;
    out["reason"] = std::string(result.reason);
    const Index length = result.steps.size(), walk = result.walk.size();
    out["steps"] = array(result.steps, {length}, true);
    out["reached"] = array(result.reached, {shape.rows, shape.cols}, true);
    out["order"] = array(result.order, {shape.rows, shape.cols}, options.order);
    out["walk"] = array(result.walk, {walk}, solver.walks);
    out["remains"] = array(result.remains, {shape.rows, shape.cols}, solver.fills);
    return out;
}

template <class T>
T* writable_as(const SearchSpace& search_space, py::array& out) {
    if (!py::isinstance<py::array_t<T>>(out)) return nullptr;
    if ((out.flags() & py::array::c_style) == 0 || shape_of(out, "out") != search_space.shape)
        throw py::value_error("out must be C-contiguous, of the shape of x");
    return static_cast<T*>(out.mutable_data());
}

// Into signed integers: steps. Into float64: costs, with or without weights.
void distances_into(const Bytes& x, bool sites, std::array<bool, 2> wrap, int moves,
                    const Array<Index>& sources, const Array<double>& weights, py::array out,
                    int threads, const py::object& progress) {
    SearchSpace search_space(x, sites, wrap, moves);
    const auto from = search_space.checked(sources, "sources");
    const auto as = [&]<class T>(T) {
        T* const to = writable_as<T>(search_space, out);
        if (to != nullptr)
            detached({progress, search_space.shape.size()}, [&](Control& control) {
                distances<T>(search_space.adjacency(control, threads), from, to, control, threads);
            });
        return to != nullptr;
    };
    if (as(std::int64_t{}) || as(std::int32_t{}) || as(std::int16_t{}) || as(std::int8_t{})) return;
    auto* const to = writable_as<double>(search_space, out);
    if (to == nullptr) throw py::type_error("out must be of signed integers or float64");
    std::span<const double> given;
    if (weights.size() > 0) given = flat(weights, search_space.shape.size(), "weights");
    detached({progress, search_space.shape.size()}, [&](Control& control) {
        costs(search_space.adjacency(control), given, from, to, control);
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
        by_pieces(stride > 1 ? count : 0, control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) places += over(i) ? 1 : 0;
        });
    });
    Array<Index> out({places, Index{2}});
    Index* to = out.mutable_data();
    detached({}, [&](Control& control) {
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
    return out;
}

}  // namespace

void bind_solve(py::module_& m) {
    def(m, "solve", &solve, py::arg("algorithm"), py::arg("x"), py::arg("sites"), py::arg("wrap"),
        py::arg("moves"), py::arg("start"), py::arg("goals"), py::arg("weights") = py::none(),
        py::arg("seed") = py::make_tuple(0, 0, 0),
        py::arg("directions") = py::make_tuple(0, 1, 2, 3), py::arg("random") = false,
        py::arg("left") = false, py::arg("max_steps") = -1, py::arg("order") = false,
        py::arg("threads") = 1, py::arg("progress") = py::none(),
        py::arg("recording") = py::none());
    def(m, "distances", &distances_into, py::arg("x"), py::arg("sites"), py::arg("wrap"),
        py::arg("moves"), py::arg("sources"), py::arg("weights"), py::arg("out"),
        py::arg("threads"), py::arg("progress"));
    def(m, "walk", &walk, py::arg("steps"), py::arg("row"), py::arg("col"), py::arg("stride"),
        py::arg("height"), py::arg("width"), py::arg("moves"));
}

}  // namespace meiro
