"""Bugs in kruskal, prim and boruvka, in their weights and in their form tile by tile."""

from __future__ import annotations

from mutants.mutant import Mutant

SPANNING = "tests/generators/test_spanning_trees.py"
ONE_MAZE = SPANNING + "::test_kruskal_prim_and_boruvka_make_one_maze"
TILES = (
    "C++ test_kruskal.cpp: by tiles it is the tree of the whole, whatever the tile, mask, wrap, bias and ties"
)

MUTANTS = [
    Mutant(
        "kruskal_ignores_the_mask_beyond_a_wall",
        "src/core/generate/kruskal.cpp",
        "if (!job_.exists(wall.cell) || !job_.exists(beyond)) return;",
        "if (!job_.exists(wall.cell)) return;",
        ["tests/traces/test_trace.py::test_trace_is_untraced_and_ends_in_the_result -k kruskal"],
    ),
    Mutant(
        "kruskal_visits_the_heaviest_first",
        "src/core/generate/kruskal.cpp",
        "return weights_.lighter(a, b);",
        "return weights_.lighter(b, a);",
        [SPANNING + "::test_minimum_tree_of_given_weights"],
    ),
    Mutant(
        "kruskal_ties_are_unsorted",
        "src/core/generate/shared/minimum_tree.hpp",
        "return p != q ? p < q : a < b;",
        "return p != q ? p < q : a > b;",
        [
            "C++ test_kruskal.cpp: weights: lightest first, ties by the lower id, -0 is 0, NaN does no harm",
        ],
    ),
    Mutant(
        "prim_takes_the_wall_of_another_cell",
        "src/core/generate/prim.cpp",
        "const bool before = d == Direction::north || d == Direction::west;",
        "const bool before = d == Direction::north;",
        [SPANNING + "::test_minimum_tree_of_given_weights"],
    ),
    Mutant(
        "prim_leaves_the_other_components",
        "src/core/generate/prim.cpp",
        "if (job_.exists(cell)) grow(cell);",
        "if (job_.exists(cell)) {\n                grow(cell);\n                break;\n            }",
        ["C++ test_minimum_tree.cpp: prim grows one tree *"],
    ),
    Mutant(
        "boruvka_chooses_the_heaviest",
        "src/core/generate/boruvka.cpp",
        "weights_.lighter(item, best_[region])",
        "weights_.lighter(best_[region], item)",
        [SPANNING + "::test_minimum_tree_of_given_weights"],
    ),
    Mutant(
        "boruvka_only_one_side_chooses",
        "src/core/generate/boruvka.cpp",
        "for (const Id region : {a, b})",
        "for (const Id region : {a})",
        ["C++ test_minimum_tree.cpp: boruvka opens the lightest wall of every region in rounds"],
    ),
    Mutant(
        "wall_over_the_east_border_of_another_row",
        "src/core/generate/shared/weights.hpp",
        "return {(over + 1) * shape.cols - 1, false};",
        "return {over * shape.cols, false};",
        [ONE_MAZE, SPANNING + "::test_minimum_tree_of_given_weights"],
    ),
    Mutant(
        "bias_below_one_is_ignored",
        "src/core/generate/shared/weights.hpp",
        "south_ = bias << 44;",
        "south_ = 0;",
        [SPANNING + "::test_minimum_tree_bias_divides_the_weights"],
    ),
    Mutant(
        "bias_divides_by_half_too_much",
        "src/core/generate/shared/weights.hpp",
        "k < 84",
        "k < 83",
        [SPANNING + "::test_minimum_tree_bias_divides_the_weights"],
    ),
    Mutant(
        "tile_joins_its_last_column_to_the_next_row",
        "src/core/generate/mst_tiles/tile_walls.hpp",
        "for (Index last = cols_ - 1; last < cells_; last += cols_)",
        "for (Index last = 2 * cols_ - 1; last < cells_; last += cols_)",
        [TILES],
    ),
    Mutant(
        "tile_loses_its_last_wall",
        "src/core/generate/mst_tiles/tile_tree.cpp",
        "look(walls_.cells, walls_.cells - walls_.cols, walls_.cols);",
        "look(walls_.cells, walls_.cells - walls_.cols - 1, walls_.cols);",
        [TILES],
    ),
    Mutant(
        "tile_takes_the_first_of_equal_high_bits",
        "src/core/generate/mst_tiles/tile_tree.cpp",
        "if (ties != 0) [[unlikely]] {",
        "if (ties > 1u << 30) [[unlikely]] {",
        [TILES],
    ),
    Mutant(
        "tile_leaves_one_wall",
        "src/core/generate/mst_tiles/tile_tree.cpp",
        "while (size_ > 0)",
        "while (size_ > 1)",
        [TILES],
    ),
    Mutant(
        "tile_regions_are_forgotten",
        "src/core/generate/mst_tiles/tile_tree.cpp",
        "parent[root] = region_[root];",
        "parent[root] = root;",
        [TILES],
    ),
    Mutant(
        "tile_components_that_touch_take_walls",
        "src/core/generate/mst_tiles/tile_tree.cpp",
        "    forget(others);\n}\n",
        "}\n",
        [TILES],
    ),
    Mutant(
        "tile_ignores_the_mask_to_the_south",
        "src/core/generate/mst_tiles/tile_walls.hpp",
        "if (row[col] == 0 || below[col] == 0) s[c] = absent;",
        "if (row[col] == 0) s[c] = absent;",
        ["tests/generators/test_generate.py::test_generate_makes_one_tree_per_component -k kruskal"],
    ),
    Mutant(
        "tile_names_of_two_sides_collide",
        "src/core/generate/mst_tiles/tiling.hpp",
        "before += north ? shape.cols : 0;",
        "before += 0;",
        [TILES],
    ),
    Mutant(
        "tile_has_no_neighbour_over_the_border",
        "src/core/generate/mst_tiles/tiling.hpp",
        "south(i + 1 < t.count.rows || t.wrap.rows || t.outer.south)",
        "south(i + 1 < t.count.rows || t.outer.south)",
        [TILES],
    ),
    Mutant(
        "tile_takes_a_tie_for_the_lightest",
        "src/core/generate/mst_tiles/tile_tree.cpp",
        "to[c] = (others | touches[c]) == 0 ? one : std::uint8_t{0};",
        "to[c] = others == 0 ? one : std::uint8_t{0};",
        [TILES],
    ),
    Mutant(
        "tile_leaves_the_heavy_walls",
        "src/core/generate/mst_tiles/tiles.hpp",
        "settle(tile, heavy, absent);",
        "settle(tile, heavy, heavy + 1);",
        [TILES],
    ),
    Mutant(
        "tiles_joined_by_unsorted_walls",
        "src/core/generate/mst_tiles/tile_join.hpp",
        "return a.weight < b.weight;",
        "return a.weight >> 4 < b.weight >> 4;",
        [TILES],
    ),
    Mutant(
        "tiles_many_walls_sorted_by_halves",
        "src/core/generate/mst_tiles/tile_join.hpp",
        "polled_sort(first + ends[i], first + ends[i + 1], lighter, worker);",
        "polled_sort(first + ends[i], first + (ends[i] + ends[i + 1]) / 2, lighter, worker);",
        ["C++ test_kruskal.cpp: more walls between tiles than are sorted in one piece"],
    ),
]
