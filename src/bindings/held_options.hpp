// The arguments of generators, as the bindings take them.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <type_traits>

#include "../core/registry.hpp"
#include "arrays.hpp"

namespace meiro {

inline const Generator& find_generator(std::string_view name) {
    for (const Generator& g : generators())
        if (g.name == name) return g;
    throw py::key_error(std::string(name));
}

// Options as C++ structures, with the arrays they point into. Python has checked them; here unsafe
// ones are rejected again.
struct HeldOptions {
    Options options;
    Array<Index> order;
    Array<double> weights;
    Bytes falls;

    HeldOptions(const py::dict& given, Shape shape, Wrap wrap, Mask mask)
        : HeldOptions(given, shape.size(),
                      shape.walls() + (wrap.cols ? shape.rows : 0) + (wrap.rows ? shape.cols : 0)) {
        if (mask != nullptr && options.start >= 0 && mask[options.start] == 0)
            throw py::value_error("start is not a cell of the maze");
        if (given.contains("falls")) {
            falls = given["falls"].cast<Bytes>();
            options.falls = flat(falls, (shape.rows - 1) * (shape.cols - 1), "falls");
        }
    }

    // Of so many cells and so many walls between them.
    HeldOptions(const py::dict& given, Index cells, Index walls) : given_(given) {
        if (given.empty()) return;
        if (given.contains("start")) {
            options.start = given["start"].cast<Index>();
            if (options.start != Options::random_cell &&
                (options.start < 0 || options.start >= cells))
                throw py::value_error("start is not a cell of the maze");
        }
        if (given.contains("order")) {
            order = given["order"].cast<Array<Index>>();
            options.order = flat(order, walls, "order");
            for (const Index id : options.order)
                if (id < 0 || id >= walls) throw py::value_error("order: no such wall");
        }
        if (given.contains("weights")) {
            weights = given["weights"].cast<Array<double>>();
            options.weights = flat(weights, walls, "weights");
            for (const double weight : options.weights)
                if (weight < 0) throw py::value_error("weights must not be negative");
        }
        choice("after_dead_end", options.after_dead_end);
        choice("corner", options.corner);
        choice("towards", options.towards);
        choice("hunt", options.hunt);
        choice("walks", options.walks);
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
    // A choice is passed as its index in the row of facts.
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

// The memory that a generator works in, checked.
inline Wrap wrap_for(const Generator& generator, Mask mask, std::array<bool, 2> wraps,
                     Shape shape) {
    const std::string name(generator.name);
    if (mask != nullptr && !generator.is(Trait::masks))
        throw py::value_error(name + " takes no mask");
    const Wrap wrap = wrap_of(wraps, shape);
    if (wrap.any() && !generator.is(Trait::wraps)) throw py::value_error(name + " takes no wrap");
    return wrap;
}

}  // namespace meiro
