// Kruskal's algorithm on graphs: edges are visited from the lightest on, and opened if they join
// two components.
//   J. B. Kruskal, On the shortest spanning subtree of a graph and the traveling salesman problem,
//   Proc. AMS 7 (1956) 48. doi:10.1090/S0002-9939-1956-0078686-7
// Law: random_mst. Weights: weights.hpp, or `weights=`; `order=` gives the order itself.
// The edges that open do not depend on the order in which they are found, as all weights differ: so
// they are found without sorting, in rounds. In a round each tree takes its lightest edge, trees
// become single cells, and edges within a tree are dropped (O. Boruvka, see boruvka.cpp): what is
// left shrinks from round to round, and soon lies in the cache.
// Time: m log n at worst, m on most lattices. Scratch: 24 bytes an edge, 16 a cell.
#include <functional>

#include "../disjoint_set.hpp"
#include "../polled_sort.hpp"
#include "graph_generators.hpp"
#include "weights.hpp"

namespace meiro {
namespace {

template <Recorder R>
class EdgeOpener {
public:
    EdgeOpener(GraphJob& job, R& record)
        : job_(job), events_(record, job.graph), sets_(job.graph.cells()) {
        sets_.reset(job.graph.cells(), job.control);
    }
    void look(Index edge) {
        job_.control.poll(16);  // random access: cache misses
        const GraphId* const ends = job_.graph.ends() + 2 * edge;
        const bool opens = sets_.join(ends[0], ends[1]);
        job_.open[edge] = opens ? 1 : 0;
        job_.control.done(opens ? 1 : 0);
        events_.edge(opens ? Event::carve : Event::keep, edge);
    }

private:
    GraphJob& job_;
    GraphEvents<R> events_;
    DisjointSet<GraphId> sets_;
};

struct LiveEdge {
    std::uint64_t weight;
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
          live_(job.graph.edges()),
          least_(trees_),
          chosen_(trees_),
          tree_(trees_) {}

    void run() {
        collect();
        while (n_live_ > 0) {
            choose();
            join();
            contract();
        }
        job_.control.done(trees_);
    }

private:
    static constexpr GraphId none = -1;

    void collect() {
        EdgeWeights weights(job_);
        const GraphId* const ends = job_.graph.ends();
        for (Index edge = 0; edge < live_.size(); ++edge) {
            job_.control.poll(8);
            job_.open[edge] = 0;
            const GraphId one = ends[2 * edge], other = ends[2 * edge + 1];
            if (one != other)
                live_[n_live_++] = {weights.next(edge), one, other, static_cast<GraphId>(edge)};
        }
    }

    // The lightest edge of each tree.
    void choose() {
        by_pieces(trees_, job_.control, [&](Index first, Index last) {
            std::fill(least_.begin() + first, least_.begin() + last, ~std::uint64_t{0});
            std::fill(chosen_.begin() + first, chosen_.begin() + last, none);
        });
        std::uint64_t* const least = least_.data();
        GraphId* const chosen = chosen_.data();
        by_pieces(n_live_, job_.control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) {
                const LiveEdge& it = live_[i];
                for (const GraphId tree : {it.one, it.other})
                    if (it.weight < least[tree] || chosen[tree] == none) {
                        least[tree] = it.weight;
                        chosen[tree] = static_cast<GraphId>(i);
                    }
            }
        });
    }

    // Opens them. Each tree points to the one at the other end; of two that chose the same edge,
    // the first is the root.
    void join() {
        by_pieces(trees_, job_.control, [&](Index first, Index last) {
            for (Index tree = first; tree < last; ++tree) {
                tree_[tree] = static_cast<GraphId>(tree);
                const GraphId i = chosen_[tree];
                if (i == none) continue;
                const LiveEdge& it = live_[i];
                job_.open[it.edge] = 1;
                const GraphId to = it.one == tree ? it.other : it.one;
                if (chosen_[to] != i || to < tree) tree_[tree] = to;
            }
        });
    }

    // Numbers the new trees in the order of their roots, and drops the edges within them.
    void contract() {
        GraphId* const tree = tree_.data();
        const Index before = trees_;
        by_pieces(before, job_.control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) {
                auto at = static_cast<GraphId>(i);
                while (tree[at] != tree[tree[at]]) {
                    tree[at] = tree[tree[at]];
                    at = tree[at];
                }
                tree[i] = tree[at];
            }
        });
        GraphId* const number = chosen_.data();
        trees_ = 0;
        by_pieces(before, job_.control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i)
                if (tree[i] == i) number[i] = static_cast<GraphId>(trees_++);
        });
        Index kept = 0;
        by_pieces(n_live_, job_.control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) {
                LiveEdge it = live_[i];
                it.one = number[tree[it.one]];
                it.other = number[tree[it.other]];
                live_[kept] = it;
                kept += it.one != it.other ? 1 : 0;
            }
        });
        job_.control.done(before - trees_);
        n_live_ = kept;
    }

    GraphJob& job_;
    Index trees_, n_live_ = 0;
    Buffer<LiveEdge> live_;
    Buffer<std::uint64_t> least_;
    Buffer<GraphId> chosen_, tree_;
};

void open_watched(GraphJob& job, Trace& record) {
    const EdgeWeights weights(job);
    Buffer<WeighedEdge> edges(job.graph.edges());
    for (Index edge = 0; edge < edges.size(); ++edge) {
        edges[edge] = {weights.at(edge), static_cast<GraphId>(edge)};
        job.control.poll(8);
    }
    polled_sort(edges.begin(), edges.end(), std::less<>(), job.control);
    EdgeOpener<Trace> opener(job, record);
    for (const WeighedEdge& edge : edges) opener.look(edge.edge);
}

}  // namespace

template <Recorder R>
void graph_kruskal(GraphJob& job, R& record) {
    if (!job.options.order.empty()) {
        EdgeOpener<R> opener(job, record);
        for (const Index edge : job.options.order) opener.look(edge);
    } else if constexpr (std::is_same_v<R, Trace>) {
        open_watched(job, record);
    } else {
        LightestForest(job).run();
    }
}

template void graph_kruskal(GraphJob&, NoTrace&);
template void graph_kruskal(GraphJob&, Trace&);

}  // namespace meiro
