// Growing forest on graphs: trees grow from several seeds in turns; each turn is one step of
// growing_tree on the tree's own list. When no tree can grow, the edges between different trees are
// opened in random order if they still join two trees.
//   W. D. Pullen, Think Labyrinth, astrolog.org/labyrnth/algrithm.htm (Forest)
// Law: that of generate/growing_forest.cpp. trees= is the number of seeds, by default one per 100
// cells; the seeds are different cells, each set and each order of turns equally likely. A
// component without a seed is grown after the others, as one tree from a uniform cell.
// Time: n log n of the edges between trees. Scratch: 9 bytes a cell and 12 a tree; unless choose =
// newest, the lists as well; at the end 9 bytes a cell, 4 a tree and 16 an edge, of which only
// those between trees are touched.
#include <functional>
#include <span>
#include <type_traits>

#include "../disjoint_set.hpp"
#include "../generate/shared/tree_lists.hpp"
#include "../polled_sort.hpp"
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
          random_(job.seed, Purpose::furnish),
          grown_(job.graph.cells(), true) {}

    void run() {
        Buffer<Id> seeds(job_.graph.cells());
        for (Index cell = 0; cell < seeds.size(); ++cell, job_.control.poll())
            seeds[cell] = static_cast<Id>(cell);
        draw_seeds(seeds, seeds.size(), job_.options.trees, random_, job_.control);
        const Index trees = seeds.size();
        if (Chooser(job_.options).only(Choice::newest))
            grow_newest(seeds);
        else
            grow_by_lists(seeds);
        shorten(seeds, 0, job_.control);
        if (trees > 1) merge(trees);
    }

