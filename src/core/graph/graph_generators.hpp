// Every generator on graphs, by name: the functions `graph` of the registry's
// rows. Each is in the .cpp of its algorithm here, which instantiates it for NoTrace and Trace.
#pragma once

#include "graph_job.hpp"

namespace meiro {

template <Recorder R>
void graph_wilson(GraphJob& job, R& record);
template <Recorder R>
void graph_aldous_broder(GraphJob& job, R& record);
template <Recorder R>
void graph_origin_shift(GraphJob& job, R& record);
template <Recorder R>
void graph_backtracker(GraphJob& job, R& record);
template <Recorder R>
void graph_hunt_and_kill(GraphJob& job, R& record);
template <Recorder R>
void graph_growing_tree(GraphJob& job, R& record);
template <Recorder R>
void graph_growing_forest(GraphJob& job, R& record);
template <Recorder R>
void graph_kruskal(GraphJob& job, R& record);
template <Recorder R>
void graph_prim(GraphJob& job, R& record);
template <Recorder R>
void graph_boruvka(GraphJob& job, R& record);
template <Recorder R>
void graph_prim_frontier_cell(GraphJob& job, R& record);
template <Recorder R>
void graph_prim_frontier_edge(GraphJob& job, R& record);
template <Recorder R>
void graph_percolation(GraphJob& job, R& record);

}  // namespace meiro
