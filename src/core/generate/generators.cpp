// The table of the generators.
#include "../graph/graph_job.hpp"
#include "../registry.hpp"
#include "job.hpp"

namespace meiro {

std::span<const Generator> generators() {
    using enum Option;
    using enum Trait;
    // Name, law, options, traits, scratch, the algorithm; then on graphs the options, the scratch
    // and the algorithm; then what a wrap and a mask add to the scratch on squares.
    static constexpr Generator table[] = {
        {"wilson", "uniform", options_of(weights, bias, walks), masks | wraps | perfect, 2, wilson,
         options_of(weights), 16, graph_wilson, 5, 16},
        {"aldous_broder", "uniform", options_of(weights, bias), masks | wraps | perfect, 0.1,
         aldous_broder, options_of(weights), 16, graph_aldous_broder},
        {"origin_shift", "uniform", options_of(start, steps), masks | wraps | perfect, 1,
         origin_shift_runs, options_of(start, steps), 16, graph_origin_shift},
        {"backtracker", "backtracker", options_of(start, after_dead_end, run, bias),
         masks | wraps | perfect, 8, backtracker, options_of(start, after_dead_end, run), 16,
         graph_backtracker},
        {"hunt_and_kill", "hunt_and_kill", options_of(start, hunt, run, bias),
         masks | wraps | perfect, 8, hunt_and_kill, options_of(start, run), 16,
         graph_hunt_and_kill},
        {"growing_tree", "backtracker", options_of(start, choose, run, bias),
         masks | wraps | perfect, 8, growing_tree, options_of(start, choose, run), 16,
         graph_growing_tree},
        {"growing_forest", "", options_of(trees, choose), masks | wraps | perfect, 24,
         growing_forest, options_of(trees, choose), 24, graph_growing_forest},
        {"kruskal", "random_mst", options_of(order, weights, bias),
         masks | wraps | perfect | threads | windows | endless, 1, kruskal,
         options_of(order, weights), 20, graph_kruskal, 18},
        {"prim", "random_mst", options_of(weights, bias),
         masks | wraps | perfect | threads | windows, 1, prim, options_of(weights), 20, graph_prim,
         18},
        {"boruvka", "random_mst", options_of(weights, bias),
         masks | wraps | perfect | threads | windows, 1, boruvka, options_of(weights), 20,
         graph_boruvka, 18},
        {"prim_frontier_cell", "prim_frontier_cell", options_of(start), masks | wraps | perfect, 8,
         prim_frontier_cell, options_of(start), 16, graph_prim_frontier_cell},
        {"prim_frontier_edge", "prim_frontier_edge", options_of(start), masks | wraps | perfect, 12,
         prim_frontier_edge, options_of(start), 16, graph_prim_frontier_edge},
        {"eller", "eller", options_of(), perfect | rows, 2, eller},
        {"binary_tree", "binary_tree", options_of(corner),
         perfect | threads | rows | windows | endless, 2, binary_tree},
        {"sidewinder", "sidewinder", options_of(towards),
         perfect | threads | rows | windows | endless, 2, sidewinder},
        {"pole_toppling", "pole_toppling", options_of(falls, towards),
         perfect | threads | rows | windows | endless, 2, pole_toppling},
        {"wall_extension", "wall_extension", options_of(), perfect, 8, wall_extension},
        {"recursive_division", "recursive_division", options_of(room), perfect, 0,
         recursive_division},
        {"rooms", "", options_of(tries, sides, doors, dead_ends, fill), masks, 27, rooms},
        {"percolation", "", options_of(p), masks | wraps | threads | rows | windows | endless, 2,
         percolation, options_of(p), 16, graph_percolation},
        {"spiral", "", options_of(), perfect | fixed, 0, spiral},
        {"serpentine", "", options_of(), perfect | fixed, 0, serpentine},
    };
    return table;
}

}  // namespace meiro
