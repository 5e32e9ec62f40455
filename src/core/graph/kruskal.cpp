// Kruskal's algorithm on graphs: edges are visited from the lightest on, and opened if they join
// two components.
//   J. B. Kruskal, On the shortest spanning subtree of a graph and the traveling salesman problem,
//   Proc. AMS 7 (1956) 48. doi:10.1090/S0002-9939-1956-0078686-7
// Law: random_mst. Weights: weights.hpp, or `weights=`; `order=` gives the order itself.
// The edges that open do not depend on the order in which they are found, as all weights differ: so
// they are found without sorting, in rounds. In a round each tree takes its lightest edge, trees
// become single cells, and edges within a tree are dropped (O. Boruvka, see boruvka.cpp): what is
// left shrinks from round to round, and soon lies in the cache.
// Time: m log n at worst, m on most lattices. Scratch: 20 bytes an edge, 16 a cell.
#include <algorithm>

#include "weights.hpp"

namespace meiro {
namespace {

struct LiveEdge {
    GraphId one, other;  // trees
    GraphId edge;
};

// Opens the lightest spanning forest. Of edges with one weight the earlier one is lighter: live
// edges stay in the order of their numbers.
class LightestForest {
public:
    explicit LightestForest(GraphJob& job)
        : job_(job),
          trees_(job.graph.cells()),
          n_live_(job.graph.edges()),
          weights_(n_live_),
          live_(n_live_),
          least_(trees_),
          chosen_(trees_),
          tree_(trees_) {}

    void run() {
        weigh();
        // In the first round the trees are the cells, and all edges are live: none is copied.
        choose_of_cells();
        merge([&](Index edge) {
            const GraphId* const ends = job_.graph.ends() + 2 * edge;
            return LiveEdge{ends[0], ends[1], static_cast<GraphId>(edge)};
        });
        while (n_live_ > 0) {
            choose();
            merge([&](Index i) { return live_[i]; });
        }
        job_.control.done(trees_);
    }

private:
    static constexpr GraphId none = -1;

    void weigh() {
        EdgeWeights weights(job_);
        for (Index edge = 0; edge < n_live_; ++edge) {
            job_.control.poll(4);
            job_.open[edge] = 0;
            weights_[edge] = weights.next(edge);
        }
    }

    // The lightest edge of each cell.
    void choose_of_cells() {
        const Graph& graph = job_.graph;
        const GraphId* const via = graph.via();
        for (Index cell = 0; cell < trees_; ++cell) {
            const GraphId begin = graph.first()[cell], end = graph.first()[cell + 1];
            GraphId edge = begin < end ? via[begin] : none;
            std::uint64_t least = begin < end ? weights_[edge] : 0;
            for (GraphId slot = begin + 1; slot < end; ++slot) {
                const std::uint64_t weight = weights_[via[slot]];
                edge = weight < least ? via[slot] : edge;
                least = std::min(weight, least);
            }
            chosen_[cell] = edge;
            job_.control.poll(4 + end - begin);
        }
    }

    // The lightest edge of each tree. Which one it is cannot be foreseen: no branches.
    void choose() {
        polled_fill(least_.data(), trees_, ~std::uint64_t{0}, job_.control);
        polled_fill(chosen_.data(), trees_, none, job_.control);
        std::uint64_t* const least = least_.data();
        GraphId* const chosen = chosen_.data();
        by_each(n_live_, job_.control, [&](Index i) {
            const LiveEdge& it = live_[i];
            const std::uint64_t weight = weights_[it.edge];
            for (const GraphId tree : {it.one, it.other}) {
                const bool lighter = weight < least[tree] || chosen[tree] == none;
                least[tree] = lighter ? weight : least[tree];
                chosen[tree] = lighter ? static_cast<GraphId>(i) : chosen[tree];
            }
        });
    }

    template <class At>
    void merge(At at) {
        join(at);
        contract(at);
    }

    // Opens them. Each tree points to the one at the other end; of two that chose the same edge,
    // the first is the root.
    template <class At>
    void join(At at) {
        by_each(trees_, job_.control, [&](Index tree) {
            const GraphId i = chosen_[tree];
            if (i == none) {
                tree_[tree] = static_cast<GraphId>(tree);
                return;
            }
            const LiveEdge it = at(i);
            job_.open[it.edge] = 1;
            const GraphId self = static_cast<GraphId>(tree), to = it.one ^ it.other ^ self;
            const bool leaves = (chosen_[to] != i) | (to < self);
            tree_[tree] = leaves ? to : self;
        });
    }

    // Numbers the new trees in the order of their roots, and drops the edges within them.
    template <class At>
    void contract(At at) {
        GraphId* const tree = tree_.data();
        const Index before = trees_;
        for (GraphId moved = 1; moved != 0;) {
            moved = 0;
            by_each(before, job_.control, [&](Index i) {
                const GraphId to = tree[tree[i]];
                moved |= tree[i] ^ to;
                tree[i] = to;
            });
        }
        GraphId* const number = chosen_.data();
        GraphId roots = 0;
        by_each(before, job_.control, [&](Index i) {
            number[i] = roots;
            roots += tree[i] == i ? 1 : 0;
        });
        by_each(before, job_.control, [&](Index i) { tree[i] = number[tree[i]]; });
        trees_ = roots;
        Index kept = 0;
        by_each(n_live_, job_.control, [&](Index i) {
            LiveEdge it = at(i);
            it.one = tree[it.one];
            it.other = tree[it.other];
            live_[kept] = it;
            kept += it.one != it.other ? 1 : 0;
        });
        job_.control.done(before - trees_);
        n_live_ = kept;
    }

    GraphJob& job_;
    Index trees_, n_live_;
    Buffer<std::uint64_t> weights_;
    Buffer<LiveEdge> live_;
    Buffer<std::uint64_t> least_;
    Buffer<GraphId> chosen_, tree_;
};

}  // namespace

constexpr Runs<GraphJob> graph_kruskal = graph_runs([]<Recorder R>(GraphJob& job, R& record) {
    GraphEdges edges(job, record);
    if (!job.options.order.empty()) {
        open_in_order(edges, job.options.order, std::identity{}, job.control);
    } else if constexpr (std::is_same_v<R, Trace>) {
        plain_kruskal(edges, EdgeWeights(job), job.control);
    } else {
        LightestForest(job).run();
    }
});

}  // namespace meiro
