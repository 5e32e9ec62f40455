// Walks on the spanning trees of a graph, from a given one: as transform/origin_shift.cpp and
// transform/perturb.cpp, which have the references. Parallel edges are walls of their own.
//
// Time: linear, and a few ns a step of origin_shift; of perturb for each edge of the smaller parts.
#include "../transform/exchange.hpp"
#include "graph_transforms.hpp"

namespace meiro {
namespace {

constexpr GraphId at_root = -1, unseen = -2;

// A root for each component, drawn in proportion to its number of neighbours.
Buffer<GraphId> drawn_roots(const Graph& graph, Random& random, Control& control) {
    const auto parts = static_cast<Index>(graph.roots().size());
    Buffer<GraphId> roots(parts), slots(parts, true);
    std::copy(graph.roots().begin(), graph.roots().end(), roots.begin());
    for (Index cell = 0; cell < graph.cells(); ++cell, control.poll(4)) {
        const Index degree = graph.degree(cell), part = graph.component(cell);
        if (degree == 0) continue;
        slots[part] += static_cast<GraphId>(degree);
        if (random.below(slots[part]) < degree) roots[part] = static_cast<GraphId>(cell);
    }
    return roots;
}

// Arrows along the passages to the roots: the slot of the way to them.
Buffer<GraphId> planted(const Graph& graph, const std::uint8_t* open, const Buffer<GraphId>& roots,
                        Control& control) {
    Buffer<GraphId> arrows(graph.cells());
    polled_fill(arrows.data(), arrows.size(), unseen, control);
    Stack<GraphId> queue;
    for (const GraphId root : roots) {
        arrows[root] = at_root;
        queue.push(root);
    }
    for (Index head = 0; head < queue.size(); ++head) {
        const GraphId cell = queue[head];
        control.poll(4 + 2 * graph.degree(cell));
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot) {
            const GraphId edge = graph.via()[slot], to = graph.to()[slot];
            if (open[edge] == 0 || arrows[to] != unseen) continue;
            arrows[to] = graph.slot_of(to, edge);
            queue.push(to);
        }
    }
    return arrows;
}

// What exchange.hpp asks of a graph: a side is a slot's edge.
class GraphTree {
public:
    using Id = GraphId;
    GraphTree(const Graph& graph, std::uint8_t* open) : graph_(graph), open_(open) {}

    Index cells() const { return graph_.cells(); }
    std::array<Index, 2> ends(Index edge) const {
        return {graph_.ends()[2 * edge], graph_.ends()[2 * edge + 1]};
    }
    void open(Index edge) { open_[edge] = 1; }
    void close(Index edge) { open_[edge] = 0; }
    template <class Body>
    void each_open(Index cell, Body body) const {
        each_side(cell, [&](Index to, GraphId edge) {
            if (open_[edge] != 0) body(to);
        });
    }
    template <class Body>
    void each_side(Index cell, Body body) const {
        for (GraphId slot = graph_.first()[cell]; slot < graph_.first()[cell + 1]; ++slot)
            body(graph_.to()[slot], graph_.via()[slot]);
    }
    static Index edge(Index, Index, GraphId edge) { return edge; }

private:
    const Graph& graph_;
    std::uint8_t* const open_;
};

}  // namespace

void origin_shift(const Graph& graph, std::uint8_t* open, const Seed& seed, Index steps,
                  Control& control) {
    Random random = transform_random(seed, TransformLane::origin_shift);
    const Buffer<GraphId> roots = drawn_roots(graph, random, control);
    Buffer<GraphId> arrows = planted(graph, open, roots, control);
    const GraphId *const first = graph.first(), *const to = graph.to();
    for (GraphId root : roots) {
        if (graph.degree(root) == 0) continue;
        for (Index left = steps; left > 0;) {
            const Index chunk = std::min(left, poll_chunk);
            for (Index k = 0; k < chunk; ++k) {
                const GraphId begin = first[root];
                arrows[root] = begin + static_cast<GraphId>(random.below(first[root + 1] - begin));
                root = to[arrows[root]];
            }
            left -= chunk;
            control.poll(2 * chunk);
        }
        arrows[root] = at_root;
    }
    polled_fill(open, graph.edges(), 0, control);
    for (Index cell = 0; cell < graph.cells(); ++cell, control.poll())
        if (arrows[cell] >= 0) open[graph.via()[arrows[cell]]] = 1;
}

void perturb(const Graph& graph, std::uint8_t* open, const Seed& seed, Index n, Control& control) {
    Stack<GraphId> passages;
    for (Index edge = 0; edge < graph.edges(); ++edge) {
        control.poll();
        if (open[edge] != 0) passages.push(static_cast<GraphId>(edge));
    }
    Parts parts(GraphTree(graph, open), control);
    exchanges(passages, parts, seed, n, control);
}

}  // namespace meiro
