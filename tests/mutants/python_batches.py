"""Bugs in the Python layer of batches: their arrays, openings, ends, splits, files and solutions."""

from __future__ import annotations

from mutants.mutant import Mutant

P = "python/meiro/"
DATA = P + "maze/_batch_data.py"
OF_MAZES = "tests/maze/test_batch_of_mazes.py"
BATCHES = "tests/transforms/test_transforms_of_batches.py"
SAME = BATCHES + "::test_transforms_of_a_batch_are_those_of_its_mazes"
ENDPOINTS = "tests/datasets/test_endpoints.py"
FILES = "tests/io/test_batch_files.py"
SITES = "tests/solvers/test_solve_many.py::test_paths_of_many_mazes_in_sites"

MUTANTS = [
    Mutant(
        "batch_of_a_list_compares_two_masks_only",
        DATA,
        "same_mask(mask, own[0]) for mask in own[1:])",
        "same_mask(mask, own[0]) for mask in own[1:2])",
        [OF_MAZES],
    ),
    Mutant(
        "batch_of_a_list_takes_the_first_key_for_all",
        DATA,
        "one_key = len(seeds) == n and len({seed.key for seed in seeds}) == 1",
        "one_key = len(seeds) == n",
        [OF_MAZES],
    ),
    Mutant(
        "batch_of_a_list_takes_the_first_recipe_for_all",
        DATA,
        "all(_equal_recipes(recipe, recipes[0]) for recipe in recipes[1:])",
        "any(_equal_recipes(recipe, recipes[0]) for recipe in recipes)",
        [OF_MAZES],
    ),
    Mutant(
        "missing_openings_are_sites",
        DATA,
        "out = np.full((len(openings), most, 2), -1, np.int64)",
        "out = np.zeros((len(openings), most, 2), np.int64)",
        [OF_MAZES],
    ),
    Mutant(
        "missing_ends_are_the_first_cell",
        DATA,
        "[(-1, -1) if end is None else end for end in ends]",
        "[(0, 0) if end is None else end for end in ends]",
        [OF_MAZES],
    ),
    Mutant(
        "faults_of_passages_sought_by_no_mask",
        DATA,
        "cells = shared if masks is None else masks",
        "cells = shared",
        [OF_MAZES],
    ),
    Mutant(
        "fault_of_passages_told_by_the_first_mask",
        DATA,
        "shared if masks is None else masks[number], (), sides)",
        "shared if masks is None else masks[0], (), sides)",
        [OF_MAZES],
    ),
    Mutant(
        "passages_of_wide_integers_wrap_around",
        DATA,
        "np.argwhere((given > 15) | (given < 0))",
        "np.argwhere(given < 0)",
        [OF_MAZES],
    ),
    Mutant(
        "sum_of_batches_has_the_key_of_the_first",
        DATA,
        "one.root if alike and (one.root or (None,))[0] == (other.root or (None,))[0] else None,",
        "one.root if alike else None,",
        [OF_MAZES],
    ),
    Mutant(
        "sum_of_batches_in_one_band",
        DATA,
        "out[first:][band] = part[band]",
        "out[first:][band] = part[: band.stop - band.start]",
        [OF_MAZES],
    ),
    Mutant(
        "sum_of_batches_loses_the_masks_of_one",
        DATA,
        "shared = True if one.mask is None else one.mask",
        "shared = True",
        [OF_MAZES],
    ),
    Mutant(
        "sum_of_batches_has_ends_of_zeros",
        DATA,
        "[np.full((n, 2), -1) if ends is None else ends for",
        "[np.full((n, 2), 0) if ends is None else ends for",
        [OF_MAZES],
    ),
    Mutant(
        "ends_of_which_one_is_missing",
        P + "transforms/openings.py",
        "none = (np.concatenate(pairs, axis=1) == -1).all(axis=1)",
        "none = (np.concatenate(pairs, axis=1) == -1).any(axis=1)",
        [BATCHES + "::test_given_ends_of_a_batch"],
    ),
    Mutant(
        "split_takes_starts_for_goals",
        P + "datasets/split.py",
        '{"starts": starts, "goals": goals}',
        '{"starts": starts, "goals": starts}',
        [BATCHES + "::test_ends_of_each_maze"],
    ),
    Mutant(
        "split_swaps_the_sets",
        P + "datasets/split.py",
        "return hashes(batch) < share\n",
        "return hashes(batch) >= share\n",
        [ENDPOINTS + "::test_split_has_the_given_share"],
    ),
    Mutant(
        "split_hash_without_openings",
        P + "datasets/split.py",
        "if batch.masks is not batch.mask or batch.openings is not None:",
        "if batch.masks is not batch.mask:",
        [ENDPOINTS + " -k split_hashes"],
    ),
    Mutant(
        "split_hash_of_the_mask_of_all",
        P + "datasets/split.py",
        "if batch.masks is not batch.mask or batch.openings is not None:",
        "if batch.openings is not None:",
        [ENDPOINTS + " -k split_hashes"],
    ),
    Mutant(
        "solved_batch_counts_no_path_as_one",
        P + "results/solution_batch.py",
        "np.count_nonzero(self.lengths >= 0)",
        "np.count_nonzero(self.lengths > -2)",
        ["tests/solvers/test_solve_many.py"],
    ),
    Mutant(
        "solved_batch_of_another_shape",
        P + "results/solution_batch.py",
        "_core.path_masks(self.paths, self.lengths, self.shape)",
        "_core.path_masks(self.paths, self.lengths, self.shape[::-1])",
        [SITES],
    ),
    Mutant(
        "cell_that_exists_in_the_first_maze_only",
        P + "solvers/batch_cells.py",
        "wrong = ~cells[np.arange(n) if masks.ndim == 3 else 0, numbers]",
        "wrong = ~cells[0, numbers]",
        [BATCHES + " -k 'bad_ones or bad_arguments'"],
    ),
    Mutant(
        "transformed_batch_counts_from_0",
        P + "transforms/_common.py",
        "range(seed.replicate, seed.replicate + n)",
        "range(n)",
        [BATCHES + "::test_what_a_batch_keeps"],
    ),
    Mutant(
        "end_in_a_filled_dead_end_stays",
        P + "transforms/_common.py",
        "out[band][~exists] = -1",
        "out[band][:1][~exists[:1]] = -1",
        [SAME + " -k fill_all", BATCHES + "::test_transforms_band_by_band"],
    ),
    Mutant(
        "ends_of_one_band_only",
        P + "transforms/_common.py",
        "exists = masks[band][np.arange(len(ends[band])), ends[band, 0], ends[band, 1]]",
        "exists = masks[np.arange(len(ends[band])), ends[band, 0], ends[band, 1]]",
        [BATCHES + "::test_transforms_band_by_band"],
    ),
    Mutant(
        "turned_batch_keeps_its_wrap",
        P + "transforms/geometry.py",
        "wrap = (mazes.wrap[1], mazes.wrap[0]) if how[2] else mazes.wrap\n",
        "wrap = mazes.wrap\n",
        [SAME + " -k 'transpose or rotate'"],
    ),
    Mutant(
        "turned_batch_turns_missing_ends",
        P + "transforms/geometry.py",
        "mirrored = np.where(at < 0, -1, mirrored)  # no place",
        "",
        [SAME + " -k 'flip or rotate'"],
    ),
    Mutant(
        "turned_batch_has_the_mask_of_all",
        P + "transforms/geometry.py",
        "own = None if masks is mazes.mask or masks is None else image(masks)",
        "own = None",
        [SAME + " -k 'flip or rotate'"],
    ),
    Mutant(
        "loops_of_sorted_mazes",
        P + "transforms/loops.py",
        "[round(part * i) for i in numbers.tolist()], np.int64)[which]",
        "[round(part * i) for i in numbers.tolist()], np.int64)[np.sort(which)]",
        [SAME + " -k add_loops_share"],
    ),
    Mutant(
        "check_of_a_batch_by_the_mask_of_all",
        P + "stats/check.py",
        "mask = None if masks is None else mask_bytes(np.ascontiguousarray(masks))",
        "mask = None if masks is None else mask_bytes(batch.mask)",
        [BATCHES + " -k test_check"],
    ),
    Mutant(
        "file_of_a_batch_with_ends_swapped",
        P + "io/arrays/batch_arrays.py",
        "data = data._replace(openings=sites, starts=starts, goals=goals)",
        "data = data._replace(openings=sites, starts=goals, goals=starts)",
        [FILES + "::test_batch_file_round_trip"],
    ),
    Mutant(
        "file_of_a_batch_loses_its_masks",
        P + "io/arrays/batch_arrays.py",
        'masks = _array(arrays, "masks", np.bool_, passages.shape)',
        "masks = None",
        [FILES + "::test_batch_file_round_trip"],
    ),
]
