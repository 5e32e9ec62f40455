// Breadth-first sweeps of whole components, one after the other.
#pragma once

#include <type_traits>

#include "../solve/bfs_levels.hpp"

namespace meiro {

struct Swept {
    Index last = 0;   // a farthest place
    Index far = 0;    // and its distance
    Index sites = 0;  // reached
    bool loops = false;
};

struct NoLook {
    template <class Id>
    void operator()(const Levels<Id>&) const {}
};

// Of the places of a level graphs take the last one first. There the moves on from a place have the
// one back among them.
template <class P>
inline constexpr bool on_graph = std::is_same_v<P, GraphPlaces>;
constexpr Index nth(Index i, Index size, bool backwards) {
    return backwards ? size - 1 - i : i;
}

// Scratch: a byte per place, and two levels. Invariant: all places of a component have the tag of
// its last sweep.
template <Places P>
class TaggedSweeps {
public:
    using Entry = typename P::Entry;

    TaggedSweeps(const P& places, Control& control)
        : places_(places), control_(control), tags_(places.size(), true) {}

    bool seen(Index place) const { return tags_[place] != 0; }

    // Sweeps the component of `from`; calls look(levels) at each level.
    template <class Look = NoLook>
    Swept run(Index from, Look look = {}) {
        std::uint8_t* const tags = tags_.data();
        do tag_ = static_cast<std::uint8_t>(tag_ % 255 + 1);
        while (tag_ == tags[from]);
        const std::uint8_t tag = tag_;
        Swept swept;
        Index moves = 0;
        tags[from] = tag;
        levels_.clear();
        levels_.push(P::entry(from));
        for (levels_.advance(); levels_.size() > 0; levels_.advance()) {
            look(levels_);
            swept.last = P::place(levels_.now()[nth(0, levels_.size(), on_graph<P>)]);
            swept.sites += levels_.size();
            ++swept.far;
            Index met = 0;
            levels_.spread(P(places_), control_, [&](Index to, typename P::Move) {
                ++met;
                if (tags[to] == tag) return false;
                tags[to] = tag;
                return true;
            });
            moves += met;
        }
        --swept.far;
        swept.loops = moves >= (on_graph<P> ? 2 : 1) * swept.sites;
        return swept;
    }

private:
    P places_;
    Control& control_;
    Buffer<std::uint8_t> tags_;
    Levels<Entry> levels_;
    std::uint8_t tag_ = 0;
};

}  // namespace meiro
