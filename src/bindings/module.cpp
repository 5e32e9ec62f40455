// The extension module meiro._core. Python's meiro package is its only user: names and arguments
// here may change at any time.
#include <pybind11/gil_safe_call_once.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <utility>

#include "../core/buffer.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "topics.hpp"

#ifndef MEIRO_VERSION
#define MEIRO_VERSION "0"
#endif

namespace meiro {

LastCall& last_call() {
    static thread_local LastCall last;
    return last;
}

std::pair<double, std::int64_t> seconds_and_bytes() {
    return {last_call().silence, last_call().scratch};
}

bool on_main_thread() {
    // An import takes longer than a small search.
    PYBIND11_CONSTINIT static py::gil_safe_call_once_and_store<py::object> main_thread;
    main_thread.call_once_and_store_result(
        [] { return py::object(py::module_::import("threading").attr("main_thread")); });
    const py::object main = main_thread.get_stored()();
    return main.attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

namespace {

// The default translation of std::bad_alloc has its name as text. What pybind11 throws where Python
// has no memory, "Could not allocate ...", becomes a RuntimeError.
void translate_memory_error(std::exception_ptr error) {
    try {
        std::rethrow_exception(std::move(error));
    } catch (const OutOfMemory&) {
        throw;  // its text says the bytes
    } catch (const std::bad_alloc&) {
        py::set_error(PyExc_MemoryError, "no memory is left");
    } catch (const std::runtime_error&) {
        if (PyErr_Occurred() == nullptr || PyErr_ExceptionMatches(PyExc_MemoryError) == 0) throw;
    }
}

}  // namespace
}  // namespace meiro

namespace {

// pybind11 would wait for ever in a subinterpreter of Python 3.11.
PyObject* create_in_main_interpreter(PyObject* spec, PyModuleDef* definition) {
    if (PyInterpreterState_Get() == PyInterpreterState_Main())
        return pybind11::detail::cached_create_module(spec, definition);
    PyErr_SetString(PyExc_ImportError,
                    "meiro does not run in subinterpreters: import it in the main interpreter, or "
                    "work in several processes (mod_wsgi: WSGIApplicationGroup %{GLOBAL})");
    return nullptr;
}

}  // namespace

// NOLINTBEGIN(*-identifier, *-anonymous-namespace, *-parameter-name): these names are given.
static int pybind11_exec__core(PyObject* module);

// As PYBIND11_MODULE, but for the interpreters.
extern "C" PYBIND11_EXPORT PyObject* PyInit__core() {
    PYBIND11_CHECK_PYTHON_VERSION;
    namespace py = pybind11;
    // Every interpreter is declared as supported: otherwise CPython refuses first, without advice.
    static py::detail::slots_array slots =
        py::detail::init_slots(&pybind11_exec__core, py::mod_gil_not_used(),
                               py::multiple_interpreters::per_interpreter_gil());
    slots[0].value = reinterpret_cast<void*>(&create_in_main_interpreter);  // Py_mod_create
    static PyModuleDef definition{PyModuleDef_HEAD_INIT, "_core", nullptr, 0,      nullptr,
                                  slots.data(),          nullptr, nullptr, nullptr};
    return PyModuleDef_Init(&definition);
}
// NOLINTEND(*-identifier, *-anonymous-namespace, *-parameter-name)

PYBIND11_MODULE_EXEC(_core, m) {
    pybind11::register_local_exception_translator(&meiro::translate_memory_error);
    m.attr("__version__") = MEIRO_VERSION;
    meiro::def(m, "last_call", &meiro::seconds_and_bytes);
    using namespace meiro;
    bind_enums(m);  // before what takes them
    bind_trace(m);  // before functions that take a Recording
    for (Bind* const bind :
         {bind_agent, bind_check, bind_contraction, bind_eller, bind_generate, bind_geometry,
          bind_graph, bind_grid, bind_measure, bind_path_queries, bind_registry, bind_solve,
          bind_solve_many, bind_transform, bind_walls, bind_window})
        bind(m);
}
