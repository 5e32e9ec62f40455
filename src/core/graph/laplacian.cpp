#include "laplacian.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace meiro {

Laplacian::Laplacian(const Graph& graph, Control& control)
    : graph_(graph),
      rank_(graph.cells()),
      first_(graph.cells() + 1),
      places_(1024),
      place_(graph.edges()) {
    eliminate(control);
    find_places(control);
}

// Eliminates the cells by minimum degree; ties go to the cell that came to its degree last.
void Laplacian::eliminate(Control& control) {
    const Index n = graph_.cells();
    std::vector<std::vector<GraphId>> adjacent(static_cast<std::size_t>(n));
    std::vector<std::vector<GraphId>> by_degree(1);
    const auto enlist = [&](GraphId cell) {
        const std::size_t degree = adjacent[static_cast<std::size_t>(cell)].size();
        if (degree >= by_degree.size()) by_degree.resize(degree + 1);
        by_degree[degree].push_back(cell);
    };
    for (Index cell = n - 1; cell >= 0; --cell) {
        auto& own = adjacent[static_cast<std::size_t>(cell)];
        own.assign(graph_.to() + graph_.first()[cell], graph_.to() + graph_.first()[cell + 1]);
        std::ranges::sort(own);
        own.erase(std::unique(own.begin(), own.end()), own.end());
        enlist(static_cast<GraphId>(cell));
        control.poll(8 + 8 * static_cast<Index>(own.size()));
        rank_[cell] = -1;
    }
    std::vector<std::vector<GraphId>> columns;
    columns.reserve(static_cast<std::size_t>(n));
    std::vector<GraphId> merged;
    Index updates = 0;
    std::size_t degree = 0;
    while (static_cast<Index>(columns.size()) < n) {
        while (by_degree[degree].empty()) ++degree;
        const GraphId cell = by_degree[degree].back();
        by_degree[degree].pop_back();
        auto& own = adjacent[static_cast<std::size_t>(cell)];
        if (rank_[cell] >= 0 || own.size() != degree) continue;  // it came to another degree
        rank_[cell] = static_cast<GraphId>(columns.size());
        const auto size = static_cast<Index>(own.size());
        updates += size * (size + 1) / 2;
        if (updates > most_updates)
            throw std::invalid_argument(
                "this graph is too large, or too dense, for exact numbers: its factorization would "
                "take more than 2**28 updates");
        for (const GraphId other : own) {
            auto& its = adjacent[static_cast<std::size_t>(other)];
            merged.clear();
            std::ranges::set_union(its, own, std::back_inserter(merged));
            std::erase_if(merged, [&](GraphId one) { return one == cell || one == other; });
            its.assign(merged.begin(), merged.end());
            enlist(other);
            degree = std::min(degree, its.size());
            control.poll(4 * static_cast<Index>(its.size() + own.size()));
        }
        columns.push_back(std::move(own));
        own = {};
    }

    first_[0] = 0;
    for (Index rank = 0; rank < n; ++rank) {
        auto& column = columns[static_cast<std::size_t>(rank)];
        for (GraphId& cell : column) cell = rank_[cell];
        std::ranges::sort(column);
        for (const GraphId row : column) rows_.push(row);
        first_[rank + 1] = rows_.size();
        control.poll(4 + 16 * static_cast<Index>(column.size()));
    }
}

void Laplacian::find_places(Control& control) {
    const Index n = graph_.cells();
    for (Index rank = 0; rank < n; ++rank) {
        for (std::int64_t a = first_[rank]; a < first_[rank + 1]; ++a) {
            const GraphId row = rows_[a];
            places_.push(static_cast<std::uint32_t>(row));
            // The rows of `rank` after `row` are among those of `row`, in the same order.
            std::int64_t at = first_[row];
            for (std::int64_t b = a + 1; b < first_[rank + 1]; ++b) {
                while (rows_[at] != rows_[b]) ++at;
                places_.push(static_cast<std::uint32_t>(n + at));
            }
            control.poll(4 + 2 * (first_[row + 1] - first_[row]));
        }
    }
    for (Index edge = 0; edge < graph_.edges(); ++edge) {
        control.poll(16);
        const GraphId* const ends = graph_.ends() + 2 * edge;
        const GraphId one = std::min(rank_[ends[0]], rank_[ends[1]]);
        const GraphId other = std::max(rank_[ends[0]], rank_[ends[1]]);
        const GraphId* const begin = rows_.begin() + first_[one];
        const GraphId* const end = rows_.begin() + first_[one + 1];
        place_[edge] = static_cast<std::uint32_t>(
            one == other ? one : n + first_[one] + (std::lower_bound(begin, end, other) - begin));
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
    const std::uint32_t* place = places_.begin();
    for (Index rank = 0; rank < n; ++rank) {
        const std::uint64_t pivot = values[rank];
        if (pivot == 0) return 0;
        number = number * pivot % prime;
        std::uint64_t inverse = 1, power = pivot;  // Fermat: to the power of prime - 2
        for (std::uint64_t left = prime - 2; left != 0; left >>= 1, power = power * power % prime)
            if ((left & 1) != 0) inverse = inverse * power % prime;
        const Index size = entries_of(rank);
        const std::uint64_t* const own = values.begin() + n + first_[rank];
        for (Index a = 0; a < size; ++a) {
            const std::uint64_t factor = prime - own[a] * inverse % prime;
            for (Index b = a; b < size; ++b, ++place)
                values[*place] = (values[*place] + factor * own[b]) % prime;
        }
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
    const std::uint32_t* place = places_.begin();
    for (Index rank = 0; rank < n; ++rank) {
        const double pivot = values[rank];
        logarithm += std::log(pivot);
        const Index size = entries_of(rank);
        double* const own = values.begin() + n + first_[rank];
        for (Index a = 0; a < size; ++a) {
            const double factor = own[a] / pivot;
            for (Index b = a; b < size; ++b, ++place) values[*place] -= factor * own[b];
        }
        for (Index a = 0; a < size; ++a) own[a] /= pivot;
        control.poll(16 + 2 * size * size);
    }
    if (resistances == nullptr) return logarithm;
    // Backwards: `inverse` has the entries of the inverse at the same places.
    Buffer<double> inverse(values.size());
    for (Index rank = n; rank-- > 0;) {
        const Index size = entries_of(rank);
        place -= size * (size + 1) / 2;
        const double* const own = values.begin() + n + first_[rank];
        double* const out = inverse.begin() + n + first_[rank];
        std::fill(out, out + size, 0.0);
        const std::uint32_t* pair = place;
        for (Index a = 0; a < size; ++a) {
            out[a] -= own[a] * inverse[*pair++];
            for (Index b = a + 1; b < size; ++b, ++pair) {
                out[a] -= own[b] * inverse[*pair];
                out[b] -= own[a] * inverse[*pair];
            }
        }
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
