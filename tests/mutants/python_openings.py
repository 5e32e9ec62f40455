"""Bugs in the openings of batches, and in the ends that follow from them."""

from __future__ import annotations

from mutants.mutant import Mutant

P = "python/meiro/"
DATA = P + "maze/_batch_data.py"
OF_MAZES = "tests/maze/test_batch_of_mazes.py"
BATCHES = "tests/transforms/test_transforms_of_batches.py"
SAME = BATCHES + "::test_transforms_of_a_batch_are_those_of_its_mazes"
EACH = BATCHES + "::test_openings_of_each_maze_are_those_of_the_maze_alone"
FILES = "tests/io/test_batch_files.py"

MUTANTS = [
    Mutant(
        "batches_of_more_openings_are_equal",
        DATA,
        "return equal(one[:, :least], other[:, :least]) and not any((sites >= 0).any() for sites in rest)",
        "return equal(one[:, :least], other[:, :least]) and not any((sites > 99).any() for sites in rest)",
        [OF_MAZES + "::test_batches_that_differ_in_openings_are_not_equal"],
    ),
    Mutant(
        "openings_in_a_border_that_is_periodic",
        DATA,
        "good &= ~(rim & np.array(wrap)).any(axis=2)",
        "good &= ~(rim & np.array(wrap[::-1])).any(axis=2)",
        [EACH],
    ),
    Mutant(
        "openings_beside_cells_of_the_first_mask",
        DATA,
        "number = np.arange(len(exists))[:, np.newaxis]",
        "number = np.zeros((len(exists), 1), int)",
        [EACH],
    ),
    Mutant(
        "opening_named_twice_is_two",
        DATA,
        "numbers[:, 1:][numbers[:, 1:] == numbers[:, :-1]] = most",
        "",
        [EACH],
    ),
    Mutant(
        "opening_in_a_corner",
        DATA,
        "(rim.sum(axis=2) == 1) & ((sites % 2).sum(axis=2) == 1)",
        "(rim.sum(axis=2) >= 1)",
        [EACH],
    ),
    Mutant(
        "openings_in_any_order",
        DATA,
        "numbers = np.sort(np.where(none, most, sites[..., 0] * width + sites[..., 1]), axis=1)",
        "numbers = np.sort(np.where(none, most, sites[..., 0] * 2 + sites[..., 1] * width), axis=1)",
        [EACH],
    ),
    Mutant(
        "border_sites_of_the_periodic_axis",
        P + "transforms/openings.py",
        "if not mazes.wrap[axis]:",
        "if not mazes.wrap[1 - axis]:",
        [SAME + " -k with_openings"],
    ),
    Mutant(
        "border_sites_beside_cells_of_the_transposed_maze",
        P + "transforms/openings.py",
        "rows * mazes.cols + cols, _WORDS.index(word)",
        "rows * mazes.rows + cols, _WORDS.index(word)",
        [SAME + " -k with_openings"],
    ),
    Mutant(
        "batch_with_other_openings_has_its_seeds",
        P + "transforms/openings.py",
        "if not seeds:",
        "if seeds:",
        [BATCHES + "::test_what_a_batch_keeps"],
    ),
    Mutant(
        "batch_of_other_openings_loses_its_masks",
        P + "transforms/openings.py",
        "own = None if masks is batch.mask else masks\n        data",
        "own = None\n        data",
        [SAME + " -k with_openings"],
    ),
    Mutant(
        "default_goal_is_the_last_cell_of_the_first_mask",
        P + "solvers/batch_cells.py",
        "size - 1 - cells[:, ::-1].argmax(axis=1)",
        "size - 1 - cells[:1, ::-1].argmax(axis=1).repeat(len(cells))",
        [SAME + " -k dead_ends"],
    ),
    Mutant(
        "start_of_a_batch_in_another_column",
        P + "solvers/batch_cells.py",
        "ends[:, 0] * batch.cols + ends[:, 1])",
        "ends[:, 0] * batch.rows + ends[:, 1])",
        [SAME + " -k dead_ends", BATCHES + "::test_ends_of_each_maze"],
    ),
    Mutant(
        "file_of_a_batch_with_openings_unchecked",
        P + "io/batches.py",
        "sites = None if openings is None else checked_sites(openings, passages.shape, batch.masks, wrap)",
        "sites = openings",
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
