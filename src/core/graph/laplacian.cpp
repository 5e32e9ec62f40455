#include "laplacian.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace meiro {

Laplacian::Laplacian(const Graph& graph, Index most_updates, Control& control)
    : graph_(graph), rank_(graph.cells()), first_(graph.cells() + 1), place_(graph.edges()) {
    eliminate(most_updates, control);
    for (Index edge = 0; edge < graph.edges(); ++edge) {
        control.poll(16);
        const GraphId* const ends = graph.ends() + 2 * edge;
        const GraphId one = std::min(rank_[ends[0]], rank_[ends[1]]);
        const GraphId other = std::max(rank_[ends[0]], rank_[ends[1]]);
        const GraphId* const begin = rows_.begin() + first_[one];
        const GraphId* const end = rows_.begin() + first_[one + 1];
        place_[edge] = one == other ? one
                                    : graph.cells() + first_[one] +
                                          (std::lower_bound(begin, end, other) - begin);
    }
}

// Eliminates the cells by minimum degree, counted from above; ties go to the cell that came to its
// degree last. The column of an eliminated cell stands for all pairs of its cells, which became
// adjacent, and is an element; one within a later one is no longer looked at.
//   P. R. Amestoy, T. A. Davis, I. S. Duff, An approximate minimum degree ordering algorithm, SIAM
//   J. Matrix Anal. Appl. 17 (1996) 886. doi:10.1137/S0895479894278952
void Laplacian::eliminate(Index most_updates, Control& control) {
    const Index n = graph_.cells();
    using Lists = std::vector<std::vector<GraphId>>;
    Lists adjacent(static_cast<std::size_t>(n)), elements(static_cast<std::size_t>(n));
    Lists columns(static_cast<std::size_t>(n)), by_degree(1);
    Buffer<GraphId> degrees(n), marks(n), beyond(n), counted(n), order(n);
    Buffer<std::uint8_t> absorbed(n, true);
    const auto of = [](Lists& lists, GraphId cell) -> std::vector<GraphId>& {
        return lists[static_cast<std::size_t>(cell)];
    };
    const auto enlist = [&](GraphId cell, Index degree) {
        degrees[cell] = static_cast<GraphId>(degree);
        if (degree >= static_cast<Index>(by_degree.size()))
            by_degree.resize(static_cast<std::size_t>(degree) + 1);
        by_degree[static_cast<std::size_t>(degree)].push_back(cell);
    };
    for (auto cell = static_cast<GraphId>(n); cell-- > 0;) {
        auto& own = of(adjacent, cell);
        own.assign(graph_.to() + graph_.first()[cell], graph_.to() + graph_.first()[cell + 1]);
        std::ranges::sort(own);
        own.erase(std::unique(own.begin(), own.end()), own.end());
        rank_[cell] = marks[cell] = counted[cell] = -1;
        enlist(cell, static_cast<Index>(own.size()));
        control.poll(8 + 8 * static_cast<Index>(own.size()));
    }
    Index updates = 0;
    std::size_t least = 0;
    for (GraphId rank = 0; rank < n;) {
        while (by_degree[least].empty()) ++least;
        const GraphId cell = by_degree[least].back();
        by_degree[least].pop_back();
        if (rank_[cell] >= 0 || degrees[cell] != static_cast<GraphId>(least)) continue;
        rank_[cell] = marks[cell] = rank;
        order[rank] = cell;
        auto& column = of(columns, cell);
        const auto add = [&](const std::vector<GraphId>& cells) {
            for (const GraphId one : cells)
                if (marks[one] != rank) {
                    marks[one] = rank;
                    column.push_back(one);
                }
            control.poll(static_cast<Index>(cells.size()));
        };
        add(of(adjacent, cell));
        for (const GraphId element : of(elements, cell)) {
            if (absorbed[element] == 0) add(of(columns, element));
            absorbed[element] = 1;
        }
        const auto size = static_cast<Index>(column.size());
        updates += size * (size + 1) / 2;
        if (updates > most_updates)
            throw std::invalid_argument(
                "this graph is too large, or too dense, for exact numbers: its factorization would "
                "take more than 2**" +
                std::to_string(std::bit_width(static_cast<std::uint64_t>(most_updates)) - 1) +
                " updates");
        for (const GraphId one : column)  // how many cells of their elements are not in this one
            for (const GraphId element : of(elements, one)) {
                if (counted[element] != rank)
                    beyond[element] = static_cast<GraphId>(of(columns, element).size());
                counted[element] = rank;
                if (--beyond[element] == 0) absorbed[element] = 1;
            }
        for (const GraphId one : column) {
            auto &its = of(adjacent, one), &those = of(elements, one);
            std::erase_if(its, [&](GraphId other) { return marks[other] == rank; });
            std::erase_if(those, [&](GraphId element) { return absorbed[element] != 0; });
            Index degree = size - 1 + static_cast<Index>(its.size());
            for (const GraphId element : those) degree += beyond[element];
            those.push_back(cell);
            enlist(one, std::min<Index>(degree, n - rank - 2));
            least = std::min(least, static_cast<std::size_t>(degrees[one]));
            control.poll(8 + 4 * static_cast<Index>(its.size() + those.size()));
        }
        of(adjacent, cell) = of(elements, cell) = {};
        ++rank;
    }

    first_[0] = 0;
    for (Index rank = 0; rank < n; ++rank) {
        auto& column = of(columns, order[rank]);
        for (GraphId& cell : column) cell = rank_[cell];
        std::ranges::sort(column);
        for (const GraphId row : column) rows_.push(row);
        first_[rank + 1] = rows_.size();
        control.poll(4 + 16 * static_cast<Index>(column.size()));
        column = {};
    }
}

