#include "laplacian.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace meiro {
namespace {

// Few cells of very many neighbours come last. Where they are many, as in dense graphs, they are
// not nearly all adjacent to each other: they come by degree.
Buffer<Elimination::Turn> turns_of(const Graph& graph, Control& control) {
    Buffer<Elimination::Turn> turns(graph.cells(), true);
    Stack<GraphId> hubs(16);
    for (Index cell = 0; cell < graph.cells(); ++cell, control.poll())
        if (Elimination::has_many_neighbours(graph, cell)) hubs.push(static_cast<GraphId>(cell));
    if (hubs.size() * hubs.size() <= graph.slots())
        for (const GraphId hub : hubs) turns[hub] = Elimination::Turn::last;
    return turns;
}

}  // namespace

Laplacian::Laplacian(const Graph& graph, Index most_updates, Control& control)
    : Laplacian(graph, most_updates, turns_of(graph, control), control) {}

Laplacian::Laplacian(const Graph& graph, Index most_updates, const Buffer<Elimination::Turn>& turns,
                     Control& control)
    : graph_(graph),
      order_(graph, Elimination::Extent::all, {.updates = static_cast<double>(most_updates)},
             {turns.begin(), turns.end()}, control),
      place_(graph.edges()) {
    if (!order_.feasible)
        throw std::invalid_argument(
            "this graph is too large, or too dense, for exact numbers: its factorization would "
            "take more than 2**" +
            std::to_string(std::bit_width(static_cast<std::uint64_t>(most_updates)) - 1) +
            " updates");
    for (Index edge = 0; edge < graph.edges(); ++edge) {
        control.poll(16);
        const GraphId* const ends = graph.ends() + 2 * edge;
        const auto [one, other] = std::minmax(order_.rank[ends[0]], order_.rank[ends[1]]);
        const GraphId* const begin = order_.rows.begin() + order_.first[one];
        const GraphId* const end = order_.rows.begin() + order_.first[one + 1];
        place_[edge] = one == other ? one
                                    : graph.cells() + order_.first[one] +
                                          (std::lower_bound(begin, end, other) - begin);
    }
}

// Calls update(a, b, place, n) with all pairs (a, b), (a, b + 1) ... of entries of a rank, a <= b,
// in runs of n that change values from `place` on.
template <class Update>
void Laplacian::for_each_run(Index rank, Update update) const {
    const Index n = graph_.cells(), size = order_.entries_of(rank);
    const GraphId* const rows = order_.rows.begin() + order_.first[rank];
    for (Index a = 0; a < size; ++a) {
        update(a, a, Index{rows[a]}, Index{1});
        // The rows after this one are among those of the cell that it is, in the same order.
        const GraphId* its = order_.rows.begin() + order_.first[rows[a]];
        const bool same = order_.entries_of(rows[a]) == size - a - 1;
        for (Index b = a + 1; b < size;) {
            while (*its != rows[b]) ++its;
            Index run = same ? size - b : 1;
            while (b + run < size && its[run] == rows[b + run]) ++run;
            update(a, b, n + (its - order_.rows.begin()), run);
            its += run;
            b += run;
        }
    }
}

std::uint64_t Laplacian::forests_modulo(std::uint64_t prime, Control& control) const {
    const Index n = graph_.cells();
    Buffer<std::uint64_t> values(n + order_.rows.size(), true);
    for (Index edge = 0; edge < graph_.edges(); ++edge) {
        control.poll(2);
        const GraphId* const ends = graph_.ends() + 2 * edge;
        if (ends[0] == ends[1]) continue;
        ++values[order_.rank[ends[0]]];
        ++values[order_.rank[ends[1]]];
        values[place_[edge]] += prime - 1;
    }
    for (const GraphId root : graph_.roots()) ++values[order_.rank[root]];
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
        const Index size = order_.entries_of(rank);
        const std::uint64_t* const own = values.begin() + n + order_.first[rank];
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
    Buffer<double> values(n + order_.rows.size(), true);
    for (Index edge = 0; edge < graph_.edges(); ++edge) {
        control.poll(2);
        const GraphId* const ends = graph_.ends() + 2 * edge;
        if (ends[0] == ends[1]) continue;
        const double conductance = conductances == nullptr ? 1 : conductances[edge];
        values[order_.rank[ends[0]]] += conductance;
        values[order_.rank[ends[1]]] += conductance;
        values[place_[edge]] -= conductance;
    }
    for (const GraphId root : graph_.roots()) values[order_.rank[root]] += 1;
    double logarithm = 0;
    std::vector<double> factors;
    for (Index rank = 0; rank < n; ++rank) {
        const double pivot = values[rank];
        logarithm += std::log(pivot);
        const Index size = order_.entries_of(rank);
        double* const own = values.begin() + n + order_.first[rank];
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
        const Index size = order_.entries_of(rank);
        const double* const own = values.begin() + n + order_.first[rank];
        double* const out = inverse.begin() + n + order_.first[rank];
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
        resistances[edge] = ends[0] == ends[1]
                                ? 0
                                : inverse[order_.rank[ends[0]]] + inverse[order_.rank[ends[1]]] -
                                      2 * inverse[place_[edge]];
    }
    return logarithm;
}

}  // namespace meiro
