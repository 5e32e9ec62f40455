// Measures of mazes on a graph, as measure/measure_one.cpp has them for squares.
//
// A maze without loops needs no rows of neighbours: of each cell the number of its passages is
// kept, and the exclusive or of the cells behind them. Where one is left that is its cell, and a
// walk through a corridor knows the cell behind. So leaves are peeled in one pass over the edges
// and one over the cells; measure/leaf_peeling.hpp has the folds over them, and their sources. A
// maze with loops is flooded instead. Time: linear. Scratch: 24 bytes a cell; with loops the open
// edges as compressed rows and 4 more.
#include "graph_measure.hpp"

#include <algorithm>

#include "../batch.hpp"
#include "flood.hpp"
#include "open_graph.hpp"
#include "paths/graph_paths.hpp"

namespace meiro {

GraphMeasurer::GraphMeasurer(const Graph& graph, MeasureList list)
    : MeasurerOf(requirements_of(list)), graph_(graph), degree_(graph.cells()) {
    if (walks()) beside_ = Buffer<GraphId>(graph.cells());
    if (!requires_all(peeling)) return;
    left_ = Buffer<GraphId>(graph.cells());
    towards_ = Buffer<GraphId>(graph.cells());
    order_ = Buffer<GraphId>(graph.cells());
}

// Counted. Of a tree, or of a maze with loops if that takes more.
Index GraphMeasurer::steps() const {
    const auto asked = [this](Requires some, Index steps) {
        return requires_all(some) ? steps : 0;
    };
    const Index sums = requires_all(summing) || requires_all(absorbing) ? 2 : 0;
    const Index tree = sums + asked(spanning, 2);
    const bool labels = requires_all(surveying) || requires_all(chaining);
    const Index each =
        asked(dead_ending, 2) + asked(peeling, 5) + std::max<Index>(tree, labels ? 12 : 0);
    return 2 * graph_.edges() + each * graph_.cells();
}

void GraphMeasurer::measure(const std::uint8_t* open, Index start, Index goal, Control& control) {
    results_ = {};
    count(open, control);
    if (requires_all(dead_ending)) measure_dead_ends(control);
    if (!requires_all(peeling)) return;
    peel(goal, control);
    results_.same_ends = start == goal;
    results_.choice_at_start = degree_[start] > 1;
    const bool loops = results_.peeled != results_.counts.passages();
    if (loops) {
        measure_loops(open, start, goal, control);
        return;
    }
    results_.census.regions = graph_.cells() - results_.counts.passages();
    if (results_.no_tree().empty()) measure_tree(start, control);
    if (requires_all(solving)) follow(start, goal, start, control);
}

void GraphMeasurer::count(const std::uint8_t* open, Control& control) {
    const Index cells = graph_.cells();
    const bool beside = beside_.size() > 0;
    polled_fill(degree_.data(), cells, 0, control);
    if (beside) polled_fill(beside_.data(), cells, 0, control);
    CellCounts& counts = results_.counts;
    each_passage(graph_, open, control, [&](GraphId one, GraphId other) {
        ++counts.horizontal;  // all are passages, in no direction
        ++degree_[one];
        ++degree_[other];
        if (!beside) return;
        beside_[one] ^= other;
        beside_[other] ^= one;
    });
    counts.cells = cells;
    Index numbers[5]{};
    by_each(cells, control, [&](Index cell) { ++numbers[std::min(degree_[cell], 4)]; });
    counts.isolated = numbers[0];
    counts.dead_ends = numbers[1];
    counts.corridors = numbers[2];
    counts.junctions = numbers[3];
    counts.crossroads = numbers[4];
}

void GraphMeasurer::measure_dead_ends(Control& control) {
    for (Index end = 0; end < graph_.cells(); ++end) {
        control.poll();
        if (degree_[end] != 1) continue;
        Index steps = 1, behind = end, at = beside_[end];
        for (; degree_[at] == 2; ++steps) {
            behind = std::exchange(at, beside_[at] ^ behind);
            control.poll(2);
        }
        results_.dead_ends.steps += steps;
        results_.dead_ends.longest = std::max(results_.dead_ends.longest, steps);
    }
}

void GraphMeasurer::peel(Index root, Control& control) {
    const Index cells = graph_.cells();
    Buffer<GraphId> rest(cells);
    polled_copy(degree_.data(), cells, left_.data(), control);
    polled_copy(beside_.data(), cells, rest.data(), control);
    polled_fill(towards_.data(), cells, -1, control);
    Index peeled = 0;
    for (Index cell = 0; cell < cells; ++cell) {
        control.poll();
        for (Index at = cell; left_[at] == 1 && at != root;) {
            const GraphId to = rest[at];
            left_[at] = 0;
            towards_[at] = to;
            order_[peeled++] = static_cast<GraphId>(at);
            --left_[to];
            rest[to] ^= static_cast<GraphId>(at);
            at = to;
            control.poll(4);
        }
    }
    results_.peeled = peeled;
}

void GraphMeasurer::measure_tree(Index start, Control& control) {
    const Index cells = graph_.cells(), peeled = results_.peeled;
    if (requires_all(spanning)) {
        Buffer<GraphId> depth(cells, true);
        GraphId longest = 0;
        for (Index i = 0; i < peeled; ++i) {
            const Index at = order_[i], to = towards_[at];
            longest = std::max(longest, depth[at] + 1 + depth[to]);
            depth[to] = std::max(depth[to], depth[at] + 1);
            control.poll(2);
        }
        results_.diameter = longest;
    }
    if (!requires_all(summing) && !requires_all(absorbing)) return;
    Buffer<GraphId> size(cells);
    polled_fill(size.data(), cells, 1, control);
    for (Index i = 0; i < peeled; ++i) {
        const Index at = order_[i];
        const auto branch = static_cast<std::uint64_t>(size[at]);
        size[towards_[at]] += size[at];
        results_.wiener_index.add(multiply(branch, static_cast<std::uint64_t>(cells) - branch));
        control.poll(2);
    }
    for (Index at = start; towards_[at] >= 0; at = towards_[at]) {
        results_.absorption_time.add({0, 2 * static_cast<std::uint64_t>(size[at]) - 1});
        control.poll(2);
    }
}

// The solution along towards_, which leads from `from` to `to`, one of which is the start.
void GraphMeasurer::follow(Index from, Index to, Index start, Control& control) {
    Solution& solution = results_.solution;
    Index at = from;
    for (; at != to && towards_[at] >= 0; ++solution.length) {
        at = towards_[at];
        if (at != to && at != start && degree_[at] > 2) ++solution.decisions;
        control.poll(2);
    }
    solution.found = at == to;
}

void GraphMeasurer::measure_loops(const std::uint8_t* open, Index start, Index goal,
                                  Control& control) {
    const OpenGraph graph(graph_, open, control);
    const Index cells = graph.cells();
    if (requires_all(surveying) || requires_all(chaining)) {
        // towards_ holds the components. Those with corridors only are lonely loops.
        const GraphId regions = label_cells(graph, towards_.data(), control);
        Buffer<GraphId> corridors(regions + 1, true), sizes(regions + 1, true);
        for (Index cell = 0; cell < cells; ++cell) {
            ++sizes[towards_[cell]];
            corridors[towards_[cell]] += degree_[cell] == 2 ? 1 : 0;
            control.poll(2);
        }
        for (GraphId i = 1; i <= regions; ++i)
            if (corridors[i] == sizes[i]) results_.lonely += sizes[i];
        results_.census.regions = regions;
        results_.census.loops = results_.counts.passages() - cells + regions;
    }
    if (!requires_all(solving)) return;
    // Of several shortest paths that of bfs: each cell is reached from the first one beside it.
    polled_fill(towards_.data(), cells, -1, control);
    Buffer<GraphId> queue(cells + 1);
    queue[0] = towards_[start] = static_cast<GraphId>(start);
    const auto free = [](GraphId mark) { return mark < 0; };
    const auto enter = [](Index cell) { return static_cast<GraphId>(cell); };
    const auto reach = [this](GraphId cell, GraphId, GraphId next) {
        const GraphId before = towards_[next], fresh = before < 0 ? 1 : 0;
        towards_[next] = before ^ ((before ^ cell) & -fresh);
        return fresh;
    };
    flood<false>(graph, towards_.data(), queue.data(), 1, false, control, free, enter, reach);
    follow(goal, start, start, control);
}

void measure_graphs(const GraphMazes& mazes, MeasureList list, double* out, Control& control,
                    int threads, std::string_view* reasons) {
    const Index size = mazes.graph.edges();
    by_dozens(mazes.n, size + mazes.graph.cells(), control, threads,
              [&](Index first, Index last, Control& worker) {
                  GraphMeasurer measurer(mazes.graph, list);
                  for (Index i = first; i < last; ++i) {
                      worker.expect(mazes.graph.cells(), measurer.steps());
                      measurer.measure(mazes.open + i * size, mazes.starts[i], mazes.goals[i],
                                       worker);
                      measurer.results(list, i, out, reasons);
                      worker.finish();
                  }
              });
}

void count_graph_positions(const GraphMazes& mazes, unsigned set, Index* counts, Control& control) {
    constexpr unsigned bytes[]{0b0000, 0b0001, 0b0011, 0b0111, 0b1111};
    const Index cells = mazes.graph.cells(), edges = mazes.graph.edges();
    polled_fill(counts, cells, 0, control);
    for (Index i = 0; i < mazes.n; ++i) {
        const auto degree = open_degrees(mazes.graph, mazes.open + i * edges, control);
        by_each(cells, control,
                [&](Index cell) { counts[cell] += set >> bytes[std::min(degree[cell], 4)] & 1; });
        control.done(cells);
    }
}

}  // namespace meiro
