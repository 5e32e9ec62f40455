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
// choices take at worst 10 bytes a cell for the lists, and for each tree 36; with a mask 4 more.
// From 2^31 cells on twice as much. At the end merge_trees.hpp takes 8 bytes a cell, and 8 a wall
// between trees.
//
// A turn reads the bytes around a random cell of the maze, but never changes the list of another
// tree: so the cells of the next trees are chosen ahead, and their memory is prefetched.
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "job.hpp"
#include "newest_forest.hpp"
#include "shared/active_list.hpp"
#include "shared/margins.hpp"
#include "shared/merge_trees.hpp"
#include "shared/prefetched_draws.hpp"
#include "shared/shorten.hpp"
#include "shared/start_cell.hpp"
#include "shared/step_table.hpp"

namespace meiro {
namespace {

// A pool of blocks of 2^k slots, k > 0. Free blocks are reused: the first bytes of a free block
// link to the next one.
template <class Id>
class Pool {
public:
    // Of a size that is never outgrown, as measured; what is not used is not touched.
    explicit Pool(Index cells = 0) : slots_(cells * 5 / 2 + 64) {
        std::fill(free_, free_ + 64, -1);
    }
    Buffer<Id>& slots() { return slots_; }

    Index take(unsigned k) {
        const Index block = free_[k];
        if (block >= 0) {
            std::memcpy(free_ + k, at(block), sizeof(Index));
            return block;
        }
        const Index end = end_ + (Index{1} << k);
        if (end > slots_.size()) slots_.grow(std::max(end, 2 * slots_.size()));
        return std::exchange(end_, end);
    }
    void give(Index block, unsigned k) {
        std::memcpy(at(block), free_ + k, sizeof(Index));
        free_[k] = block;
    }
    Id* at(Index block) { return slots_.data() + block; }

private:
    Buffer<Id> slots_;
    Index end_ = 0;
    Index free_[64];
};

// Different cells of the mask: the beginning of a random permutation.
template <class Id>
Buffer<Id> choose_seeds(const Job& job, Random& random) {
    Buffer<Id> cells(job.maze.size());
    Index count = 0;
    by_pieces(job.maze.size(), job.control, [&](Index first, Index last) {
        for (Index cell = first; cell < last; ++cell) {
            cells[count] = static_cast<Id>(cell);
            count += job.exists(cell) ? 1 : 0;
        }
    });
    Index trees = job.options.trees;
    if (trees > count)
        throw std::invalid_argument("trees must be at most " + std::to_string(count) +
                                    ", the number of cells, not " + std::to_string(trees));
    if (trees < 0) trees = std::max<Index>(1, count / 100);
    for (Index k = 0; k < trees; ++k) {
        std::swap(cells[k], cells[k + random.below(count - k)]);
        job.control.poll(4);
    }
    shorten(cells, trees, job.control);
    return cells;
}

template <class Id, class Topology, Recorder R>
class Forest {
public:
    Forest(Job& job, R& record, const Topology& maze, Random& random)
        : job_(job),
          record_(record),
          maze_(maze),
          inside_(maze),
          chooser_(job.options),
          random_(random) {}

    void grow(Buffer<Id> seeds) {
        Buffer<Id> turns = std::move(seeds);  // and then the trees that have a turn, in order
        const Index count = turns.size();
        const unsigned slot_count = count <= maze_.size() / 32 ? 3 : 1;
        trees_ = Buffer<Tree>(count);
        pool_ = Pool<Id>(maze_.size());
        for (Index tree = 0; tree < count; ++tree) {
            trees_[tree] = Tree();
            trees_[tree].home = pool_.take(slot_count) << 6 | slot_count;
            plant(tree, static_cast<Index>(turns[tree]));
            turns[tree] = static_cast<Id>(tree);
        }
        rounds(turns, count);
        if (job_.mask != nullptr) {
            Unvisited<Id> unvisited(job_);
            for (Index at; (at = unvisited.take(random_)) >= 0;) {
                plant(0, at);
                turns[0] = 0;
                rounds(turns, 1);
            }
        }
        shorten(trees_, 0, job_.control);
        shorten(pool_.slots(), 0, job_.control);
    }

private:
    struct Tree {
        ActiveList<Id> active;
        Index home = 0;  // 2^6 * the first slot of its block + k
    };
    static constexpr Index batch = 32;

