// Braiding: dead ends go, each by one more passage. Where nothing else holds them, none is left.
//   J. Buck, Mazes for Programmers, Pragmatic Bookshelf (2015), chapter 9, "braid!".
//
// Each dead end is taken with probability p, independently. Dead ends that are taken and have
// others that are beside them, behind a wall, rather join with one of these, which makes fewer
// loops. Buck goes through them in random order; here all choose at once, which has no order to
// depend on: in rounds, each asks one of those beside it that are still dead ends, uniformly, and
// two that ask each other are joined. One that has none (any more) opens one of its walls,
// uniformly. A wall whose other side is out of the mask, or a cell without any passage, is never
// opened: a dead end that has no other stays.
//
// Invariant: the high half of a dead end that acts is not 0, that of one that was not taken is; so
// the byte of a cell alone tells whether it may be asked, and being joined ends it.
// Time: linear; the dead ends that are still asking halve or better, round by round.
#include <array>
#include <bit>

#include "transforms.hpp"

namespace meiro {
namespace {

constexpr bool is_dead_end(unsigned byte) {
    return std::has_single_bit(byte & 15u);
}

// Bit 0: has a passage; bit 1: is a dead end that acts.
constexpr auto kinds = [] {
    std::array<std::uint8_t, 256> kind{};
    for (unsigned byte = 0; byte < 256; ++byte)
        kind[byte] = static_cast<std::uint8_t>(((byte & 15u) != 0 ? 1 : 0) |
                                               (is_dead_end(byte) && byte >> 4 != 0 ? 2 : 0));
    return kind;
}();

constexpr Index chunk = Index{1} << 12;

template <class Id, class Ground>
class Braid {
public:
    Braid(const Ground& maze, const Seed& seed, Control& control)
        : maze_(maze),
          control_(control),
          random_(transform_random(seed, TransformLane::braid)),
          ends_(count()),
          asked_(maze.size()) {}

    void run(Chance p) {
        list();
        take(p);
        while (left_ > 0) {
            ask();
            join();
        }
    }

private:
    Index count() {
        const std::uint8_t* const bytes = maze_.bytes();
        Index found = 0;
        by_pieces(maze_.size(), control_, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) {
                const unsigned open = bytes[i] & 15u;
                found += open != 0 && (open & (open - 1)) == 0 ? 1 : 0;
            }
        });
        return found + 1;  // list() writes one behind the last
    }
    void list() {
        const std::uint8_t* const bytes = maze_.bytes();
        Id* out = ends_.data();
        by_pieces(maze_.size(), control_, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) {
                *out = static_cast<Id>(i);
                out += is_dead_end(bytes[i]) ? 1 : 0;
            }
        });
        left_ = out - ends_.data();
    }
    void take(Chance p) {
        if (p.share >= Chance::certain) return;
        Index taken = 0;
        for (Index first = 0; first < left_; first += 64) {
            std::uint64_t coins = random_.coins(p);
            const Index last = std::min(first + 64, left_);
            for (Index k = first; k < last; ++k, coins >>= 1) {
                const Id end = ends_[k];
                if ((coins & 1u) == 0) maze_.bytes()[end] &= 15;
                ends_[taken] = end;
                taken += static_cast<Index>(coins & 1u);
            }
            control_.poll(64);
        }
        left_ = taken;
    }

    // Each asks one of the dead ends beside it. Who has none opens a wall, and is out: that changes
    // nothing for the others, as there is none beside it.
    void ask() {
        std::uint8_t* const bytes = maze_.bytes();
        Random random = random_;
        const Ground maze = maze_;
        Id* const ends = ends_.data();
        std::uint8_t* const asked = asked_.data();
        Index asking = 0;
        for (Index first = 0; first < left_; first += chunk) {
            const Index last = std::min(first + chunk, left_);
            for (Index k = first; k < last; ++k) {
                const Index cell = static_cast<Index>(ends[k]);
                unsigned ways = 0, alike = 0;
                for (unsigned rest = bytes[cell] >> 4 & ~bytes[cell]; rest != 0; rest &= rest - 1) {
                    const auto d = static_cast<Direction>(std::countr_zero(rest));
                    const unsigned kind = kinds[bytes[maze.next(cell, d)]];
                    ways |= (kind & 1u) << static_cast<unsigned>(d);
                    alike |= (kind >> 1) << static_cast<unsigned>(d);
                }
                if (alike != 0) {
                    asked[cell] = static_cast<std::uint8_t>(random.pick(alike));
                    ends[asking++] = ends[k];
                } else if (ways != 0) {
                    maze.open(cell, random.pick(ways));
                }
            }
            control_.poll(8 * (last - first));
        }
        random_ = random;
        left_ = asking;
    }

    // All that are left have asked.
    void join() {
        Index still = 0;
        for (Index first = 0; first < left_; first += chunk) {
            const Index last = std::min(first + chunk, left_);
            for (Index k = first; k < last; ++k) {
                const Id end = ends_[k];
                const auto towards = static_cast<Direction>(asked_[end]);
                const Index other = maze_.next(static_cast<Index>(end), towards);
                const bool both = static_cast<Direction>(asked_[other]) == opposite(towards);
                if (both) maze_.open(static_cast<Index>(end), towards);  // twice does no harm
                ends_[still] = end;
                still += both ? 0 : 1;
            }
            control_.poll(4 * (last - first));
        }
        left_ = still;
    }

    const Ground maze_;
    Control& control_;
    Random random_;
    Buffer<Id> ends_;             // that act; in order
    Buffer<std::uint8_t> asked_;  // by cell: the direction of the one that it asks
    Index left_ = 0;
};

}  // namespace

void braid(const Passages& maze, const Seed& seed, Chance p, Control& control) {
    with_ids_below(maze.size(), [&](auto id) {
        on_ground(maze, [&](const auto& ground) {
            Braid<decltype(id), std::decay_t<decltype(ground)>>(ground, seed, control).run(p);
        });
    });
}

}  // namespace meiro
