// Transforms that open and close passages.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "../core/graph/graph_transforms.hpp"
#include "../core/paths/path_queries.hpp"
#include "../core/transform/canonical.hpp"
#include "../core/transform/square_symmetry.hpp"
#include "../core/transform/transform_many.hpp"
#include "../core/transform/transforms.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_space.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// What a change of one maze is given beside the maze.
struct OneMaze {
    Seed seed;  // its own
    Index i;
    Control& control;
    int threads;
};

// Memory for the transformed mazes.
Bytes room_for(const HeldSpace& space) {
    if (space.sites()) throw py::value_error("sites have no passages");
    if (space.on_graph()) return Bytes({space.n(), space.graph().edges()});
    return Bytes(space.shape());
}

// Runs change(one, maze...) for a copy of each maze, a Passages or a graph and its open edges:
// about `steps` steps of Control::poll for each cell, and `more`. Returns what it leaves open.
template <class Change>
Bytes transformed(const HeldSpace& space, const SeedWords& seed, Index steps, int threads,
                  const py::object& progress, Change change, Index more = 0) {
    Bytes out = room_for(space);
    std::uint8_t* const to = writable(out);
    detached({progress, space.all_places()}, [&](Control& control) {
        const auto one = [&](Index i, Control& worker, int shared) {
            return OneMaze{replicate(seed_of(seed), i), i, worker, shared};
        };
        if (!space.on_graph()) {
            const Batch& mazes = space.squares();
            transform_each(mazes, to, steps * space.places() + more, control, threads,
                           [&](const Passages& maze, Index i, Control& worker) {
                               change(one(i, worker, mazes.threads_of_each(threads)), maze);
                           });
            return;
        }
        const Graph& graph = space.graph();
        const Index edges = graph.edges();
        each_of_dozens(space.n(), edges + graph.cells(), control, threads,
                       [&](Index i, Control& worker) {
                           std::uint8_t* const open = to + i * edges;
                           const std::uint8_t* const from = space.open() + i * edges;
                           by_each(edges, worker, [&](Index e) { open[e] = from[e] != 0 ? 1 : 0; });
                           change(one(i, worker, 1), graph, open);
                           worker.done(graph.cells());
                       });
    });
    return out;
}

Array<Index> inner_walls(const py::tuple& parts, int threads) {
    const HeldSpace space(parts);
    return new_array<Index>({space.n()}, {}, [&](Index* to, Control& control) {
        if (!space.on_graph()) {
            count_walls_of_each(space.squares(), to, control, threads);
            return;
        }
        const Graph& graph = space.graph();
        for (Index i = 0; i < space.n(); ++i)
            to[i] = count_walls(graph, space.open() + i * graph.edges(), control);
    });
}

// What is changed by a seed and a number, with its bytes, about how many steps of Control::poll a
// cell takes, and how many a step of a walk on perfect mazes.
struct Change {
    std::string_view name;
    int bytes, steps, walked;
};

constexpr Change changes[] = {
    {"braid", transform_bytes::braid, transform_steps::braid, 0},
    {"add_loops", transform_bytes::add_loops, transform_steps::add_loops, 0},
    {"join_regions", transform_bytes::join_regions, transform_steps::join_regions, 0},
    {"remove_islands", transform_bytes::remove_islands, transform_steps::remove_islands, 0},
    {"origin_shift", transform_bytes::origin_shift, transform_steps::walk, 1},
    {"perturb", transform_bytes::perturb, transform_steps::walk, 300},
};

