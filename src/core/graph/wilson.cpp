// Wilson's algorithm on graphs: loop-erased random walks (generate/wilson.cpp says how). A cell
// keeps the slot by which it was last left.
//   D. B. Wilson, Generating random spanning trees more quickly than the cover time, STOC '96, 296.
//   doi:10.1145/237814.237880
// Law: uniform; with weights= as conductances, the probability of a tree is proportional to the
// product of those of its edges.
// Each component is rooted in a uniform cell: most are met sooner than one in a corner, such as the
// first; 2.2 times as fast on a square.
// Time: that of walks from all cells to the root; with weights= at most about 1,000 steps a cell,
// then unequal_weights.hpp. Scratch: 4 bytes a cell; with weights= 8 a slot, and what
// unequal_weights.hpp takes.
#include "conductances.hpp"
#include "graph_job.hpp"
#include "unequal_weights.hpp"

namespace meiro {
namespace {

// body(cell) with a uniform cell of each component.
template <class Body>
void for_each_root(const GraphJob& job, Body body) {
    const Graph& graph = job.graph;
    Random random(job.seed, Purpose::begin);
    if (graph.labels() == nullptr) {
        body(random.below(graph.cells()));
        return;
    }
    Buffer<GraphId> before(static_cast<Index>(graph.sizes().size()));  // cells that come before it
    for (Index part = 0; part < before.size(); ++part, job.control.poll(4))
        before[part] =
            static_cast<GraphId>(random.below(graph.sizes()[static_cast<std::size_t>(part)]));
    for (Index cell = 0; cell < graph.cells(); ++cell, job.control.poll())
        if (before[graph.component(cell)]-- == 0) body(cell);
}

// False if so many steps were not enough. They are counted by walks and chunks, not one by one.
template <class Walk, Recorder R>
bool build(GraphJob& job, R& record, Walk walk, Index steps) {
    using Mark = typename Walk::Mark;
    constexpr auto in_tree = static_cast<Mark>(-1);
    const Graph& graph = job.graph;
    GraphEvents<R> events(record, graph);
    Buffer<Mark> left_by(graph.cells());  // how a walk last left the cell, or in_tree
    Mark* const way = left_by.data();
    polled_fill(way, graph.cells(), 0, job.control);
    for_each_root(job, [&](Index root) {
        way[root] = in_tree;
        events.cell(Event::visit, root);
    });
    const auto edge = [&](Index cell, Mark mark) { return graph.via()[walk.slot(cell, mark)]; };
    Index joined = 0;
    for (Index start = 0; start < graph.cells(); ++start) {
        job.control.poll();
        if (way[start] == in_tree) continue;
        Index at = start;
        while (way[at] != in_tree) {
            Index step = 0;
            do {
                const Mark mark = walk.draw(at);
                events.edge_from(Event::walk, graph, edge(at, mark), at);
                way[at] = mark;
                at = walk.next(at, mark);
            } while (++step < poll_chunk && way[at] != in_tree);
            job.control.poll(4 * step);
            if ((steps -= step) < 0) [[unlikely]] {
                job.control.done(-joined);
                return false;
            }
        }
        Index cells = 0;
        for (at = start; way[at] != in_tree; ++cells) {
            const Mark mark = std::exchange(way[at], in_tree);
            carve(job, events, at, walk.slot(at, mark));
            at = walk.next(at, mark);
            job.control.poll();
        }
        job.control.done(cells);
        joined += cells;
        events.cell(Event::commit, start);
    }
    return true;
}

void clear(const GraphJob& job) {
    polled_fill(job.open, job.graph.edges(), 0, job.control);
}

}  // namespace

bool wilson_within(GraphJob& job, Index steps) {
    NoTrace none;
    bool within = true;
    with_weighted_slots(job, [&](auto walk) { within = build(job, none, walk, steps); });
    if (!within) clear(job);
    return within;
}

constexpr Runs<GraphJob> graph_wilson = graph_runs([]<Recorder R>(GraphJob& job, R& record) {
    if (job.options.weights.empty()) {
        with_even_slots(job, [&](auto walk) { build(job, record, walk, any_steps); });
    } else if (!wilson_within(job, most_steps(job.graph.cells()))) {
        make_by_elimination(job, record);
    } else if constexpr (!std::is_same_v<R, NoTrace>) {
        clear(job);
        job.control.done(static_cast<Index>(job.graph.roots().size()) - job.graph.cells());
        with_weighted_slots(job, [&](auto walk) { build(job, record, walk, any_steps); });
    }
});

}  // namespace meiro
