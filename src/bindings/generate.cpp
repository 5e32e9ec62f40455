// Generating one maze or many.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <type_traits>

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

// Options as C++ wants them, with the arrays they look into. Python has checked them; again what
// would be unsafe.
struct HeldOptions {
    Options options;
    Array<Index> order;
    Array<double> weights;
    Bytes falls;

    HeldOptions(const py::dict& given, Shape shape, Wrap wrap, Mask mask) : given_(given) {
        if (given.contains("start")) {
            options.start = given["start"].cast<Index>();
            if (options.start != Options::random_cell &&
                (options.start < 0 || options.start >= shape.size() ||
                 (mask != nullptr && mask[options.start] == 0)))
                throw py::value_error("start is not a cell of the maze");
        }
        const Index walls =
            shape.walls() + (wrap.cols ? shape.rows : 0) + (wrap.rows ? shape.cols : 0);
        if (given.contains("order")) {
            order = given["order"].cast<Array<Index>>();
            options.order = flat(order, walls, "order");
            for (const Index id : options.order)
                if (id < 0 || id >= walls) throw py::value_error("order: no such wall");
        }
        if (given.contains("weights")) {
            weights = given["weights"].cast<Array<double>>();
            options.weights = flat(weights, walls, "weights");
        }
        if (given.contains("falls")) {
            falls = given["falls"].cast<Bytes>();
            options.falls = flat(falls, (shape.rows - 1) * (shape.cols - 1), "falls");
        }
        choice("after_dead_end", options.after_dead_end);
        choice("corner", options.corner);
        choice("towards", options.towards);
        choice("hunt", options.hunt);
        choice("dead_ends", options.dead_ends);
        number("choose", options.choose);
        number("room", options.room, 2);
        number("run", options.run, 1);
        number("bias", options.bias, 1);
        number("p", options.p.share);
        number("steps", options.steps);
        number("trees", options.trees, 1);
        number("tries", options.tries);
        number("doors", options.doors.share);
        if (given.contains("sides")) {
            options.sides = given["sides"].cast<std::array<Index, 2>>();
            if (options.sides[0] < 1 || options.sides[1] < options.sides[0])
                throw py::value_error("sides must be at least 1, the lesser first");
        }
        if (given.contains("fill"))
            options.fill = &find_generator(given["fill"].cast<std::string>());
        std::uint64_t odds = 0;
        for (const std::uint32_t part : options.choose) odds += part;
        if (odds == 0) throw py::value_error("choose has no odds above 0");
    }

private:
    // A choice comes as its number in the row of facts.
    template <class E>
    void choice(const char* name, E& field) {
        if (given_.contains(name)) field = static_cast<E>(given_[name].cast<std::uint8_t>());
    }
    template <class T>
    void number(const char* name, T& field) {
        if (given_.contains(name)) field = given_[name].cast<T>();
    }
    template <class T>
    void number(const char* name, T& field, std::type_identity_t<T> least) {
        number(name, field);
        if (given_.contains(name) && field < least)
            throw py::value_error(std::string(name) + " is too small");
    }

    const py::dict& given_;
};

// Fills `out`, (n, rows, cols), with the mazes of replicates seed[2], seed[2] + 1, ...
void generate(const std::string& algorithm, Bytes out, std::array<std::uint64_t, 3> seed,
              const std::optional<Bytes>& mask_bytes, std::array<bool, 2> wraps,
              const py::dict& given, int threads, const py::object& progress) {
    if (out.ndim() != 3) throw py::value_error("out must be 3-D");
    const Generator& generator = find_generator(algorithm);
    const Index n = out.shape(0);
    if (n == 0) return;
    const Shape shape = checked_shape(out.shape(1), out.shape(2));
    const Mask mask = mask_of(mask_bytes, shape);
    if (mask != nullptr && !generator.is(Trait::masks))
        throw py::value_error(algorithm + " takes no mask");
    const Wrap wrap{wraps[0], wraps[1]};
    if (wrap.any() && !generator.is(Trait::wraps))
        throw py::value_error(algorithm + " takes no wrap");
    if ((wrap.rows && shape.rows < least_wrap) || (wrap.cols && shape.cols < least_wrap))
        throw py::value_error("a side that wraps is at least 3 long");
    const HeldOptions held(given, shape, wrap, mask);
    const Ensemble many{
        generator,   writable(out), n, shape, wrap, mask, {{seed[0], seed[1]}, seed[2]},
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
          py::arg("mask"), py::arg("wrap"), py::arg("options"), py::arg("threads"),
          py::arg("progress"));
    m.def("random_words", &random_words, py::arg("address"), py::arg("purpose"), py::arg("first"),
          py::arg("n"));
}

}  // namespace meiro
