// Transforms that open and close passages.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "../core/transform/transforms.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// A maze from Python, and memory for the transformed one.
struct Given {
    const Bytes& passages;
    Shape shape;
    Mask mask;
    Wrap wrap;
    Bytes out;
    Passages maze;

    Given(const Bytes& bytes, const std::optional<Bytes>& mask_bytes, std::array<bool, 2> wraps)
        : passages(bytes),
          shape(shape_of(bytes, "passages")),
          mask(mask_of(mask_bytes, checked_shape(shape.rows, shape.cols))),
          wrap(wrap_of(wraps, shape)),
          out({shape.rows, shape.cols}),
          maze(writable(out), shape, wrap) {}

    void lay(Control& control) const { lay_out(maze, passages.data(), mask, control); }
};

using Three = std::array<std::uint64_t, 3>;
Seed seed_of(const Three& words) {
    return {{words[0], words[1]}, words[2]};
}

// Runs work(maze, control); returns the passages it leaves open.
template <class Work>
Bytes transformed(Given& given, Work work) {
    detached({}, [&](Control& control) {
        given.lay(control);
        work(given.maze, control);
        given.maze.finish(control);
    });
    return given.out;
}

Bytes braided(const Bytes& passages, const std::optional<Bytes>& mask, std::array<bool, 2> wrap,
              const Three& seed, std::uint64_t p) {
    Given given(passages, mask, wrap);
    return transformed(given, [&](const Passages& maze, Control& control) {
        braid(maze, seed_of(seed), Chance{p}, control);
    });
}

Index inner_walls(const Bytes& passages, const std::optional<Bytes>& mask,
                  std::array<bool, 2> wrap) {
    Given given(passages, mask, wrap);
    Index count = 0;
    detached({}, [&](Control& control) {
        given.lay(control);
        count = count_walls(given.maze, control);
    });
    return count;
}

Bytes with_loops(const Bytes& passages, const std::optional<Bytes>& mask, std::array<bool, 2> wrap,
                 const Three& seed, Index n) {
    Given given(passages, mask, wrap);
    return transformed(given, [&](const Passages& maze, Control& control) {
        add_loops(maze, seed_of(seed), n, control);
    });
}

Bytes joined(const Bytes& passages, const std::optional<Bytes>& mask, std::array<bool, 2> wrap,
             const Three& seed) {
    Given given(passages, mask, wrap);
    return transformed(given, [&](const Passages& maze, Control& control) {
        join_regions(maze, seed_of(seed), control);
    });
}

Bytes without_islands(const Bytes& passages, const std::optional<Bytes>& mask,
                      std::array<bool, 2> wrap, const Three& seed) {
    Given given(passages, mask, wrap);
    return transformed(given, [&](const Passages& maze, Control& control) {
        remove_islands(maze, seed_of(seed), control);
    });
}

py::tuple filled(const Bytes& passages, const std::optional<Bytes>& mask, std::array<bool, 2> wrap,
                 const Array<Index>& kept, Index rounds) {
    Given given(passages, mask, wrap);
    for (const Index cell : flat(kept, kept.size(), "kept"))
        if (cell < 0 || cell >= given.shape.size()) throw py::value_error("kept is outside");
    Bytes left({given.shape.rows, given.shape.cols});
    std::uint8_t* const mask_out = writable(left);
    const Bytes out = transformed(given, [&](const Passages& maze, Control& control) {
        by_pieces(maze.size(), control, [&](Index first, Index last) {
            if (given.mask == nullptr)
                std::fill(mask_out + first, mask_out + last, std::uint8_t{1});
            else
                std::copy(given.mask + first, given.mask + last, mask_out + first);
        });
        fill_dead_ends(maze, mask_out, flat(kept, kept.size(), "kept"), rounds, control);
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

py::tuple mirrored(const Bytes& passages, const std::optional<Bytes>& mask,
                   std::array<bool, 2> wrap, const Three& seed, int how) {
    Given given(passages, mask, wrap);
    if (how < 0 || how > static_cast<int>(MazeSymmetry::half_turn))
        throw py::value_error("there is no such symmetry");
    Bytes left({given.shape.rows, given.shape.cols});
    std::uint8_t* const mask_out = writable(left);
    detached({}, [&](Control& control) {
        symmetric(given.maze, passages.data(), given.mask, static_cast<MazeSymmetry>(how),
                  seed_of(seed), mask_out, control);
        given.maze.finish(control);
    });
    return py::make_tuple(given.out, left);
}

}  // namespace

void bind_transform(py::module_& m) {
    const auto passages = py::arg("passages"), mask = py::arg("mask"), wrap = py::arg("wrap"),
               seed = py::arg("seed");
    def(m, "braid", &braided, passages, mask, wrap, seed, py::arg("p"));
    def(m, "count_walls", &inner_walls, passages, mask, wrap);
    def(m, "add_loops", &with_loops, passages, mask, wrap, seed, py::arg("n"));
    def(m, "join_regions", &joined, passages, mask, wrap, seed);
    def(m, "remove_islands", &without_islands, passages, mask, wrap, seed);
    def(m, "fill_dead_ends", &filled, passages, mask, wrap, py::arg("kept"), py::arg("rounds"));
    def(m, "unicursal", &doubled, passages, mask);
    def(m, "symmetric", &mirrored, passages, mask, wrap, seed, py::arg("how"));
    py::dict bytes;
    bytes["add_loops"] = transform_bytes::add_loops;
    bytes["braid"] = transform_bytes::braid;
    bytes["fill_dead_ends"] = transform_bytes::fill_dead_ends;
    bytes["sparsify"] = transform_bytes::fill_dead_ends;
    bytes["unicursal"] = transform_bytes::unicursal;
    bytes["join_regions"] = transform_bytes::join_regions;
    bytes["remove_islands"] = transform_bytes::remove_islands;
    bytes["symmetric"] = transform_bytes::symmetric;
    m.attr("TRANSFORM_BYTES") = bytes;
}

}  // namespace meiro
