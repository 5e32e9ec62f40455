#include "by_elimination.hpp"

#include <utility>

#include "../../graph/unequal_weights.hpp"

namespace meiro {
namespace {

// The cells of a wall; the same one twice if there is no wall, as one of them is masked out.
std::pair<Index, Index> cells_of(const Job& job, Index id) {
    const Wall wall = wall_of(job.maze.shape(), id, job.maze.wrap());
    const Index other = beyond(job.maze.shape(), wall.cell, wall.towards());
    return {wall.cell, job.exists(wall.cell) && job.exists(other) ? other : wall.cell};
}

// The maze as a graph, whose edges have the ids of the walls.
Graph graph_of(const Job& job) {
    const Index walls = wall_count(job.maze.shape(), job.maze.wrap());
    Buffer<GraphId> ends(2 * walls);
    for (Index id = 0; id < walls; ++id, job.control.poll(8)) {
        const auto [one, other] = cells_of(job, id);
        ends[2 * id] = static_cast<GraphId>(one);
        ends[2 * id + 1] = static_cast<GraphId>(other);
    }
    return Graph(job.maze.size(), ends.data(), walls, job.control);
}

}  // namespace

bool fits_a_graph(const Passages& maze) {
    return maze.size() <= Graph::most_cells &&
           wall_count(maze.shape(), maze.wrap()) <= Graph::most_edges;
}

bool walk_covers_soon(const Job& job) {
    const auto ends = [&](Index id) { return cells_of(job, id); };
    return !fits_a_graph(job.maze) ||
           walk_covers_soon(job.maze.size(), job.options.weights, ends, job.control);
}

template <Recorder R>
void make_by_elimination(Job& job, R& record) {
    const Graph graph = graph_of(job);
    Buffer<std::uint8_t> open(graph.edges(), true);
    const PutOff put_off{open.data(), job.seed};
    make_by_elimination(graph, job.options.weights, {&put_off, 1}, job.control, job.threads);
    for (const GraphId root : graph.roots())
        if (job.exists(root)) record.on(Event::visit, job.maze.cell(root));
    polled_fill(job.maze.bytes(), job.maze.size(), 0, job.control);
    const PeriodicPassages maze(job.maze);
    for (Index id = 0; id < graph.edges(); ++id, job.control.poll(8)) {
        if (open[id] == 0) continue;
        const Wall wall = wall_of(job.maze.shape(), id, job.maze.wrap());
        maze.open(wall.cell, wall.towards());
        record.on(Event::carve, job.maze.cell(wall.cell), wall.towards());
    }
}

template void make_by_elimination(Job&, NoTrace&);
template void make_by_elimination(Job&, Trace&);

}  // namespace meiro
