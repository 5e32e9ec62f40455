// The table of the solvers.
#include "solvers.hpp"

#include "../graph/solve/graph_solvers.hpp"

namespace meiro {
namespace {

constexpr SolverRuns bfs_runs{{bfs, bfs}, {bfs, bfs}};
constexpr SolverRuns dead_end_filling_runs{{dead_end_filling, dead_end_filling},
                                           {dead_end_filling, dead_end_filling}};
constexpr SolverRuns blind_alley_filling_runs{{blind_alley_filling, blind_alley_filling},
                                              {blind_alley_filling, blind_alley_filling}};

constexpr Solver solver_table[] = {
    {
        .name = "bfs",
        .options = "directions|moves|turn_cost",
        .solutions = "a shortest",
        .shortest = true,
        .threads = true,
        .scratch = 5,
        .run = bfs_runs,
        .graph_scratch = 24,
    },
    {
        .name = "dfs",
        .options = "directions|rng",
        .solutions = "one",
        .sees = "local",
        .scratch = 2,
        .run = dfs,
        .graph_options = "rng",
        .graph_scratch = 32,
    },
    {
        .name = "a_star",
        .options = "moves|turn_cost|weights",
        .solutions = "a shortest",
        .shortest = true,
        .scratch = 57,
        .run = a_star,
        .graph_options = "weights",
        .graph_scratch = 200,
    },
    {
        .name = "dijkstra",
        .options = "moves|turn_cost|weights",
        .solutions = "a shortest",
        .shortest = true,
        .scratch = 50,
        .run = dijkstra,
        .graph_options = "weights",
        .graph_scratch = 200,
    },
    {
        .name = "bidirectional",
        .solutions = "a shortest",
        .shortest = true,
        .scratch = 5,
        .run = bidirectional,
        .graph_scratch = 28,
    },
    {
        .name = "dead_end_filling",
        .solutions = "all",
        .shortest = true,
        .fills = true,
        .threads = true,
        .scratch = 6,
        .run = dead_end_filling_runs,
        .graph_scratch = 28,
    },
    {
        .name = "cul_de_sac_filling",
        .solutions = "all",
        .shortest = true,
        .fills = true,
        .scratch = 10,
        .run = cul_de_sac_filling,
    },
    {
        .name = "blind_alley_filling",
        .solutions = "all",
        .shortest = true,
        .fills = true,
        .scratch = 10,
        .run = blind_alley_filling_runs,
        .graph_scratch = 48,
    },
    {
        .name = "collision",
        .solutions = "all shortest",
        .shortest = true,
        .fills = true,
        .scratch = 6,
        .run = collision,
        .graph_scratch = 32,
    },
    {
        .name = "wall_follower",
        .options = "hand",
        .solutions = "one",
        .complete = false,
        .sees = "local",
        .walks = true,
        .scratch = 4,
        .run = wall_follower,
        .graph_options = "hand",
        .graph_scratch = 48,
    },
    {
        .name = "pledge",
        .options = "hand",
        .solutions = "one",
        .complete = false,
        .sees = "local",
        .walks = true,
        .scratch = 6,
        .run = pledge,
    },
    {
        .name = "tremaux",
        .options = "directions|rng",
        .solutions = "one",
        .sees = "local",
        .walks = true,
        .scratch = 6,
        .run = tremaux,
        .graph_options = "rng",
        .graph_scratch = 48,
    },
    {
        .name = "random_mouse",
        .options = "rng|max_steps",
        .solutions = "one",
        .complete = false,
        .sees = "local",
        .walks = true,
        .random = true,
        .scratch = 5,
        .run = random_mouse,
        .graph_options = "rng|max_steps",
        .graph_scratch = 28,
    },
    {
        .name = "chain",
        .solutions = "one",
        .sees = "local",
        .walks = true,
        .wraps = false,
        .scratch = 5,
        .run = chain,
    },
};

}  // namespace

std::span<const Solver> solvers() {
    return solver_table;
}

}  // namespace meiro
