// Transforms that open and close passages.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "../core/transform/square_symmetry.hpp"
#include "../core/transform/transform_many.hpp"
#include "../core/transform/transforms.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "maze_array.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// Mazes from Python, and memory for the transformed ones.
struct Given {
    Batch batch;
    Bytes out;
    std::uint8_t* to;

    Given(const Bytes& passages, const std::optional<Bytes>& mask, std::array<bool, 2> wrap)
        : batch(batch_of(passages, mask, wrap)),
          out({batch.n, batch.shape.rows, batch.shape.cols}),
          to(writable(out)) {}
    Index cells() const { return batch.n * batch.shape.size(); }
    // The steps of one maze, by those of a cell.
    Index steps(Index each) const { return each * batch.shape.size(); }
};

using Three = std::array<std::uint64_t, 3>;
Seed seed_of(const Three& words) {
    return {{words[0], words[1]}, words[2]};
}

// Runs work(maze, i, control) for each maze, about `steps` steps of Control::poll; returns the
// passages that it leaves open.
template <class Work>
Bytes transformed(Given& given, Index steps, int threads, const py::object& progress, Work work) {
    detached({progress, given.cells()}, [&](Control& control) {
        transform_each(given.batch, given.to, steps, control, threads, work);
    });
    return given.out;
}

Bytes braided(const Bytes& passages, const std::optional<Bytes>& mask, std::array<bool, 2> wrap,
              const Three& seed, std::uint64_t p, int threads, const py::object& progress) {
    Given given(passages, mask, wrap);
    return transformed(given, given.steps(transform_steps::braid), threads, progress,
                       [&](const Passages& maze, Index i, Control& control) {
                           braid(maze, replicate(seed_of(seed), i), Chance{p}, control,
                                 given.batch.threads_of_each(threads));
                       });
}

Array<Index> inner_walls(const Bytes& passages, const std::optional<Bytes>& mask,
                         std::array<bool, 2> wrap, int threads) {
    const Batch batch = batch_of(passages, mask, wrap);
    Array<Index> counts(batch.n);
    Index* const to = counts.mutable_data();
    detached({}, [&](Control& control) { count_walls_of_each(batch, to, control, threads); });
    return counts;
}

Bytes with_loops(const Bytes& passages, const std::optional<Bytes>& mask, std::array<bool, 2> wrap,
                 const Three& seed, const Array<Index>& counts, int threads,
                 const py::object& progress) {
    Given given(passages, mask, wrap);
    const auto n = flat(counts, given.batch.n, "counts");
    return transformed(given, given.steps(transform_steps::add_loops), threads, progress,
                       [&](const Passages& maze, Index i, Control& control) {
                           add_loops(maze, replicate(seed_of(seed), i),
                                     n[static_cast<std::size_t>(i)], control);
                       });
}

Bytes joined(const Bytes& passages, const std::optional<Bytes>& mask, std::array<bool, 2> wrap,
             const Three& seed, int threads, const py::object& progress) {
    Given given(passages, mask, wrap);
    return transformed(given, given.steps(transform_steps::join_regions), threads, progress,
                       [&](const Passages& maze, Index i, Control& control) {
                           join_regions(maze, replicate(seed_of(seed), i), control);
                       });
}

Bytes without_islands(const Bytes& passages, const std::optional<Bytes>& mask,
                      std::array<bool, 2> wrap, const Three& seed, int threads,
                      const py::object& progress) {
    Given given(passages, mask, wrap);
    return transformed(given, given.steps(transform_steps::remove_islands), threads, progress,
                       [&](const Passages& maze, Index i, Control& control) {
                           remove_islands(maze, replicate(seed_of(seed), i), control,
                                          given.batch.threads_of_each(threads));
                       });
}

