// Trees of weights so unequal that walks would hardly end: a walk stays among cells that heavy
// edges join for as many steps as these exceed those that lead away.
//
// Wilson's algorithm has a budget of steps. If it is spent, the maze is dropped and made anew with
// other random numbers: by walks on what is left when the easy cells are eliminated, with a budget
// too; else by elimination of all cells; if that is too much, by longer walks (star_mesh.hpp). The
// number of steps is that of the popped cycles and of the cells, and independent of the tree
// (Wilson); so a maze whose walks were within the budget follows the law, and so does what is made
// instead. Of a part of a maze that is not true. The steps of Aldous-Broder depend on the tree:
// whether it walks at all is decided before, by the weights alone.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "../disjoint_set.hpp"
#include "graph_job.hpp"

namespace meiro {

// The budget: even weights take some ten steps a cell on a lattice.
constexpr Index most_steps(Index cells) {
    return (Index{1} << 13) + 1024 * cells;
}

// No budget.
inline constexpr Index any_steps = std::numeric_limits<Index>::max();

// A maze that is to be made; its bytes are 0.
struct PutOff {
    std::uint8_t* open;
    Seed seed;
};

// Makes mazes by elimination. What they share is made once. std::invalid_argument if it takes too
// long, or too much memory.
void make_by_elimination(const Graph& graph, std::span<const double> weights,
                         std::span<const PutOff> mazes, Control& control, int threads);

// The same for one job, with its weights: puts it off if it may, else reports the open edges.
template <Recorder R>
void make_by_elimination(GraphJob& job, R& record) {
    if (job.put_off != nullptr) {
        *job.put_off = 1;
        return;
    }
    const PutOff maze{job.open, job.seed};
    make_by_elimination(job.graph, job.options.weights, {&maze, 1}, job.control, 1);
    GraphEvents<R> events(record, job.graph);
    for (const GraphId root : job.graph.roots()) events.cell(Event::visit, root);
    for (Index edge = 0; edge < job.graph.edges(); ++edge, job.control.poll())
        if (job.open[edge] != 0) events.edge(Event::carve, edge);
}

// Wilson's algorithm with weights within a budget of steps: graph/wilson.cpp. False if it was
// spent: then all bytes are 0 again.
bool wilson_within(GraphJob& job, Index steps);

// Is a walk over all cells about as short as with even weights? The expected time to reach a cell
// is at most twice the sum of the conductances times the resistance of a way, which is at most that
// of a tree of heaviest edges; both are known up to a factor of 2 by the exponents of the weights.
// two_cells(edge): the cells of an edge, the same twice for one that is not there.
//   A. K. Chandra, P. Raghavan, W. L. Ruzzo, R. Smolensky, P. Tiwari, The electrical resistance of
//   a graph captures its commute and cover times, Comput. Complexity 6 (1996) 312.
//   doi:10.1007/BF01270385
template <class TwoCells>
bool walk_covers_soon(Index cells, std::span<const double> weights, TwoCells two_cells,
                      Control& control) {
    constexpr double as_even = 64, always = 0x1p16;
    const auto edges = static_cast<Index>(weights.size());
    double least = weights.empty() ? 1 : weights[0], most = least;
    for (const double weight : weights) {
        least = std::min(least, weight);
        most = std::max(most, weight);
        control.poll();
    }
    if (most <= as_even * least) return true;
    if (!(least > 0) || !std::isfinite(most)) return true;
    // Edges in groups by their exponents, the heaviest first; of the least doubles too coarse.
    const auto exponent = [](double weight) {
        return static_cast<int>(std::bit_cast<std::uint64_t>(weight) >> 52);
    };
    const auto group = [&, top = exponent(most)](Index edge) {
        return top - exponent(weights[static_cast<std::size_t>(edge)]);
    };
    Buffer<Index> begin(exponent(most) - exponent(least) + 2, true);
    double sum = 0;
    for (Index edge = 0; edge < edges; ++edge, control.poll(2)) {
        ++begin[group(edge) + 1];
        sum += weights[static_cast<std::size_t>(edge)];
    }
    for (Index k = 1; k < begin.size(); ++k) begin[k] += begin[k - 1];
    Buffer<GraphId> sorted(edges);
    for (Index edge = 0; edge < edges; ++edge, control.poll(2))
        sorted[begin[group(edge)]++] = static_cast<GraphId>(edge);
    DisjointSet<GraphId> sets(cells);
    sets.reset(cells, control);
    double resistance = 0, joins = 0;
    for (const GraphId edge : sorted) {
        control.poll(8);
        const auto [one, other] = two_cells(edge);
        if (!sets.join(static_cast<GraphId>(one), static_cast<GraphId>(other))) continue;
        resistance += std::ldexp(1.0, group(edge));
        if (++joins == static_cast<double>(cells - 1)) break;
    }
    return 2 * (sum / most) * resistance <=
           always + as_even * 2 * static_cast<double>(edges) * joins;
}

}  // namespace meiro
