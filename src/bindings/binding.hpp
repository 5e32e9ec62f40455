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
#include <cstring>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace meiro {

namespace py = pybind11;

template <class T, class Caster>
void load_argument(Caster& caster, py::handle given, const char* name) {
    // An array that is taken by value is written to: a converted copy would be of no use.
    constexpr bool converts = !std::is_base_of_v<py::array, T>;
    // The caster asks None for an attribute first: fatal to CPython 3.11 where memory is short.
    if (std::is_pointer_v<T> && given.is_none()) return;
    if (caster.load(given, converts)) {
        if constexpr (!converts)
            if ((py::detail::cast_op<T&>(caster).flags() &
                 py::detail::npy_api::NPY_ARRAY_ALIGNED_) == 0)
                throw py::value_error(std::string(name) + " must be aligned");
        return;
    }
    // Was there no memory? Casters clear the exception.
    const auto some = py::reinterpret_steal<py::object>(PyBytes_FromStringAndSize(nullptr, 64));
    if (!some) throw py::error_already_set();
    if (caster.load(given, converts)) return;
    throw py::type_error(std::string(name) + " must not be this " + Py_TYPE(given.ptr())->tp_name);
}

// An item of a tuple or of a dict.
template <class T>
T item_as(py::handle given, const char* name) {
    py::detail::make_caster<T> caster;
    load_argument<const T&>(caster, given, name);
    return py::detail::cast_op<T&>(caster);
}

// Converts the arguments, calls, and converts the result.
template <class Call, class R, class... Args, std::size_t... I>
py::object convert_and_call(const Call& call, const char* const* names, const py::handle* given,
                            std::index_sequence<I...>) {
    std::tuple<py::detail::make_caster<Args>...> casters;
    (load_argument<Args>(std::get<I>(casters), given[I], names[I]), ...);
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

// What pybind11 is given: a function of n handles, the same type whatever they are converted to.
// So what it makes of a function is compiled once for each number of arguments.
template <std::size_t>
using Handle = py::handle;
template <class Sequence>
struct Function;
template <std::size_t... I>
struct Function<std::index_sequence<I...>> {
    using Bytes = std::array<std::byte, 2 * sizeof(void*)>;

    py::object operator()(Handle<I>... given) const {
        const std::array<py::handle, sizeof...(I)> all{given...};
        return run(call, names.data(), all.data());
    }

    std::array<const char*, sizeof...(I)> names;
    Bytes call;  // a pointer to a function or a method
    py::object (*run)(const Bytes&, const char* const*, const py::handle*);
};

template <class R, class... Args, class Call>
auto function_of_handles(Call call, const std::array<const char*, sizeof...(Args)>& all) {
    using Indices = std::index_sequence_for<Args...>;
    using Made = Function<Indices>;
    static_assert(std::is_trivially_copyable_v<Call> && sizeof(Call) <= sizeof(Made::call));
    Made made{all, {}, {}};
    std::memcpy(made.call.data(), static_cast<const void*>(&call), sizeof call);
    made.run = [](const typename Made::Bytes& bytes, const char* const* names,
                  const py::handle* given) {
        alignas(Call) typename Made::Bytes copy = bytes;
        const auto* const stored = std::launder(reinterpret_cast<const Call*>(copy.data()));
        return convert_and_call<Call, R, Args...>(*stored, names, given, Indices());
    };
    return made;
}

// A function of a name, and the names of its arguments.
template <class R, class... Args, class... Name>
void def(py::module_& m, const char* name, R (*function)(Args...), const Name&... names) {
    m.def(name, function_of_handles<R, Args...>(function, {py::arg(names).name...}),
          py::arg(names)...);
}

// The same of a method, which may be one of a base class.
template <class T, class Base, class R, class... Args, class... Name>
void def(py::class_<T>& type, const char* name, R (Base::*method)(Args...), const Name&... names) {
    const auto call = [method](T& self, Args... args) -> R {
        return (self.*method)(std::forward<Args>(args)...);
    };
    type.def(name, function_of_handles<R, T&, Args...>(call, {"self", py::arg(names).name...}),
             py::arg(names)...);
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

template <class>
using HandleOf = py::handle;
template <class... Args, class T, class... Name>
void def_constructor(py::class_<T>& type, const Name&... given_names) {
    const std::array<const char*, sizeof...(Args)> names{py::arg(given_names).name...};
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
        const std::array<py::handle, sizeof...(Args)> all{given...};
        convert_and_call<decltype(make), void, Args...>(make, names.data(), all.data(),
                                                        std::index_sequence_for<Args...>());
    };
    reinterpret_cast<PyTypeObject*>(type.ptr())->tp_new = &new_object;
    type.def("__init__", init, py::detail::is_new_style_constructor(), py::arg(given_names)...);
}

}  // namespace meiro
