// Random spanning trees of a graph with conductances by elimination of its cells: the number of
// steps depends on the graph alone, however unequal the conductances are.
//
// Eliminating cell v, whose neighbours i have conductances w_i to it with the sum W, adds a
// conductance w_i w_j / W between each two of them (a star becomes a mesh):
//
//     2 - 1 - 3      eliminate 1:   2 - 3, and if 1 had conductances a and b: a b / (a + b)
//
// The sum over the spanning trees of the products of their conductances is W times that of the
// graph that is left, and a random tree of the one becomes one of the other; so a tree of the last
// graph is lifted back, cell by cell. Trees point to a root that stays:
//
//   - Each edge of a tree keeps which of its parallel parts it is: an edge of the graph, or of the
//     mesh of a cell v; with probability proportional to the conductances of the parts.
//   - When v comes back, the cells whose edges were of its mesh point to v. Where v points to: if
//     there were none, to a neighbour i with probability w_i / W. Else to where the last of these
//     edges led on the way of one of the cells to the root.
//
// Why: given the cells that pointed along the mesh and the rest of the tree, the trees that remain
// possible join their parts by the mesh, each of these edges to the cell i of another part with
// weight w_i. So where an edge leads within the part of the root, it leads to i with probability
// proportional to w_i there, which is the law of where v points to. tests/reference/star_mesh.py
// does all this in fractions. Without directions it is due to
//   C. J. Colbourn, W. J. Myrvold, E. Neufeld, Two algorithms for unranking arborescences,
//   J. Algorithms 20 (1996) 268. doi:10.1006/jagm.1996.0014
//
// Numbers are only added, multiplied and divided, and all are positive, so each has a small
// relative error, whatever the conductances are; no bit depends on the machine.
//   W. K. Grassmann, M. I. Taksar, D. P. Heyman, Oper. Res. 33 (1985) 1107.
//   doi:10.1287/opre.33.5.1107
// They are multiplied by a power of two first, so that sums are finite. What is too small for a
// double then is an edge of a tree with a probability below 2^-90.
//
// Which cells are eliminated when: elimination.hpp, with about how many updates, of 1 to 2 ns.
// Memory: 20 bytes a conductance of an eliminated cell.
// Measured: 300 x 300 cells 0.6 s and 58 MB, and 0.2 s a tree; 10,000 cells with 4 random
// neighbours each 8 s and 133 MB, and 0.6 s a tree.
#pragma once

#include <memory>
#include <span>

#include "../random.hpp"
#include "elimination.hpp"

namespace meiro {

class StarMesh {
public:
    // Of easy cells those with one edge much heavier than all others come first.
    using Extent = Elimination::Extent;

    // std::invalid_argument if weights are not positive and finite, or 1e550 times as large as
    // others.
    StarMesh(const Graph& graph, std::span<const double> weights, Extent extent, Control& control);

    // False if it would take more than 2^36 updates, or 2^26 conductances, which `all` may: then it
    // can do nothing, but says about how many.
    bool feasible() const { return order_.feasible; }
    double updates() const { return order_.updates; }
    double conductances() const { return order_.entries; }

    Index cells() const { return graph_.cells(); }
    // The graph that is left, of the cells not eliminated, and the conductances of its edges.
    const Graph& rest() const { return *rest_; }
    std::span<const double> rest_weights() const {
        return {rest_weights_.begin(), rest_weights_.end()};
    }

    // Turns a spanning tree of each component of what is left, a byte an edge, into one of the
    // graph: sets those of `open`, which are 0.
    void lift(const std::uint8_t* rest_tree, std::uint8_t* open, const Random& random,
              Control& control) const;

private:
    class Traps;
    class Lift;
    int shift(Control& control) const;
    Elimination order(Extent extent, Control& control) const;
    void add_up(Control& control);
    void list_rows(Control& control);
    void leave_rest(Control& control);
    double weight(Index edge) const;

    const Graph& graph_;
    std::span<const double> given_;
    int shift_;  // conductances are the weights times two to the power of it
    Elimination order_;
    Buffer<double> conductances_;  // of the entries
    Buffer<double> sums_;          // of the columns
    // The row of a rank: the ranks, rising, in whose columns it is, and where.
    Buffer<std::int64_t> row_first_;
    Buffer<GraphId> row_ranks_;
    Buffer<std::uint32_t> row_places_;
    std::unique_ptr<const Graph> rest_;
    Buffer<double> rest_weights_;
};

}  // namespace meiro
