// Questions about shortest paths in the open edges of a graph; paths/path_queries.hpp has those of
// squares. Cells passed to them must exist. Parallel passages make different paths.
#pragma once

#include <span>

#include "../../paths/path_queries.hpp"
#include "../open_graph.hpp"

namespace meiro {

// Steps from the nearest source, -1 where none is reachable. Scratch: 4 bytes a cell.
void graph_distances(const OpenGraph& graph, std::span<const Index> sources, GraphId* out,
                     Control& control);

// Costs from the nearest source; infinity where none is reachable. Scratch: a heap.
void graph_costs(const OpenGraph& graph, std::span<const double> weights,
                 std::span<const Index> sources, double* out, Control& control);

// counts[i]: the number of cells with a 1 in `among` at least `least` >= 1 steps away from cell i;
// 0 if cell i has no 1. Time: a search per cell of `among`.
void count_far(const OpenGraph& graph, const std::uint8_t* among, Index least, Index* counts,
               Control& control);

// The components, 1, 2, ... in the order of their first cells. Returns their number.
GraphId label_cells(const OpenGraph& graph, GraphId* labels, Control& control);

// From each cell the next one on a shortest path to the nearest goal, by the passage with the
// lowest number; -1 at goals and where none is reachable.
void graph_policy(const OpenGraph& graph, std::span<const Index> goals, GraphId* out,
                  Control& control);

// The number of shortest paths from `start` to the nearest goals, in limbs of 64 bits, the lowest
// first. `distance` from the goals, start reached; on_path, zeroed, becomes 1 on their cells.
Buffer<std::uint64_t> count_paths(const OpenGraph& graph, const GraphId* distance, Index start,
                                  std::uint8_t* on_path, Control& control);

// All shortest paths, one after the other, in the order of their slots.
class GraphPathList {
public:
    GraphPathList(const OpenGraph& graph, Buffer<GraphId>&& distance, Index start)
        : graph_(graph),
          distance_(std::move(distance)),
          slots_(distance_[start] > 0 ? distance_[start] : 0),
          at_(start) {}
    bool next(Control& control);  // to the first, or the next, path; false at the end
    const Buffer<GraphId>& slots() const { return slots_; }

private:
    const OpenGraph& graph_;
    Buffer<GraphId> distance_;
    Buffer<GraphId> slots_;
    Index at_;
    bool begun_ = false, ended_ = false;
};

Bottlenecks bottlenecks(const OpenGraph& graph, std::span<const Index> goals, Index start,
                        Control& control);

// The longest of the shortest paths between any two cells.
struct GraphLongest {
    Buffer<GraphId> edges;
    Index start = 0, goal = 0, length = 0, at_most = 0;
};
GraphLongest longest_path(const OpenGraph& graph, bool exact, Control& control);

}  // namespace meiro
