// The table of the solvers.
#include "solvers.hpp"

#include "../registry.hpp"

namespace meiro {
namespace {

constexpr Solver table[] = {
    {
        .name = "bfs",
        .aliases =
            "breadth_first|breadth_first_search|flood|wave|lee|"
            "\u5e45\u512a\u5148\u63a2\u7d22|\u0432\u043e\u043b\u043d\u043e\u0432\u043e\u0439",
        .reference = "E. F. Moore, The shortest path through a maze (1959)",
        .good_for = "a shortest path, whatever the maze",
        .options = "directions",
        .shortest = true,
        .complete = true,
        .sees = "whole map",
        .scratch = 5,
        .run = bfs,
        .trace = bfs,
    },
    {
        .name = "dfs",
        .aliases =
            "depth_first|depth_first_search|backtracking|\u6df1\u3055\u512a\u5148\u63a2\u7d22|"
            "\u043f\u043e\u0438\u0441\u043a \u0432 \u0433\u043b\u0443\u0431\u0438\u043d\u0443",
        .reference = "R. Tarjan, SIAM J. Comput. 1 (1972) 146",
        .good_for = "any path; on a perfect maze the only one; walks like somebody inside",
        .options = "directions|rng",
        .shortest = false,
        .complete = true,
        .sees = "local",
        .scratch = 1,
        .run = dfs,
        .trace = dfs,
    },
};

}  // namespace

std::span<const Solver> solvers() {
    return table;
}

}  // namespace meiro
