// The Laplacian of a graph with conductances, factored: the number of its spanning trees (modulo a
// prime, or its logarithm), and the effective resistance of each edge.
//   G. Kirchhoff, Ann. Phys. Chem. 72 (1847) 497. doi:10.1002/andp.18471481202
//
// One cell of each component is connected to the ground by a conductance of 1, so the determinant
// is the product over the components of their numbers of spanning trees. A cell is eliminated in
// its turn, and its neighbours become adjacent:
//
//     2 - 1 - 3      eliminate 1:   2 - 3, and if 1 had conductances a and b: a b / (a + b)
//
// Where entries are depends on the graph alone, and is found once (elimination.hpp, with about how
// many updates there are); a factorization is a pass over them. The resistances need the entries of
// the inverse at the places of the factor only, which a second pass finds backwards:
//   K. Takahashi, J. Fagan, M.-S. Chin, Formation of a sparse bus impedance matrix, PICA 1973, 63.
#pragma once

#include "elimination.hpp"

namespace meiro {

class Laplacian {
public:
    // std::invalid_argument if a factorization would take more than `most_updates`.
    Laplacian(const Graph& graph, Index most_updates, Control& control);

    // The number of spanning forests, one tree a component, modulo a prime below 2^31; 0 also if
    // the prime divides a number on the way: then it says nothing.
    std::uint64_t forests_modulo(std::uint64_t prime, Control& control) const;

    // With the conductance of each edge, or all 1 (null): the logarithm of the sum over the
    // spanning forests of the products of their conductances. Fills `resistances`, one an edge (0
    // for a self loop), unless it is null.
    double log_forests(const double* conductances, double* resistances, Control& control) const;

private:
    Laplacian(const Graph& graph, Index most_updates, const Buffer<Elimination::Turn>& turns,
              Control& control);
    template <class Update>
    void for_each_run(Index rank, Update update) const;

    const Graph& graph_;
    Elimination order_;
    // A value is a pivot, 0 .. cells - 1 by rank, or an entry, cells + its number.
    Buffer<std::int64_t> place_;  // the value of each edge
};

}  // namespace meiro
