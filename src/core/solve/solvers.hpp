// Declarations of all solvers. Each is defined in the .cpp of its family, which instantiates it for
// NoTrace and Trace at its end; the registry has a row for each.
#pragma once

#include <span>

#include "../registry.hpp"
#include "search.hpp"

namespace meiro {

extern const SolverRuns bfs, dfs, a_star, dijkstra, bidirectional, collision, wall_follower,
    tremaux, random_mouse, pledge, chain, dead_end_filling, cul_de_sac_filling, blind_alley_filling;

// The same as bfs, continued from the result of at_start(): places marked in `reached` are not
// entered.
template <Recorder R>
SearchResult bfs_from(Search& search, SearchResult&& begun, R& record);
template <Recorder R>
GraphSearchResult bfs_from(GraphSearch& search, GraphSearchResult&& begun, R& record);

// The least sum of steps, diagonal ones as well, and of what turns cost: bfs with a turn_cost.
extern const SolverRuns fewest_steps_and_turns;

// The cost of the path of `found`: the sum of the weights of the sites entered, times sqrt(2) for
// diagonal steps, and of what turns cost; on a graph of the weights of the edges; 1 each without
// weights. Infinity without a path.
template <AnySearch S>
double path_cost(const S& search, const typename S::Result& found);

// Steps to every site from the nearest source, -1 if unreachable. T: a signed integer type;
// std::overflow_error if a distance does not fit it. Sources are existing sites. Threads share the
// large levels, as those of open rooms; the result does not depend on them.
template <class T>
void distances(const Adjacency& adjacency, std::span<const Index> sources, T* out, Control& control,
               int threads = 1);

// The least cost to reach every site from the nearest source, infinity if unreachable: `weights` is
// the cost to enter each site (empty: 1; infinity: never), times sqrt(2) for a diagonal step.
void costs(const Adjacency& adjacency, std::span<const double> weights,
           std::span<const Index> sources, double* out, Control& control);

}  // namespace meiro
