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
void grow_frontier(GraphJob& job, R& record) {
    const Graph& graph = job.graph;
    GraphEvents<R> events(record, graph);
    SmallDraws draws(job);
    Buffer<Joined> joined(graph.cells(), true);
    Stack<GraphId> frontier;  // cells, or slots that lead to them
    const auto in_tree = [&](GraphId cell) { return joined[cell] == Joined::tree; };
    const auto enter = [&](Index cell) {
        joined[cell] = Joined::tree;
        job.control.done(1);
        job.control.poll(16 + 4 * graph.degree(cell));
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot) {
            Joined& near = joined[graph.to()[slot]];
            if (near == Joined::tree || (!edges && near == Joined::beside)) continue;
            near = Joined::beside;
            frontier.push(edges ? slot : graph.to()[slot]);
        }
    };
    for_each_component(job, draws, [&](Index start) {
        events.cell(Event::visit, start);
        enter(start);
        while (!frontier.empty()) {
            GraphId& drawn =
                frontier[Index{draws.below(static_cast<std::uint32_t>(frontier.size()))}];
            const GraphId member = std::exchange(drawn, frontier.top());
            frontier.pop();
            job.control.poll(4);
            const GraphId cell = edges ? graph.to()[member] : member;
            if (edges && in_tree(cell)) continue;
            const GraphId slot = edges ? member : uniform_slot(graph, cell, draws, in_tree);
            carve(job, events, graph.other_end(graph.via()[slot], cell), slot);
            enter(cell);
        }
    });
}

template <Recorder R>
void run_graph_prim_frontier_cell(GraphJob& job, R& record) {
    grow_frontier<false>(job, record);
}
template <Recorder R>
void run_graph_prim_frontier_edge(GraphJob& job, R& record) {
    grow_frontier<true>(job, record);
}

}  // namespace

const Runs<GraphJob> graph_prim_frontier_cell{run_graph_prim_frontier_cell,
                                              run_graph_prim_frontier_cell};
const Runs<GraphJob> graph_prim_frontier_edge{run_graph_prim_frontier_edge,
                                              run_graph_prim_frontier_edge};

}  // namespace meiro
