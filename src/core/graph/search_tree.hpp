// The tree by which a search reaches every cell: breadth first, or depth first.
#pragma once

#include "graph.hpp"

namespace meiro {

enum class SearchOrder : std::uint8_t { breadth_first, depth_first };

// Opens, in `open` (a byte an edge, all 0), the edge by which the search first reaches each cell:
// from `start` in its component, from the first cell in others. Neighbours come in the order of the
// edges. Depth first is that of the textbook: a cell goes as deep as it can before the next
// neighbour.
void search_tree(const Graph& graph, Index start, SearchOrder order, std::uint8_t* open,
                 Control& control);

}  // namespace meiro
