// Questions about the ways of a maze, and many mazes solved at once.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../core/measure/components.hpp"
#include "../core/measure/ways.hpp"
#include "../core/solve/many.hpp"
#include "arrays.hpp"
#include "detached.hpp"
#include "topics.hpp"
#include "walked.hpp"

namespace meiro {
namespace {

std::span<const Index> some(const Walked& walked, const Array<Index>& goals) {
    const auto ends = walked.checked(goals, "goals");
    if (ends.empty()) throw py::value_error("goals must be one or more");
    return ends;
}

// (length, count in limbs, mask); a length of -1 and Nones if there is no way.
py::tuple shortest_paths(const Bytes& x, bool sites, std::array<bool, 2> wrap, Index start,
                         const Array<Index>& goals, const py::object& progress) {
    Walked walked(x, sites, wrap);
    walked.check(start, "start");
    const auto ends = some(walked, goals);
    Descent descent;
    Buffer<std::uint64_t> count;
    detached({progress, walked.shape.size()}, [&](Control& control) {
        const Links links = walked.links(control);
        descent = descend(links, ends, start, control);
        if (descent.length >= 0) count = count_paths(links, descent, start, control);
    });
    if (descent.length < 0) return py::make_tuple(-1, py::none(), py::none());
    const Index limbs = count.size();
    return py::make_tuple(
        descent.length, given_away(std::move(count), {limbs}),
        given_away(std::move(descent.marks), {walked.shape.rows, walked.shape.cols}));
}

// All shortest paths, the ways of one at a time; it keeps what it walks on.
class ShortestPaths {
public:
    ShortestPaths(Bytes x, bool sites, std::array<bool, 2> wrap, Index start,
                  const Array<Index>& goals, const py::object& progress)
        : x_(std::move(x)), walked_(x_, sites, wrap) {
        walked_.check(start, "start");
        const auto ends = some(walked_, goals);
        detached({progress, walked_.shape.size()}, [&](Control& control) {
            links_ = std::make_unique<Links>(walked_.links(control));
            Descent descent = descend(*links_, ends, start, control);
            length_ = descent.length;
            list_ = std::make_unique<PathList>(std::move(descent), start);
        });
    }
    ShortestPaths(const ShortestPaths&) = delete;
    ShortestPaths& operator=(const ShortestPaths&) = delete;
    ~ShortestPaths() = default;

    Index length() const { return length_; }
    py::object next() {
        bool more = false;
        if (length_ >= 0)
            detached({}, [&](Control& control) { more = list_->next(*links_, control); });
        if (!more) return py::none();
        Bytes steps(length_);
        std::copy(list_->steps().begin(), list_->steps().end(), steps.mutable_data());
        return steps;
    }

private:
    Bytes x_;
    Walked walked_;
    std::unique_ptr<Links> links_;
    std::unique_ptr<PathList> list_;
    Index length_ = -1;
};

Bytes best_moves(const Bytes& x, bool sites, std::array<bool, 2> wrap, int moves,
                 const Array<Index>& goals, const py::object& progress) {
    Walked walked(x, sites, wrap, moves);
    const auto ends = some(walked, goals);
    Buffer<std::uint8_t> bits;
    detached({progress, walked.shape.size()}, [&](Control& control) {
        const Links links = walked.links(control);
        bits = moves == 8 ? octile_policy(links, ends, control) : policy(links, ends, control);
    });
    return given_away(std::move(bits), {walked.shape.rows, walked.shape.cols});
}

// Places (k, 2), or None if there is no way.
py::object all_bottlenecks(const Bytes& x, bool sites, std::array<bool, 2> wrap, Index start,
                           const Array<Index>& goals) {
    Walked walked(x, sites, wrap);
    walked.check(start, "start");
    const auto ends = some(walked, goals);
    Bottlenecks found;
    detached({}, [&](Control& control) {
        found = bottlenecks(walked.links(control), ends, start, control);
    });
    if (found.count < 0) return py::none();
    return given_away(std::move(found.places), {found.count, 2});
}

// (start, goal, length, at most, the ways of the path)
py::tuple longest(const Bytes& x, bool sites, std::array<bool, 2> wrap, bool exact) {
    Walked walked(x, sites, wrap);
    Longest found;
    detached(
        {}, [&](Control& control) { found = longest_path(walked.links(control), exact, control); });
    const Index length = found.steps.size();
    return py::make_tuple(found.start, found.goal, found.length, found.at_most,
                          given_away(std::move(found.steps), {length}));
}

template <class T>
py::tuple components_as(const Bytes& x, bool sites, Shape shape, Wrap wrap, Mask mask) {
    Array<T> out({shape.rows, shape.cols});
    T* const to = out.mutable_data();
    Index count = 0;
    detached({}, [&](Control& control) {
        count = sites ? label(x.data(), shape, wrap, 0, to, control)
                      : label_cells(x.data(), shape, wrap, mask, to, control);
    });
    return py::make_tuple(std::move(out), count);
}

// (labels, how many)
py::tuple components(const Bytes& x, bool sites, std::array<bool, 2> wraps,
                     const std::optional<Bytes>& mask_bytes) {
    const Shape shape = shape_of(x, "x");
    checked_shape(shape.rows, shape.cols);
    const Wrap wrap = wrap_of(wraps, shape);
    const Mask mask = mask_of(mask_bytes, shape);
    return shape.size() < Index{1} << 31 ? components_as<std::int32_t>(x, sites, shape, wrap, mask)
                                         : components_as<std::int64_t>(x, sites, shape, wrap, mask);
}

// (lengths, paths or None). ask(places) is called before memory is taken for paths of so many; if
// it is None, they are not wanted. A start of -1 is no cell.
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

}  // namespace

void bind_ways(py::module_& m) {
    m.def("shortest_paths", &shortest_paths, py::arg("x"), py::arg("sites"), py::arg("wrap"),
          py::arg("start"), py::arg("goals"), py::arg("progress"));
    py::class_<ShortestPaths>(m, "ShortestPaths")
        .def(py::init<Bytes, bool, std::array<bool, 2>, Index, const Array<Index>&,
                      const py::object&>(),
             py::arg("x"), py::arg("sites"), py::arg("wrap"), py::arg("start"), py::arg("goals"),
             py::arg("progress"))
        .def("length", &ShortestPaths::length)
        .def("next", &ShortestPaths::next);
    m.def("policy", &best_moves, py::arg("x"), py::arg("sites"), py::arg("wrap"), py::arg("moves"),
          py::arg("goals"), py::arg("progress"));
    m.def("bottlenecks", &all_bottlenecks, py::arg("x"), py::arg("sites"), py::arg("wrap"),
          py::arg("start"), py::arg("goals"));
    m.def("longest_path", &longest, py::arg("x"), py::arg("sites"), py::arg("wrap"),
          py::arg("exact"));
    m.def("components", &components, py::arg("x"), py::arg("sites"), py::arg("wrap"),
          py::arg("mask"));
    m.def("solve_many", &solve_many, py::arg("passages"), py::arg("wrap"), py::arg("starts"),
          py::arg("goals"), py::arg("ask"), py::arg("threads"), py::arg("progress"));
}

}  // namespace meiro
