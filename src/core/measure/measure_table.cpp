// The table of measures.
#include <bit>

#include "measures.hpp"

namespace meiro {
namespace {

// Sets of bytes, bit b for byte b.
constexpr unsigned of_degree(int degree) {
    unsigned set = 0;
    for (unsigned byte = 0; byte < 16; ++byte)
        if (std::popcount(byte) == degree) set |= 1u << byte;
    return set;
}
constexpr unsigned each_with(unsigned directions) {
    unsigned set = 0;
    for (unsigned byte = 0; byte < 16; ++byte)
        if ((byte & directions) != 0) set |= 1u << byte;
    return set;
}

constexpr std::string_view manna =
    "S. S. Manna, D. Dhar, S. N. Majumdar, Phys. Rev. A 46 (1992) R4471. "
    "doi:10.1103/PhysRevA.46.R4471";
constexpr std::string_view pullen = "W. D. Pullen, Think Labyrinth: maze algorithms";
constexpr std::string_view aldous_and_fill =
    "D. Aldous, J. A. Fill, Reversible Markov Chains and Random Walks on Graphs, ch. 5";
constexpr std::string_view mcclendon =
    "M. S. McClendon, The complexity and difficulty of a maze, Bridges (2001) 213";
constexpr std::string_view jordan =
    "C. Jordan, J. Reine Angew. Math. 70 (1869) 185. doi:10.1515/crll.1869.70.185";
constexpr std::string_view wiener =
    "H. Wiener, J. Am. Chem. Soc. 69 (1947) 17. doi:10.1021/ja01193a005";

constexpr MeasureFacts measure_table[] = {
    {.id = MeasureId::cells,
     .name = "cells",
     .whole = true,
     .unit = "cells",
     .about = "cells that exist"},
    {.id = MeasureId::passages,
     .name = "passages",
     .whole = true,
     .unit = "passages",
     .about = "open walls between two cells",
     .aliases = "edges"},
    {.id = MeasureId::horizontal_passages,
     .name = "horizontal_passages",
     .whole = true,
     .unit = "passages",
     .local = each_with(0b0010),
     .about = "passages between a cell and the one to the east of it"},
    {.id = MeasureId::vertical_passages,
     .name = "vertical_passages",
     .whole = true,
     .unit = "passages",
     .local = each_with(0b0100),
     .about = "passages between a cell and the one to the south of it"},
    {.id = MeasureId::horizontal_share,
     .name = "horizontal_share",
     .unit = "share",
     .about = "horizontal_passages / passages"},
    {.id = MeasureId::isolated,
     .name = "isolated",
     .whole = true,
     .unit = "cells",
     .local = of_degree(0),
     .about = "cells without a passage"},
    {.id = MeasureId::dead_ends,
     .name = "dead_ends",
     .whole = true,
     .unit = "cells",
     .local = of_degree(1),
     .about = "cells with one passage; in a perfect maze 2 + junctions + 2 crossroads",
     .source = manna,
     .aliases = "leaves"},
    {.id = MeasureId::corridors,
     .name = "corridors",
     .whole = true,
     .unit = "cells",
     .local = of_degree(2),
     .about = "cells with two passages",
     .source = manna},
    {.id = MeasureId::junctions,
     .name = "junctions",
     .whole = true,
     .unit = "cells",
     .local = of_degree(3),
     .about = "cells with three passages",
     .source = manna,
     .aliases = "t_junctions"},
    {.id = MeasureId::crossroads,
     .name = "crossroads",
     .whole = true,
     .unit = "cells",
     .local = of_degree(4),
     .about = "cells with four passages",
     .source = manna,
     .aliases = "crossings"},
    {.id = MeasureId::straights,
     .name = "straights",
     .whole = true,
     .unit = "cells",
     .local = 1u << 0b0101 | 1u << 0b1010,
     .about = "corridors whose two passages are opposite",
     .source = manna},
    {.id = MeasureId::turns,
     .name = "turns",
     .whole = true,
     .unit = "cells",
     .local = of_degree(2) & ~(1u << 0b0101 | 1u << 0b1010),
     .about = "corridors whose two passages make a corner: corridors - straights",
     .source = manna,
     .aliases = "bends"},
    {.id = MeasureId::dead_end_share,
     .name = "dead_end_share",
     .unit = "share",
     .about = "dead_ends / cells",
     .source = pullen},
    {.id = MeasureId::mean_dead_end,
     .name = "mean_dead_end",
     .unit = "steps",
     .requirements = dead_ending,
     .about =
         "mean over the dead ends of the steps from each to the first cell that is no corridor",
     .source = pullen,
     .aliases = "dead_end_length"},
    {.id = MeasureId::longest_dead_end,
     .name = "longest_dead_end",
     .whole = true,
     .unit = "steps",
     .requirements = dead_ending,
     .about = "most steps from a dead end to the first cell that is no corridor",
     .source = pullen},
    {.id = MeasureId::river,
     .name = "river",
     .unit = "steps",
     .requirements = chaining,
     .about = "mean length of a branch, a chain of corridors between two cells that are none: 2 "
              "passages / (dead_ends + 3 junctions + 4 crossroads), without the passages of loops "
              "that have no junction",
     .source = pullen,
     .aliases = "mean_branch|branch_length"},
    {.id = MeasureId::solution_length,
     .name = "solution_length",
     .whole = true,
     .unit = "steps",
     .needs = "path",
     .requirements = solving,
     .about = "steps from start to goal, the shortest way if there are several",
     .source = pullen,
     .aliases = "path_length"},
    {.id = MeasureId::solution_share,
     .name = "solution_share",
     .unit = "share",
     .needs = "path",
     .requirements = solving,
     .about = "(solution_length + 1) / cells, the cells on the way",
     .source = pullen},
    {.id = MeasureId::solution_turns,
     .name = "solution_turns",
     .whole = true,
     .unit = "turns",
     .needs = "path",
     .requirements = solving,
     .about =
         "corners on the way from start to goal; with loops, on the shortest way that bfs finds"},
    {.id = MeasureId::solution_decisions,
     .name = "solution_decisions",
     .whole = true,
     .unit = "cells",
     .needs = "path",
     .requirements = solving,
     .about = "cells on the way, without the goal, with more than one way on: two passages at the "
              "start, three after it; with loops, on the shortest way that bfs finds",
     .aliases = "decisions"},
    {.id = MeasureId::tortuosity,
     .name = "tortuosity",
     .unit = "ratio",
     .needs = "path",
     .requirements = solving,
     .about =
         "solution_length / (rows + columns between start and goal, over the rim where the maze "
         "wraps)"},
    {.id = MeasureId::absorption_time,
     .name = "absorption_time",
     .whole = true,
     .unit = "steps",
     .needs = "tree",
     .requirements = absorbing,
     .about =
         "mean steps of a random walk from the start until it is at the goal: the sum over the "
         "passages of the way of 2 s - 1, s the cells on the side of the start",
     .source = aldous_and_fill,
     .aliases = "hitting_time"},
    {.id = MeasureId::difficulty,
     .name = "difficulty",
     .unit = "ln",
     .needs = "tree",
     .requirements = branching,
     .about =
         "natural logarithm of g(solution) times the product over the branches along it of (1 + "
         "sum of g over the hallways of the branch), where g(hallway) = its steps times the sum "
         "over its straight arcs of 1 / (2 steps of the arc), and the solution is one hallway",
     .source = mcclendon},
    {.id = MeasureId::complexity,
     .name = "complexity",
     .unit = "ln",
     .needs = "tree",
     .requirements = hallway,
     .about =
         "natural logarithm of the sum of g over all hallways, the chains of corridors between "
         "two cells that are none; g as in difficulty",
     .source = mcclendon},
    {.id = MeasureId::diameter,
     .name = "diameter",
     .whole = true,
     .unit = "steps",
     .needs = "tree",
     .requirements = spanning,
     .about = "steps between the two cells that are farthest apart",
     .source = jordan,
     .aliases = "longest_path"},
    {.id = MeasureId::radius,
     .name = "radius",
     .whole = true,
     .unit = "steps",
     .needs = "tree",
     .requirements = spanning,
     .about = "steps from a centre of the tree to the cell farthest from it: diameter / 2, rounded "
              "up",
     .source = jordan},
    {.id = MeasureId::wiener_index,
     .name = "wiener_index",
     .whole = true,
     .unit = "steps",
     .needs = "tree",
     .requirements = summing,
     .about =
         "sum of the steps between any two cells: the sum over the passages of s (cells - s), s "
         "the cells on one side; exact below 2^53, beyond it the nearest float",
     .source = wiener,
     .aliases = "wiener"},
    {.id = MeasureId::mean_distance,
     .name = "mean_distance",
     .unit = "steps",
     .needs = "tree",
     .requirements = summing,
     .about = "mean steps between two different cells: wiener_index / (cells (cells - 1) / 2)",
     .source = wiener},
    {.id = MeasureId::regions,
     .name = "regions",
     .whole = true,
     .unit = "regions",
     .requirements = surveying,
     .about = "sets of cells that are joined by passages"},
    {.id = MeasureId::rooms,
     .name = "rooms",
     .whole = true,
     .unit = "regions",
     .requirements = surveying,
     .about = "regions - 1, those that cannot be reached from the first"},
    {.id = MeasureId::loops,
     .name = "loops",
     .whole = true,
     .unit = "loops",
     .requirements = surveying,
     .about = "independent loops: passages - cells + regions",
     .aliases = "cycles"},
    {.id = MeasureId::islands,
     .name = "islands",
     .whole = true,
     .unit = "islands",
     .requirements = surveying,
     .about = "sets of walls that hang together and do not touch the outer wall; loops that wind "
              "around have none"},
};

// A measure is found by its number.
constexpr bool in_order() {
    for (std::size_t i = 0; i < std::size(measure_table); ++i)
        if (measure_table[i].id != static_cast<MeasureId>(i)) return false;
    return measure_table[std::size(measure_table) - 1].id == MeasureId::islands;
}
static_assert(in_order());

}  // namespace

std::span<const MeasureFacts> measures() {
    return measure_table;
}

}  // namespace meiro
