// Walks on the spanning trees of a graph, from a given one: as transform/origin_shift.cpp and
// transform/perturb.cpp, which have the references. Parallel edges are walls of their own.
//
// Time: linear, and a few ns a step of origin_shift; of perturb for each edge of the smaller parts.
#include "../transform/exchange.hpp"
#include "graph_transforms.hpp"

namespace meiro {
namespace {

class ShiftedTree {
public:
    ShiftedTree(const Graph& graph, std::uint8_t* open, const Seed& seed, Control& control)
        : graph_(graph),
          open_(open),
          control_(control),
          random_(transform_random(seed, TransformLane::origin_shift)),
          arrows_(graph.cells()) {}

    void run(Index steps) {
        Buffer<GraphId> roots = drawn_roots();
        plant(roots);
        for (const GraphId root : roots)
            if (graph_.degree(root) > 0) walk(root, steps);
        polled_fill(open_, graph_.edges(), 0, control_);
        for (Index cell = 0; cell < graph_.cells(); ++cell) {
            control_.poll();
            if (arrows_[cell] >= 0) open_[graph_.via()[arrows_[cell]]] = 1;
        }
    }

private:
    static constexpr GraphId at_root = -1, unseen = -2;

    // A root for each component, drawn in proportion to its number of neighbours.
    Buffer<GraphId> drawn_roots() {
        const auto parts = static_cast<Index>(graph_.roots().size());
        Buffer<GraphId> roots(parts), slots(parts, true);
        std::copy(graph_.roots().begin(), graph_.roots().end(), roots.begin());
        for (Index cell = 0; cell < graph_.cells(); ++cell) {
            control_.poll(4);
            const Index degree = graph_.degree(cell), part = graph_.component(cell);
            if (degree == 0) continue;
            slots[part] += static_cast<GraphId>(degree);
            if (random_.below(slots[part]) < degree) roots[part] = static_cast<GraphId>(cell);
        }
        return roots;
    }

    // Arrows along the passages to the roots: the slot of the way to them.
    void plant(const Buffer<GraphId>& roots) {
        polled_fill(arrows_.data(), arrows_.size(), unseen, control_);
        Stack<GraphId> queue;
        for (const GraphId root : roots) {
            arrows_[root] = at_root;
            queue.push(root);
        }
        for (Index head = 0; head < queue.size(); ++head) {
            const GraphId cell = queue[head];
            control_.poll(4 + 2 * graph_.degree(cell));
            for (GraphId slot = graph_.first()[cell]; slot < graph_.first()[cell + 1]; ++slot) {
                const GraphId edge = graph_.via()[slot], to = graph_.to()[slot];
                if (open_[edge] == 0 || arrows_[to] != unseen) continue;
                arrows_[to] = graph_.slot_of(to, edge);
                queue.push(to);
            }
        }
    }

    void walk(Index root, Index steps) {
        const GraphId *const first = graph_.first(), *const to = graph_.to();
        for (Index left = steps; left > 0;) {
            const Index chunk = std::min(left, poll_chunk);
            for (Index k = 0; k < chunk; ++k) {
                const GraphId begin = first[root];
                arrows_[root] =
                    begin + static_cast<GraphId>(random_.below(first[root + 1] - begin));
                root = to[arrows_[root]];
            }
            left -= chunk;
            control_.poll(2 * chunk);
        }
        arrows_[root] = at_root;
    }

    const Graph& graph_;
    std::uint8_t* const open_;
    Control& control_;
    Random random_;
    Buffer<GraphId> arrows_;
};

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
    ShiftedTree(graph, open, seed, control).run(steps);
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
