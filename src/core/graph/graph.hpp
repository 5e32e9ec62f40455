// A graph of cells: what a lattice that is not square, or a graph of the user's own, is to the
// core.
//
// Cells are 0 .. cells-1, edges 0 .. edges-1; the wall between two adjacent cells has the number of
// its edge. Neighbours are stored as compressed rows ("slots"), in the order of the edges:
//
//   edges (0, 1), (1, 2), (1, 3)      first  0   1     4 5 6
//                                     to     1 | 0 2 3 | 1 | 1
//                                     via    0 | 0 1 2 | 1 | 2
//
// A self loop keeps its number but has no slot, so nothing ever takes it; parallel edges have slots
// of their own. Memory: 8 bytes an edge for its ends, 16 for its slots, 4 a cell; 4 more a cell for
// the numbers of the components, if there are several.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "../buffer.hpp"
#include "../control.hpp"

namespace meiro {

using GraphId = std::int32_t;  // a cell, an edge or a slot; as scipy's sparse arrays have them

class Graph {
public:
    static constexpr Index most_cells = (Index{1} << 31) - 2, most_edges = (Index{1} << 30) - 1;

    // Of pairs of cells, checked to be in 0 .. cells-1.
    Graph(Index cells, const GraphId* ends, Index edges, Control& control);

    Index cells() const { return cells_; }
    Index edges() const { return edges_; }
    // The two cells of an edge: ends()[2 * edge] and ends()[2 * edge + 1].
    const GraphId* ends() const { return ends_.data(); }
    // The slots of a cell: first()[cell] .. first()[cell + 1] - 1.
    const GraphId* first() const { return first_.data(); }
    const GraphId* to() const { return to_.data(); }    // the neighbour of a slot
    const GraphId* via() const { return via_.data(); }  // its edge
    Index slots() const { return to_.size(); }

    Index degree(Index cell) const { return first_[cell + 1] - first_[cell]; }
    Index most_slots() const { return most_slots_; }  // the largest degree
    Index other_end(Index edge, Index cell) const {
        return ends_[2 * edge] == cell ? ends_[2 * edge + 1] : ends_[2 * edge];
    }

    // The slot of `cell` with an edge of its own: slots are in the order of their edges.
    GraphId slot_of(Index cell, GraphId edge) const {
        return slot_with(first(), via(), cell, edge);
    }
    // The same of any rows.
    static GraphId slot_with(const GraphId* first, const GraphId* via, Index cell, GraphId edge) {
        return static_cast<GraphId>(
            std::lower_bound(via + first[cell], via + first[cell + 1], edge) - via);
    }

    // The first cell of each component, and the number of its cells.
    std::span<const GraphId> roots() const { return {roots_.begin(), roots_.end()}; }
    std::span<const GraphId> sizes() const { return {sizes_.begin(), sizes_.end()}; }
    Index component(Index cell) const { return labels_.size() > 0 ? labels_[cell] : 0; }
    // The component of each cell, in the order of their first cells; null if there is only one.
    const GraphId* labels() const { return labels_.size() > 0 ? labels_.data() : nullptr; }

private:
    void connect(Control& control);
    void label(Control& control);

    Index cells_, edges_, most_slots_ = 0;
    Buffer<GraphId> ends_, first_, to_, via_, labels_, roots_, sizes_;
};

// body(one, other), the ends of each open edge that is no self loop.
template <class Body>
void each_passage(const Graph& graph, const std::uint8_t* open, Control& control, Body body) {
    for (Index edge = 0; edge < graph.edges(); ++edge) {
        control.poll(2);
        const GraphId one = graph.ends()[2 * edge], other = graph.ends()[2 * edge + 1];
        if (open[edge] != 0 && one != other) body(one, other);
    }
}

// The number of passages of each cell.
inline Buffer<GraphId> open_degrees(const Graph& graph, const std::uint8_t* open,
                                    Control& control) {
    Buffer<GraphId> degrees(graph.cells(), true);
    each_passage(graph, open, control, [&](GraphId one, GraphId other) {
        ++degrees[one];
        ++degrees[other];
    });
    return degrees;
}

}  // namespace meiro
