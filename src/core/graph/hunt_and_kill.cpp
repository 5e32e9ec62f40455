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
namespace {

template <Recorder R>
class GraphHunter {
public:
    GraphHunter(GraphJob& job, R& record)
        : job_(job), events_(record, job.graph), unvisited_(job), frontier_(job.graph.cells()) {}

    void run() {
        for_each_component(job_, unvisited_.draws(), [&](Index start) {
            events_.cell(Event::visit, start);
            reach(start);
            do walk(start);
            while (hunt(start));
        });
    }

private:
    // Marks the cell as visited: its unvisited neighbours can be hunted.
    void reach(Index cell) {
        unvisited_.visit(cell);
        frontier_.erase(cell);
        const Graph& graph = job_.graph;
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot)
            if (!unvisited_.visited(graph.to()[slot])) frontier_.insert(graph.to()[slot]);
        job_.control.poll(16 + 4 * graph.degree(cell));
        job_.control.done(1);
    }

    void open(GraphId slot, Index from, unsigned clause = 0) {
        const GraphId edge = job_.graph.via()[slot];
        job_.open[edge] = 1;
        events_.edge_from(Event::carve, job_.graph, edge, from, clause);
    }

    void walk(Index& at) {
        GraphId step = -1;
        for (;;) {
            const GraphId slot = unvisited_.pick(at, step).slot;
            if (slot < 0) return;
            open(slot, at);
            step = unvisited_.step(at, slot);
            at = job_.graph.to()[slot];
            reach(at);
        }
    }

    // False if no unvisited cell is adjacent to the tree.
    bool hunt(Index& at) {
        const Index cell = frontier_.next(0);
        if (cell < 0) return false;
        const Graph& graph = job_.graph;
        const GraphId slot = uniform_slot(graph, cell, unvisited_.draws(),
                                          [&](GraphId to) { return unvisited_.visited(to); });
        events_.cell(Event::back, graph.to()[slot]);
        open(slot, graph.to()[slot], 1);
        at = cell;
        reach(at);
        return true;
    }

    GraphJob& job_;
    GraphEvents<R> events_;
    UnvisitedNeighbours unvisited_;
    BitsetTree frontier_;
};

template <Recorder R>
void run_graph_hunt_and_kill(GraphJob& job, R& record) {
    GraphHunter<R>(job, record).run();
}

}  // namespace

const Runs<GraphJob> graph_hunt_and_kill{run_graph_hunt_and_kill, run_graph_hunt_and_kill};

}  // namespace meiro
