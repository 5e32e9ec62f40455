// Connected components: the counts and labels behind meiro.check, and Maze.is_perfect.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "../core/measure/components.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
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

Census census_of_maze(const Bytes& passages, const std::optional<Bytes>& mask_bytes,
                      std::array<bool, 2> wraps) {
    const Shape shape = shape_of(passages, "passages");
    checked_shape(shape.rows, shape.cols);
    const Mask mask = mask_of(mask_bytes, shape);
    const Wrap wrap = wrap_of(wraps, shape);
    Census census;
    detached({}, [&](Control& control) {
        census = wrap.any() ? census_of_periodic(passages.data(), shape, wrap, mask, control)
                            : census_of_passages(passages.data(), shape, mask, control);
    });
    return census;
}

py::dict check_maze(const Bytes& passages, const std::optional<Bytes>& mask,
                    std::array<bool, 2> wrap) {
    return as_dict(census_of_maze(passages, mask, wrap));
}

bool maze_is_perfect(const Bytes& passages, const std::optional<Bytes>& mask,
                     std::array<bool, 2> wrap) {
    return is_perfect(census_of_maze(passages, mask, wrap));
}

py::dict check_walls(const Bytes& walls) {
    const Shape shape = shape_of(walls, "walls");
    checked_shape(shape.rows, shape.cols);
    Census census;
    detached({}, [&](Control& control) { census = census_of_walls(walls.data(), shape, control); });
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
    def(m, "check_maze", &check_maze, py::arg("passages"), py::arg("mask"), py::arg("wrap"));
    def(m, "check_walls", &check_walls, py::arg("walls"));
    def(m, "is_perfect", &maze_is_perfect, py::arg("passages"), py::arg("mask"), py::arg("wrap"));
    def(m, "labels", &labels, py::arg("sites"), py::arg("kind"), py::arg("wrap"));
    def(m, "components", &components, py::arg("x"), py::arg("sites"), py::arg("wrap"),
        py::arg("mask"));
}

}  // namespace meiro
