// A flood, level by level: searches, and what asks how far it is, and by which ways.
#pragma once

#include <algorithm>
#include <limits>
#include <utility>

#include "../adjacency.hpp"
#include "../buffer.hpp"
#include "../control.hpp"

namespace meiro {

// In a level, a site with the way it was reached by in its low four bits.
inline constexpr int way_bits = 4;

// The sites of this level and of the next, instead of a queue of all: a few hundred sites in most
// mazes, at worst half of all. Id is wide enough for every site and a way.
template <class Id>
class Levels {
public:
    static constexpr Index chunk = Index{1} << 12;  // sites between two polls

    static Id entry(Index site, unsigned way) { return static_cast<Id>(site << way_bits | way); }
    static Index site(Id entry) { return static_cast<Index>(entry >> way_bits); }
    static unsigned way(Id entry) { return static_cast<unsigned>(entry & 15); }

    Index size() const { return size_; }
    const Id* now() const { return now_.data(); }
    // Where the next sites go, with room for eight of each of the coming `sites`.
    Id* next(Index sites) {
        if (next_size_ + 8 * sites > next_.size()) next_.grow(next_.size() * 2 + 8 * sites);
        return next_.data() + next_size_;
    }
    void filled(Index sites) { next_size_ += sites; }
    void start(Index site, unsigned way = from_nowhere) {
        *next(1) = entry(site, way);
        ++next_size_;
    }
    void advance() {
        std::swap(now_, next_);
        size_ = next_size_;
        next_size_ = 0;
    }
    void clear() { size_ = next_size_ = 0; }

    // Looks at all that this level leads to: the sites that take(site, way) is true of are the next
    // level. Links that are followed: those in `choices`, but not the way back.
    template <class Take>
    void spread(const Links& links, const Choices& choices, Control& control, Take take) {
        const auto step = links.moves();
        const std::uint8_t* const open = links.open();
        const Id* const sites = now_.data();
        for (Index first = 0; first < size_; first += chunk) {
            const Index last = std::min(first + chunk, size_);
            control.poll(last - first);
            Id* const to_fill = next(last - first);
            Index count = 0;
            for (Index i = first; i < last; ++i) {
                const Index at = site(sites[i]);
                auto ways = choices[open[at] & onward[way(sites[i])]];
                for (unsigned d; (d = ways & 15) != no_choice; ways >>= 4) {
                    const Index to = at + step[d];
                    if (take(to, d)) to_fill[count++] = entry(to, d);
                }
            }
            filled(count);
        }
    }

private:
    Buffer<Id> now_, next_;
    Index size_ = 0, next_size_ = 0;
};

inline bool fits_32_bits(const Links& links) {
    return links.size() <= std::numeric_limits<std::uint32_t>::max() >> way_bits;
}

// The order in which ways are looked at where nobody asked for another one.
inline const Choices& plain_choices(const Links& links) {
    static constexpr Choices flat(directions, 0x0f), round(directions, 0xff);
    return links.ways() == 0x0f ? flat : round;
}

}  // namespace meiro
