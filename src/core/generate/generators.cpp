// The table of the generators.
#include "generators.hpp"

namespace meiro {
namespace {

using enum Trait;

constexpr Generator generator_table[] = {
    {.name = "wilson",
     .aliases =
         "uniform|loop_erased_random_walk|\u30a6\u30a3\u30eb\u30bd\u30f3|"
         "\u0443\u0438\u043b\u0441\u043e\u043d|\u0430\u043b\u0433\u043e\u0440\u0438\u0442\u043c "
         "\u0443\u0438\u043b\u0441\u043e\u043d\u0430",
     .law = "uniform",
     .reference = "D. B. Wilson, STOC '96, 296, doi:10.1145/237814.237880",
     .good_for = "every maze equally likely: no preference that shows",
     .options = options_of(Option::weights, Option::bias),
     .traits = masks | wraps | perfect,
     .scratch = 2,
     .run = wilson,
     .trace = wilson},
    {.name = "aldous_broder",
     .aliases = "random_walk|\u30a2\u30eb\u30c0\u30b9\u30fb\u30d6\u30ed\u30fc\u30c0\u30fc\u6cd5|"
                "\u043e\u043b\u0434\u043e\u0441_\u0431\u0440\u043e\u0434\u0435\u0440|"
                "\u0430\u043b\u0433\u043e\u0440\u0438\u0442\u043c "
                "\u043e\u043b\u0434\u043e\u0441\u0430-\u0431\u0440\u043e\u0434\u0435\u0440\u0430",
     .law = "uniform",
     .reference = "D. J. Aldous, SIAM J. Discrete Math. 3 (1990) 450, doi:10.1137/0403039",
     .good_for = "the same law as wilson's, simply: to watch or to check; slow",
     .options = options_of(Option::weights, Option::bias),
     .traits = masks | wraps | perfect,
     .scratch = 0.1,
     .run = aldous_broder,
     .trace = aldous_broder},
    {.name = "origin_shift",
     .aliases = "reverse_aldous_broder|\u30aa\u30ea\u30b8\u30f3\u30b7\u30d5\u30c8\u6cd5|"
                "\u0441\u0434\u0432\u0438\u0433 \u043d\u0430\u0447\u0430\u043b\u0430",
     .law = "uniform",
     .reference = "Y. Hu, R. Lyons, P. Tang, Ann. IHP Probab. Statist. 57 (2021) 890, "
                  "doi:10.1214/20-AIHP1101",
     .good_for = "a maze that changes a little with every step and stays perfect",
     .options = options_of(Option::start, Option::steps),
     .traits = masks | wraps | perfect,
     .scratch = 1,
     .run = origin_shift,
     .trace = origin_shift},
    {.name = "backtracker",
     .aliases = "dfs|recursive_backtracker|depth_first|digging|anahori|\u7a74\u6398\u308a\u6cd5|"
                "\u043f\u043e\u0438\u0441\u043a \u0432 \u0433\u043b\u0443\u0431\u0438\u043d\u0443",
     .law = "backtracker",
     .reference = "J. Buck, Mazes for Programmers (2015), ch. 5",
     .good_for = "long winding ways, few dead ends",
     .options = options_of(Option::start, Option::after_dead_end, Option::run, Option::bias),
     .traits = masks | wraps | perfect,
     .scratch = 8,
     .run = backtracker,
     .trace = backtracker},
    {.name = "hunt_and_kill",
     .aliases =
         "hunt|\u30cf\u30f3\u30c8\u30fb\u30a2\u30f3\u30c9\u30fb\u30ad\u30eb\u6cd5|"
         "\u043e\u0445\u043e\u0442\u0430 \u0438 \u0443\u0431\u0438\u0439\u0441\u0442\u0432\u043e",
     .law = "hunt_and_kill",
     .reference = "J. Buck, Mazes for Programmers (2015), ch. 5",
     .good_for = "long ways, few dead ends, without a stack",
     .options = options_of(Option::start, Option::hunt, Option::run, Option::bias),
     .traits = masks | wraps | perfect,
     .scratch = 8,
     .run = hunt_and_kill,
     .trace = hunt_and_kill},
    {.name = "growing_tree",
     .aliases = "\u6210\u9577\u3059\u308b\u6728|\u0440\u0430\u0441\u0442\u0443\u0449\u0435\u0435 "
                "\u0434\u0435\u0440\u0435\u0432\u043e",
     .law = "backtracker",
     .reference = "J. Buck, Mazes for Programmers (2015), ch. 11; W. D. Pullen, Think Labyrinth",
     .good_for = "everything between long ways and short ones, by choose=",
     .options = options_of(Option::start, Option::choose, Option::run, Option::bias),
     .traits = masks | wraps | perfect,
     .scratch = 8,
     .run = growing_tree,
     .trace = growing_tree},
    {.name = "growing_forest",
     .aliases = "\u6210\u9577\u3059\u308b\u68ee|\u0440\u0430\u0441\u0442\u0443\u0449\u0438\u0439 "
                "\u043b\u0435\u0441",
     .law = "",
     .reference = "W. D. Pullen, Think Labyrinth (astrolog.org/labyrnth/algrithm.htm)",
     .good_for = "many trees at once that meet: to watch; walls that run between the trees",
     .options = options_of(Option::trees, Option::choose),
     .traits = masks | wraps | perfect,
     .scratch = 24,
     .run = growing_forest,
     .trace = growing_forest},
    {.name = "kruskal",
     .aliases = "clustering|randomized_kruskal|\u30af\u30e9\u30b9\u30bf\u30ea\u30f3\u30b0\u6cd5|"
                "\u30af\u30e9\u30b9\u30ab\u30eb\u6cd5|\u043a\u0440\u0430\u0441\u043a\u0430\u043b|"
                "\u0430\u043b\u0433\u043e\u0440\u0438\u0442\u043c "
                "\u043a\u0440\u0430\u0441\u043a\u0430\u043b\u0430",
     .law = "random_mst",
     .reference = "J. B. Kruskal, Proc. AMS 7 (1956) 48, doi:10.1090/S0002-9939-1956-0078686-7",
     .good_for = "many short dead ends, alike all over; regions that grow together",
     .options = options_of(Option::order, Option::weights, Option::bias),
     .traits = masks | wraps | perfect | threads,
     .scratch = 1,
     .wrapped = 18,
     .run = kruskal,
     .trace = kruskal},
    {.name = "prim",
     .aliases = "true_prim|jarnik|\u30d7\u30ea\u30e0\u6cd5|\u043f\u0440\u0438\u043c|"
                "\u0430\u043b\u0433\u043e\u0440\u0438\u0442\u043c \u043f\u0440\u0438\u043c\u0430",
     .law = "random_mst",
     .reference =
         "R. C. Prim, Bell Syst. Tech. J. 36 (1957) 1389, doi:10.1002/j.1538-7305.1957.tb01515.x",
     .good_for =
         "the maze of kruskal for the seed; watched, one tree that grows along the lightest walls",
     .options = options_of(Option::weights, Option::bias),
     .traits = masks | wraps | perfect | threads,
     .scratch = 1,
     .wrapped = 18,
     .run = prim,
     .trace = prim},
    {.name = "boruvka",
     .aliases =
         "sollin|\u30d6\u30eb\u30fc\u30d5\u30ab\u6cd5|\u0431\u043e\u0440\u0443\u0432\u043a\u0430|"
         "\u0430\u043b\u0433\u043e\u0440\u0438\u0442\u043c "
         "\u0431\u043e\u0440\u0443\u0432\u043a\u0438",
     .law = "random_mst",
     .reference = "O. Boruvka, Prace mor. prirodoved. spol. v Brne 3 (1926) 37",
     .good_for = "the maze of kruskal for the seed; watched, all regions that join at once",
     .options = options_of(Option::weights, Option::bias),
     .traits = masks | wraps | perfect | threads,
     .scratch = 1,
     .wrapped = 18,
     .run = boruvka,
     .trace = boruvka},
    {.name = "prim_frontier_cell",
     .aliases = "modified_prim|\u043f\u0440\u043e\u0441\u0442\u043e\u0439 \u043f\u0440\u0438\u043c",
     .law = "prim_frontier_cell",
     .reference = "J. Buck, Mazes for Programmers (2015), ch. 11",
     .good_for = "a burst from the start: very many short dead ends, short ways",
     .options = options_of(Option::start),
     .traits = masks | wraps | perfect,
     .scratch = 8,
     .run = prim_frontier_cell,
     .trace = prim_frontier_cell},
    {.name = "prim_frontier_edge",
     .aliases = "simplified_prim|\u0443\u043f\u0440\u043e\u0449\u0435\u043d\u043d\u044b\u0439 "
                "\u043f\u0440\u0438\u043c",
     .law = "prim_frontier_edge",
     .reference = "W. D. Pullen, Think Labyrinth (astrolog.org/labyrnth/algrithm.htm)",
     .good_for = "a burst from the start, walls taken alike: many short dead ends",
     .options = options_of(Option::start),
     .traits = masks | wraps | perfect,
     .scratch = 12,
     .run = prim_frontier_edge,
     .trace = prim_frontier_edge},
    {.name = "eller",
     .aliases =
         "ellers|\u30a2\u30e9\u30fc\u6cd5|\u044d\u043b\u043b\u0435\u0440|"
         "\u0430\u043b\u0433\u043e\u0440\u0438\u0442\u043c \u044d\u043b\u043b\u0435\u0440\u0430",
     .law = "eller",
     .reference = "M. Eller (1982); J. Buck, Mazes for Programmers (2015), ch. 9",
     .good_for = "mazes without end, row by row in the memory of a row",
     .options = options_of(),
     .traits = 0 | perfect,
     .scratch = 2,
     .run = eller,
     .trace = eller},
    {.name = "binary_tree",
     .aliases =
         "\u4e8c\u5206\u6728\u6cd5|\u0434\u0432\u043e\u0438\u0447\u043d\u043e\u0435 "
         "\u0434\u0435\u0440\u0435\u0432\u043e|\u0431\u0438\u043d\u0430\u0440\u043d\u043e\u0435 "
         "\u0434\u0435\u0440\u0435\u0432\u043e",
     .law = "binary_tree",
     .reference = "J. Buck, Mazes for Programmers (2015), ch. 1",
     .good_for = "the quickest; all ways lead to one corner",
     .options = options_of(Option::corner),
     .traits = perfect | threads,
     .scratch = 2,
     .run = binary_tree,
     .trace = binary_tree},
    {.name = "sidewinder",
     .aliases = "\u30b5\u30a4\u30c9\u30ef\u30a4\u30f3\u30c0\u30fc\u6cd5|"
                "\u0441\u0430\u0439\u0434\u0432\u0438\u043d\u0434\u0435\u0440",
     .law = "sidewinder",
     .reference = "J. Buck, Mazes for Programmers (2015), ch. 2",
     .good_for = "quick, in rows; all ways lead to one side",
     .options = options_of(Option::towards),
     .traits = perfect | threads,
     .scratch = 2,
     .run = sidewinder,
     .trace = sidewinder},
    {.name = "pole_toppling",
     .aliases =
         "botaoshi|pole_falling|\u68d2\u5012\u3057\u6cd5|"
         "\u043f\u0430\u0434\u0430\u044e\u0449\u0438\u0435 \u0441\u0442\u043e\u043b\u0431\u044b",
     .law = "pole_toppling",
     .reference = "Japanese textbooks on making mazes (botaoshi)",
     .good_for = "two thin rows at the top, ways that lead down",
     .options = options_of(Option::falls, Option::towards),
     .traits = perfect | threads,
     .scratch = 2,
     .run = pole_toppling,
     .trace = pole_toppling},
    {.name = "wall_extension",
     .aliases = "kabenobashi|wall_building|\u58c1\u4f38\u3070\u3057\u6cd5|"
                "\u043d\u0430\u0440\u0430\u0449\u0438\u0432\u0430\u043d\u0438\u0435 "
                "\u0441\u0442\u0435\u043d",
     .law = "wall_extension",
     .reference = "Japanese textbooks on making mazes (kabenobashi)",
     .good_for = "long walls that grow from anywhere; looks like a plan of streets",
     .options = options_of(),
     .traits = 0 | perfect,
     .scratch = 8,
     .run = wall_extension,
     .trace = wall_extension},
    {.name = "recursive_division",
     .aliases = "division|\u5206\u5272\u6cd5|\u518d\u5e30\u5206\u5272\u6cd5|"
                "\u0440\u0435\u043a\u0443\u0440\u0441\u0438\u0432\u043d\u043e\u0435 "
                "\u0434\u0435\u043b\u0435\u043d\u0438\u0435",
     .law = "recursive_division",
     .reference = "W. D. Pullen, Think Labyrinth (astrolog.org/labyrnth/algrithm.htm); J. Buck, "
                  "Mazes for Programmers (2015), ch. 12",
     .good_for = "long straight walls, chambers within chambers; rooms by room=",
     .options = options_of(Option::room),
     .traits = 0 | perfect,
     .scratch = 0,
     .run = recursive_division,
     .trace = recursive_division},
    {.name = "rooms",
     .aliases = "dungeon|roguelike|\u90e8\u5c4b|\u043a\u043e\u043c\u043d\u0430\u0442\u044b|"
                "\u043f\u043e\u0434\u0437\u0435\u043c\u0435\u043b\u044c\u0435",
     .law = "",
     .reference = "B. Nystrom, Rooms and Mazes (2014); C. Beattie et al., DeepMind Lab (2016), "
                  "arXiv:1612.03801",
     .good_for = "rooms joined by corridors, as games have them",
     .options =
         options_of(Option::tries, Option::sides, Option::doors, Option::dead_ends, Option::fill),
     .traits = 0 | masks,
     .scratch = 27,
     .run = rooms,
     .trace = rooms},
    {.name = "percolation",
     .aliases = "bernoulli|\u30d1\u30fc\u30b3\u30ec\u30fc\u30b7\u30e7\u30f3|"
                "\u043f\u0435\u0440\u043a\u043e\u043b\u044f\u0446\u0438\u044f",
     .law = "",
     .reference = "S. R. Broadbent, J. M. Hammersley, Proc. Camb. Phil. Soc. 53 (1957) 629, "
                  "doi:10.1017/S0305004100032680",
     .good_for =
         "each wall open on its own: loops and islands; to test solvers, to study connection",
     .options = options_of(Option::p),
     .traits = masks | wraps | threads,
     .scratch = 2,
     .run = percolation,
     .trace = percolation},
    {.name = "spiral",
     .aliases = "\u3089\u305b\u3093|\u6e26\u5dfb\u304d|\u0441\u043f\u0438\u0440\u0430\u043b\u044c",
     .law = "",
     .reference = "an old figure, without randomness",
     .good_for = "the longest way there is: a corridor that winds to the middle",
     .options = options_of(),
     .traits = perfect | fixed,
     .scratch = 0,
     .run = spiral,
     .trace = spiral},
    {.name = "serpentine",
     .aliases = "snake|boustrophedon|\u86c7\u884c|\u0437\u043c\u0435\u0439\u043a\u0430",
     .law = "",
     .reference = "an old figure, without randomness",
     .good_for = "a corridor through every row: the longest way from corner to corner",
     .options = options_of(),
     .traits = perfect | fixed,
     .scratch = 0,
     .run = serpentine,
     .trace = serpentine},
};

}  // namespace

std::span<const Generator> generators() {
    return generator_table;
}

}  // namespace meiro
