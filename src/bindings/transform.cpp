// Transforms that open and close passages.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
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
        by_dozens(space.n(), edges + graph.cells(), control, threads,
                  [&](Index first, Index last, Control& worker) {
                      for (Index i = first; i < last; ++i) {
                          std::uint8_t* const open = to + i * edges;
                          const std::uint8_t* const from = space.open() + i * edges;
                          by_each(edges, worker, [&](Index e) { open[e] = from[e] != 0 ? 1 : 0; });
                          change(one(i, worker, 1), graph, open);
                          worker.done(graph.cells());
                      }
                  });
    });
    return out;
}

Bytes braided(const py::tuple& parts, const SeedWords& seed, std::uint64_t p, int threads,
              const py::object& progress) {
    return transformed(HeldSpace(parts), seed, transform_steps::braid, threads, progress,
                       [p](const OneMaze& one, const auto&... maze) {
                           braid(maze..., one.seed, Chance{p}, one.control, one.threads);
                       });
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

// Opens counts[i] walls of maze i.
Bytes with_loops(const py::tuple& parts, const SeedWords& seed, const Array<Index>& counts,
                 int threads, const py::object& progress) {
    const HeldSpace space(parts);
    const auto n = flat(counts, space.n(), "counts");
    return transformed(space, seed, transform_steps::add_loops, threads, progress,
                       [n](const OneMaze& one, const auto&... maze) {
                           const Index walls = n[static_cast<std::size_t>(one.i)];
                           add_loops(maze..., one.seed, walls, one.control);
                       });
}

Bytes joined(const py::tuple& parts, const SeedWords& seed, int threads,
             const py::object& progress) {
    return transformed(HeldSpace(parts), seed, transform_steps::join_regions, threads, progress,
                       [](const OneMaze& one, const auto&... maze) {
                           join_regions(maze..., one.seed, one.control);
                       });
}

Bytes without_islands(const py::tuple& parts, const SeedWords& seed, int threads,
                      const py::object& progress) {
    return transformed(HeldSpace(parts), seed, transform_steps::remove_islands, threads, progress,
                       [](const OneMaze& one, const auto&... maze) {
                           remove_islands(maze..., one.seed, one.control, one.threads);
                       });
}

// A chain on perfect mazes: walk(one, maze...) makes `steps` of them, each about `polled` steps of
// Control.
template <class Walk>
Bytes moved(const py::tuple& parts, const SeedWords& seed, Index steps, int threads,
            const py::object& progress, Index polled, Walk walk) {
    const HeldSpace space(parts);
    if (steps < 0) throw py::value_error("steps must not be negative");
    return transformed(space, seed, transform_steps::walk, threads, progress, walk,
                       polled * std::min(steps, Index{1} << 48));
}

Bytes shifted(const py::tuple& parts, const SeedWords& seed, Index steps, int threads,
              const py::object& progress) {
    return moved(parts, seed, steps, threads, progress, 1,
                 [steps](const OneMaze& one, const auto&... maze) {
                     origin_shift(maze..., one.seed, steps, one.control);
                 });
}

Bytes perturbed(const py::tuple& parts, const SeedWords& seed, Index steps, int threads,
                const py::object& progress) {
    return moved(parts, seed, steps, threads, progress, 300,
                 [steps](const OneMaze& one, const auto&... maze) {
                     perturb(maze..., one.seed, steps, one.control);
                 });
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

// kept: (n, k), cells or -1; on a graph (n, k) or (1, k), cells. Of squares the passages and the
// cells that are left; on a graph all cells are.
py::tuple filled(const py::tuple& parts, const Array<Index>& kept, Index rounds, int threads,
                 const py::object& progress) {
    const HeldSpace space(parts);
    const Index each = kept.ndim() == 2 ? kept.shape(1) : 0, n = space.n();
    const bool same = kept.ndim() == 2 && kept.shape(0) == 1;
    if (kept.ndim() != 2 || (kept.shape(0) != n && !(same && space.on_graph())))
        throw py::value_error("kept must be 2-D, with a row for each maze");
    const Index* const cells = kept.data();
    if (!all_hold(flat(kept, kept.size(), "kept"),
                  [&](Index cell) { return cell >= -1 && cell < space.places(); }))
        throw py::value_error("kept is outside");
    if (space.on_graph()) {
        const Bytes out = transformed(
            space, {}, 0, threads, progress, [&](const OneMaze& one, const auto&... maze) {
                if constexpr (sizeof...(maze) == 2)
                    fill_dead_ends(
                        maze...,
                        {cells + (same ? 0 : one.i * each), static_cast<std::size_t>(each)}, rounds,
                        one.control);
            });
        return py::make_tuple(out, py::none());
    }
    Bytes out = room_for(space), left = room_for(space);
    std::uint8_t *const to = writable(out), *const mask_out = writable(left);
    detached({progress, space.all_places()}, [&](Control& control) {
        fill_dead_ends_of_each(space.squares(), to, mask_out, cells, each, rounds, control,
                               threads);
    });
    return py::make_tuple(out, left);
}

py::tuple doubled(const Bytes& passages, const std::optional<Bytes>& mask_bytes) {
    const Shape shape = shape_of(passages, "passages");
    checked_shape(2 * shape.rows, 2 * shape.cols);
    const Mask mask = mask_of(mask_bytes, shape);
    Bytes out({2 * shape.rows, 2 * shape.cols});
    std::optional<Bytes> left;
    if (mask != nullptr) left.emplace(std::vector<py::ssize_t>{2 * shape.rows, 2 * shape.cols});
    std::uint8_t* const to = writable(out);
    std::uint8_t* const mask_out = left ? writable(*left) : nullptr;
    detached({}, [&](Control& control) {
        unicursal(passages.data(), shape, mask, to, mask_out, control);
    });
    return py::make_tuple(out, left);
}

py::tuple mirrored(const Bytes& passages, const std::optional<Bytes>& mask_bytes,
                   std::array<bool, 2> wraps, const SeedWords& seed, int how) {
    const Shape shape = checked_shape(passages, "passages");
    const Mask mask = mask_of(mask_bytes, shape);
    if (how < 0 || how > static_cast<int>(MazeSymmetry::half_turn))
        throw py::value_error("there is no such symmetry");
    Bytes out({shape.rows, shape.cols}), left({shape.rows, shape.cols});
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
    def(m, "braid", &braided, "space", "seed", "p", "threads", "progress");
    def(m, "count_walls", &inner_walls, "space", "threads");
    def(m, "add_loops", &with_loops, "space", "seed", "counts", "threads", "progress");
    def(m, "join_regions", &joined, "space", "seed", "threads", "progress");
    def(m, "remove_islands", &without_islands, "space", "seed", "threads", "progress");
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
    def(m, "origin_shift", &shifted, "space", "seed", "steps", "threads", "progress");
    def(m, "perturb", &perturbed, "space", "seed", "steps", "threads", "progress");
    py::dict bytes;
    bytes["add_loops"] = transform_bytes::add_loops;
    bytes["braid"] = transform_bytes::braid;
    bytes["fill_dead_ends"] = transform_bytes::fill_dead_ends;
    bytes["sparsify"] = transform_bytes::fill_dead_ends;
    bytes["unicursal"] = transform_bytes::unicursal;
    bytes["join_regions"] = transform_bytes::join_regions;
    bytes["with_passages"] = transform_bytes::join_regions;
    bytes["remove_islands"] = transform_bytes::remove_islands;
    bytes["symmetric"] = transform_bytes::symmetric;
    bytes["origin_shift"] = transform_bytes::origin_shift;
    bytes["perturb"] = transform_bytes::perturb;
    m.attr("TRANSFORM_BYTES") = bytes;
}

}  // namespace meiro
