// Recursive backtracker on graphs: depth-first search from `start`, each step by a uniform edge to
// an unvisited neighbour; after a dead end it goes on from the newest cell that has one, or with
// after_dead_end=random from a uniform one of those that have.
//   J. Buck, Mazes for Programmers (2015), ch. 5. Law: that of generate/backtracker.cpp.
// run=: odds of the edge that goes straight on. Further components begin at a uniform cell.
// Time: linear. Scratch: a byte a cell and 8 for the stack; where a cell has more than 16
// neighbours 4 more a cell and 8 an edge.
#include "graph_job.hpp"
#include "growth.hpp"

namespace meiro {
namespace {

struct Place {
    GraphId cell, step;  // how it was entered
};

template <bool newest, Recorder R>
void backtrack(GraphJob& job, R& record) {
    GraphEvents<R> events(record, job.graph);
    UnvisitedNeighbours unvisited(job);
    Stack<Place> waiting;
    for_each_component(job, unvisited.draws(), [&](Index start) {
        Place at{static_cast<GraphId>(start), -1};
        unvisited.visit(start);
        events.cell(Event::visit, start);
        for (bool more = true; more; job.control.poll(8 * poll_chunk)) {
            Index carved = 0;
            for (Index n = 0; n < poll_chunk && more; ++n) {
                const auto choice = unvisited.pick(at.cell, at.step);
                if (choice.slot >= 0) {
                    if (choice.more) waiting.push(at);
                    const GraphId step = unvisited.step(at.cell, choice.slot);
                    at = {carve(job, events, at.cell, choice.slot), step};
                    unvisited.visit(at.cell);
                    ++carved;
                } else if (waiting.empty()) {
                    more = false;
                } else {  // back to the newest cell that may grow, or a random one
                    const auto size = static_cast<std::uint32_t>(waiting.size());
                    if (!newest) std::swap(waiting[unvisited.draws().below(size)], waiting.top());
                    at = waiting.pop();
                    events.cell(Event::back, at.cell);
                }
            }
            job.control.done(carved);
        }
    });
}

}  // namespace

constexpr Runs<GraphJob> graph_backtracker = graph_runs([](GraphJob& job, auto& record) {
    if (job.options.after_dead_end == AfterDeadEnd::newest)
        backtrack<true>(job, record);
    else
        backtrack<false>(job, record);
});

}  // namespace meiro
