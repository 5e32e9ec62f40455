// Flood fill by levels (all places at distance 0, 1, 2, ...), for searches and distance queries.
#pragma once

#include "../buffer.hpp"
#include "../topology.hpp"

namespace meiro {

// What a flood does with a neighbour; a bool says the first two.
enum class Take : std::uint8_t { skip, add, stop };

// The current and the next level, instead of a queue of all places: a few hundred in most mazes, at
// worst half of all. An entry is that of SquarePlaces<Id>, or of GraphPlaces.
template <class Id>
class Levels {
public:
    static Id entry(Index site, unsigned move) { return static_cast<Id>(site << move_bits | move); }
    static Index site(Id entry) { return static_cast<Index>(entry >> move_bits); }
    static unsigned move(Id entry) { return static_cast<unsigned>(entry & 15); }

    Index size() const { return size_; }
    const Id* now() const { return now_.data(); }
    // Where the next level is written, with room for so many entries.
    Id* room_for(Index more) {
        if (next_size_ + more > next_.size()) next_.grow(next_.size() * 2 + more);
        return next_.data() + next_size_;
    }
    // The same for eight neighbours of each of `sites` sites.
    Id* next(Index sites) { return room_for(8 * sites); }
    // The first of the next level, before what next() returns.
    const Id* coming() const { return next_.data(); }
    void filled(Index entries) {
        next_size_ += entries;
        MEIRO_ASSERT(next_size_ <= next_.size());
    }
    void push(Id entry) {
        *room_for(1) = entry;
        ++next_size_;
    }
    void start(Index site, unsigned move = from_nowhere) { push(entry(site, move)); }
    void advance() {
        now_.swap(next_);
        size_ = next_size_;
        next_size_ = 0;
    }
    void clear() { size_ = next_size_ = 0; }

    // Visits the neighbours of this level: those for which take(place, move) is true, or Take::add,
    // form the next level, and Take::stop ends it. Inlined, so that `places`, and what `take`
    // refers to, are kept in registers if they are locals.
    template <Places P, class Body>
    [[gnu::always_inline]] void spread(const P& places, Control& control, Body take) {
        const Id* const entries = now_.data();
        for (Index first = 0; first < size_;) {
            const LevelPart part = places.part(entries, first, size_);
            control.poll(part.steps);
            Id* const to_fill = room_for(part.neighbours);
            Index count = 0;
            for (; first < part.end; ++first) {
                const Id from = entries[first];
                for (const auto move : places.moves_on(from)) {
                    const Index to = places.to(P::place(from), move);
                    const auto taken = static_cast<Take>(take(to, move));
                    if (taken == Take::add) {
                        to_fill[count++] = P::entry(to, move);
                    } else if (taken == Take::stop) {
                        filled(count);
                        return;
                    }
                }
            }
            filled(count);
        }
    }

    // Floods level by level from what was pushed, until nothing is left or `enough` was set in a
    // level: take(place, move, distance) as in spread(). Returns the distance of the last level.
    template <Places P, class Body>
    [[gnu::always_inline]] Index flood(const P& places, Control& control, const bool& enough,
                                       Body take) {
        Index distance = 0;
        for (advance(); size_ > 0 && !enough; advance()) {
            ++distance;
            spread(places, control, [&, distance](Index to, typename P::Move move) {
                return take(to, move, distance);
            });
        }
        return distance;
    }
    template <Places P, class Body>
    [[gnu::always_inline]] void flood(const P& places, Control& control, Body take) {
        flood(places, control, false, take);
    }

private:
    Buffer<Id> now_{64}, next_{64};  // the levels of a small maze need not grow them often
    Index size_ = 0, next_size_ = 0;
};

}  // namespace meiro