// `numbers`, of each maze or one of all: the chance of braid, the walls that add_loops opens, the
// steps of origin_shift and perturb.
Bytes changed(const std::string& name, const py::tuple& parts, const SeedWords& seed,
              const Array<std::uint64_t>& numbers, int threads, const py::object& progress) {
    const auto* const row = std::ranges::find(changes, name, &Change::name);
    if (row == std::end(changes)) throw py::key_error(name);
    const HeldSpace space(parts);
    const ItemsOfEach<std::uint64_t> given{
        flat(numbers, numbers.size() == 1 ? 1 : space.n(), "numbers"), 1};
    const auto change = [&](const OneMaze& one, const auto&... maze) {
        const std::uint64_t number = given.of(one.i).front();
        const auto n = static_cast<Index>(std::min(number, std::uint64_t{1} << 62));
        if (name == "braid") braid(maze..., one.seed, Chance{number}, one.control, one.threads);
        if (name == "add_loops") add_loops(maze..., one.seed, n, one.control);
        if (name == "join_regions") join_regions(maze..., one.seed, one.control);
        if (name == "remove_islands") remove_islands(maze..., one.seed, one.control, one.threads);
        if (name == "origin_shift") origin_shift(maze..., one.seed, n, one.control);
        if (name == "perturb") perturb(maze..., one.seed, n, one.control);
    };
    const auto walk = static_cast<Index>(std::min(numbers.data()[0], std::uint64_t{1} << 48));
    return transformed(space, seed, row->steps, threads, progress, change,
                       row->walked > 0 ? row->walked * walk : 0);
}

// Mazes, the cells that they have, and their starts.
py::tuple partial_mazes(Index n, Index rows, Index cols, const SeedWords& seed, Index start,
                        Index cells, Index depth, bool forks, int threads,
                        const py::object& progress) {
    const Shape shape = checked_shape(rows, cols);
    if (n < 0 || start < -1 || start >= shape.size() || cells < 1 || depth < 0)
        throw py::value_error("a limit is out of range");
    Bytes visited({n, rows, cols});  // first the passages that each maze begins with: none
    Array<Index> starts(n);
    std::uint8_t* const to = writable(visited);
    Index* const begins = starts.mutable_data();
    detached({}, [&](Control& control) { polled_fill(to, n * shape.size(), 0, control); });
    const HeldSpace space(py::make_tuple(visited, py::none(), py::make_tuple(false, false)));
    const Bytes made = transformed(space, seed, transform_steps::partial_search, threads, progress,
                                   [&](const OneMaze& one, const auto&... maze) {
                                       if constexpr (sizeof...(maze) == 1)
                                           begins[one.i] = partial_search(
                                               maze..., to + one.i * shape.size(), one.seed,
                                               {start, cells, depth, forks}, one.control);
                                   });
    return py::make_tuple(made, visited, starts);
}

// kept: cells, or -1, of each maze or of all, (n, k) or (1, k). Of squares the passages and the
// cells that are left; on a graph all cells are.
py::tuple filled(const py::tuple& parts, const Array<Index>& kept, Index rounds, int threads,
                 const py::object& progress) {
    const HeldSpace space(parts);
    if (kept.ndim() != 2 || (kept.shape(0) != space.n() && kept.shape(0) != 1))
        throw py::value_error("kept must be 2-D, with a row for each maze, or one");
    const ItemsOfEach<Index> stay{flat(kept, kept.size(), "kept"), kept.shape(1)};
    const Index size = space.places();
    if (!all_hold(stay.all, [size](Index cell) { return cell >= -1 && cell < size; }))
        throw py::value_error("kept is outside");
    Booleans left = space.on_graph() ? Booleans(0) : Booleans(space.shape());
    std::uint8_t* const all_left = writable(left);
    const auto fill = [&](const OneMaze& one, const auto&... maze) {
        if constexpr (sizeof...(maze) == 2) {
            fill_dead_ends(maze..., stay.of(one.i), rounds, one.control);
        } else {
            std::uint8_t* const mask_out = all_left + one.i * size;
            if (const Mask mask = space.mask_of(one.i); mask != nullptr)
                polled_copy(mask, size, mask_out, one.control, one.threads);
            else
                polled_fill(mask_out, size, 1, one.control, one.threads);
            fill_dead_ends(maze..., mask_out, stay.of(one.i), rounds, one.control, one.threads);
        }
    };
    const Bytes out =
        transformed(space, {}, transform_steps::fill_dead_ends, threads, progress, fill);
    return py::make_tuple(out, space.on_graph() ? py::object(py::none()) : py::object(left));
}

