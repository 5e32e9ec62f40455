// The lists of active cells of many trees that grow in turns: each turn is one step of growing_tree
// on the tree's own list.
//
// The lists lie in a pool of blocks of 2^k slots, k > 0. Free blocks are reused: the first bytes of
// a free block link to the next one. A turn reads memory around a random cell of the maze, but
// never changes the list of another tree: so the cells of the next trees are chosen ahead, and
// their memory is prefetched.
//
// Memory: at worst 10 bytes a cell and 36 a tree; of 64-bit ids twice as much.
#pragma once

#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "../../buffer.hpp"
#include "active_list.hpp"
#include "shorten.hpp"

namespace meiro {

// The seeds of trees= trees, by default of one per 100 cells: of the first `count` of some cells,
// the beginning of a random permutation.
template <class Id>
void draw_seeds(Buffer<Id>& cells, Index count, Index trees, Random& random, Control& control) {
    if (trees > count)
        throw std::invalid_argument("trees must be at most " + std::to_string(count) +
                                    ", the number of cells, not " + std::to_string(trees));
    if (trees < 0) trees = std::max<Index>(1, count / 100);
    for (Index k = 0; k < trees; ++k, control.poll(4))
        std::swap(cells[k], cells[k + random.below(count - k)]);
    shorten(cells, trees, control);
}

template <class Id>
class TreeLists {
public:
    // Of trees 0 .. trees-1, which fill `cells` cells.
    TreeLists(Index trees, Index cells, const Options& options, Random& random, Control& control)
        : chooser_(options),
          random_(random),
          control_(control),
          trees_(trees),
          slots_(cells * 5 / 2 + 64) {  // never outgrown, as measured; not touched unless used
        std::fill(free_, free_ + 64, -1);
        const unsigned k = trees <= cells / 32 ? 3 : 1;
        for (Tree& tree : trees_) {
            tree = Tree();
            tree.home = take(k) << 6 | k;
            control_.poll();
        }
    }

    void push(Index number, Index cell) {
        Tree& tree = trees_[number];
        const auto k = static_cast<unsigned>(tree.home & 63);
        const Index block = tree.home >> 6, slot_count = Index{1} << k;
        if (tree.active.full(slot_count)) [[unlikely]] {
            if (tree.active.loose(slot_count)) {
                tree.active.squeeze(at(block), at(block), control_);
            } else {
                tree.home = take(k + 1) << 6 | (k + 1);
                tree.active.squeeze(at(block), slots_of(tree), control_);
                give(block, k);
            }
        }
        tree.active.push(slots_of(tree), static_cast<Id>(cell), chooser_.middle());
    }

    // The first `count` trees take turns until all are complete. fetch(cells) may prefetch what the
    // next turns read; grow(tree, cell) is the cell grown from a cell, or -1 if it has no free
    // neighbour.
    template <class Fetch, class Grow>
    void rounds(Index count, const Fetch& fetch, const Grow& grow) {
        Buffer<Id> turns(count);  // those that can grow, in order
        for (Index tree = 0; tree < count; ++tree, control_.poll())
            turns[tree] = static_cast<Id>(tree);
        while (count > 0) {
            Index kept = 0;
            for (Index first = 0; first < count; first += batch) {
                const Index size = std::min(batch, count - first);
                Id slots[batch];
                Index cells[batch];
                for (Index k = 0; k < size; ++k) {
                    const Tree& tree = trees_[turns[first + k]];
                    prefetch(slots_of(tree) + tree.active.back());
                }
                for (Index k = 0; k < size; ++k) {
                    Tree& tree = trees_[turns[first + k]];
                    Id* const list = slots_of(tree);
                    slots[k] = tree.active.find(list, chooser_.next(random_), random_);
                    cells[k] = static_cast<Index>(list[slots[k]]);
                }
                fetch(std::span<const Index>(cells, static_cast<std::size_t>(size)));
                Index carved = 0;
                for (Index k = 0; k < size; ++k) {
                    const Id number = turns[first + k];
                    Tree& tree = trees_[number];
                    if (const Index to = grow(static_cast<Index>(number), cells[k]); to >= 0) {
                        push(static_cast<Index>(number), to);
                        ++carved;
                    } else {
                        tree.active.erase(slots_of(tree), slots[k], chooser_.middle(), control_);
                    }
                    turns[kept] = number;
                    kept += tree.active.empty() ? 0 : 1;
                }
                control_.done(carved);
                control_.poll(8 * size);
            }
            count = kept;
        }
    }

    void give_back() {
        shorten(trees_, 0, control_);
        shorten(slots_, 0, control_);
    }

private:
    struct Tree {
        ActiveList<Id> active;
        Index home = 0;  // 2^6 * the first slot of its block + k
    };
    static constexpr Index batch = 32;

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
    Id* slots_of(const Tree& tree) { return at(tree.home >> 6); }

    const Chooser chooser_;
    Random& random_;
    Control& control_;
    Buffer<Tree> trees_;
    Buffer<Id> slots_;
    Index end_ = 0;
    Index free_[64];
};

}  // namespace meiro
