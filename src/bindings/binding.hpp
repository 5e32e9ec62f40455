// Functions, methods and constructors that Python can call.
//
// pybind11 converts arguments and results, and registers new objects, partly outside of its try
// block: where memory is short, that ends in std::terminate, or in a TypeError that lists the
// signatures. So it is given handles here, and all of this happens within the function.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace meiro {

namespace py = pybind11;

template <class>
using HandleOf = py::handle;

template <class T, class Caster>
void load_argument(Caster& caster, py::handle given, const char* name) {
    // An array that is taken by value is written to: a converted copy would be of no use.
    constexpr bool converts = !std::is_base_of_v<py::array, T>;
    // The caster asks None for an attribute first: fatal to CPython 3.11 where memory is short.
    if (std::is_pointer_v<T> && given.is_none()) return;
    if (caster.load(given, converts)) return;
    // Was there no memory? Casters clear the exception.
    const auto some = py::reinterpret_steal<py::object>(PyBytes_FromStringAndSize(nullptr, 64));
    if (!some) throw py::error_already_set();
    if (caster.load(given, converts)) return;
    throw py::type_error(std::string(name) + " must not be this " + Py_TYPE(given.ptr())->tp_name);
}

template <class R, class... Args>
struct Converting {
    static constexpr std::size_t count = sizeof...(Args);
    using Names = std::array<const char*, count>;

    // The names that `extra` gives to the arguments from `first` on.
    template <class... Extra>
    static Names names_of([[maybe_unused]] std::size_t first, const Extra&... extra) {
        Names names{};
        names.fill("self");
        [[maybe_unused]] const auto take = [&]<class E>(const E& one) {
            if constexpr (std::is_base_of_v<py::arg, E>) names.at(first++) = one.name;
        };
        (take(extra), ...);
        return names;
    }

    // call(args...) as a function of handles.
    template <class Call>
    static auto of(Call call, Names names) {
        return [=](HandleOf<Args>... given) -> py::object {
            return run(call, names, std::index_sequence_for<Args...>(), given...);
        };
    }

    template <class Call, std::size_t... I>
    static py::object run(const Call& call, const Names& names, std::index_sequence<I...>,
                          HandleOf<Args>... given) {
        std::tuple<py::detail::make_caster<Args>...> casters;
        (load_argument<Args>(std::get<I>(casters), given, std::get<I>(names)), ...);
        if constexpr (std::is_void_v<R>) {
            call(py::detail::cast_op<Args>(std::move(std::get<I>(casters)))...);
            return py::none();
        } else {
            auto result = py::reinterpret_steal<py::object>(py::detail::make_caster<R>::cast(
                call(py::detail::cast_op<Args>(std::move(std::get<I>(casters)))...),
                py::return_value_policy::move, py::handle()));
            if (!result) throw py::error_already_set();
            return result;
        }
    }
};

template <class R, class... Args, class... Extra>
void def(py::module_& m, const char* name, R (*function)(Args...), const Extra&... extra) {
    using With = Converting<R, Args...>;
    m.def(name, With::of(function, With::names_of(0, extra...)), extra...);
}

template <class T, class R, class... Args, class... Extra>
void def(py::class_<T>& type, const char* name, R (T::*method)(Args...), const Extra&... extra) {
    using With = Converting<R, T&, Args...>;
    const auto call = [=](T& self, Args... args) -> R {
        return (self.*method)(std::forward<Args>(args)...);
    };
    type.def(name, With::of(call, With::names_of(1, extra...)), extra...);
}

template <class T, class R, class... Args, class... Extra>
void def(py::class_<T>& type, const char* name, R (T::*method)(Args...) const,
         const Extra&... extra) {
    using With = Converting<R, const T&, Args...>;
    const auto call = [=](const T& self, Args... args) -> R {
        return (self.*method)(std::forward<Args>(args)...);
    };
    type.def(name, With::of(call, With::names_of(1, extra...)), extra...);
}

// tp_new of the classes. That of pybind11 does not check whether there is memory for the object.
inline PyObject* new_object(PyTypeObject* type, PyObject*, PyObject*) {
    auto self = py::reinterpret_steal<py::object>(type->tp_alloc(type, 0));
    if (!self) return nullptr;
    try {
        reinterpret_cast<py::detail::instance*>(self.ptr())->allocate_layout();
    } catch (const std::exception&) {
        type->tp_free(self.release().ptr());  // without a layout its destructor cannot run
        Py_DECREF(type);
        return PyErr_NoMemory();
    }
    return self.release().ptr();
}

template <class... Args, class T, class... Extra>
void def_constructor(py::class_<T>& type, const Extra&... extra) {
    using With = Converting<void, Args...>;
    const auto names = With::names_of(0, extra...);
    const auto init = [=](py::detail::value_and_holder& self, HandleOf<Args>... given) {
        const auto make = [&](Args... args) {
            auto object = std::make_unique<T>(std::forward<Args>(args)...);
            self.value_ptr() = object.get();
            try {
                self.type->init_instance(self.inst, &object);  // takes over the object
            } catch (const std::exception&) {
                self.value_ptr() = nullptr;
                throw;
            }
        };
        With::run(make, names, std::index_sequence_for<Args...>(), given...);
    };
    reinterpret_cast<PyTypeObject*>(type.ptr())->tp_new = &new_object;
    type.def("__init__", init, py::detail::is_new_style_constructor(), extra...);
}

}  // namespace meiro