py::tuple doubled(const Bytes& passages, const std::optional<Booleans>& exists) {
    const Shape shape = shape_of(passages, "passages");
    checked_shape(2 * shape.rows, 2 * shape.cols);
    const Mask mask = mask_of(exists, shape);
    Bytes out({2 * shape.rows, 2 * shape.cols});
    std::optional<Booleans> left;
    if (mask != nullptr) left.emplace(std::vector<py::ssize_t>{2 * shape.rows, 2 * shape.cols});
    std::uint8_t* const to = writable(out);
    std::uint8_t* const mask_out = left ? writable(*left) : nullptr;
    detached({}, [&](Control& control) {
        unicursal(passages.data(), shape, mask, to, mask_out, control);
    });
    return py::make_tuple(out, left);
}

py::tuple mirrored(const Bytes& passages, const std::optional<Booleans>& exists,
                   std::array<bool, 2> wraps, const SeedWords& seed, int how) {
    const Shape shape = checked_shape(passages, "passages");
    const Mask mask = mask_of(exists, shape);
    if (how < 0 || how > static_cast<int>(MazeSymmetry::half_turn))
        throw py::value_error("there is no such symmetry");
    Bytes out({shape.rows, shape.cols});
    Booleans left({shape.rows, shape.cols});
    const Passages maze(writable(out), shape, wrap_of(wraps, shape));
    std::uint8_t* const mask_out = writable(left);
    detached({}, [&](Control& control) {
        symmetric(maze, passages.data(), mask, static_cast<MazeSymmetry>(how), seed_of(seed),
                  mask_out, control);
        maze.finish(control);
    });
    return py::make_tuple(out, left);
}

// The smaller number first.
std::pair<Index, Index> far_cells(const Adjacency& maze, Mask mask, Control& control) {
    const Pair found = farthest(maze, mask, control);
    return std::minmax({found.first, found.second});
}
std::pair<Index, Index> far_cells(const OpenGraph& maze, Mask, Control& control) {
    const GraphLongest found = longest_path(maze, false, control);
    return std::minmax({found.start, found.goal});
}

// The numbers of two cells of each maze, (n, 2): drawn by replicates of the seed, or without a seed
// far apart.
Array<Index> two_cells(const py::tuple& parts, const std::optional<SeedWords>& seed, int threads,
                       const py::object& progress) {
    const HeldSpace space(parts);
    return new_array<Index>(
        {space.n(), Index{2}}, {progress, space.all_places()}, [&](Index* to, Control& control) {
            if (!seed) {
                space.each(control, threads, [&](const auto& maze, Index i, Control& one, int) {
                    std::tie(to[2 * i], to[2 * i + 1]) = far_cells(maze, space.mask_of(i), one);
                    one.done(space.places());
                });
                return;
            }
            // Cells are drawn by their numbers: a graph is a row of them.
            Batch mazes = space.squares();
            if (space.on_graph()) {
                mazes.n = space.n();
                mazes.shape = {1, space.places()};
            }
            random_cells_of_each(mazes, seed_of(*seed), to, control, threads);
        });
}

// Which two of the places in the rim, beside these cells, each maze gets, (n, 2): see
// site_pair().
Array<Index> two_sites(const py::tuple& parts, const Array<Index>& beside, int how,
                       const SeedWords& seed, int threads, const py::object& progress) {
    const HeldSpace space(parts);
    const auto cells = space.checked(beside, "beside");
    if (how < 0 || how > static_cast<int>(SitePair::farthest))
        throw py::value_error("there are no such sites");
    const auto pair = static_cast<SitePair>(how);
    return new_array<Index>(
        {space.n(), Index{2}}, {progress, space.all_places()}, [&](Index* to, Control& control) {
            space.each(control, threads, [&](const auto& maze, Index i, Control& worker, int) {
                site_pair(maze, space.mask_of(i), cells, pair, seed_of(seed), i, to + 2 * i,
                          worker);
                worker.done(space.places());
            });
        });
}

