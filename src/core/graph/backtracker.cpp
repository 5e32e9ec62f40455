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

template <bool newest, Recorder R>
class GraphBacktracker {
public:
    GraphBacktracker(GraphJob& job, R& record)
        : job_(job), events_(record, job.graph), unvisited_(job) {}

    void run() {
        for_each_component(job_, unvisited_.draws(), [&](Index start) {
            enter({static_cast<GraphId>(start), -1});
            events_.cell(Event::visit, start);
            for (bool more = true; more; job_.control.poll(8 * poll_chunk)) more = run_chunk();
        });
    }

private:
    struct Place {
        GraphId cell, step;  // how it was entered
    };

    void enter(Place at) {
        unvisited_.visit(at.cell);
        at_ = at;
    }

    // False when the tree is complete.
    bool run_chunk() {
        Index carved = 0;
        for (Index n = 0; n < poll_chunk; ++n) {
            const auto choice = unvisited_.pick(at_.cell, at_.step);
            if (choice.slot < 0) {
                if (!go_back()) {
                    job_.control.done(carved);
                    return false;
                }
                continue;
            }
            if (choice.more) waiting_.push(at_);
            const GraphId edge = job_.graph.via()[choice.slot];
            job_.open[edge] = 1;
            events_.edge_from(Event::carve, job_.graph, edge, at_.cell);
            enter({job_.graph.to()[choice.slot], unvisited_.step(at_.cell, choice.slot)});
            ++carved;
        }
        job_.control.done(carved);
        return true;
    }

    // To the newest cell that may grow, or a random one.
    bool go_back() {
        if (waiting_.empty()) return false;
        if constexpr (newest) {
            at_ = waiting_.pop();
        } else {
            Place& drawn = waiting_[static_cast<Index>(
                unvisited_.draws().below(static_cast<std::uint32_t>(waiting_.size())))];
            at_ = drawn;
            drawn = waiting_.top();
            waiting_.pop();
        }
        events_.cell(Event::back, at_.cell);
        return true;
    }

    GraphJob& job_;
    GraphEvents<R> events_;
    UnvisitedNeighbours unvisited_;
    Stack<Place> waiting_;
    Place at_{0, -1};
};

template <Recorder R>
void run_graph_backtracker(GraphJob& job, R& record) {
    if (job.options.after_dead_end == AfterDeadEnd::newest)
        GraphBacktracker<true, R>(job, record).run();
    else
        GraphBacktracker<false, R>(job, record).run();
}

}  // namespace

const Runs<GraphJob> graph_backtracker{run_graph_backtracker, run_graph_backtracker};

}  // namespace meiro
