// Measures of mazes on a graph: all that speak of no rows and columns (not
// MeasureTrait::of_squares).
#pragma once

#include "../measure/measures.hpp"
#include "graph.hpp"

namespace meiro {

// Measures mazes on one graph, one after the other, in the same scratch.
class GraphMeasurer : public MeasurerOf {
public:
    GraphMeasurer(const Graph& graph, MeasureList list);

    // `open` has a byte an edge. The maze is solved from `start` to `goal`.
    void measure(const std::uint8_t* open, Index start, Index goal, Control& control);
    // About how many steps of Control::poll that takes.
    Index steps() const;

private:
    void count(const std::uint8_t* open, Control& control);
    void peel(Index root, Control& control);
    void measure_dead_ends(Control& control);
    void measure_tree(Index start, Control& control);
    void measure_loops(const std::uint8_t* open, Index start, Index goal, Control& control);
    void follow(Index from, Index to, Index start, Control& control);

    const Graph& graph_;
    // Of each cell: its passages, the exclusive or of the cells behind them, and the same of what
    // is left while leaves are peeled; then towards_ is the cell behind its last passage, or -1.
    Buffer<GraphId> degree_, beside_, left_, towards_, order_;
};

// A maze of each row of `open`, (n, edges); out and reasons as those of measure_batch().
struct GraphMazes {
    const Graph& graph;
    const std::uint8_t* open;
    Index n;
    const Index *starts, *goals;
};
void measure_graphs(const GraphMazes& mazes, MeasureList list, double* out, Control& control,
                    int threads, std::string_view* reasons = nullptr);
// counts: per cell, the number of mazes in which a byte with as many bits as it has passages, at
// most 4, is in the set, as count_positions() has it for squares.
void count_graph_positions(const GraphMazes& mazes, unsigned set, Index* counts, Control& control);

}  // namespace meiro
