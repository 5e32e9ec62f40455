"""Bugs in the openings of batches, and in the ends that follow from them."""

from __future__ import annotations

from mutants.mutant import Mutant

P = "python/meiro/"
DATA = P + "maze/_batch_data.py"
OPENINGS = P + "maze/_openings.py"
RIM = "tests/maze/test_rim_openings.py"
OF_MAZES = "tests/maze/test_batch_of_mazes.py"
BATCHES = "tests/transforms/test_transforms_of_batches.py"
SAME = BATCHES + "::test_transforms_of_a_batch_are_those_of_its_mazes"
EACH = BATCHES + "::test_openings_of_each_maze_are_those_of_the_maze_alone"
FILES = "tests/io/test_batch_files.py"

MUTANTS = [
    Mutant(
        "batches_of_more_openings_are_equal",
        DATA,
        "return same and not any((sites >= 0).any() for sites in rest)",
        "return same and not any((sites > 99).any() for sites in rest)",
        [OF_MAZES + "::test_batches_that_differ_in_openings_are_not_equal"],
    ),
    Mutant(
        "openings_in_a_border_that_is_periodic",
        OPENINGS,
        "found & ~(((sites == 0) | (sites == last)) & wrap).any(axis=-1)",
        "found & ~(((sites == 0) | (sites == last)) & wrap[::-1]).any(axis=-1)",
        [EACH],
    ),
    Mutant(
        "openings_beside_cells_of_the_first_mask",
        OPENINGS,
        "mask[np.arange(len(mask))[:, np.newaxis], row, col]",
        "mask[0, row, col]",
        [EACH],
    ),
    Mutant(
        "opening_given_twice",
        OPENINGS,
        "& (ordered[:, 1:] >= 0)).all(axis=2)",
        "& (ordered[:, 1:] > 9999)).all(axis=2)",
        [RIM + "::test_bad_openings_are_refused"],
    ),
    Mutant(
        "opening_inside_the_maze",
        OPENINGS,
        "found: NDArray[np.bool_] = walls & (one != other)",
        "found: NDArray[np.bool_] = walls & (one | other)",
        [EACH, RIM + "::test_bad_openings_are_refused"],
    ),
    Mutant(
        "missing_openings_come_first",
        OPENINGS,
        "np.argsort(none, axis=1, kind=",
        "np.argsort(~none, axis=1, kind=",
        [EACH],
    ),
    Mutant(
        "border_sites_of_the_periodic_axis",
        OPENINGS,
        "= not wrap[0], not wrap[1]",
        "= not wrap[1], not wrap[0]",
        [SAME + " -k with_openings"],
    ),
    Mutant(
        "border_sites_beside_cells_of_the_transposed_maze",
        OPENINGS,
        "cells_beside(rim, (rows, cols), mask) @ (cols, 1)",
        "cells_beside(rim, (rows, cols), mask) @ (rows, 1)",
        [SAME + " -k with_openings"],
    ),
    Mutant(
        "recipe_lists_every_array",
        "python/meiro/maze/_recipe.py",
        "if value.size <= LISTED else",
        "if value.size else",
        ["tests/maze/test_maze.py -k digest"],
    ),
    Mutant(
        "entropy_of_a_spawned_sequence",
        "python/meiro/seeds.py",
        "not rng.spawn_key and ",
        "",
        ["tests/core/test_seeds.py -k entropy"],
    ),
    Mutant(
        "maze_of_its_own_mask_draws_from_the_first_replicate",
        OPENINGS,
        "(choice.seed.replicate + i) % (1 << 64)",
        "choice.seed.replicate",
        [RIM + "::test_a_batch_opens_as_its_mazes_do"],
    ),
    Mutant(
        "default_goal_is_the_last_cell_of_the_first_mask",
        P + "maze/_endpoints.py",
        "size - 1 - cells[:, ::-1].argmax(axis=1)",
        "size - 1 - cells[:1, ::-1].argmax(axis=1).repeat(len(cells))",
        [SAME + " -k dead_ends"],
    ),
    Mutant(
        "start_of_a_batch_in_another_column",
        P + "solvers/batch_cells.py",
        "ends.cells @ (cols, 1) for ends in batch_ends",
        "ends.cells @ (cols + 1, 1) for ends in batch_ends",
        [SAME + " -k dead_ends", BATCHES + "::test_ends_of_each_maze"],
    ),
    Mutant(
        "file_of_a_batch_with_openings_unchecked",
        P + "io/arrays/batch_arrays.py",
        "checked_openings_many(openings, passages.shape, batch.masks, wrap)",
        "openings",
        [FILES + "::test_batch_file_with_wrong_ends_is_refused"],
    ),
    Mutant(
        "batch_with_openings_equals_one_without",
        DATA,
        "return there is None or not (there >= 0).any()",
        "return True",
        [OF_MAZES + "::test_batches_that_differ_in_openings_are_not_equal"],
    ),
]
