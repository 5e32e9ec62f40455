// Floods of the open edges of a graph; paths/path_queries.hpp has questions about shortest paths.
// Cells passed to them must exist.
#pragma once

#include <span>

#include "../open_graph.hpp"

namespace meiro {

// Steps from the nearest source, -1 where none is reachable. T: a signed integer type;
// std::overflow_error if a distance does not fit it. By one thread. Scratch: 4 bytes a cell.
template <class T>
void distances(const OpenGraph& graph, std::span<const Index> sources, T* out, Control& control,
               int threads = 1);

// Costs from the nearest source; infinity where none is reachable. Scratch: a heap.
void costs(const OpenGraph& graph, std::span<const double> weights, std::span<const Index> sources,
           double* out, Control& control);

// The components, 1, 2, ... in the order of their first cells. Returns their number.
GraphId label_cells(const OpenGraph& graph, GraphId* labels, Control& control);

// From each cell the next one on a shortest path to the nearest goal, by the passage with the
// lowest number; -1 at goals and where none is reachable.
void graph_policy(const OpenGraph& graph, std::span<const Index> goals, GraphId* out,
                  Control& control);

}  // namespace meiro
