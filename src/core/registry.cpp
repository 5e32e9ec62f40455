#include "registry.hpp"

#include "generate/generators.hpp"
#include "solve/solvers.hpp"

namespace meiro {
namespace {

constexpr Generator table[] = {
    {
        .name = "backtracker",
        .aliases = "dfs|recursive_backtracker|depth_first|digging|anahori|"
                   "\u7a74\u6398\u308a\u6cd5|\u043f\u043e\u0438\u0441\u043a \u0432 "
                   "\u0433\u043b\u0443\u0431\u0438\u043d\u0443",
        .law = "backtracker",
        .reference = "J. Buck, Mazes for Programmers (2015), ch. 5",
        .good_for = "long winding ways, few dead ends",
        .options = options_of(Option::start, Option::after_dead_end),
        .masks = true,
        .perfect = true,
        .threads = false,
        .scratch = 8,
        .run = backtracker,
        .trace = backtracker,
    },
    {
        .name = "kruskal",
        .aliases = "clustering|randomized_kruskal|"
                   "\u30af\u30e9\u30b9\u30bf\u30ea\u30f3\u30b0\u6cd5|"
                   "\u043a\u0440\u0430\u0441\u043a\u0430\u043b|"
                   "\u0430\u043b\u0433\u043e\u0440\u0438\u0442\u043c "
                   "\u043a\u0440\u0430\u0441\u043a\u0430\u043b\u0430",
        .law = "random_mst",
        .reference = "J. B. Kruskal, Proc. AMS 7 (1956) 48, doi:10.1090/S0002-9939-1956-0078686-7",
        .good_for = "many short dead ends, alike all over; regions that grow together",
        .options = options_of(Option::order, Option::weights),
        .masks = true,
        .perfect = true,
        .threads = true,
        .scratch = 2,
        .run = kruskal,
        .trace = kruskal,
    },
    {
        .name = "eller",
        .aliases =
            "ellers|\u044d\u043b\u043b\u0435\u0440|"
            "\u0430\u043b\u0433\u043e\u0440\u0438\u0442\u043c \u044d\u043b\u043b\u0435\u0440\u0430",
        .law = "eller",
        .reference = "M. Eller (1982); J. Buck, Mazes for Programmers (2015), ch. 9",
        .good_for = "mazes without end, row by row in the memory of a row",
        .options = options_of(),
        .masks = false,
        .perfect = true,
        .threads = false,
        .scratch = 2,
        .run = eller,
        .trace = eller,
    },
    {
        .name = "wilson",
        .aliases = "uniform|loop_erased_random_walk|"
                   "\u30a6\u30a3\u30eb\u30bd\u30f3|\u0443\u0438\u043b\u0441\u043e\u043d",
        .law = "uniform",
        .reference = "D. B. Wilson, STOC '96, 296, doi:10.1145/237814.237880",
        .good_for = "every maze equally likely: no preference that shows",
        .options = options_of(),
        .masks = true,
        .perfect = true,
        .threads = false,
        .scratch = 2,
        .run = wilson,
        .trace = wilson,
    },
    {
        .name = "pole_toppling",
        .aliases = "botaoshi|pole_falling|\u68d2\u5012\u3057\u6cd5",
        .law = "pole_toppling",
        .reference = "Japanese textbooks on making mazes (botaoshi)",
        .good_for = "the quickest of all; two thin rows at the top, ways that lead down",
        .options = options_of(Option::falls),
        .masks = false,
        .perfect = true,
        .threads = true,
        .scratch = 2,
        .run = pole_toppling,
        .trace = pole_toppling,
    },
    {
        .name = "wall_extension",
        .aliases = "kabenobashi|wall_building|\u58c1\u4f38\u3070\u3057\u6cd5",
        .law = "wall_extension",
        .reference = "Japanese textbooks on making mazes (kabenobashi)",
        .good_for = "long walls that grow from anywhere; looks like a plan of streets",
        .options = options_of(),
        .masks = false,
        .perfect = true,
        .threads = false,
        .scratch = 8,
        .run = wall_extension,
        .trace = wall_extension,
    },
};

constexpr Solver solver_table[] = {
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

std::span<const Generator> generators() {
    return table;
}

std::span<const Solver> solvers() {
    return solver_table;
}

}  // namespace meiro
