// A rectangle of a maze as a graph: what must be known of it to find paths through the whole.
//
//   Contraction of dead ends and corridors, as in contraction hierarchies; W. D. Pullen, Think
//   Labyrinth: maze algorithms, "Dead end filler" and "Blind alley filler".
//
// Nodes are the cells from which a passage leaves the rectangle, the terminals that are asked for,
// and, once dead ends are filled up to these, the cells with three or four passages. Edges are the
// corridors between two nodes, with their lengths. So distances between nodes are those of the
// rectangle, for mazes with loops too; a perfect maze has fewer than twice as many nodes as places
// on its rim and terminals. Time: linear. Scratch: a byte per cell. Invariant of the filling: a
// filled cell has no moves, and each move that is left has its reverse.
#pragma once

#include <span>

#include "../buffer.hpp"
#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

class Contraction {
public:
    struct Edge {
        Index from, to;  // numbers of nodes, from < to
        Index length;
        Index leaves, arrives;  // the direction at `from`, and at `to` the one back
    };

    // std::invalid_argument if a move within the rectangle has no reverse, or is none of the four.
    Contraction(const std::uint8_t* passages, Shape shape, std::span<const Index> terminals,
                Control& control);

    Shape shape() const { return shape_; }
    // Their cells, in increasing order.
    Stack<Index>& nodes() { return nodes_; }
    Stack<Edge>& edges() { return edges_; }
    // The moves along a corridor of `length` from a node, in the direction in which it leaves.
    // std::invalid_argument if no such corridor exists.
    void walk(Index node, unsigned leaves, Index length, std::uint8_t* moves,
              Control& control) const;

private:
    void list_nodes(Control& control);
    void list_edges(Control& control);
    Index number_of(Index cell) const;

    Shape shape_;
    Buffer<std::uint8_t> left_;  // moves, and is_node
    Stack<Index> nodes_;
    Buffer<Index> row_begins_;  // places in nodes_
    Stack<Edge> edges_;
};

// The distance of each cell of a rectangle, if those of `cells` are known: to[cell] is the least of
// known distance + steps within the rectangle, or -1. std::overflow_error if one does not fit.
template <class T>
void spread_distances(const std::uint8_t* passages, Shape shape, std::span<const Index> cells,
                      std::span<const Index> known, T* to, Control& control);

}  // namespace meiro
