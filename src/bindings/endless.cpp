// Windows of endless mazes.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "../core/generate/endless/endless.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// Fills `out` with the passages of the cells from `first` on. A wall is open with a probability of
// `share` * 2^-63 (percolation).
void endless_window(const std::string& algorithm, Bytes out, std::array<Index, 2> first,
                    SeedWords seed, std::uint64_t share, int threads, const py::object& progress) {
    const auto rule = endless::find_rule(algorithm);
    if (!rule) throw py::value_error("no endless maze by '" + algorithm + "'");
    const Shape shape = shape_of(out, "out");
    checked_shape(shape.rows, shape.cols);
    using endless::coordinate_end;
    for (const auto& [from, n] : {std::pair{first[0], shape.rows}, {first[1], shape.cols}})
        if (from < -coordinate_end || from > coordinate_end - n)
            throw py::value_error("the window must lie within -2^62 and 2^62");
    const endless::Plane plane{*rule, seed_of(seed), {share}};
    std::uint8_t* const to = writable(out);
    detached({progress, shape.size()}, [&](Control& control) {
        endless::window(plane, {first[0], first[1]}, shape, to, control, threads);
    });
}

}  // namespace

void bind_endless(py::module_& m) {
    def(m, "endless_window", &endless_window, py::arg("algorithm"), py::arg("out"),
        py::arg("first"), py::arg("seed"), py::arg("share"), py::arg("threads"),
        py::arg("progress"));
}

}  // namespace meiro
