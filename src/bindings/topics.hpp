// One function per topic; each is in a .cpp of its own and fills the module.
#pragma once

#include <pybind11/pybind11.h>

namespace meiro {

void bind_agent(pybind11::module_& m);
void bind_check(pybind11::module_& m);
void bind_contraction(pybind11::module_& m);
void bind_enums(pybind11::module_& m);
void bind_eller(pybind11::module_& m);
void bind_generate(pybind11::module_& m);
void bind_geometry(pybind11::module_& m);
void bind_graph(pybind11::module_& m);
void bind_grid(pybind11::module_& m);
void bind_measure(pybind11::module_& m);
void bind_path_queries(pybind11::module_& m);
void bind_registry(pybind11::module_& m);
void bind_solve(pybind11::module_& m);
void bind_solve_many(pybind11::module_& m);
void bind_trace(pybind11::module_& m);
void bind_transform(pybind11::module_& m);
void bind_walls(pybind11::module_& m);
void bind_window(pybind11::module_& m);

}  // namespace meiro
