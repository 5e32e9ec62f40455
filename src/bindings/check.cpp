// Connected components: the counts and labels behind meiro.check, and Maze.is_perfect.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>

#include "../core/measure/components.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "maze_array.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

py::dict as_dict(const Census& census) {
    py::dict out;
    out["perfect"] = is_perfect(census);
    out["regions"] = census.regions;
    out["loops"] = census.loops;
    out["islands"] = census.islands;
    out["open_blocks"] = census.open_blocks;
    out["bare_posts"] = census.bare_posts;
    out["parts"] = census.parts;
    return out;
}

// For each maze (perfect, regions, loops, islands, open blocks, bare posts, parts): (n, 7).
Array<Index> check_mazes(const Bytes& passages, const std::optional<Bytes>& mask,
                         std::array<bool, 2> wrap, int threads, const py::object& progress) {
    const Batch batch = batch_of(passages, mask, wrap);
    Array<Index> out({batch.n, Index{7}});
    Index* const to = out.mutable_data();
    detached({progress, batch.n * batch.shape.size()}, [&](Control& control) {
        Buffer<Census> found(batch.n);
        census_of_each(batch, found.data(), control, threads);
        by_pieces(batch.n, control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) {
                const Census& census = found[i];
                const std::array<Index, 7> row{
                    is_perfect(census) ? 1 : 0, census.regions,    census.loops, census.islands,
                    census.open_blocks,         census.bare_posts, census.parts};
                std::copy(row.begin(), row.end(), to + 7 * i);
            }
        });
    });
    return out;
}

py::dict check_walls(const Bytes& walls, int threads, const py::object& progress) {
    const Shape shape = shape_of(walls, "walls");
    checked_shape(shape.rows, shape.cols);
    Census census;
    detached({progress, shape.size()}, [&](Control& control) {
        census = census_of_walls(walls.data(), shape, control, threads);
    });
    return as_dict(census);
}

template <class T>
py::array labels_as(const Bytes& sites, std::uint8_t kind, Shape shape, Wrap wrap) {
    Array<T> out({shape.rows, shape.cols});
    T* const to = out.mutable_data();
    detached({}, [&](Control& control) { label(sites.data(), shape, wrap, kind, to, control); });
    return out;
}

// Labels the components of the sites equal to `kind`: 1, 2, ...; 0 elsewhere.
py::array labels(const Bytes& sites, std::uint8_t kind, std::array<bool, 2> wraps) {
    const Shape shape = shape_of(sites, "sites");
    checked_shape(shape.rows, shape.cols);
    const Wrap wrap = wrap_of(wraps, shape);
    return shape.size() < Index{1} << 31 ? labels_as<std::int32_t>(sites, kind, shape, wrap)
                                         : labels_as<std::int64_t>(sites, kind, shape, wrap);
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

// (labels, their number)
py::tuple components(const Bytes& x, bool sites, std::array<bool, 2> wraps,
                     const std::optional<Bytes>& mask_bytes) {
    const Shape shape = shape_of(x, "x");
    checked_shape(shape.rows, shape.cols);
    const Wrap wrap = wrap_of(wraps, shape);
    const Mask mask = mask_of(mask_bytes, shape);
    return shape.size() < Index{1} << 31 ? components_as<std::int32_t>(x, sites, shape, wrap, mask)
                                         : components_as<std::int64_t>(x, sites, shape, wrap, mask);
}

}  // namespace

void bind_check(py::module_& m) {
    def(m, "check_mazes", &check_mazes, py::arg("passages"), py::arg("mask"), py::arg("wrap"),
        py::arg("threads"), py::arg("progress"));
    def(m, "check_walls", &check_walls, py::arg("walls"), py::arg("threads"), py::arg("progress"));
    def(m, "labels", &labels, py::arg("sites"), py::arg("kind"), py::arg("wrap"));
    def(m, "components", &components, py::arg("x"), py::arg("sites"), py::arg("wrap"),
        py::arg("mask"));
}

}  // namespace meiro