// Calls update(a, b, place, n) with all pairs (a, b), (a, b + 1) ... of entries of a rank, a <= b,
// in runs of n that change values from `place` on.
template <class Update>
void Laplacian::for_each_run(Index rank, Update update) const {
    const Index n = graph_.cells(), size = entries_of(rank);
    const GraphId* const rows = rows_.begin() + first_[rank];
    for (Index a = 0; a < size; ++a) {
        update(a, a, Index{rows[a]}, Index{1});
        // The rows after this one are among those of the cell that it is, in the same order.
        const GraphId* its = rows_.begin() + first_[rows[a]];
        const bool same = entries_of(rows[a]) == size - a - 1;
        for (Index b = a + 1; b < size;) {
            while (*its != rows[b]) ++its;
            Index run = same ? size - b : 1;
            while (b + run < size && its[run] == rows[b + run]) ++run;
            update(a, b, n + (its - rows_.begin()), run);
            its += run;
            b += run;
        }
    }
}

std::uint64_t Laplacian::forests_modulo(std::uint64_t prime, Control& control) const {
    const Index n = graph_.cells();
    Buffer<std::uint64_t> values(n + rows_.size(), true);
    for (Index edge = 0; edge < graph_.edges(); ++edge) {
        control.poll(2);
        const GraphId* const ends = graph_.ends() + 2 * edge;
        if (ends[0] == ends[1]) continue;
        ++values[rank_[ends[0]]];
        ++values[rank_[ends[1]]];
        values[place_[edge]] += prime - 1;
    }
    for (const GraphId root : graph_.roots()) ++values[rank_[root]];
    for (std::uint64_t& value : values) value %= prime;
    control.poll(values.size() * 4);
    std::uint64_t number = 1;
    std::vector<std::uint64_t> factors;
    for (Index rank = 0; rank < n; ++rank) {
        const std::uint64_t pivot = values[rank];
        if (pivot == 0) return 0;
        number = number * pivot % prime;
        std::uint64_t inverse = 1, power = pivot;  // Fermat: to the power of prime - 2
        for (std::uint64_t left = prime - 2; left != 0; left >>= 1, power = power * power % prime)
            if ((left & 1) != 0) inverse = inverse * power % prime;
        const Index size = entries_of(rank);
        const std::uint64_t* const own = values.begin() + n + first_[rank];
        factors.clear();
        for (Index a = 0; a < size; ++a) factors.push_back(prime - own[a] * inverse % prime);
        for_each_run(rank, [&](Index a, Index b, Index place, Index run) {
            const std::uint64_t factor = factors[static_cast<std::size_t>(a)];
            for (Index k = 0; k < run; ++k)
                values[place + k] = (values[place + k] + factor * own[b + k]) % prime;
        });
        control.poll(64 + 4 * size * size);
    }
    return number;
}

