// Every solver, by name. Each is defined in the .cpp of its family, which instantiates it for
// NoTrace and Trace at its end; the registry has a row for each.
#pragma once

#include <span>

#include "search.hpp"

namespace meiro {

template <Recorder R>
SearchResult bfs(Search& search, R& record);

// The same, on from what at_start began: sites that are marked in `reached` are not entered.
template <Recorder R>
SearchResult bfs_from(Search& search, SearchResult&& begun, R& record);

template <Recorder R>
SearchResult dfs(Search& search, R& record);

template <Recorder R>
SearchResult a_star(Search& search, R& record);

template <Recorder R>
SearchResult dijkstra(Search& search, R& record);

template <Recorder R>
SearchResult bidirectional(Search& search, R& record);

template <Recorder R>
SearchResult dead_end_filling(Search& search, R& record);

template <Recorder R>
SearchResult cul_de_sac_filling(Search& search, R& record);

template <Recorder R>
SearchResult blind_alley_filling(Search& search, R& record);

template <Recorder R>
SearchResult collision(Search& search, R& record);

template <Recorder R>
SearchResult wall_follower(Search& search, R& record);

template <Recorder R>
SearchResult pledge(Search& search, R& record);

template <Recorder R>
SearchResult tremaux(Search& search, R& record);

template <Recorder R>
SearchResult random_mouse(Search& search, R& record);

template <Recorder R>
SearchResult chain(Search& search, R& record);

// What the path of `found` costs: of each step the weight of the site that it enters (1 without
// weights), times sqrt(2) if it is diagonal; infinity without a path.
double path_cost(const Search& search, const SearchResult& found);

// Steps to every site from the nearest source, -1 where there is no way. T: a signed integer;
// std::overflow_error if a distance does not fit it. Sources are sites that exist.
template <class T>
void distances(const Adjacency& adjacency, std::span<const Index> sources, T* out,
               Control& control);

// What it costs to come to every site from the nearest source, infinity where there is no way:
// weights is what it costs to enter each site (empty: 1), a diagonal step sqrt(2) times that.
void costs(const Adjacency& adjacency, std::span<const double> weights,
           std::span<const Index> sources, double* out, Control& control);

}  // namespace meiro
