// The table of the solvers.
#include "solvers.hpp"

namespace meiro {
namespace {

using enum SolverTrait;

constexpr Solver solver_table[] = {
    {"bfs", "a shortest", shortest | shared, "directions|moves|turn_cost", 5, bfs, "", 24},
    {"dfs", "one", local, "directions|rng", 2, dfs, "rng", 32},
    {"a_star", "a shortest", shortest, "moves|turn_cost|weights", 57, a_star, "weights", 200},
    {"dijkstra", "a shortest", shortest, "moves|turn_cost|weights", 50, dijkstra, "weights", 200},
    {"bidirectional", "a shortest", shortest, "", 5, bidirectional, "", 28},
    {"dead_end_filling", "all", shortest | fills | shared, "", 6, dead_end_filling, "", 28},
    {"cul_de_sac_filling", "all", shortest | fills, "", 10, cul_de_sac_filling},
    {"blind_alley_filling", "all", shortest | fills, "", 10, blind_alley_filling, "", 48},
    {"collision", "all shortest", shortest | fills, "", 6, collision, "", 32},
    {"wall_follower", "one", incomplete | local | walks, "hand", 4, wall_follower, "hand", 48},
    {"pledge", "one", incomplete | local | walks, "hand", 6, pledge},
    {"tremaux", "one", local | walks, "directions|rng", 6, tremaux, "rng", 48},
    {"random_mouse", "one", incomplete | local | walks | draws, "rng|max_steps", 5, random_mouse,
     "rng|max_steps", 28},
    {"chain", "one", local | walks | flat, "", 5, chain},
};

}  // namespace

std::span<const Solver> solvers() {
    return solver_table;
}

}  // namespace meiro
