// Queries about shortest paths.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "../core/paths/path_queries.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "object_lock.hpp"
#include "search_space.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

std::span<const Index> some(const SearchSpace& search_space, const Array<Index>& goals) {
    const auto ends = search_space.checked(goals, "goals");
    if (ends.empty()) throw py::value_error("goals must be one or more");
    return ends;
}

// (length, count in limbs, mask); a length of -1 and Nones if no path exists.
py::tuple shortest_paths(const Bytes& x, bool sites, std::array<bool, 2> wrap, Index start,
                         const Array<Index>& goals, const py::object& progress) {
    SearchSpace search_space(x, sites, wrap);
    search_space.check(start, "start");
    const auto ends = some(search_space, goals);
    Descent descent;
    Buffer<std::uint64_t> count;
    detached({progress, search_space.shape.size()}, [&](Control& control) {
        const Adjacency adjacency = search_space.adjacency(control);
        descent = descend(adjacency, ends, start, control);
        if (descent.length >= 0) count = count_paths(adjacency, descent, start, control);
    });
    if (descent.length < 0) return py::make_tuple(-1, py::none(), py::none());
    const Index limbs = count.size();
    return py::make_tuple(
        descent.length, given_away(std::move(count), {limbs}),
        given_away(std::move(descent.marks), {search_space.shape.rows, search_space.shape.cols}));
}

// All shortest paths, the moves of one at a time; it owns its search space.
class ShortestPaths {
public:
    // NOLINTNEXTLINE(modernize-pass-by-value): arrays that are taken by value are not converted.
    ShortestPaths(const Bytes& x, bool sites, std::array<bool, 2> wrap, Index start,
                  const Array<Index>& goals, const py::object& progress)
        : x_(x), search_space_(x_, sites, wrap) {
        search_space_.check(start, "start");
        const auto ends = some(search_space_, goals);
        detached({progress, search_space_.shape.size()}, [&](Control& control) {
            adjacency_ = std::make_unique<Adjacency>(search_space_.adjacency(control));
            Descent descent = descend(*adjacency_, ends, start, control);
            length_ = descent.length;
            list_ = std::make_unique<PathList>(std::move(descent), start);
        });
    }
    ShortestPaths(const ShortestPaths&) = delete;
    ShortestPaths& operator=(const ShortestPaths&) = delete;
    ~ShortestPaths() = default;

    // NOLINTNEXTLINE(readability-make-member-function-const): `def` takes methods that are not.
    Index length() { return length_; }
    py::object next() {
        const ObjectLock::Held alone(lock_);
        bool more = false;
        if (length_ >= 0)
            detached({}, [&](Control& control) { more = list_->next(*adjacency_, control); });
        if (!more) return py::none();
        Bytes steps(length_);
        std::copy(list_->steps().begin(), list_->steps().end(), steps.mutable_data());
        return steps;
    }

private:
    Bytes x_;
    SearchSpace search_space_;
    std::unique_ptr<Adjacency> adjacency_;
    std::unique_ptr<PathList> list_;
    ObjectLock lock_;
    Index length_ = -1;
};

Bytes best_moves(const Bytes& x, bool sites, std::array<bool, 2> wrap, int moves,
                 const Array<Index>& goals, const py::object& progress) {
    SearchSpace search_space(x, sites, wrap, moves);
    const auto ends = some(search_space, goals);
    Buffer<std::uint8_t> bits;
    detached({progress, search_space.shape.size()}, [&](Control& control) {
        const Adjacency adjacency = search_space.adjacency(control);
        bits =
            moves == 8 ? octile_policy(adjacency, ends, control) : policy(adjacency, ends, control);
    });
    return given_away(std::move(bits), {search_space.shape.rows, search_space.shape.cols});
}

// Places (k, 2), or None if no path exists.
py::object all_bottlenecks(const Bytes& x, bool sites, std::array<bool, 2> wrap, Index start,
                           const Array<Index>& goals) {
    SearchSpace search_space(x, sites, wrap);
    search_space.check(start, "start");
    const auto ends = some(search_space, goals);
    Bottlenecks found;
    detached({}, [&](Control& control) {
        found = bottlenecks(search_space.adjacency(control), ends, start, control);
    });
    if (found.count < 0) return py::none();
    return given_away(std::move(found.places), {found.count, 2});
}

// (start, goal, length, upper bound, the moves of the path)
py::tuple longest(const Bytes& x, bool sites, std::array<bool, 2> wrap, bool exact) {
    SearchSpace search_space(x, sites, wrap);
    Longest found;
    detached({}, [&](Control& control) {
        found = longest_path(search_space.adjacency(control), exact, control);
    });
    const Index length = found.steps.size();
    return py::make_tuple(found.start, found.goal, found.length, found.at_most,
                          given_away(std::move(found.steps), {length}));
}

}  // namespace

void bind_path_queries(py::module_& m) {
    def(m, "shortest_paths", &shortest_paths, py::arg("x"), py::arg("sites"), py::arg("wrap"),
        py::arg("start"), py::arg("goals"), py::arg("progress"));
    py::class_<ShortestPaths> paths(m, "ShortestPaths");
    def_constructor<const Bytes&, bool, std::array<bool, 2>, Index, const Array<Index>&,
                    const py::object&>(paths, py::arg("x"), py::arg("sites"), py::arg("wrap"),
                                       py::arg("start"), py::arg("goals"), py::arg("progress"));
    def(paths, "length", &ShortestPaths::length);
    def(paths, "next", &ShortestPaths::next);
    def(m, "policy", &best_moves, py::arg("x"), py::arg("sites"), py::arg("wrap"), py::arg("moves"),
        py::arg("goals"), py::arg("progress"));
    def(m, "bottlenecks", &all_bottlenecks, py::arg("x"), py::arg("sites"), py::arg("wrap"),
        py::arg("start"), py::arg("goals"));
    def(m, "longest_path", &longest, py::arg("x"), py::arg("sites"), py::arg("wrap"),
        py::arg("exact"));
}

}  // namespace meiro
