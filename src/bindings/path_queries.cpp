// Queries about shortest paths: each is bound once, for any space.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "../core/graph/paths/graph_paths.hpp"
#include "../core/paths/path_queries.hpp"
#include "../core/solve/solvers.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_space.hpp"
#include "lock_array.hpp"
#include "object_lock.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// The most bytes that a query takes on a thread, beside its result and a copy of the maze.
struct QueryBytes {
    std::string_view name;
    double place;  // of squares, or of an array
    double graph;  // a cell and edge of a graph
};

constexpr std::array query_bytes{
    QueryBytes{"distances", 2, 24},
    QueryBytes{"costs", 26, 80},  // a heap item a place
    QueryBytes{"policy", 1, 24},
    QueryBytes{"octile_policy", 7, 0},
    QueryBytes{"shortest_paths", 5, 32},
    QueryBytes{"all_shortest_paths", 1, 32},
    QueryBytes{"bottlenecks", 6, 36},
    QueryBytes{"longest_path", 2, 32},
    QueryBytes{"exact_longest_path", 6, 32},
    QueryBytes{"solve_many", 10, 24},
    QueryBytes{"components", 0, 24},
    QueryBytes{"check", 4, 40},
    QueryBytes{"check_periodic", 9, 40},
    QueryBytes{"check_sites", 0, 0},  // some rows
    QueryBytes{"two_cells", 3, 24},
};

// Memory of an array of this item, if it is one: C-contiguous, of the shape of a result.
template <class T>
T* result_as(const HeldSpace& space, py::array& out) {
    if (!py::isinstance<py::array_t<T>>(out)) return nullptr;
    const Index given = out.size(), wanted = space.all_places();
    if ((out.flags() & py::array::c_style) == 0 || given != wanted)
        throw py::value_error("out must be C-contiguous, of the shape of x");
    return static_cast<T*>(out.mutable_data());
}

// Into signed integers: steps. Into float64: costs, of weights or of none.
void distances_into(const py::tuple& parts, const Array<Index>& sources,
                    const Array<double>& weights, py::array out, int threads,
                    const py::object& progress) {
    const HeldSpace space(parts);
    const ItemsOfEach<Index> from = space.places_of_each(sources, "sources");
    const Index size = space.places();
    const auto as = [&]<class T>(T) {
        T* const to = result_as<T>(space, out);
        if (to == nullptr) return false;
        detached({progress, space.all_places()}, [&](Control& control) {
            space.each(control, threads, [&](const auto& maze, Index i, Control& one, int shared) {
                distances(maze, from.of(i), to + i * size, one, shared);
            });
        });
        return true;
    };
    if (as(std::int64_t{}) || as(std::int32_t{}) || as(std::int16_t{}) || as(std::int8_t{})) return;
    auto* const to = result_as<double>(space, out);
    if (to == nullptr) throw py::type_error("out must be of signed integers or float64");
    const ItemsOfEach<double> given = space.costs(weights, "weights");
    detached({progress, space.all_places()}, [&](Control& control) {
        space.each(control, threads, [&](const auto& maze, Index i, Control& one, int) {
            costs(maze, given.of(i), from.of(i), to + i * size, one);
        });
    });
}

// The best moves of each place, as bits; on a graph the next cell, int32.
py::array best_moves(const py::tuple& parts, const Array<Index>& goals, int threads,
                     const py::object& progress) {
    const HeldSpace space(parts);
    const ItemsOfEach<Index> ends = space.places_of_each(goals, "goals");
    const Index size = space.places(), all = space.all_places();
    Buffer<std::uint8_t> bits(space.on_graph() ? 0 : all);
    Buffer<GraphId> next(space.on_graph() ? all : 0);
    detached({progress, all}, [&](Control& control) {
        space.each(control, threads, [&](const auto& maze, Index i, Control& one, int) {
            if constexpr (is_graph<decltype(maze)>) {
                graph_policy(maze, ends.of(i), next.data() + i * size, one);
                if (space.n() > 1) one.done(size);
            } else {
                const auto found = space.moves() == 8 ? octile_policy(maze, ends.of(i), one)
                                                      : policy(maze, ends.of(i), one);
                polled_copy(found.data(), size, bits.data() + i * size, one);
            }
        });
    });
    if (space.on_graph()) return given_away(std::move(next), space.shape());
    return given_away(std::move(bits), space.shape());
}

