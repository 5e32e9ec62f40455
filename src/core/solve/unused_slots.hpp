// The slots of each cell that were not taken yet, in their order, or each time a uniform one.
// Scratch: 4 bytes a cell; random 4 more a slot.
#pragma once

#include "search.hpp"

namespace meiro {

template <bool random>
class UnusedSlots {
public:
    explicit UnusedSlots(const GraphSearch& search)
        : graph_(search.graph),
          next_(search.graph.cells()),
          draw_(search.seed, Purpose::solve),
          shuffled_(random ? search.graph.slots() : 0) {
        polled_copy(graph_.first(), next_.size(), next_.data(), search.control);
        by_each(shuffled_.size(), search.control,
                [&](Index i) { shuffled_[i] = static_cast<GraphId>(i); });
    }
    bool any(Index cell) const { return next_[cell] < graph_.first()[cell + 1]; }
    GraphId take(Index cell) {
        const GraphId slot = next_[cell]++;
        if constexpr (!random) return slot;
        const Index left = graph_.first()[cell + 1] - slot;
        if (left > 1) std::swap(shuffled_[slot], shuffled_[slot + draw_.below(left)]);
        return shuffled_[slot];
    }

private:
    const OpenGraph& graph_;
    Buffer<GraphId> next_;
    Random draw_;
    Buffer<GraphId> shuffled_;
};

}  // namespace meiro
