// The arguments of generators, as the bindings take them.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/registry.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"

namespace meiro {

inline const Generator& find_generator(std::string_view name) {
    for (const Generator& g : generators())
        if (g.name == name) return g;
    throw py::key_error(std::string(name));
}

// Options as a C++ structure, with the arrays it points into. Python has checked them; here unsafe
// ones are rejected again.
struct HeldOptions {
    Options options;

    HeldOptions(const py::dict& given, Shape shape, Wrap wrap, Mask mask)
        : HeldOptions(given, shape.size(),
                      shape.walls() + (wrap.cols ? shape.rows : 0) + (wrap.rows ? shape.cols : 0),
                      (shape.rows - 1) * (shape.cols - 1)) {
        if (mask != nullptr && options.start >= 0 && mask[options.start] == 0)
            throw py::value_error("start is not a cell of the maze");
    }

    // Of so many cells, walls between them, and inner posts.
    HeldOptions(const py::dict& given, Index cells, Index walls, Index posts = 0) {
        if (given.empty()) return;
        for (const auto& [key, value] : given) {
            const auto name = item_as<std::string>(key, "the name of an option");
            bool known = false;
            each_option(options, [&, &item = value](const OptionFacts& facts, auto& field) {
                if (facts.name != name) return;
                known = true;
                read(facts, item, field, facts.option == Option::falls ? posts : walls);
            });
            if (!known) throw py::key_error(name);
        }
        if (options.start >= cells) throw py::value_error("start is not a cell of the maze");
        if (!all_hold(options.order, [walls](Index id) { return id >= 0 && id < walls; }))
            throw py::value_error("order: no such wall");
        if (!all_hold(options.weights, [](double weight) { return !(weight < 0); }))
            throw py::value_error("weights must not be negative");
        if (options.sides[0] < 1 || options.sides[1] < options.sides[0])
            throw py::value_error("sides must be at least 1, the lesser first");
        std::uint64_t odds = 0;
        for (const std::uint32_t part : options.choose) odds += part;
        if (odds == 0) throw py::value_error("choose has no odds above 0");
    }

private:
    // By the type of the field; `items` is the size of an array. A choice is passed as its index in
    // the row of facts.
    template <class T>
    void read(const OptionFacts& facts, py::handle given, T& field, Index items) {
        const std::string name(facts.name);
        const bool cell = facts.kind == "cell";
        bool too_small = false;
        if constexpr (std::is_enum_v<T>) {
            field = static_cast<T>(item_as<std::uint8_t>(given, name.c_str()));
        } else if constexpr (std::is_same_v<T, Chance>) {
            field.share = item_as<std::uint64_t>(given, name.c_str());
        } else if constexpr (std::is_same_v<T, const Generator*>) {
            field = &find_generator(item_as<std::string>(given, name.c_str()));
        } else if constexpr (requires { typename T::element_type; }) {  // a span
            auto array = item_as<Array<typename T::value_type>>(given, name.c_str());
            field = flat(array, items, name.c_str());
            arrays_.push_back(std::move(array));
        } else {
            field = item_as<T>(given, name.c_str());
            if constexpr (std::is_integral_v<T>)
                too_small = field < static_cast<T>(facts.least) &&
                            (!cell || static_cast<Index>(field) != Options::random_cell);
        }
        if (too_small)
            throw py::value_error(name + (cell ? " is not a cell of the maze" : " is too small"));
    }

    std::vector<py::object> arrays_;
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