// Layers (n, rows, cols) turned. how: rows reversed, columns reversed, then rows and columns
// exchanged.
Bytes turned(const Bytes& layers, std::array<bool, 3> how, bool passages, int threads,
             const py::object& progress) {
    const Batch batch = batch_of(layers, std::nullopt, {false, false});
    const Symmetry symmetry{how[0], how[1], how[2]};
    const Shape other = symmetry.of(batch.shape);
    return new_array<std::uint8_t>({batch.n, other.rows, other.cols},
                                   {progress, batch.n * batch.shape.size()},
                                   [&](std::uint8_t* to, Control& control) {
                                       turn_each(layers.data(), batch.n, batch.shape, symmetry,
                                                 passages, to, threads, control);
                                   });
}

// The least image of each row of bytes, (n, size): places (k, size), values (k, 256).
Bytes canonical(const Bytes& rows, const Array<Index>& places, const Bytes& values,
                std::array<Index, 2> sides, std::array<bool, 2> wraps, int threads,
                const py::object& progress) {
    const Shape shape = checked_shape(sides[0], sides[1]);
    const Index size = shape.size();
    if (rows.ndim() != 2 || rows.shape(1) != size || places.ndim() != 2 || places.shape(0) < 1)
        throw py::value_error("rows and places must be 2-D, with a place for each byte");
    const Index n = rows.shape(0), k = places.shape(0);
    const auto from = flat(places, k * size, "places");
    if (!all_hold(from, [size](Index place) { return place >= 0 && place < size; }))
        throw py::value_error("a place is outside");
    const auto maps = flat(values, 256 * k, "values");
    const Images images{k, from.data(), maps.data(), shape, wrap_of(wraps, shape)};
    return new_array<std::uint8_t>({n, size}, {progress, n * size},
                                   [&](std::uint8_t* to, Control& control) {
                                       canonical_each(rows.data(), n, images, to, control, threads);
                                   });
}

}  // namespace

void bind_transform(py::module_& m) {
    def(m, "transform", &changed, "name", "space", "seed", "numbers", "threads", "progress");
    def(m, "count_walls", &inner_walls, "space", "threads");
    def(m, "partial_mazes", &partial_mazes, "n", "rows", "cols", "seed", "start", "cells", "depth",
        "forks", "threads", "progress");
    def(m, "fill_dead_ends", &filled, "space", "kept", "rounds", "threads", "progress");
    def(m, "two_cells", &two_cells, "space", "seed", "threads", "progress");
    def(m, "two_sites", &two_sites, "space", "beside", "how", "seed", "threads", "progress");
    def(m, "turned", &turned, "layers", "how", "passages", "threads", "progress");
    def(m, "canonical", &canonical, "rows", "places", "values", "shape", "wrap", "threads",
        "progress");
    def(m, "unicursal", &doubled, "passages", "mask");
    def(m, "symmetric", &mirrored, "passages", "mask", "wrap", "seed", "how");
    py::dict bytes;
    for (const Change& change : changes) bytes[py::str(std::string(change.name))] = change.bytes;
    bytes["fill_dead_ends"] = transform_bytes::fill_dead_ends;
    bytes["sparsify"] = transform_bytes::fill_dead_ends;
    bytes["unicursal"] = transform_bytes::unicursal;
    bytes["with_passages"] = transform_bytes::join_regions;
    bytes["symmetric"] = transform_bytes::symmetric;
    m.attr("TRANSFORM_BYTES") = bytes;
}

}  // namespace meiro
