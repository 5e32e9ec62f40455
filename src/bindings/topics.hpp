// One function per topic; each is in a .cpp of its own and fills the module.
#pragma once

#include <pybind11/pybind11.h>

namespace meiro {

using Bind = void(pybind11::module_& m);
Bind bind_agent, bind_check, bind_contraction, bind_eller, bind_enums, bind_generate, bind_geometry,
    bind_graph, bind_grid, bind_measure, bind_path_queries, bind_registry, bind_solve,
    bind_solve_many, bind_trace, bind_transform, bind_walls, bind_window;

}  // namespace meiro
