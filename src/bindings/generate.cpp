// Generating one maze or many.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "../core/ensemble.hpp"
#include "arrays.hpp"
#include "detached.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

const Generator& find_generator(std::string_view name) {
    for (const Generator& g : generators())
        if (g.name == name) return g;
    throw py::key_error(std::string(name));
}

// Options as C++ wants them, with the arrays they look into.
struct HeldOptions {
    Options options;
    Array<Index> order;
    Array<double> weights;
    Bytes falls;

    HeldOptions(const py::dict& given, Shape shape, Mask mask) {
        if (given.contains("start")) {
            options.start = given["start"].cast<Index>();
            if (options.start < 0 || options.start >= shape.size() ||
                (mask != nullptr && mask[options.start] == 0))
                throw py::value_error("start is not a cell of the maze");
        }
        if (given.contains("after_dead_end"))
            options.after_dead_end = given["after_dead_end"].cast<std::string>() == "random"
                                         ? AfterDeadEnd::random
                                         : AfterDeadEnd::newest;
        if (given.contains("order")) {
            order = given["order"].cast<Array<Index>>();
            options.order = flat(order, shape.walls(), "order");
            for (const Index id : options.order)
                if (id < 0 || id >= shape.walls()) throw py::value_error("order: no such wall");
        }
        if (given.contains("weights")) {
            weights = given["weights"].cast<Array<double>>();
            options.weights = flat(weights, shape.walls(), "weights");
        }
        if (given.contains("falls")) {
            falls = given["falls"].cast<Bytes>();
            options.falls = flat(falls, (shape.rows - 1) * (shape.cols - 1), "falls");
        }
    }
};

// Fills `out`, (n, rows, cols), with the mazes of replicates seed[2], seed[2] + 1, ...
void generate(const std::string& algorithm, Bytes out, std::array<std::uint64_t, 3> seed,
              const std::optional<Bytes>& mask_bytes, const py::dict& given, int threads,
              const py::object& progress) {
    if (out.ndim() != 3) throw py::value_error("out must be 3-D");
    const Generator& generator = find_generator(algorithm);
    const Index n = out.shape(0);
    if (n == 0) return;
    const Shape shape = checked_shape(out.shape(1), out.shape(2));
    const Mask mask = mask_of(mask_bytes, shape);
    if (mask != nullptr && !generator.masks) throw py::value_error(algorithm + " takes no mask");
    const HeldOptions held(given, shape, mask);
    const Ensemble many{generator,   writable(out), n, shape, mask, {{seed[0], seed[1]}, seed[2]},
                        held.options};
    detached({progress, n * shape.size()},
             [&](Control& control) { generate_many(many, control, threads); });
}

// Words first .. first + n - 1 of a stream, for the test against NumPy's Philox.
Array<std::uint64_t> random_words(std::array<std::uint64_t, 4> address, std::uint64_t purpose,
                                  std::uint64_t first, Index n) {
    const Random random({{address[0], address[1]}, address[2]}, static_cast<Purpose>(purpose),
                        address[3]);
    Array<std::uint64_t> out(n);
    for (Index i = 0; i < n; ++i)
        out.mutable_at(i) = random.at(first + static_cast<std::uint64_t>(i));
    return out;
}

}  // namespace

void bind_generate(py::module_& m) {
    m.def("generate", &generate, py::arg("algorithm"), py::arg("out").noconvert(), py::arg("seed"),
          py::arg("mask"), py::arg("options"), py::arg("threads"), py::arg("progress"));
    m.def("random_words", &random_words, py::arg("address"), py::arg("purpose"), py::arg("first"),
          py::arg("n"));
}

}  // namespace meiro
