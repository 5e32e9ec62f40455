// Kruskal's algorithm: walls are visited from the lightest on, and opened if they separate two
// components. Also "clustering", after the numbers that the components carry: joined components
// take the smaller one, that of their first cell.
//   J. B. Kruskal, On the shortest spanning subtree of a graph and the traveling salesman problem,
//   Proc. AMS 7 (1956) 48. doi:10.1090/S0002-9939-1956-0078686-7
// Law: random_mst. Weights: weights.hpp, or `weights=`; `order=` gives the order itself.
//
// A minimum spanning tree is unique if no two weights are equal, so only the order of the weights
// matters: the maze is made tile by tile in the cache (tiles.hpp explains why that is exact). While
// traced, or with given weights or a given order, the plain form below is used. Time: linear in all
// but the walls between tiles; plain, n log n. Scratch: see tiles.hpp; 4 bytes per cell (8 from
// 2^31 cells on) with order=, 12 (24) with weights=, and 36 (40) while traced.
#include "../disjoint_set.hpp"
#include "../polled_sort.hpp"
#include "shared/minimum_tree.hpp"

namespace meiro {
namespace {

// Visits walls one by one; the components are disjoint sets of cells.
template <class Id, Recorder R>
class Opener {
public:
    Opener(Job& job, R& record)
        : job_(job), record_(record), maze_(job.maze), regions_(job.maze.size()) {
        polled_fill(maze_.bytes(), maze_.size(), 0, job.control);
        regions_.reset(maze_.size(), job.control);
    }
    void look(Index id) {
        job_.control.poll(16);  // random access: cache misses
        const Wall wall = wall_of(maze_.shape(), id, maze_.wrap());
        const Direction towards = wall.towards();
        const Index beyond = maze_.next(wall.cell, towards);
        if (!job_.exists(wall.cell) || !job_.exists(beyond)) return;
        const bool opens = regions_.join(static_cast<Id>(wall.cell), static_cast<Id>(beyond));
        if (opens) maze_.open(wall.cell, towards);
        job_.control.done(opens ? 1 : 0);
        record_.on(opens ? Event::carve : Event::keep, maze_.cell(wall.cell), towards);
    }

private:
    Job& job_;
    R& record_;
    const PeriodicPassages maze_;
    DisjointSet<Id> regions_;
};

template <class Id, class W, Recorder R>
class SortedWalls {
public:
    SortedWalls(Job& job, R& record)
        : job_(job),
          record_(record),
          weights_(job),
          walls_(wall_count(job.maze.shape(), job.maze.wrap())) {}

    void run() {
        for (Index id = 0; id < walls_.size(); ++id) {
            walls_[id] = weights_.item(id);
            job_.control.poll(4);
        }
        const auto lighter = [this](const Item& a, const Item& b) {
            return weights_.lighter(a, b);
        };
        polled_sort(walls_.begin(), walls_.end(), lighter, job_.control);
        Opener<Id, R> opener(job_, record_);
        for (const Item& item : walls_) opener.look(W::wall(item));
    }

private:
    using Item = typename W::Item;
    Job& job_;
    R& record_;
    const W weights_;
    Buffer<Item> walls_;
};

template <Recorder R>
void run_kruskal(Job& job, R& record) {
    if (job.options.order.empty()) {
        minimum_tree<SortedWalls>(job, record);
        return;
    }
    with_wall_ids<R>(job, [&](auto id) {
        Opener<decltype(id), R> opener(job, record);
        for (const Index wall : job.options.order) opener.look(wall);
    });
}

}  // namespace

const Runs<Job> kruskal{run_kruskal, run_kruskal};

}  // namespace meiro
