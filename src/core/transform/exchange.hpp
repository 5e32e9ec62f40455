// The bases-exchange walk on spanning trees, where the two parts that a closed passage leaves are
// flooded: side by side, a cell each in turn, until the smaller is known. The walls to be opened
// are those around it.
//
// A Tree knows ends(edge), how to open and close an edge, each_open(cell, body(neighbour)), and by
// each_side(cell, body(neighbour, side)) all edges of a cell, open or not, whose numbers are
// edge(cell, neighbour, side). Scratch: 9 bytes a cell, 17 where an Id has 8.
#pragma once

#include <array>
#include <utility>

#include "transforms.hpp"

namespace meiro {

template <class Tree>
class Parts {
    using Id = typename Tree::Id;

public:
    Parts(Tree tree, Control& control) : tree_(std::move(tree)), control_(control) {}

    // Closes an edge of the tree, opens a uniform one between the parts, and returns its number.
    Index exchange(Index edge, Random& random) {
        tree_.close(edge);
        const std::size_t part = smaller(tree_.ends(edge));
        const Index chosen = between(part, random);
        for (const auto& queue : queues_)
            for (const Id id : queue) {
                side_[static_cast<Index>(id)] = 0;
                control_.poll();
            }
        tree_.open(chosen);
        return chosen;
    }

private:
    // The part, 0 or 1, that is flooded first; its cells are those in its queue.
    std::size_t smaller(const std::array<Index, 2>& begin) {
        for (std::size_t k = 0; k < 2; ++k) {
            queues_[k].clear();
            reach(begin[k], k);
        }
        for (Index head = 0;; ++head, control_.poll(8))
            for (std::size_t k = 0; k < 2; ++k) {
                if (head == queues_[k].size()) return k;
                tree_.each_open(static_cast<Index>(queues_[k][head]), [&](Index to) {
                    if (side_[to] == 0) reach(to, k);
                });
            }
    }
    void reach(Index cell, std::size_t k) {
        side_[cell] = static_cast<std::uint8_t>(k + 1);
        queues_[k].push(static_cast<Id>(cell));
    }

    // A uniform edge that leaves a part; the closed one does.
    Index between(std::size_t k, Random& random) {
        Index chosen = -1, count = 0;
        const auto own = static_cast<std::uint8_t>(k + 1);
        for (const Id id : queues_[k]) {
            const auto cell = static_cast<Index>(id);
            tree_.each_side(cell, [&](Index to, auto side) {
                if (side_[to] != own && random.below(++count) == 0)
                    chosen = Tree::edge(cell, to, side);
            });
            control_.poll(8);
        }
        return chosen;
    }

    Tree tree_;
    Control& control_;
    // Of a cell: 0, or 1 + the number of its queue.
    Buffer<std::uint8_t> side_{tree_.cells(), true};
    std::array<Stack<Id>, 2> queues_;
};

// n times a uniform passage is exchanged for what `cut` opens instead.
template <class Id, class Cut>
void exchanges(Stack<Id>& passages, Cut& cut, const Seed& seed, Index n, Control& control) {
    if (passages.empty()) return;
    Random random = transform_random(seed, TransformLane::perturb);
    for (; n > 0; --n) {
        Id& passage = passages[random.below(passages.size())];
        passage = static_cast<Id>(cut.exchange(static_cast<Index>(passage), random));
        control.poll(16);
    }
}

}  // namespace meiro
