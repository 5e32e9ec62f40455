// The active cells of a tree that grows on a graph, in the order in which they came, with slots
// that grow: ActiveList says how a cell is found and removed in constant time.
#pragma once

#include "../generate/shared/active_list.hpp"
#include "graph.hpp"

namespace meiro {

class ActiveCells {
public:
    struct Place {
        GraphId cell, step;  // how it was entered
    };

    bool empty() const { return list_.empty(); }
    void push(Place place, const Chooser& chooser, Control& control) {
        if (list_.full(slots_.size())) [[unlikely]] {
            if (list_.loose(slots_.size()))
                list_.squeeze(slots_.data(), slots_.data(), control);
            else
                slots_.grow(2 * slots_.size());
        }
        places_.push(place);
        list_.push(slots_.data(), static_cast<std::uint32_t>(places_.size() - 1), chooser.middle());
    }
    // The slot of the cell that is next.
    std::uint32_t find(Choice choice, Random& random) {
        return list_.find(slots_.data(), choice, random);
    }
    Place at(std::uint32_t slot) const { return places_[static_cast<Index>(slots_[slot])]; }
    void erase(std::uint32_t slot, const Chooser& chooser, Control& control) {
        list_.erase(slots_.data(), slot, chooser.middle(), control);
    }

private:
    ActiveList<std::uint32_t> list_;
    Buffer<std::uint32_t> slots_{16};  // numbers of places
    Stack<Place> places_{8};           // all cells that came
};

}  // namespace meiro