private:
    using Id = std::uint32_t;
    struct Grown {
        GraphId tree;  // 0 in components without a seed
        GraphId from;  // the cell that it was grown from; of a root itself
    };

    // begin(tree, cell) begins a tree, and rounds(trees) lets the first ones take turns until they
    // are complete.
    template <class Begin, class Rounds>
    void grow(const Buffer<Id>& seeds, const Begin& begin, const Rounds& rounds) {
        const Graph& graph = job_.graph;
        const auto plant = [&](Index tree, Index cell) {
            enter(tree, cell, cell);
            events_.cell(Event::visit, cell);
            begin(tree, cell);
            job_.control.done(1);
            job_.control.poll(4);
        };
        for (Index tree = 0; tree < seeds.size(); ++tree) plant(tree, seeds[tree]);
        rounds(seeds.size());
        if (graph.roots().size() == 1) return;
        for_each_component(job_, unvisited_.draws(), [&](Index cell) {
            const Index root = graph.roots()[static_cast<std::size_t>(graph.component(cell))];
            if (unvisited_.visited(root)) return;
            plant(0, cell);
            rounds(1);
        });
    }

    void grow_by_lists(const Buffer<Id>& seeds) {
        TreeLists<Id> lists(seeds.size(), job_.graph.cells(), job_.options, random_, job_.control);
        const auto fetch = [this](std::span<const Index> cells) { unvisited_.fetch_ahead(cells); };
        const auto grow_from = [this](Index tree, Index cell) {
            const Index to = carve_from(cell);
            if (to >= 0) enter(tree, to, cell);
            return to;
        };
        grow(
            seeds, [&](Index tree, Index cell) { lists.push(tree, cell); },
            [&](Index trees) { lists.rounds(trees, fetch, grow_from); });
        lists.give_back();
    }

    // Of a tree only the newest cell and the way back from it matter. Cells that cannot grow never
    // will again: a tree goes back at once to the first cell that can, and rests for the turns that
    // this takes; without such a cell it is complete.
    struct Tree {
        GraphId at;    // its newest cell that can grow, as far as is known
        GraphId rest;  // turns until it is there
    };

    void grow_newest(const Buffer<Id>& seeds) {
        Buffer<Tree> trees(seeds.size());  // those that are not complete, in order
        grow(
            seeds, [&](Index tree, Index cell) { trees[tree] = {static_cast<GraphId>(cell), 0}; },
            [&](Index count) {
                while (count > 0) count = take_turns(trees.data(), count);
            });
        shorten(trees, 0, job_.control);
    }

    // One turn of each; returns how many are not complete.
    Index take_turns(Tree* trees, Index count) {
        constexpr Index batch = 32;
        Index kept = 0;
        for (Index first = 0; first < count; first += batch) {
            const std::span<const Tree> now(trees + first, trees + std::min(count, first + batch));
            Index cells[batch];
            std::size_t grow = 0;
            for (const Tree& tree : now) {
                cells[grow] = tree.at;
                grow += tree.rest == 0 ? 1 : 0;
            }
            unvisited_.fetch_ahead(std::span<const Index>(cells, grow));
            Index carved = 0;
            for (Tree tree : now) {
                bool more = true;
                if (tree.rest > 0) {
                    --tree.rest;
                } else if (const Index to = carve_from(tree.at); to >= 0) {
                    enter(grown_[tree.at].tree, to, tree.at);
                    tree.at = static_cast<GraphId>(to);
                    ++carved;
                } else {
                    more = go_back(tree);
                }
                trees[kept] = tree;
                kept += more ? 1 : 0;
            }
            job_.control.done(carved);
            job_.control.poll(8 * batch);
        }
        return kept;
    }

    // False if no cell on the way back can grow.
    bool go_back(Tree& tree) {
        for (GraphId turns = 0;; ++turns) {
            const GraphId before = grown_[tree.at].from;
            if (before == tree.at) return false;
            tree = {before, turns};
            if (unvisited_.may_pick(before)) return true;
            job_.control.poll(4);
        }
    }

    // Opens an edge to a cell that is not visited, or returns -1.
    Index carve_from(Index cell) {
        const GraphId taken = unvisited_.pick(cell).slot;
        return taken < 0 ? -1 : carve(job_, events_, cell, taken);
    }

    void enter(Index tree, Index cell, Index from) {
        unvisited_.visit(cell);
        grown_[cell] = {static_cast<GraphId>(tree), static_cast<GraphId>(from)};
    }

    void merge(Index count) {
        const Graph& graph = job_.graph;
        EdgeWeights weights(job_);
        const auto owner = [&](Index edge, int side) {
            return grown_[graph.ends()[2 * edge + side]].tree;
        };
        Buffer<Weighed<GraphId>> between(graph.edges());
        Index size = 0;
        for (Index edge = 0; edge < graph.edges(); ++edge) {
            job_.control.poll(4);
            if (owner(edge, 0) != owner(edge, 1))
                between[size++] = {weights.next(edge), static_cast<GraphId>(edge)};
        }
        shorten(between, size, job_.control);
        polled_sort_uniform(
            between.begin(), between.end(), [](const Weighed<GraphId>& one) { return one.weight; },
            64, std::less<>(), job_.control);
        DisjointSet<GraphId> trees(count);
        trees.reset(count, job_.control);
        // Of a connected graph the lightest edges join all trees; a trace shows that others do not.
        const bool all = !std::is_same_v<R, NoTrace> || graph.roots().size() != 1;
        Index left = count - 1;
        for (const Weighed<GraphId>& one : between) {
            job_.control.poll(16);
            const bool opens = trees.join(owner(one.edge, 0), owner(one.edge, 1));
            if (opens) job_.open[one.edge] = 1;
            events_.edge(opens ? Event::carve : Event::keep, one.edge, false, 1);
            left -= opens ? 1 : 0;
            if (left == 0 && !all) break;
        }
    }

    GraphJob& job_;
    GraphEvents<R> events_;
    UnvisitedNeighbours unvisited_;
    Random random_;
    Buffer<Grown> grown_;
};

}  // namespace

constexpr Runs<GraphJob> graph_growing_forest =
    graph_runs([]<Recorder R>(GraphJob& job, R& record) { GraphForest<R>(job, record).run(); });

}  // namespace meiro
