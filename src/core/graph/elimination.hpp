// Which cells of a graph are eliminated when, and to which others each is adjacent then: what
// depends on the graph alone, for Laplacian and StarMesh, which have the numbers.
//
// The cell with the fewest neighbours left is eliminated next (minimum degree, counted from above;
// ties go to the cell that came to its degree last), and its neighbours become adjacent:
//
//     2 - 1 - 3      eliminate 1:   2 - 3
//
//   P. R. Amestoy, T. A. Davis, I. S. Duff, An approximate minimum degree ordering algorithm, SIAM
//   J. Matrix Anal. Appl. 17 (1996) 886. doi:10.1137/S0895479894278952
// Planar graphs of n cells have some 10 n^1.5 updates; where a graph of c cells is left of which
// all are adjacent, c^3 / 6.
#pragma once

#include <limits>
#include <span>

#include "graph.hpp"

namespace meiro {

struct Elimination {
    // Whether all cells are eliminated but one of each component; or only those with few
    // neighbours, for which time is linear.
    enum class Extent { easy_cells, all };
    // A cell may come before all others, always or while it has few neighbours; or after them: all
    // that come last are taken to be adjacent to each other.
    enum class Turn : std::uint8_t { by_degree, early_if_few, early, last };
    struct Limits {
        double updates = std::numeric_limits<double>::infinity();   // up to the next cell
        double expected = std::numeric_limits<double>::infinity();  // updates in all, about
        double entries = std::numeric_limits<double>::infinity();   // in all, about
    };

    // `turns`: of each cell.
    Elimination(const Graph& graph, Extent extent, const Limits& limits,
                std::span<const Turn> turns, Control& control);

    // Whether a cell has so many neighbours that it would be looked at too often: it comes last.
    static bool has_many_neighbours(const Graph& graph, Index cell) {
        const Index size = graph.degree(cell);
        return size > 16 && size * size > 100 * graph.cells();
    }
    Index entries_of(Index of) const { return first[of + 1] - first[of]; }

    Index eliminated = 0;  // cells
    // When a cell is eliminated, and which one that is; cells that are left come last.
    Buffer<GraphId> rank, cell;
    // The column of a rank: of the entries first[rank] .. first[rank + 1] - 1 the rows, rising:
    // the ranks to which it was adjacent when it was eliminated.
    Buffer<std::int64_t> first;
    Stack<GraphId> rows;
    // False if it is beyond a limit, which `all` may be: then there are no columns.
    bool feasible = false;
    double updates = 0, entries = 0;  // as expected in all, if all are eliminated
};

}  // namespace meiro
