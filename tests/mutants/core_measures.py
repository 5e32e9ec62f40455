"""Bugs in src/core/measure."""

from __future__ import annotations

from mutants.mutant import Mutant

MEASURE = "tests/stats/test_measure.py"
BY_NETWORKX = MEASURE + "::test_measure_of_300_mazes_by_networkx"
CHECK = "tests/stats/test_check.py"
COMPONENTS = "tests/solvers/test_path_queries.py -k components"

MUTANTS = [
    Mutant(
        "straights_counted_as_turns",
        "src/core/measure/degree_counts.cpp",
        "straight += (both ^ both >> 1) & ones & ~uneven;",
        "straight += (both & both >> 1) & ones & ~uneven;",
        [BY_NETWORKX],
    ),
    Mutant(
        "corridors_off_by_the_crossroads",
        "src/core/measure/degree_counts.cpp",
        "(found.dead_ends + 3 * three) / 2 - 2 * four;",
        "(found.dead_ends + 3 * three) / 2 - four;",
        [BY_NETWORKX],
    ),
    Mutant(
        "counts_of_a_long_row_overflow_a_byte",
        "src/core/measure/degree_counts.cpp",
        "constexpr Index words_a_part = 15",
        "constexpr Index words_a_part = 17",
        ["C++ test_measure.cpp: cells are counted as one by one", MEASURE + "::test_measure_of_long_rows"],
    ),
    Mutant(
        "counts_lose_the_last_cells",
        "src/core/measure/degree_counts.cpp",
        "if (first < last) add_parts(rest.data(), 1, 1, sums);",
        "if (first + 1 < last) add_parts(rest.data(), 1, 1, sums);",
        ["C++ test_measure.cpp: cells are counted as one by one"],
    ),
    Mutant(
        "position_counts_masked_out_cells",
        "src/core/measure/degree_counts.cpp",
        "counts[i] -= mask[i] == 0 ? 1 : 0;",
        "counts[i] -= mask[i] == 0 ? 0 : 0;",
        [MEASURE + "::test_position_map_adds_up_to_the_measure"],
    ),
    Mutant(
        "diameter_of_the_deepest_branch_only",
        "src/core/measure/leaf_peeling.cpp",
        "found.merge({static_cast<Id>(below + others)});",
        "found.merge({static_cast<Id>(below)});",
        [BY_NETWORKX],
    ),
    Mutant(
        "wiener_index_without_its_carry",
        "src/core/measure/leaf_peeling.hpp",
        "high += p.high + (low < p.low ? 1 : 0);",
        "high += p.high;",
        ["C++ test_measure.cpp: wide sums are rounded once"],
    ),
    Mutant(
        "wide_sums_are_rounded_twice",
        "src/core/measure/leaf_peeling.cpp",
        "top | (rest != 0 ? 1u : 0u)",
        "top",
        ["C++ test_measure.cpp: wide sums are rounded once"],
    ),
    Mutant(
        "absorption_time_off_by_one",
        "src/core/measure/leaf_peeling.cpp",
        "sum.add({0, 2 * std::uint64_t{size_[at]} - 1});",
        "sum.add({0, 2 * std::uint64_t{size_[at]}});",
        [BY_NETWORKX],
    ),
    Mutant(
        "difficulty_counts_a_straight_as_a_turn",
        "src/core/measure/path_statistics.cpp",
        "if (direction != last_ && length_ > 0) {",
        "if (direction != last_ || length_ == 1) {",
        [MEASURE + "::test_measure_of_a_bent_hallway_by_hand", BY_NETWORKX],
    ),
    Mutant(
        "decisions_at_the_goal_count",
        "src/core/measure/path_statistics.cpp",
        "found.decisions += at != to && are_several(moves) ? 1 : 0;",
        "found.decisions += are_several(moves) ? 1 : 0;",
        [BY_NETWORKX],
    ),
    Mutant(
        "lonely_corridors_seen_from_one_end",
        "src/core/measure/path_statistics.cpp",
        "return corridors - (seen.steps - seen.corridors) / 2;",
        "return corridors - (seen.steps - seen.corridors);",
        [BY_NETWORKX],
    ),
    Mutant(
        "longest_dead_end_is_the_last",
        "src/core/measure/path_statistics.cpp",
        "found.longest = std::max(found.longest, steps);",
        "found.longest = steps;",
        [BY_NETWORKX],
    ),
    Mutant(
        "apart_over_the_border_of_the_other_axis",
        "src/core/measure/measure_one.cpp",
        "along(one.col, other.col, maze.shape.cols, wrap_.cols);",
        "along(one.col, other.col, maze.shape.cols, wrap_.rows);",
        [BY_NETWORKX],
    ),
    Mutant(
        "river_without_crossroads",
        "src/core/measure/measure_one.cpp",
        "2 * (n.passages() - n.corridors),",
        "2 * n.passages() - n.corridors,",
        [BY_NETWORKX],
    ),
    Mutant(
        "radius_is_rounded_down",
        "src/core/measure/measure_one.cpp",
        "std::ceil(0.5 * static_cast<double>(diameter))",
        "std::floor(0.5 * static_cast<double>(diameter))",
        [BY_NETWORKX],
    ),
    Mutant(
        "unconnected_taken_for_a_tree",
        "src/core/measure/measure_one.cpp",
        "peeled + 1 == counts.cells ? MissingReason::none",
        "peeled + 2 >= counts.cells ? MissingReason::none",
        [BY_NETWORKX],
    ),
    Mutant(
        "local_measure_of_the_wrong_degree",
        "src/core/measure/measure_table.cpp",
        '.name = "junctions", .whole = true, .local = of_degree(3)',
        '.name = "junctions", .whole = true, .local = of_degree(4)',
        [MEASURE + "::test_position_map_adds_up_to_the_measure"],
    ),
    Mutant(
        "survey_measures_with_the_goal_of_the_whole_mask",
        "src/core/measure/measure_many.cpp",
        "input.goal = last_cell(input.mask, size, worker);",
        "input.goal = first_cell(input.mask, worker);",
        ["tests/stats/test_survey.py", MEASURE],
    ),
    Mutant(
        "survey_first_cell_may_be_masked_out",
        "src/core/measure/measure_many.cpp",
        "for (; mask != nullptr && mask[cell] == 0; --cell)",
        "for (; mask != nullptr && mask[cell] == 0 && cell > size - 2; --cell)",
        ["tests/stats/test_survey.py::test_survey_of_masks_and_wraps"],
    ),
    Mutant(
        "census_joins_an_edge_twice",
        "src/core/measure/components.cpp",
        "above[c] = static_cast<std::uint8_t>(same[c] & ~(before[c] & same[c - 1]));",
        "above[c] = static_cast<std::uint8_t>(same[c] & ~before[c]);",
        [CHECK + "::test_check_of_any_array"],
    ),
    Mutant(
        "census_island_at_the_border",
        "src/core/measure/components.cpp",
        "kind[runs - 1] |= at_border;",
        "kind[0] |= at_border;",
        [CHECK + "::test_check_of_any_array"],
    ),
    Mutant(
        "census_loops_of_a_masked_maze",
        "src/core/measure/components.cpp",
        "census.loops = sums.edges - (shape.size() - absent) + census.regions;",
        "census.loops = sums.edges - shape.size() + census.regions;",
        [CHECK + "::test_check_of_a_maze_is_that_of_its_grid"],
    ),
    Mutant(
        "labels_not_sewn_over_the_border",
        "src/core/measure/components.cpp",
        "[&, cols = cols](Index r) { sew(r * cols, r * cols + cols - 1); });",
        "[&, cols = cols](Index r) { sew(r * cols, r * cols); });",
        ["C++ test_components.cpp: a maze that wraps*", COMPONENTS, CHECK, "tests/io/test_graphviz.py"],
    ),
    Mutant(
        "census_of_a_torus_counts_its_loops_as_islands",
        "src/core/measure/census_periodic.cpp",
        "(winding >> 1 & 1) + (winding >> 2 & 1) + (winding >> 3 & 1)",
        "(winding >> 1 & 1) + (winding >> 2 & 1)",
        [
            CHECK + "::test_check_of_periodic_mazes",
            CHECK + "::test_check_of_a_loop_around_a_torus_counts_no_island",
        ],
    ),
    Mutant(
        "components_of_cells_over_the_border",
        "src/core/measure/cell_components.cpp",
        "for (Index c = 0; wrap.rows && c < cols; ++c) {",
        "for (Index c = 1; wrap.rows && c < cols; ++c) {",
        [COMPONENTS],
    ),
    Mutant(
        "components_number_masked_out_cells",
        "src/core/measure/cell_components.cpp",
        "if (mask != nullptr && mask[at] == 0)",
        "if (mask != nullptr && mask[at] == 0 && at > 0)",
        [COMPONENTS],
    ),
]
