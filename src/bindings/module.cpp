// The extension module meiro._core. Python's meiro package is its only user: names and arguments
// here may change at any time.
#include <pybind11/pybind11.h>

#include "detached.hpp"
#include "topics.hpp"

#ifndef MEIRO_VERSION
#define MEIRO_VERSION "0"
#endif

namespace meiro {

double& last_silence() {
    static thread_local double seconds = 0;
    return seconds;
}

std::int64_t& last_scratch() {
    static thread_local std::int64_t bytes = 0;
    return bytes;
}

bool on_main_thread() {
    const py::object main = py::module_::import("threading").attr("main_thread")();
    return main.attr("ident").cast<unsigned long>() == PyThread_get_thread_ident();
}

}  // namespace meiro

PYBIND11_MODULE(_core, m, pybind11::mod_gil_not_used()) {
    m.attr("__version__") = MEIRO_VERSION;
    m.def("last_silence", &meiro::last_silence);
    m.def("last_scratch", &meiro::last_scratch);
    meiro::bind_enums(m);  // before what takes them
    meiro::bind_batch(m);
    meiro::bind_check(m);
    meiro::bind_generate(m);
    meiro::bind_geometry(m);
    meiro::bind_grid(m);
    meiro::bind_measure(m);
    meiro::bind_registry(m);
    meiro::bind_trace(m);  // before functions that take a Recording
    meiro::bind_eller(m);
    meiro::bind_path_queries(m);
    meiro::bind_solve(m);
    meiro::bind_solve_many(m);
    meiro::bind_transform(m);
}