double Laplacian::log_forests(const double* conductances, double* resistances,
                              Control& control) const {
    const Index n = graph_.cells();
    Buffer<double> values(n + rows_.size(), true);
    for (Index edge = 0; edge < graph_.edges(); ++edge) {
        control.poll(2);
        const GraphId* const ends = graph_.ends() + 2 * edge;
        if (ends[0] == ends[1]) continue;
        const double conductance = conductances == nullptr ? 1 : conductances[edge];
        values[rank_[ends[0]]] += conductance;
        values[rank_[ends[1]]] += conductance;
        values[place_[edge]] -= conductance;
    }
    for (const GraphId root : graph_.roots()) values[rank_[root]] += 1;
    double logarithm = 0;
    std::vector<double> factors;
    for (Index rank = 0; rank < n; ++rank) {
        const double pivot = values[rank];
        logarithm += std::log(pivot);
        const Index size = entries_of(rank);
        double* const own = values.begin() + n + first_[rank];
        factors.clear();
        for (Index a = 0; a < size; ++a) factors.push_back(own[a] / pivot);
        for_each_run(rank, [&](Index a, Index b, Index place, Index run) {
            const double factor = factors[static_cast<std::size_t>(a)];
            double* const to = values.begin() + place;
            for (Index k = 0; k < run; ++k) to[k] -= factor * own[b + k];
        });
        std::ranges::copy(factors, own);
        control.poll(16 + 2 * size * size);
    }
    if (resistances == nullptr) return logarithm;
    // Backwards: `inverse` has the entries of the inverse at the same places.
    Buffer<double> inverse(values.size());
    for (Index rank = n; rank-- > 0;) {
        const Index size = entries_of(rank);
        const double* const own = values.begin() + n + first_[rank];
        double* const out = inverse.begin() + n + first_[rank];
        std::fill(out, out + size, 0.0);
        for_each_run(rank, [&](Index a, Index b, Index place, Index run) {
            const double factor = own[a];
            const double* const from = inverse.begin() + place;
            double sums[4] = {};  // which do not wait for each other
            Index k = 0;
            for (; k + 4 <= run; k += 4)
                for (Index i = 0; i < 4; ++i) sums[i] += own[b + k + i] * from[k + i];
            for (; k < run; ++k) sums[0] += own[b + k] * from[k];
            out[a] -= sums[0] + sums[1] + (sums[2] + sums[3]);
            if (a == b) return;
            for (k = 0; k < run; ++k) out[b + k] -= factor * from[k];
        });
        double diagonal = 1 / values[rank];
        for (Index a = 0; a < size; ++a) diagonal -= own[a] * out[a];
        inverse[rank] = diagonal;
        control.poll(16 + 2 * size * size);
    }
    for (Index edge = 0; edge < graph_.edges(); ++edge) {
        control.poll(4);
        const GraphId* const ends = graph_.ends() + 2 * edge;
        resistances[edge] = ends[0] == ends[1] ? 0
                                               : inverse[rank_[ends[0]]] + inverse[rank_[ends[1]]] -
                                                     2 * inverse[place_[edge]];
    }
    return logarithm;
}

}  // namespace meiro
