// Wilson's algorithm on graphs: loop-erased random walks (generate/wilson.cpp says how). A cell
// keeps the slot by which it was last left.
//   D. B. Wilson, Generating random spanning trees more quickly than the cover time, STOC '96, 296.
//   doi:10.1145/237814.237880
// Law: uniform; with weights= as conductances, the probability of a tree is proportional to the
// product of those of its edges. Each component is rooted in its first cell.
// Time: that of walks from all cells to the root. Scratch: 4 bytes a cell; with weights= 8 a slot.
#include "conductances.hpp"
#include "graph_generators.hpp"

namespace meiro {
namespace {

constexpr GraphId in_tree = -1, not_left = 0;

template <class Pick, Recorder R>
void walk(GraphJob& job, R& record, Pick pick) {
    const Graph& graph = job.graph;
    GraphEvents<R> events(record, graph);
    Buffer<GraphId> left_by(graph.cells());  // a slot, or in_tree
    GraphId* const way = left_by.data();
    by_pieces(graph.cells(), job.control,
              [&](Index first, Index last) { std::fill(way + first, way + last, not_left); });
    for (const GraphId root : graph.roots()) {
        way[root] = in_tree;
        events.cell(Event::visit, root);
        job.control.poll();
    }
    const GraphId* const to = graph.to();
    for (Index start = 0; start < graph.cells(); ++start) {
        job.control.poll();
        if (way[start] == in_tree) continue;
        Index at = start;
        while (way[at] != in_tree) {
            Index step = 0;
            for (; step < poll_chunk && way[at] != in_tree; ++step) {
                const GraphId slot = pick(at);
                events.edge_from(Event::walk, graph, graph.via()[slot], at);
                way[at] = slot;
                at = to[slot];
            }
            job.control.poll(4 * step);
        }
        Index cells = 0;
        for (at = start; way[at] != in_tree; ++cells) {
            const GraphId slot = std::exchange(way[at], in_tree);
            job.open[graph.via()[slot]] = 1;
            events.edge_from(Event::carve, graph, graph.via()[slot], at);
            at = to[slot];
            job.control.poll();
        }
        job.control.done(cells);
        events.cell(Event::commit, start);
    }
}

}  // namespace

template <Recorder R>
void graph_wilson(GraphJob& job, R& record) {
    with_conductances(job, [&](auto pick) { walk(job, record, pick); });
}

template void graph_wilson(GraphJob&, NoTrace&);
template void graph_wilson(GraphJob&, Trace&);

}  // namespace meiro
