// Every generator on graphs, by name: the functions `graph` and `graph_trace` of the registry's
// rows. Each is in the .cpp of its algorithm here, which instantiates it for NoTrace and Trace.
#pragma once

#include "graph_job.hpp"

namespace meiro {

template <Recorder R>
void graph_wilson(GraphJob& job, R& record);
template <Recorder R>
void graph_kruskal(GraphJob& job, R& record);

}  // namespace meiro
