// The two algorithms that many programs call Prim's, on graphs: the tree grows from `start` by a
// uniform member of its frontier.
//   J. Buck, Mazes for Programmers (2015), ch. 11; W. D. Pullen, Think Labyrinth,
//   astrolog.org/labyrnth/algrithm.htm
// prim_frontier_cell: a uniform one of the unvisited cells beside the tree joins it by a uniform
// edge. prim_frontier_edge: a uniform edge between the tree and an unvisited cell is opened; an
// edge whose cell is visited by now is rejected when it is drawn, so all others stay equally
// likely. Laws: those of generate/prim_frontier.cpp. Further components begin at a uniform cell.
// Time: linear. Scratch: 5 bytes a cell; by edges a byte a cell and 8 an edge.
#include "graph_job.hpp"
#include "growth.hpp"

namespace meiro {
namespace {

enum class Joined : std::uint8_t { no, beside, tree };

template <bool edges, Recorder R>
class GraphFrontier {
public:
    GraphFrontier(GraphJob& job, R& record)
        : job_(job),
          graph_(job.graph),
          events_(record, job.graph),
          draws_(job),
          joined_(graph_.cells(), true) {}

    void run() {
        for_each_component(job_, draws_, [&](Index start) {
            events_.cell(Event::visit, start);
            enter(start);
            while (!frontier_.empty()) grow();
        });
    }

private:
    void enter(Index cell) {
        joined_[cell] = Joined::tree;
        job_.control.done(1);
        job_.control.poll(16 + 4 * graph_.degree(cell));
        for (GraphId slot = graph_.first()[cell]; slot < graph_.first()[cell + 1]; ++slot) {
            Joined& near = joined_[graph_.to()[slot]];
            if (near == Joined::tree || (!edges && near == Joined::beside)) continue;
            near = Joined::beside;
            frontier_.push(edges ? slot : graph_.to()[slot]);
        }
    }

    void grow() {
        GraphId& drawn = frontier_[static_cast<Index>(
            draws_.below(static_cast<std::uint32_t>(frontier_.size())))];
        const GraphId member = std::exchange(drawn, frontier_.top());
        frontier_.pop();
        if constexpr (edges) {
            const GraphId to = graph_.to()[member];
            job_.control.poll(4);
            if (joined_[to] == Joined::tree) return;
            open(graph_.via()[member], to);
            enter(to);
        } else {
            const GraphId slot = uniform_slot(
                graph_, member, draws_, [&](GraphId to) { return joined_[to] == Joined::tree; });
            open(graph_.via()[slot], member);
            enter(member);
        }
    }

    void open(GraphId edge, Index new_cell) {
        job_.open[edge] = 1;
        events_.edge_from(Event::carve, graph_, edge, graph_.other_end(edge, new_cell));
    }

    GraphJob& job_;
    const Graph& graph_;
    GraphEvents<R> events_;
    SmallDraws draws_;
    Buffer<Joined> joined_;
    Stack<GraphId> frontier_;  // cells, or slots that lead to them
};

}  // namespace

constexpr Runs<GraphJob> graph_prim_frontier_cell = graph_runs(
    []<Recorder R>(GraphJob& job, R& record) { GraphFrontier<false, R>(job, record).run(); });
constexpr Runs<GraphJob> graph_prim_frontier_edge = graph_runs(
    []<Recorder R>(GraphJob& job, R& record) { GraphFrontier<true, R>(job, record).run(); });

}  // namespace meiro
