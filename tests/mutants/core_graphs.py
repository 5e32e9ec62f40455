"""Bugs in src/core/graph and in what traces and draws it."""

from __future__ import annotations

from mutants.mutant import Mutant

REPLAY = "C++ test_graph_traces.cpp: "
TRACES = "tests/traces/test_graph_traces.py"
LAWS = "tests/generators/test_graph_laws.py"

MUTANTS = [
    Mutant(
        "walk_on_a_graph_keeps_its_loops",
        "src/core/trace/graph_replay.cpp",
        "for (Index cell = taken.to; state(cell) == State::walk;) {",
        "for (Index cell = taken.to; state(cell) == State::growing;) {",
        [REPLAY + "a walk on a graph erases its loops, and an edge joins two cells"],
    ),
    Mutant(
        "event_at_an_edge_goes_the_other_way",
        "src/core/trace/graph_replay.cpp",
        "return {edge, ends[back ? 1 : 0], ends[back ? 0 : 1]};",
        "return {edge, ends[back ? 0 : 1], ends[back ? 1 : 0]};",
        [REPLAY + "a walk on a graph erases its loops, and an edge joins two cells"],
    ),
    Mutant(
        "passage_beside_a_frontier_looks_visited",
        "src/core/trace/replay.cpp",
        "for (const State s : {State::untouched, State::frontier, State::filled})",
        "for (const State s : {State::frontier, State::filled})",
        [REPLAY + "a passage of a searched graph is drawn as the cells beside it"],
    ),
    Mutant(
        "change_of_a_cell_does_not_repaint_its_passages",
        "src/core/trace/graph_replay.hpp",
        "if (domain_.open == nullptr || place >= cells_) return;",
        "if (domain_.open != nullptr || place >= cells_) return;",
        [TRACES + "::test_deltas_show_the_frames"],
    ),
    Mutant(
        "tree_of_a_graph_takes_a_heavier_edge",
        "src/core/graph/kruskal.cpp",
        "weight < least[tree] || chosen[tree] == none;",
        "weight > least[tree] || chosen[tree] == none;",
        [LAWS + "::test_square_lattices_have_the_mazes_of_shapes"],
    ),
    Mutant(
        "cell_of_a_graph_takes_the_later_of_two_equal_edges",
        "src/core/graph/kruskal.cpp",
        "edge = weight < least ? via[slot] : edge;",
        "edge = weight <= least ? via[slot] : edge;",
        ["tests/generators/test_graph_minimum.py"],
    ),
    Mutant(
        "corners_of_a_voronoi_cell_are_out_of_order",
        "src/core/graph/dual_polygons.cpp",
        "std::copysign(2, y) - slope",
        "std::copysign(2, y) + slope",
        ["tests/lattices"],
    ),
    Mutant(
        "walls_take_the_corners_of_the_next_edge",
        "src/core/graph/match_sides.cpp",
        "walls[step[side] + 1] = b;",
        "walls[step[side] + 1] = a;",
        ["tests/lattices"],
    ),
    Mutant(
        "weight_of_another_lane_is_taken_for_that_of_an_edge",
        "src/core/graph/weights.hpp",
        "if (last.lane != to.lane || last.number != to.word / 4)",
        "if (last.number != to.word / 4)",
        [LAWS + "::test_square_lattices_have_the_mazes_of_shapes"],
    ),
    Mutant(
        "sentence_of_a_visit_names_the_cell_before",
        "python/meiro/traces/graph_domain.py",
        "return (other, one) if word >> 4 & 15 in INTO else (one, other)",
        "return (one, other) if word >> 4 & 15 in INTO else (one, other)",
        [TRACES + "::test_sentences_name_cells_by_their_labels"],
    ),
    Mutant(
        "walls_lie_under_the_colours_of_edges",
        "python/meiro/drawing/graph_raster.py",
        "inks[at] = np.maximum(inks[at], amounts[wall])",
        "inks[at] = np.minimum(inks[at], amounts[wall])",
        ["tests/drawing/test_graph_frames.py::test_walls_stand_where_they_lie"],
    ),
    Mutant(
        "worker_of_a_survey_begins_each_piece_with_the_first_seed",
        "python/meiro/stats/surveys/executors.py",
        "seed = *job.key, (job.replicate + first) % (1 << 64)",
        "seed = *job.key, (job.replicate + 0 * first) % (1 << 64)",
        ["tests/stats/test_survey_lattices.py::test_pieces_of_a_job_give_the_same_rows"],
    ),
]
