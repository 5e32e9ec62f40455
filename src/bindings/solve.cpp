// Solving, distances, and the paths that solutions keep as one byte a step.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <optional>
#include <string>

#include "../core/registry.hpp"
#include "../core/solve/solvers.hpp"
#include "arrays.hpp"
#include "detached.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

const Solver& find_solver(std::string_view name) {
    for (const Solver& s : solvers())
        if (s.name == name) return s;
    throw py::key_error(std::string(name));
}

// Memory of the core as an array, without a copy.
template <class T>
Array<T> given_away(Buffer<T>&& buffer, std::vector<py::ssize_t> shape) {
    auto* held = new Buffer<T>(std::move(buffer));
    const py::capsule owner(held, [](void* p) { delete static_cast<Buffer<T>*>(p); });
    return Array<T>(std::move(shape), held->data(), owner);
}

// What is walked: passages as they are, or passages that wrap or a wall/road array in room of its
// own.
struct Walked {
    const Bytes& array;
    bool sites;
    Shape shape;
    Wrap wrap;
    Buffer<std::uint8_t> room;

    Walked(const Bytes& given, bool are_sites, std::array<bool, 2> wraps)
        : array(given), sites(are_sites), shape(shape_of(given, "x")) {
        checked_shape(shape.rows, shape.cols);
        wrap = wrap_of(wraps, shape);
        if (sites && wrap.any()) throw py::value_error("sites do not wrap");
        if (sites || wrap.any()) room = Buffer<std::uint8_t>(shape.size());
    }
    void check(Index site, const char* name) const {
        if (site < 0 || site >= shape.size())
            throw py::value_error(std::string(name) + " is outside");
    }
    Links links(Control& control) {
        return sites ? links_of_walls(array.data(), shape, room.data(), control)
                     : links_of_passages(array.data(), shape, wrap, room.data(), control);
    }
};

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

// (found, explored, steps, reached, order or None)
py::tuple solve(const std::string& algorithm, const Bytes& x, bool sites, std::array<bool, 2> wrap,
                Index start, Index goal, const std::array<unsigned, 4>& order,
                const std::optional<std::array<std::uint64_t, 3>>& seed, bool with_order,
                const py::object& progress) {
    const Solver& solver = find_solver(algorithm);
    Walked walked(x, sites, wrap);
    walked.check(start, "start");
    walked.check(goal, "goal");
    const SolveOptions options{order_of(order), seed.has_value(), with_order};
    const auto words = seed.value_or(std::array<std::uint64_t, 3>{});
    Found result;
    detached({progress, walked.shape.size()}, [&](Control& control) {
        Search search{
            walked.links(control), start, goal, {{words[0], words[1]}, words[2]}, options, control};
        NoTrace silent;
        result = solver.run(search, silent);
    });
    const Shape shape = walked.shape;
    py::object when = py::none();
    if (with_order) when = given_away(std::move(result.order), {shape.rows, shape.cols});
    const Index length = result.steps.size();
    return py::make_tuple(result.found, result.explored,
                          given_away(std::move(result.steps), {length}),
                          given_away(std::move(result.reached), {shape.rows, shape.cols}), when);
}

template <class T>
bool distances_as(Walked& walked, const Array<Index>& sources, py::array& out,
                  const py::object& progress) {
    if (!py::isinstance<py::array_t<T>>(out)) return false;
    if ((out.flags() & py::array::c_style) == 0 || shape_of(out, "out") != walked.shape)
        throw py::value_error("out must be C-contiguous, of the shape of x");
    auto* const to = static_cast<T*>(out.mutable_data());
    const auto from = flat(sources, sources.size(), "sources");
    detached({progress, walked.shape.size()},
             [&](Control& control) { distances<T>(walked.links(control), from, to, control); });
    return true;
}

void distances_into(const Bytes& x, bool sites, std::array<bool, 2> wrap,
                    const Array<Index>& sources, py::array out, const py::object& progress) {
    Walked walked(x, sites, wrap);
    for (Index i = 0; i < sources.size(); ++i) walked.check(sources.data()[i], "sources");
    if (!distances_as<std::int64_t>(walked, sources, out, progress) &&
        !distances_as<std::int32_t>(walked, sources, out, progress) &&
        !distances_as<std::int16_t>(walked, sources, out, progress) &&
        !distances_as<std::int8_t>(walked, sources, out, progress))
        throw py::type_error("out must be of signed integers");
}

// The places of a path, (k, 2), in a space of `height` x `width`: each step `stride` times, as the
// sites of a grid lie between cells. A step over the rim of a grid shows the border on both sides.
Array<Index> walk(const Bytes& steps, Index row, Index col, Index stride, Index height,
                  Index width) {
    if (stride < 1) throw py::value_error("stride must be at least 1");
    const Index count = steps.size();
    const std::uint8_t* const step = steps.data();
    const auto over = [&](Index i) { return (step[i] & 4u) != 0; };
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
        constexpr std::array<Index, 4> downs{-1, 0, 1, 0}, rights{0, 1, 0, -1};
        const auto put = [&] {
            *to++ = row;
            *to++ = col;
        };
        put();
        for (Index first = 0; first < count; first += chunk) {
            control.poll(chunk * stride);
            for (Index i = first; i < std::min(first + chunk, count); ++i) {
                const Index down = downs[step[i] & 3u], right = rights[step[i] & 3u];
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
    m.def("solve", &solve, py::arg("algorithm"), py::arg("x"), py::arg("sites"), py::arg("wrap"),
          py::arg("start"), py::arg("goal"), py::arg("directions"), py::arg("seed"),
          py::arg("order"), py::arg("progress"));
    m.def("distances", &distances_into, py::arg("x"), py::arg("sites"), py::arg("wrap"),
          py::arg("sources"), py::arg("out"), py::arg("progress"));
    m.def("walk", &walk, py::arg("steps"), py::arg("row"), py::arg("col"), py::arg("stride"),
          py::arg("height"), py::arg("width"));
}

}  // namespace meiro