// Of one maze: work(maze, control), by one thread.
template <class Work>
void search_one(const HeldSpace& space, const py::object& progress, Work work) {
    space.require_one();
    detached({progress, space.places()}, [&](Control& control) {
        space.each(control, 1,
                   [&](const auto& maze, Index, Control& one, int) { work(maze, one); });
    });
}

// (length, count in limbs, mask); a length of -1 and Nones if no path exists.
py::tuple shortest_paths(const py::tuple& parts, Index start, const Array<Index>& goals,
                         const py::object& progress) {
    const HeldSpace space(parts);
    const Ends ends = ends_of(space, start, goals);
    Index length = -1;
    Buffer<std::uint64_t> count;
    Buffer<std::uint8_t> mask;
    search_one(space, progress, [&](const auto& maze, Control& control) {
        auto descent = descend(maze, ends.goals, start, control);
        length = descent.length;
        if (length >= 0) count = count_paths(maze, descent, start, control);
        mask = std::move(descent.marks);
    });
    if (length < 0) return py::make_tuple(-1, py::none(), py::none());
    const Index limbs = count.size();
    auto shape = space.shape();
    shape.erase(shape.begin());
    return py::make_tuple(length, given_away(std::move(count), {limbs}),
                          given_away<std::uint8_t, bool>(std::move(mask), std::move(shape)));
}

// All shortest paths, the places of one at a time; it owns its space.
class ShortestPaths {
public:
    // NOLINTNEXTLINE(modernize-pass-by-value): `def_constructor` gives references.
    ShortestPaths(const py::tuple& parts, Index start, const Array<Index>& goals,
                  const py::object& progress)
        : parts_(parts), space_(parts_), start_(start) {
        const Ends ends = ends_of(space_, start, goals);
        space_.require_one();
        detached({progress, space_.places()}, [&](Control& control) {
            if (space_.on_graph()) {
                begin(space_.open_graph(control), ends.goals, control);
            } else {
                scratch_ = space_.scratch_of_one();
                begin(std::make_shared<Adjacency>(space_.adjacency(scratch_, control)), ends.goals,
                      control);
            }
        });
    }
    ShortestPaths(const ShortestPaths&) = delete;
    ShortestPaths& operator=(const ShortestPaths&) = delete;
    ~ShortestPaths() = default;

    // NOLINTNEXTLINE(readability-make-member-function-const): `def` takes methods that are not.
    Index length() { return length_; }
    py::object next() {
        const ObjectLock::Held alone(lock_);
        Buffer<Index> places;
        if (length_ >= 0) detached({}, [&](Control& control) { places = next_(control); });
        if (places.size() == 0) return py::none();
        return given_away(std::move(places), {length_ + 1});
    }

private:
    template <class Maze>
    void begin(const std::shared_ptr<Maze>& maze, std::span<const Index> goals, Control& control) {
        using List = PathList<DescentOf<Maze>>;
        auto descent = descend(*maze, goals, start_, control);
        length_ = descent.length;
        auto list = std::make_shared<List>(std::move(descent), start_);
        next_ = [maze, list, start = start_](Control& now) {
            if (!list->next(*maze, now)) return Buffer<Index>();
            return with_places(*maze, [&](const auto& places) {
                return places_along(start, list->steps(), now,
                                    [&](Index at, auto step) { return places.to(at, step); });
            });
        };
    }

    py::tuple parts_;
    HeldSpace space_;
    Index start_;
    Buffer<std::uint8_t> scratch_;
    std::function<Buffer<Index>(Control&)> next_;  // the places of a path, none at the end
    ObjectLock lock_;
    Index length_ = -1;
};

