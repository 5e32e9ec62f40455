// Origin shift on graphs: each cell has an arrow to its parent; the root moves to a uniform
// neighbour and points there.
//   Y. Hu, R. Lyons, P. Tang, A reverse Aldous-Broder algorithm, Ann. Inst. H. Poincare Probab.
//   Statist. 57 (2021) 890. doi:10.1214/20-AIHP1101
// Law: uniform by default, where the root moves until it has visited all cells of its component.
// With steps= it makes so many steps in each component, from the tree of a breadth-first search.
// The root begins at `start`, in other components at their first cell.
// Time: a few ns a step. Scratch: 5 bytes a cell.
#include "conductances.hpp"
#include "graph_job.hpp"

namespace meiro {
namespace {

// Of an arrow: a cell that the root has not visited, or where it is; one that it has not left yet.
template <class Mark>
constexpr auto no_arrow = static_cast<Mark>(-1);
template <class Mark>
constexpr auto waiting = static_cast<Mark>(-2);

// Arrows from each cell by the edge with which a breadth-first search reaches it.
template <class Walk, Recorder R>
void plant(const GraphJob& job, const Walk& walk, typename Walk::Mark* arrows,
           GraphEvents<R>& events) {
    const Graph& graph = job.graph;
    Stack<GraphId> queue;
    for (Index part = 0; part < static_cast<Index>(graph.roots().size()); ++part) {
        const auto root = static_cast<GraphId>(job.root(part));
        queue.clear();
        queue.push(root);
        for (Index head = 0; head < queue.size(); ++head) {
            const GraphId cell = queue[head];
            job.control.poll(8 + graph.degree(cell));
            for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot) {
                const GraphId way = graph.via()[slot], to = graph.to()[slot];
                if (to == root || arrows[to] != no_arrow<typename Walk::Mark>) continue;
                arrows[to] = walk.mark(to, graph.slot_of(to, way));
                events.edge_from(Event::carve, graph, way, cell, 1);
                queue.push(to);
            }
        }
    }
}

template <class Walk, Recorder R>
void shift(GraphJob& job, R& record, Walk walk) {
    using Mark = typename Walk::Mark;
    const Graph& graph = job.graph;
    GraphEvents<R> events(record, graph);
    Buffer<Mark> slots(graph.cells());  // by which the root last left
    Mark* const arrows = slots.data();
    polled_fill(arrows, slots.size(), no_arrow<Mark>, job.control);
    const bool covers = job.options.steps < 0;
    if (!covers) plant(job, walk, arrows, events);
    const auto edge = [&](Index cell) -> GraphId {  // of its arrow, -1: none
        const Mark mark = arrows[cell];
        const bool has_arrow = mark != no_arrow<Mark> && mark != waiting<Mark>;
        return has_arrow ? graph.via()[walk.slot(cell, mark)] : -1;
    };
    for (std::size_t part = 0; part < graph.roots().size(); ++part) {
        const Index cells = graph.sizes()[part];
        Index at = job.root(static_cast<Index>(part));
        Index left = covers ? cells - 1 : cells > 1 ? job.options.steps : 0;
        events.cell(Event::visit, at);
        while (left > 0) {
            for (Index step = 0; step < poll_chunk && left > 0; ++step) {
                const Mark mark = walk.draw(at);
                const Index to = walk.next(at, mark);
                // The passages follow the arrows: one opened, one closed, or both, or neither.
                if constexpr (std::is_same_v<R, Trace>) {
                    const GraphId way = graph.via()[walk.slot(at, mark)], old = edge(to);
                    events.edge_from(Event::walk, graph, way, at);
                    if (old != way) events.edge_from(Event::carve, graph, way, at);
                    if (old != way && old >= 0) events.edge_from(Event::close, graph, old, to);
                }
                arrows[at] = mark;
                // While covering, a cell has an arrow as soon as the root has left it.
                left -= !covers || arrows[to] == no_arrow<Mark> ? 1 : 0;
                if (covers && arrows[to] == no_arrow<Mark>) arrows[to] = waiting<Mark>;
                at = to;
            }
            job.control.poll(4 * poll_chunk);
        }
        arrows[at] = no_arrow<Mark>;
        job.control.done(cells);
    }
    for (Index cell = 0; cell < graph.cells(); ++cell, job.control.poll())
        if (const GraphId own = edge(cell); own >= 0) job.open[own] = 1;
}

template <Recorder R>
void run_graph_origin_shift(GraphJob& job, R& record) {
    with_even_slots(job, [&](const auto& walk) { shift(job, record, walk); });
}

}  // namespace

const Runs<GraphJob> graph_origin_shift{run_graph_origin_shift, run_graph_origin_shift};

}  // namespace meiro
