// Growing forest on graphs: trees grow from several seeds in turns; each turn is one step of
// growing_tree on the tree's own list. When no tree can grow, the edges between different trees are
// opened in random order if they still join two trees.
//   W. D. Pullen, Think Labyrinth, astrolog.org/labyrnth/algrithm.htm (Forest)
// Law: that of generate/growing_forest.cpp. trees= is the number of seeds, by default one per 100
// cells; the seeds are different cells, each set and each order of turns equally likely. A
// component without a seed is grown after the others, as one tree from a uniform cell.
// Time: n log n of the edges between trees. Scratch: 17 bytes a cell, 16 an edge between trees.
#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "../disjoint_set.hpp"
#include "../polled_sort.hpp"
#include "active_cells.hpp"
#include "graph_job.hpp"
#include "growth.hpp"
#include "weights.hpp"

namespace meiro {
namespace {

template <Recorder R>
class GraphForest {
public:
    GraphForest(GraphJob& job, R& record)
        : job_(job),
          events_(record, job.graph),
          unvisited_(job),
          chooser_(job.options),
          random_(job.seed, Purpose::furnish),
          trees_(job.graph.cells()) {
        trees_.reset(job.graph.cells(), job.control);
    }

    void run() {
        std::vector<ActiveCells> forest(static_cast<std::size_t>(count()));
        Buffer<GraphId> seeds(job_.graph.cells());
        for (Index cell = 0; cell < seeds.size(); ++cell, job_.control.poll())
            seeds[cell] = static_cast<GraphId>(cell);
        for (std::size_t k = 0; k < forest.size(); ++k) {
            const auto i = static_cast<Index>(k);
            std::swap(seeds[i], seeds[i + random_.below(seeds.size() - i)]);
            plant(forest[k], seeds[i]);
        }
        grow(forest);
        if (job_.graph.roots().size() > 1) {
            for_each_component(job_, unvisited_.draws(), [&](Index cell) {
                if (seeded(job_.graph.component(cell))) return;
                forest.resize(1);
                plant(forest[0], static_cast<GraphId>(cell));
                grow(forest);
            });
        }
        merge();
    }

private:
    Index count() const {
        const Index cells = job_.graph.cells(), given = job_.options.trees;
        if (given > cells)
            throw std::invalid_argument("trees must be at most " + std::to_string(cells) +
                                        ", the number of cells, not " + std::to_string(given));
        return given < 0 ? std::max<Index>(1, cells / 100) : given;
    }

    bool seeded(Index component) const {
        return unvisited_.visited(job_.graph.roots()[static_cast<std::size_t>(component)]);
    }

    void plant(ActiveCells& tree, GraphId cell) {
        unvisited_.visit(cell);
        events_.cell(Event::visit, cell);
        tree.push({cell, -1}, chooser_, job_.control);
        job_.control.done(1);
    }

    // Takes turns until all trees are complete; the trees that can grow stay in order.
    void grow(std::vector<ActiveCells>& forest) {
        Buffer<GraphId> turns(static_cast<Index>(forest.size()));
        for (Index k = 0; k < turns.size(); ++k) turns[k] = static_cast<GraphId>(k);
        Index left = turns.size();
        while (left > 0) {
            Index kept = 0;
            for (Index k = 0; k < left; ++k) {
                ActiveCells& tree = forest[static_cast<std::size_t>(turns[k])];
                take_turn(tree);
                turns[kept] = turns[k];
                kept += tree.empty() ? 0 : 1;
                job_.control.poll(16);
            }
            left = kept;
        }
    }

    void take_turn(ActiveCells& tree) {
        const Graph& graph = job_.graph;
        const std::uint32_t slot = tree.find(chooser_.next(random_), random_);
        const GraphId cell = tree.at(slot).cell;
        const GraphId taken = unvisited_.pick(cell).slot;
        if (taken < 0) {
            tree.erase(slot, chooser_, job_.control);
            return;
        }
        const GraphId edge = graph.via()[taken], to = graph.to()[taken];
        job_.open[edge] = 1;
        trees_.join(cell, to);
        events_.edge_from(Event::carve, graph, edge, cell);
        unvisited_.visit(to);
        job_.control.done(1);
        tree.push({to, -1}, chooser_, job_.control);
    }

    void merge() {
        const EdgeWeights weights(job_);
        Stack<WeighedEdge> between;
        const Graph& graph = job_.graph;
        for (Index edge = 0; edge < graph.edges(); ++edge) {
            job_.control.poll(16);
            const GraphId* const ends = graph.ends() + 2 * edge;
            if (trees_.find(ends[0]) != trees_.find(ends[1]))
                between.push({weights.at(edge), static_cast<GraphId>(edge)});
        }
        polled_sort(between.begin(), between.end(), std::less<>(), job_.control);
        for (const WeighedEdge& one : between) {
            job_.control.poll(16);
            const GraphId* const ends = graph.ends() + 2 * Index{one.edge};
            const bool opens = trees_.join(ends[0], ends[1]);
            if (opens) job_.open[one.edge] = 1;
            events_.edge(opens ? Event::carve : Event::keep, one.edge, false, 1);
        }
    }

    GraphJob& job_;
    GraphEvents<R> events_;
    UnvisitedNeighbours unvisited_;
    const Chooser chooser_;
    Random random_;
    DisjointSet<GraphId> trees_;
};

}  // namespace

template <Recorder R>
void graph_growing_forest(GraphJob& job, R& record) {
    GraphForest<R>(job, record).run();
}

template void graph_growing_forest(GraphJob&, NoTrace&);
template void graph_growing_forest(GraphJob&, Trace&);

}  // namespace meiro
