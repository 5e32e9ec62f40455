// Hunt and kill on graphs: walk from `start` by uniform edges to unvisited neighbours until there
// is no such neighbour; then the unvisited cell with the lowest number that is adjacent to the tree
// joins it by a uniform edge, and the walk goes on from it.
//   J. Buck, Mazes for Programmers (2015), ch. 5. Law: that of generate/hunt_and_kill.cpp, rows in
//   the order of the cells.
// run=: odds of the edge that goes straight on; joining stays uniform. Further components begin at
// a uniform cell.
// Time: linear. Scratch: a byte and two bits a cell; see backtracker.cpp for many neighbours.
#include "../generate/shared/bitset_tree.hpp"
#include "graph_job.hpp"
#include "growth.hpp"

namespace meiro {

constexpr Runs<GraphJob> graph_hunt_and_kill = graph_runs([]<Recorder R>(GraphJob& job, R& record) {
    const Graph& graph = job.graph;
    GraphEvents<R> events(record, graph);
    UnvisitedNeighbours unvisited(job);
    BitsetTree frontier(graph.cells());  // the unvisited cells beside the tree
    const auto reach = [&](Index cell) {
        unvisited.visit(cell);
        frontier.erase(cell);
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot)
            if (!unvisited.visited(graph.to()[slot])) frontier.insert(graph.to()[slot]);
        job.control.poll(16 + 4 * graph.degree(cell));
        job.control.done(1);
    };
    for_each_component(job, unvisited.draws(), [&](Index start) {
        events.cell(Event::visit, start);
        for (Index at = start;;) {
            reach(at);
            GraphId step = -1;
            for (GraphId slot; (slot = unvisited.pick(at, step).slot) >= 0; reach(at)) {
                step = unvisited.step(at, slot);
                at = carve(job, events, at, slot);
            }
            at = frontier.next(0);
            if (at < 0) return;
            const GraphId slot = uniform_slot(graph, at, unvisited.draws(),
                                              [&](GraphId to) { return unvisited.visited(to); });
            events.cell(Event::back, graph.to()[slot]);
            carve(job, events, graph.to()[slot], slot, 1);
        }
    });
});

}  // namespace meiro
