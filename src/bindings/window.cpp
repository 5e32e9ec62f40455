// Windows of mazes that are too large to be made.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "../core/generate/window/window.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_options.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// Checks that the cells [first, first + size) lie in a maze of `whole`.
Shape checked_window(std::array<Index, 2> whole, std::array<Index, 2> first, Shape size) {
    const Index sizes[] = {size.rows, size.cols};
    for (std::size_t k = 0; k < 2; ++k) {
        if (whole[k] < 1 || whole[k] > longest_side) throw py::value_error("shape is too large");
        if (first[k] < 0 || sizes[k] < 1 || sizes[k] > whole[k] - first[k])
            throw py::value_error("the window is not inside the maze");
    }
    return {whole[0], whole[1]};
}

// Fills `out` with the passages of the cells from `first` on.
void generate_window(const std::string& algorithm, std::array<Index, 2> shape,
                     std::array<Index, 2> first, Bytes out, std::array<std::uint64_t, 3> seed,
                     const py::dict& given, int threads, const py::object& progress) {
    const Shape part = shape_of(out, "out");
    const Shape whole = checked_window(shape, first, part);
    const HeldOptions held(given, 0, 0);
    std::uint8_t* const to = writable(out);
    bool made = false;
    detached({progress, part.size()}, [&](Control& control) {
        made = make_window(algorithm, {whole,
                                       {first[0], first[1]},
                                       part,
                                       to,
                                       {{seed[0], seed[1]}, seed[2]},
                                       held.options,
                                       control,
                                       threads});
    });
    if (!made) throw py::value_error("no windows by '" + algorithm + "'");
}

}  // namespace

void bind_window(py::module_& m) {
    def(m, "generate_window", &generate_window, py::arg("algorithm"), py::arg("shape"),
        py::arg("first"), py::arg("out"), py::arg("seed"), py::arg("options"), py::arg("threads"),
        py::arg("progress"));
}

}  // namespace meiro