// The numbers of places, in order from start to goal, or None if no path exists.
py::object all_bottlenecks(const py::tuple& parts, Index start, const Array<Index>& goals) {
    const HeldSpace space(parts);
    const Ends ends = ends_of(space, start, goals);
    Bottlenecks found;
    search_one(space, py::none(), [&](const auto& maze, Control& control) {
        found = bottlenecks(maze, ends.goals, start, control);
    });
    if (found.count < 0) return py::none();
    found.places.grow(found.count);
    return given_away(std::move(found.places), {found.count});
}

// (k, 4) of before, behind, edge and key: n, or as many as there can be. None if no path exists.
py::object locks(const py::tuple& parts, Index start, Index goal, Index n, SeedWords seed) {
    const HeldSpace space(parts);
    space.check(start, "start");
    space.check(goal, "goal");
    if (n < 1 || n > space.places()) throw py::value_error("n must be 1 to the number of places");
    Locks found;
    search_one(space, py::none(), [&](const auto& maze, Control& control) {
        Random random(seed_of(seed), Purpose::locks);
        found = draw_locks(maze, start, goal, n, random, control);
    });
    if (!found.connected) return py::none();
    return as_array({found.locks.begin(), found.locks.end()});
}

// (start, goal, length, upper bound, the numbers of the places of the path); without any two
// connected places start, goal and the only place are -1.
py::tuple longest(const py::tuple& parts, bool exact) {
    const HeldSpace space(parts);
    Index start = -1, goal = -1, length = 0, at_most = 0;
    Buffer<Index> path;
    search_one(space, py::none(), [&](const auto& maze, Control& control) {
        const auto found = longest_path(maze, exact, control);
        start = found.start;
        goal = found.goal;
        length = found.length;
        at_most = found.at_most;
        path = places_along(maze, start, found.steps, control);
    });
    return py::make_tuple(start, goal, length, at_most, given_away(std::move(path), {length + 1}));
}

// (start, goal, steps) of a longest shortest path of each maze: (n, 3).
Array<Index> farthest_pairs(const py::tuple& parts, int threads) {
    const HeldSpace space(parts);
    return new_array<Index>({space.n(), Index{3}}, {}, [&](Index* to, Control& control) {
        space.each(control, threads, [&](const auto& maze, Index i, Control& one, int) {
            const auto found = longest_path(maze, true, one);
            to[3 * i] = found.start;
            to[3 * i + 1] = found.goal;
            to[3 * i + 2] = found.length;
        });
    });
}

// (h, w), of the walls of an array.
Array<Index> clearance_of(const Bytes& walls, std::array<bool, 2> wrap,
                          const py::object& progress) {
    const Shape shape = shape_of(walls, "walls");
    return new_array<Index>({shape.rows, shape.cols}, {progress, shape.size()},
                            [&](Index* to, Control& control) {
                                clearance(walls.data(), shape, {wrap[0], wrap[1]}, to, control);
                            });
}

}  // namespace

void bind_path_queries(py::module_& m) {
    def(m, "distances", &distances_into, "space", "sources", "weights", "out", "threads",
        "progress");
    def(m, "clearance", &clearance_of, "walls", "wrap", "progress");
    def(m, "policy", &best_moves, "space", "goals", "threads", "progress");
    def(m, "shortest_paths", &shortest_paths, "space", "start", "goals", "progress");
    py::class_<ShortestPaths> paths(m, "ShortestPaths");
    def_constructor<const py::tuple&, Index, const Array<Index>&, const py::object&>(
        paths, "space", "start", "goals", "progress");
    def(paths, "length", &ShortestPaths::length);
    def(paths, "next", &ShortestPaths::next);
    def(m, "bottlenecks", &all_bottlenecks, "space", "start", "goals");
    def(m, "locks", &locks, "space", "start", "goal", "n", "seed");
    def(m, "longest_path", &longest, "space", "exact");
    def(m, "farthest", &farthest_pairs, "space", "threads");
    py::dict bytes;
    for (const QueryBytes& query : query_bytes)
        bytes[py::str(std::string(query.name))] = py::make_tuple(query.place, query.graph);
    m.attr("QUERY_BYTES") = bytes;
}

}  // namespace meiro
