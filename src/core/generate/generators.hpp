// Every generator, by name. Each is defined in the .cpp of its family, which instantiates it for
// NoTrace and Trace at its end; the registry has a row for each.
#pragma once

#include "job.hpp"

namespace meiro {

template <Recorder R>
void wilson(Job& job, R& record);
template <Recorder R>
void aldous_broder(Job& job, R& record);
template <Recorder R>
void origin_shift(Job& job, R& record);
template <Recorder R>
void backtracker(Job& job, R& record);
template <Recorder R>
void hunt_and_kill(Job& job, R& record);
template <Recorder R>
void growing_tree(Job& job, R& record);
template <Recorder R>
void growing_forest(Job& job, R& record);
template <Recorder R>
void kruskal(Job& job, R& record);
template <Recorder R>
void prim(Job& job, R& record);
template <Recorder R>
void boruvka(Job& job, R& record);
template <Recorder R>
void prim_frontier_cell(Job& job, R& record);
template <Recorder R>
void prim_frontier_edge(Job& job, R& record);
template <Recorder R>
void eller(Job& job, R& record);
template <Recorder R>
void binary_tree(Job& job, R& record);
template <Recorder R>
void sidewinder(Job& job, R& record);
template <Recorder R>
void pole_toppling(Job& job, R& record);
template <Recorder R>
void wall_extension(Job& job, R& record);
template <Recorder R>
void recursive_division(Job& job, R& record);
template <Recorder R>
void rooms(Job& job, R& record);
template <Recorder R>
void percolation(Job& job, R& record);
template <Recorder R>
void spiral(Job& job, R& record);
template <Recorder R>
void serpentine(Job& job, R& record);

}  // namespace meiro
