// What a generator is given, and which forms of it a run takes.
#pragma once

#include <type_traits>

#include "../control.hpp"
#include "../options.hpp"
#include "../passages.hpp"
#include "../random.hpp"
#include "../trace/events.hpp"

namespace meiro {

// Everything a generator is given. It leaves `maze` finished.
struct Job {
    Passages maze;
    Mask mask;
    Seed seed;
    const Options& options;
    Control& control;
    int threads = 1;

    bool exists(Index cell) const { return meiro::exists(mask, cell); }
};

// body(Id{}), with ids of 32 bits where they are enough; body(topology), with Passages where
// nothing wraps; body(Id{}, topology), with both. A recorded run always takes the general forms,
// ids of 64 bits and PeriodicPassages: to record costs more time than they do, and each further
// instance takes seconds to compile. Where there are both, huge mazes take the general form, too.
template <Recorder R, class Body>
void with_ids(bool narrow, Body body) {
    if constexpr (std::is_same_v<R, NoTrace>)
        if (narrow) return body(std::uint32_t{});
    body(std::uint64_t{});
}
template <Recorder R, class Body>
void with_topology(const Passages& maze, Body body) {
    if constexpr (std::is_same_v<R, NoTrace>)
        with_topology(maze, body);
    else
        body(PeriodicPassages(maze));
}
template <Recorder R, class Body>
void with_ids_and_topology(const Passages& maze, bool narrow, Body body) {
    if constexpr (std::is_same_v<R, NoTrace>)
        if (narrow)
            return with_topology(maze,
                                 [&](const auto& topology) { body(std::uint32_t{}, topology); });
    body(std::uint64_t{}, PeriodicPassages(maze));
}

// A generator made of run(job, record), a generic function.
template <class Run>
constexpr Runs<Job> job_runs(Run run) {
    return {run, run};
}

// Every generator, by name (origin_shift itself is a transform). Each is in the .cpp of its family;
// the registry has a row for each.
extern const Runs<Job> wilson, aldous_broder, origin_shift_runs, backtracker, hunt_and_kill,
    growing_tree, growing_forest, kruskal, prim, boruvka, prim_frontier_cell, prim_frontier_edge,
    eller, binary_tree, sidewinder, pole_toppling, wall_extension, recursive_division, rooms,
    percolation, spiral, serpentine;

}  // namespace meiro