    void plant(Index tree, Index cell) {
        maze_.enter(cell);
        record_.on(Event::visit, maze_.cell(cell));
        push(trees_[tree], cell);
        job_.control.done(1);
        job_.control.poll(4);
    }

    // Takes turns until all `count` trees are complete.
    void rounds(Buffer<Id>& turns, Index count) {
        while (count > 0) {
            Index kept = 0;
            for (Index first = 0; first < count; first += batch) {
                const Index size = std::min(batch, count - first);
                Id slots[batch];
                for (Index k = 0; k < size; ++k) {
                    const Tree& tree = trees_[turns[first + k]];
                    prefetch(pool_.at(tree.home >> 6) + tree.active.back());
                }
                for (Index k = 0; k < size; ++k) {
                    Tree& tree = trees_[turns[first + k]];
                    Id* const list = pool_.at(tree.home >> 6);
                    slots[k] = tree.active.find(list, chooser_.next(random_), random_);
                    const auto cell = static_cast<Index>(list[slots[k]]);
                    prefetch_around(maze_, cell);
                }
                Index carved = 0;
                for (Index k = 0; k < size; ++k) {
                    const Id tree = turns[first + k];
                    carved += grow_tree(tree, slots[k]) ? 1 : 0;
                    turns[kept] = tree;
                    kept += trees_[tree].active.empty() ? 0 : 1;
                }
                job_.control.done(carved);
                job_.control.poll(8 * size);
            }
            count = kept;
        }
    }

    bool grow_tree(Id number, Id slot) {
        Tree& tree = trees_[number];
        Id* const list = pool_.at(tree.home >> 6);
        const auto at = static_cast<Index>(list[slot]);
        const unsigned free = maze_.free(at);
        if (free == 0) {
            tree.active.erase(list, slot, chooser_.middle(), job_.control);
            return false;
        }
        const Direction d = random_.pick(free);
        const Index to = maze_.next(at, d);
        record_.on(Event::carve, maze_.cell(at), d);
        maze_.open(at, d);
        if (inside_(to)) [[likely]]
            enter_inside(maze_.bytes(), maze_.shape().cols, to);
        else
            maze_.enter(to);
        push(tree, to);
        return true;
    }

    void push(Tree& tree, Index cell) {
        const auto k = static_cast<unsigned>(tree.home & 63);
        const Index block = tree.home >> 6, slot_count = Index{1} << k;
        if (tree.active.full(slot_count)) [[unlikely]] {
            if (tree.active.loose(slot_count)) {
                tree.active.squeeze(pool_.at(block), pool_.at(block), job_.control);
            } else {
                tree.home = pool_.take(k + 1) << 6 | (k + 1);
                tree.active.squeeze(pool_.at(block), pool_.at(tree.home >> 6), job_.control);
                pool_.give(block, k);
            }
        }
        tree.active.push(pool_.at(tree.home >> 6), static_cast<Id>(cell), chooser_.middle());
    }

    Job& job_;
    R& record_;
    const Topology maze_;
    const Inside inside_;
    const Chooser chooser_;
    Random& random_;
    Buffer<Tree> trees_;
    Pool<Id> pool_;
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

template <Recorder R>
void growing_forest(Job& job, R& record) {
    job.maze.begin(job.mask, job.control);
    with_ids_and_topology<R>(
        job.maze, job.maze.size() < Index{1} << 31,  // ids of walls
        [&]<class Id>(Id, const auto& maze) { grow_and_merge<Id>(job, record, maze); });
    job.maze.finish(job.control);
}

template void growing_forest(Job&, NoTrace&);
template void growing_forest(Job&, Trace&);

}  // namespace meiro
