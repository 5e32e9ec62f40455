// Growing tree on graphs: a list of active cells, at first `start`. A step chooses one, by choose=;
// if it has unvisited neighbours, a uniform edge to them is opened and the cell beyond comes to the
// end of the list; if not, the cell is removed.
//   J. Buck, Mazes for Programmers (2015), ch. 11. Law: that of generate/growing_tree.cpp.
// run=: odds of the edge that goes straight on. Further components begin at a uniform cell.
// Time: linear. Scratch: 13 bytes a cell; see backtracker.cpp for many neighbours. The newest alone
// is the backtracker.
#include "../generate/shared/active_list.hpp"
#include "graph_job.hpp"
#include "growth.hpp"

namespace meiro {
namespace {

struct Entered {
    GraphId cell, step;  // how it was entered
};

template <Recorder R>
void grow(GraphJob& job, R& record) {
    const Graph& graph = job.graph;
    GraphEvents<R> events(record, graph);
    UnvisitedNeighbours unvisited(job);
    const Chooser chooser(job.options);
    Random random(job.seed, Purpose::furnish);  // of the choices; the neighbours have the other
    for_each_component(job, unvisited.draws(), [&](Index start) {
        GrowingList<std::uint32_t> active(16);  // numbers of `entered`
        Stack<Entered> entered(8);              // all cells that came
        const auto push = [&](Entered cell) {
            active.push(static_cast<std::uint32_t>(entered.size()), chooser, job.control);
            entered.push(cell);
        };
        unvisited.visit(start);
        events.cell(Event::visit, start);
        push({static_cast<GraphId>(start), -1});
        while (!active.empty()) {
            job.control.poll(16);
            const std::uint32_t slot = active.find(chooser.next(random), random);
            const auto [cell, step] = entered[active[slot]];
            const GraphId taken = unvisited.pick(cell, step).slot;
            if (taken < 0) {
                active.erase(slot, chooser, job.control);
                continue;
            }
            const GraphId to = carve(job, events, cell, taken);
            unvisited.visit(to);
            job.control.done(1);
            push({to, unvisited.step(cell, taken)});
        }
    });
}

}  // namespace

constexpr Runs<GraphJob> graph_growing_tree = graph_runs([](GraphJob& job, auto& record) {
    if (Chooser(job.options).only(Choice::newest))
        graph_backtracker(job, record);
    else
        grow(job, record);
});

}  // namespace meiro
