// The most bytes that a query takes on a thread, beside its result and a copy of the maze.
#pragma once

#include <array>
#include <string_view>

namespace meiro {

struct QueryBytes {
    std::string_view name;
    double place;  // of squares, or of an array
    double graph;  // a cell and edge of a graph
};

inline constexpr std::array query_bytes{
    QueryBytes{"distances", 2, 24},
    QueryBytes{"costs", 26, 80},  // a heap item a place
    QueryBytes{"policy", 1, 24},
    QueryBytes{"octile_policy", 7, 0},
    QueryBytes{"shortest_paths", 5, 32},
    QueryBytes{"all_shortest_paths", 1, 32},
    QueryBytes{"bottlenecks", 6, 36},
    QueryBytes{"longest_path", 2, 32},
    QueryBytes{"exact_longest_path", 6, 32},
    QueryBytes{"solve_many", 10, 24},
    QueryBytes{"components", 0, 24},
    QueryBytes{"check", 4, 40},
    QueryBytes{"check_periodic", 9, 40},
    QueryBytes{"check_sites", 0, 0},  // some rows
    QueryBytes{"two_cells", 3, 24},
};

}  // namespace meiro
