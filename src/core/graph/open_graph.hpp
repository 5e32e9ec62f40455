// The open edges of a graph as compressed rows: what a maze on a graph is to solvers and queries.
//
// The slots of a cell are those of the graph whose edges are open, in the same order, so rows are
// copied in one pass, or not at all if all edges are open. Edges keep their numbers. Memory: 4
// bytes a cell, 8 a slot. The graph must outlive it.
#pragma once

#include "graph.hpp"

namespace meiro {

class OpenGraph {
public:
    OpenGraph(const Graph& graph, const std::uint8_t* open, Control& control);

    const Graph& all() const { return *graph_; }
    Index cells() const { return graph_->cells(); }
    Index slots() const { return first_[cells()]; }
    // The slots of a cell: first()[cell] .. first()[cell + 1] - 1; the neighbour of a slot; its
    // edge.
    const GraphId* first() const { return first_; }
    const GraphId* to() const { return to_; }
    const GraphId* via() const { return via_; }

    Index degree(Index cell) const { return first_[cell + 1] - first_[cell]; }
    // Where an edge leads; the cell from which a slot leads to `cell`.
    Index after(Index cell, Index edge) const { return graph_->other_end(edge, cell); }
    Index origin(Index slot, Index cell) const { return after(cell, via_[slot]); }
    // The slot of `cell` with an edge of its own: slots are in the order of their edges.
    GraphId slot_of(Index cell, GraphId edge) const {
        return Graph::slot_with(first_, via_, cell, edge);
    }

private:
    void copy(const std::uint8_t* open, Control& control);

    const Graph* graph_;
    const GraphId *first_, *to_, *via_;
    Buffer<GraphId> own_first_, own_to_, own_via_;  // unless all edges are open
};

}  // namespace meiro
