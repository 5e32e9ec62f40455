// Flood fill by levels (all sites at distance 0, 1, 2, ...), for searches and distance queries.
#pragma once

#include <algorithm>
#include <limits>

#include "../adjacency.hpp"
#include "../buffer.hpp"
#include "../control.hpp"

namespace meiro {

// An entry of a level: the site, and in the low four bits the move that reached it.
inline constexpr int move_bits = 4;

// The current and the next level, instead of a queue of all sites: a few hundred sites in most
// mazes, at worst half of all sites. Id is wide enough for a site and a move.
template <class Id>
class Levels {
public:
    static Id entry(Index site, unsigned move) { return static_cast<Id>(site << move_bits | move); }
    static Index site(Id entry) { return static_cast<Index>(entry >> move_bits); }
    static unsigned move(Id entry) { return static_cast<unsigned>(entry & 15); }

    Index size() const { return size_; }
    const Id* now() const { return now_.data(); }
    // Where the next level is written, with room for eight neighbours of each of `sites` sites.
    Id* next(Index sites) {
        if (next_size_ + 8 * sites > next_.size()) next_.grow(next_.size() * 2 + 8 * sites);
        return next_.data() + next_size_;
    }
    // The first of the next level, before what next() returns.
    const Id* coming() const { return next_.data(); }
    void filled(Index sites) {
        next_size_ += sites;
        MEIRO_ASSERT(next_size_ <= next_.size());
    }
    void start(Index site, unsigned move = from_nowhere) {
        *next(1) = entry(site, move);
        ++next_size_;
    }
    void advance() {
        now_.swap(next_);
        size_ = next_size_;
        next_size_ = 0;
    }
    void clear() { size_ = next_size_ = 0; }

    // Visits the neighbours of this level: those for which take(site, move) is true form the next
    // level. Follows the moves in `neighbours`, except the one back.
    template <class Take>
    void spread(const Adjacency& adjacency, const OrderedNeighbours& neighbours, Control& control,
                Take take) {
        const auto step = adjacency.offsets();
        const std::uint8_t* const open = adjacency.open();
        const Id* const sites = now_.data();
        for (Index first = 0; first < size_; first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, size_);
            control.poll(last - first);
            Id* const to_fill = next(last - first);
            Index count = 0;
            for (Index i = first; i < last; ++i) {
                const Index at = site(sites[i]);
                auto moves = neighbours[open[at] & without_reverse[move(sites[i])]];
                for (unsigned d; (d = moves & 15) != no_move; moves >>= 4) {
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

inline bool fits_32_bits(const Adjacency& adjacency) {
    return adjacency.size() <= std::numeric_limits<std::uint32_t>::max() >> move_bits;
}

// The order of neighbours, unless the caller asked for another one.
inline const OrderedNeighbours& default_neighbours(const Adjacency& adjacency) {
    static constexpr OrderedNeighbours flat(directions, 0x0f), round(directions, 0xff);
    return adjacency.moves() == 0x0f ? flat : round;
}

}  // namespace meiro