// A chain on perfect mazes: `walk` makes `steps` of them, each about `polled` steps of Control.
template <void (*walk)(const Passages&, const Seed&, Index, Control&), int polled>
Bytes moved(const Bytes& passages, const std::optional<Bytes>& mask, std::array<bool, 2> wrap,
            const Three& seed, Index steps, int threads, const py::object& progress) {
    Given given(passages, mask, wrap);
    if (steps < 0) throw py::value_error("steps must not be negative");
    const Index all = given.steps(transform_steps::walk) + polled * std::min(steps, Index{1} << 48);
    return transformed(given, all, threads, progress,
                       [&](const Passages& maze, Index i, Control& control) {
                           walk(maze, replicate(seed_of(seed), i), steps, control);
                       });
}

// Mazes, the cells that they have, and their starts.
py::tuple partial_mazes(Index n, Index rows, Index cols, const Three& seed, Index start,
                        Index cells, Index depth, bool forks, int threads,
                        const py::object& progress) {
    const Shape shape = checked_shape(rows, cols);
    if (n < 0 || start < -1 || start >= shape.size() || cells < 1 || depth < 0)
        throw py::value_error("a limit is out of range");
    Bytes visited({n, rows, cols});  // first the passages that each maze begins with: none
    Array<Index> starts(n);
    std::uint8_t* const to = writable(visited);
    Index* const begins = starts.mutable_data();
    detached({}, [&](Control& control) {
        by_pieces(n * shape.size(), control, [&](Index first, Index last) {
            std::fill(to + first, to + last, std::uint8_t{0});
        });
    });
    Given given(visited, std::nullopt, {false, false});
    const Bytes made = transformed(given, given.steps(transform_steps::partial_search), threads,
                                   progress, [&](const Passages& maze, Index i, Control& control) {
                                       begins[i] = partial_search(
                                           maze, to + i * shape.size(), replicate(seed_of(seed), i),
                                           {start, cells, depth, forks}, control);
                                   });
    return py::make_tuple(made, visited, starts);
}

// kept: (n, k), cells or -1.
py::tuple filled(const Bytes& passages, const std::optional<Bytes>& mask, std::array<bool, 2> wrap,
                 const Array<Index>& kept, Index rounds, int threads, const py::object& progress) {
    Given given(passages, mask, wrap);
    const Shape shape = given.batch.shape;
    if (kept.ndim() != 2 || kept.shape(0) != given.batch.n)
        throw py::value_error("kept must be 2-D, with a row for each maze");
    const Index each = kept.shape(1);
    const Index* const cells = kept.data();
    Bytes left({given.batch.n, shape.rows, shape.cols});
    std::uint8_t* const mask_out = writable(left);
    bool outside = false;
    detached({progress, given.cells()}, [&](Control& control) {
        by_pieces(kept.size(), control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i)
                outside |= cells[i] < -1 || cells[i] >= shape.size();
        });
        if (outside) return;
        fill_dead_ends_of_each(given.batch, given.to, mask_out, cells, each, rounds, control,
                               threads);
    });
    if (outside) throw py::value_error("kept is outside");
    return py::make_tuple(given.out, left);
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
                   std::array<bool, 2> wraps, const Three& seed, int how) {
    const Shape shape = shape_of(passages, "passages");
    const Mask mask = mask_of(mask_bytes, checked_shape(shape.rows, shape.cols));
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

// The numbers of two cells of each maze, (n, 2): drawn by replicates of the seed, or without a seed
// far apart.
Array<Index> two_cells(const Bytes& passages, const std::optional<Bytes>& mask,
                       std::array<bool, 2> wrap, const std::optional<Three>& seed, int threads,
                       const py::object& progress) {
    const Batch batch = batch_of(passages, mask, wrap);
    Array<Index> out({batch.n, Index{2}});
    Index* const to = out.mutable_data();
    detached({progress, batch.n * batch.shape.size()}, [&](Control& control) {
        if (seed)
            random_cells_of_each(batch, seed_of(*seed), to, control, threads);
        else
            far_cells_of_each(batch, to, control, threads);
    });
    return out;
}

// Which two of the border sites beside these cells each maze gets, (n, 2): see
// site_pairs_of_each().
Array<Index> two_sites(const Bytes& passages, const std::optional<Bytes>& mask,
                       std::array<bool, 2> wrap, const Array<Index>& beside, int how,
                       const Three& seed, int threads, const py::object& progress) {
    const Batch batch = batch_of(passages, mask, wrap);
    const auto cells = flat(beside, beside.size(), "beside");
    for (const Index cell : cells)
        if (cell < 0 || cell >= batch.shape.size()) throw py::value_error("beside is outside");
    if (how < 0 || how > static_cast<int>(SitePair::farthest))
        throw py::value_error("there are no such sites");
    Array<Index> out({batch.n, Index{2}});
    Index* const to = out.mutable_data();
    detached({progress, batch.n * batch.shape.size()}, [&](Control& control) {
        site_pairs_of_each(batch, cells, static_cast<SitePair>(how), seed_of(seed), to, control,
                           threads);
    });
    return out;
}

// Layers (n, rows, cols) turned. how: rows reversed, columns reversed, then rows and columns
// exchanged.
Bytes turned(const Bytes& layers, std::array<bool, 3> how, bool passages, int threads,
             const py::object& progress) {
    const Batch batch = batch_of(layers, std::nullopt, {false, false});
    const Symmetry symmetry{how[0], how[1], how[2]};
    const Shape other = symmetry.of(batch.shape);
    Bytes out({batch.n, other.rows, other.cols});
    std::uint8_t* const to = writable(out);
    detached({progress, batch.n * batch.shape.size()}, [&](Control& control) {
        turn_each(layers.data(), batch.n, batch.shape, symmetry, passages, to, threads, control);
    });
    return out;
}

}  // namespace

