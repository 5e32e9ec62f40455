// Growing forest: trees grow from many seeds in turns; each turn is one step of growing_tree on the
// tree's own list. When no tree can grow, the walls between different trees are opened in random
// order if they still separate two trees.
//   W. D. Pullen, Think Labyrinth, astrolog.org/labyrnth/algrithm.htm (Forest)
// Law: that of the slow version in the tests. trees= is the number of seeds, by default one per 100
// cells; the seeds are different cells, each set and each order of turns equally likely; choose= as
// in growing_tree. A component of the mask without a seed is grown after the others, as one tree
// from a uniform cell.
//
// Time: linear; the walls at the end are sorted as far as they matter (merge_trees.hpp). Scratch:
// newest_forest.hpp has the form for choose = newest, with a byte a cell and 8 a tree. The other
// choices have lists (shared/tree_lists.hpp); with a mask they take 4 bytes a cell more.
// From 2^31 cells on twice as much. At the end merge_trees.hpp takes 8 bytes a cell, and 8 a wall
// between trees.
#include <span>
#include <type_traits>
#include <utility>

#include "job.hpp"
#include "newest_forest.hpp"
#include "shared/margins.hpp"
#include "shared/merge_trees.hpp"
#include "shared/prefetched_draws.hpp"
#include "shared/shorten.hpp"
#include "shared/start_cell.hpp"
#include "shared/step_table.hpp"
#include "shared/tree_lists.hpp"

namespace meiro {
namespace {

template <class Id>
Buffer<Id> choose_seeds(const Job& job, Random& random) {
    Buffer<Id> cells(job.maze.size());
    Index count = 0;
    by_each(job.maze.size(), job.control, [&](Index cell) {
        cells[count] = static_cast<Id>(cell);
        count += job.exists(cell) ? 1 : 0;
    });
    draw_seeds(cells, count, job.options.trees, random, job.control);
    return cells;
}

template <class Id, class Topology, Recorder R>
class Forest {
public:
    Forest(Job& job, R& record, const Topology& maze, Random& random)
        : job_(job), record_(record), maze_(maze), inside_(maze), random_(random) {}

    void grow(Buffer<Id> seeds) {
        const Index count = seeds.size();
        TreeLists<Id> lists(count, maze_.size(), job_.options, random_, job_.control);
        const auto plant = [&](Index tree, Index cell) {
            maze_.enter(cell);
            record_.on(Event::visit, maze_.cell(cell));
            lists.push(tree, cell);
            job_.control.done(1);
            job_.control.poll(4);
        };
        const auto rounds = [&](Index trees) {
            lists.rounds(
                trees,
                [this](std::span<const Index> cells) {
                    for (const Index cell : cells) prefetch_around(maze_, cell);
                },
                [this](Index, Index cell) { return grow_from(cell); });
        };
        for (Index tree = 0; tree < count; ++tree) plant(tree, static_cast<Index>(seeds[tree]));
        shorten(seeds, 0, job_.control);
        rounds(count);
        if (job_.mask != nullptr) {
            Unvisited<Id> unvisited(job_);
            for (Index at; (at = unvisited.take(random_)) >= 0;) {
                plant(0, at);
                rounds(1);
            }
        }
        lists.give_back();
    }

private:
    Index grow_from(Index at) {
        const unsigned free = maze_.free(at);
        if (free == 0) return -1;
        const Direction d = random_.pick(free);
        const Index to = maze_.next(at, d);
        record_.on(Event::carve, maze_.cell(at), d);
        maze_.open(at, d);
        if (inside_(to)) [[likely]]
            enter_inside(maze_.bytes(), maze_.shape().cols, to);
        else
            maze_.enter(to);
        return to;
    }

    Job& job_;
    R& record_;
    const Topology maze_;
    const Inside inside_;
    Random& random_;
};

template <class Id, class Topology, Recorder R>
void grow_and_merge(Job& job, R& record, const Topology& maze) {
    Random random(job.seed);
    Buffer<Id> seeds = choose_seeds<Id>(job, random);
    const Index trees = seeds.size();
    const auto grow = [&] {
        if constexpr (std::is_same_v<R, NoTrace> && std::is_same_v<Topology, Passages>)
            if (Chooser(job.options).only(Choice::newest) && CellTiles::hold(maze.shape()))
                return NewestForest<Id>(job, random).grow(std::move(seeds));
        Forest<Id, Topology, R>(job, record, maze, random).grow(std::move(seeds));
    };
    grow();
    if (trees > 1) Merger<Id, Topology, R>(job, record, maze, trees).run();
}

}  // namespace

constexpr Runs<Job> growing_forest = job_runs([]<Recorder R>(Job& job, R& record) {
    job.maze.begin(job.mask, job.control);
    with_ids_and_topology<R>(
        job.maze, job.maze.size() < Index{1} << 31,  // ids of walls
        [&]<class Id>(Id, const auto& maze) { grow_and_merge<Id>(job, record, maze); });
    job.maze.finish(job.control);
});

}  // namespace meiro
