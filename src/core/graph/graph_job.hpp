// What a generator on a graph is given, and how it reports what it does.
#pragma once

#include "../control.hpp"
#include "../options.hpp"
#include "../random.hpp"
#include "../trace/events.hpp"
#include "graph.hpp"

namespace meiro {

// Where a graph is not only a graph: the lattice says so, for all its edges or for none.
struct GraphHints {
    // Lane and word of the weight of each edge, so that a square lattice given as a graph has the
    // maze of the square core; null: lane 0, and the word is the number of the edge.
    const std::uint64_t* weight_addresses = nullptr;
    // The step that goes straight on after a step, or -1: a step is 2 * edge from the first end of
    // an edge to the second, and 2 * edge + 1 back. Null: the lattice does not know.
    const GraphId* straight = nullptr;
};

// Everything a generator on a graph is given. It leaves `open`, a byte an edge, finished; the bytes
// are 0 when it begins.
struct GraphJob {
    const Graph& graph;
    std::uint8_t* open;
    Seed seed;
    const Options& options;
    const GraphHints& hints;
    Control& control;

    // Where the tree of a component begins: `start` in its own component, else its first cell.
    Index root(Index component) const {
        if (start >= 0 && graph.component(start) == component) return start;
        return graph.roots()[static_cast<std::size_t>(component)];
    }
    Index start = first_start();
    std::uint64_t lane = 0;  // of its random words
    // If not null, the maze may be left undone, and a 1 here says so: its walks would take too
    // long, and many such mazes are made together (unequal_weights.hpp).
    std::uint8_t* put_off = nullptr;

private:
    Index first_start() const {
        if (options.start != Options::random_cell) return options.start;
        return Random(seed, Purpose::begin).below(graph.cells());
    }
};

// Events on a graph. A place is a cell, 0 .. cells-1, or cells + edge; the direction of an edge is
// 0 from its first end to its second, and 1 back.
template <Recorder R>
class GraphEvents {
public:
    GraphEvents(R& record, const Graph& graph) : record_(record), cells_(graph.cells()) {}
    void cell(Event e, Index cell, unsigned clause = 0) {
        record_.on(e, Cell{0, cell}, Direction::none, clause);
    }
    void edge(Event e, Index edge, bool back = false, unsigned clause = 0) {
        record_.on(e, Cell{0, cells_ + edge}, back ? Direction::east : Direction::north, clause);
    }
    // An edge that is left from one of its ends.
    void edge_from(Event e, const Graph& graph, Index edge, Index cell, unsigned clause = 0) {
        this->edge(e, edge, graph.ends()[2 * edge] != cell, clause);
    }

private:
    R& record_;
    Index cells_;
};

// Opens the edge of a slot, from one of its cells; returns where the slot leads.
template <Recorder R>
GraphId carve(GraphJob& job, GraphEvents<R>& events, Index from, GraphId slot,
              unsigned clause = 0) {
    const GraphId edge = job.graph.via()[slot];
    job.open[edge] = 1;
    events.edge_from(Event::carve, job.graph, edge, from, clause);
    return job.graph.to()[slot];
}

// Uniform in 0 .. n-1, exactly (Lemire 2019), by half a word; n in 1 .. 2^32 - 1. Two draws a word.
class SmallDraws {
public:
    explicit SmallDraws(const GraphJob& job) : random_(job.seed) {}
    std::uint32_t below(std::uint32_t n) {
        std::uint64_t product = std::uint64_t{half()} * n;
        if (static_cast<std::uint32_t>(product) < n) [[unlikely]] {
            const std::uint32_t threshold = (0 - n) % n;
            while (static_cast<std::uint32_t>(product) < threshold)
                product = std::uint64_t{half()} * n;
        }
        return static_cast<std::uint32_t>(product >> 32);
    }
    // The same by whole words, for any n > 0.
    std::uint64_t below_long(std::uint64_t n) {
        return static_cast<std::uint64_t>(random_.below(static_cast<Index>(n)));
    }

private:
    std::uint32_t half() {
        left_ = !left_;
        if (left_) {
            word_ = random_();
            return static_cast<std::uint32_t>(word_);
        }
        return static_cast<std::uint32_t>(word_ >> 32);
    }
    Random random_;
    std::uint64_t word_ = 0;
    bool left_ = false;  // the high half of the word is not used yet
};

// A generator made of run(job, record), a generic function.
template <class Run>
constexpr Runs<GraphJob> graph_runs(Run run) {
    return {run, run};
}

// Every generator on graphs, by name. Each is in the .cpp of its algorithm here.
extern const Runs<GraphJob> graph_wilson, graph_aldous_broder, graph_origin_shift,
    graph_backtracker, graph_hunt_and_kill, graph_growing_tree, graph_growing_forest, graph_kruskal,
    graph_prim, graph_boruvka, graph_prim_frontier_cell, graph_prim_frontier_edge,
    graph_percolation;

}  // namespace meiro