void bind_transform(py::module_& m) {
    const auto passages = py::arg("passages"), mask = py::arg("mask"), wrap = py::arg("wrap"),
               seed = py::arg("seed"), threads = py::arg("threads"), progress = py::arg("progress");
    def(m, "braid", &braided, passages, mask, wrap, seed, py::arg("p"), threads, progress);
    def(m, "count_walls", &inner_walls, passages, mask, wrap, threads);
    def(m, "add_loops", &with_loops, passages, mask, wrap, seed, py::arg("counts"), threads,
        progress);
    def(m, "join_regions", &joined, passages, mask, wrap, seed, threads, progress);
    def(m, "remove_islands", &without_islands, passages, mask, wrap, seed, threads, progress);
    def(m, "partial_mazes", &partial_mazes, py::arg("n"), py::arg("rows"), py::arg("cols"), seed,
        py::arg("start"), py::arg("cells"), py::arg("depth"), py::arg("forks"), threads, progress);
    def(m, "fill_dead_ends", &filled, passages, mask, wrap, py::arg("kept"), py::arg("rounds"),
        threads, progress);
    def(m, "two_cells", &two_cells, passages, mask, wrap, seed, threads, progress);
    def(m, "two_sites", &two_sites, passages, mask, wrap, py::arg("beside"), py::arg("how"), seed,
        threads, progress);
    def(m, "turned", &turned, py::arg("layers"), py::arg("how"), py::arg("passages"), threads,
        progress);
    def(m, "unicursal", &doubled, passages, mask);
    def(m, "symmetric", &mirrored, passages, mask, wrap, seed, py::arg("how"));
    def(m, "origin_shift", &moved<&origin_shift, 1>, passages, mask, wrap, seed, py::arg("steps"),
        threads, progress);
    def(m, "perturb", &moved<&perturb, 300>, passages, mask, wrap, seed, py::arg("steps"), threads,
        progress);
    py::dict bytes;
    bytes["add_loops"] = transform_bytes::add_loops;
    bytes["braid"] = transform_bytes::braid;
    bytes["fill_dead_ends"] = transform_bytes::fill_dead_ends;
    bytes["sparsify"] = transform_bytes::fill_dead_ends;
    bytes["unicursal"] = transform_bytes::unicursal;
    bytes["join_regions"] = transform_bytes::join_regions;
    bytes["remove_islands"] = transform_bytes::remove_islands;
    bytes["symmetric"] = transform_bytes::symmetric;
    bytes["origin_shift"] = transform_bytes::origin_shift;
    bytes["perturb"] = transform_bytes::perturb;
    m.attr("TRANSFORM_BYTES") = bytes;
}

}  // namespace meiro
