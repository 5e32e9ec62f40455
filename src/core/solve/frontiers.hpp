// The sites of one distance and those of the next: what a flood goes on from, instead of a queue of
// all. A few hundred sites in most mazes, at worst half of all.
#pragma once

#include <limits>
#include <utility>

#include "../buffer.hpp"
#include "../links.hpp"

namespace meiro {

// In a frontier, a site with the way it was reached by in its low four bits.
inline constexpr int way_bits = 4;
// The two frontiers. Id is wide enough for every site and a way.
template <class Id>
class Frontiers {
public:
    // The sites to go on from.
    Index size() const { return size_; }
    const Id* now() const { return now_.data(); }
    // Where the next sites go, with room for eight of each of the coming `sites`.
    Id* next(Index sites) {
        if (next_size_ + 8 * sites > next_.size()) next_.grow(next_.size() * 2 + 8 * sites);
        return next_.data() + next_size_;
    }
    void filled(Index sites) { next_size_ += sites; }
    void start(Index site) {
        *next(1) = static_cast<Id>(site << way_bits | from_nowhere);
        ++next_size_;
    }
    void advance() {
        std::swap(now_, next_);
        size_ = next_size_;
        next_size_ = 0;
    }

private:
    Buffer<Id> now_, next_;
    Index size_ = 0, next_size_ = 0;
};

inline constexpr auto flat_choices = Choices(directions, 0x0f);
inline constexpr auto round_choices = Choices(directions, 0xff);

inline const Choices& usual_choices(const Links& links) {
    return links.ways() == 0x0f ? flat_choices : round_choices;
}

inline bool fits_32_bits(const Links& links) {
    return links.size() <= std::numeric_limits<std::uint32_t>::max() >> way_bits;
}

}  // namespace meiro
