// Braiding: removes dead ends, each by one more passage. At p = 1 no dead end is left if it has a
// wall to open.
//   J. Buck, Mazes for Programmers, Pragmatic Bookshelf (2015), chapter 9, "braid!".
//
// Each dead end is taken with probability p, independently. A taken dead end that has another one
// behind an adjacent wall preferably joins it, which makes fewer loops. Buck visits dead ends in
// random order; here all choose at once, so no order matters: in rounds, each proposes to a uniform
// one of the adjacent dead ends that remain, and two that propose to each other are joined:
//
//   a -> b <-> c      b and c propose to each other and are joined; a goes into the next round
//
// A dead end without such a neighbour opens one of its walls, uniformly. Walls to masked-out cells
// or to cells without passages are never opened: a dead end with only such walls stays.
//
// Invariant: proposals are symmetric (if a may propose to b, b may propose to a), so every round
// joins a pair sooner or later, whatever the bytes are. The high half of the byte of an acting dead
// end is not 0, that of one that was not taken is 0: so the byte tells whether a cell may be asked,
// and being joined ends that. Time: linear; the dead ends still proposing halve or better in each
// round.
#include <array>
#include <bit>

#include "transforms.hpp"

namespace meiro {
namespace {

// Bit 0: has a passage; bit 1: is an acting dead end.
constexpr auto kinds = [] {
    std::array<std::uint8_t, 256> kind{};
    for (unsigned byte = 0; byte < 256; ++byte)
        kind[byte] = static_cast<std::uint8_t>(((byte & 15u) != 0 ? 1 : 0) |
                                               (is_dead_end(byte) && byte >> 4 != 0 ? 2 : 0));
    return kind;
}();

template <class Id, class Topology>
class Braid {
public:
    Braid(const Topology& maze, const Seed& seed, Control& control)
        : maze_(maze),
          control_(control),
          random_(transform_random(seed, TransformLane::braid)),
          ends_(count()),
          choice_(maze.size()) {}

    void run(Chance p) {
        list();
        take(p);
        while (left_ > 0) {
            choose();
            open();
        }
    }

private:
    static constexpr unsigned opens = 4;  // flag in a choice, beside the direction

    Index count() {
        const std::uint8_t* const bytes = maze_.bytes();
        Index found = 0;
        by_pieces(maze_.size(), control_, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) found += is_dead_end(bytes[i]) ? 1 : 0;
        });
        return found + 1;  // list() writes one past the end
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

    // Each dead end chooses an adjacent one to propose to, or without such a neighbour a wall.
    // Opens nothing yet: stores near the next loads would delay these.
    void choose() {
        const std::uint8_t* const bytes = maze_.bytes();
        Random random = random_;
        const Topology maze = maze_;
        Id* const ends = ends_.data();
        std::uint8_t* const choice = choice_.data();
        Index able = 0;
        for (Index first = 0; first < left_; first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, left_);
            for (Index k = first; k < last; ++k) {
                const auto cell = static_cast<Index>(ends[k]);
                unsigned ways = 0, alike = 0;
                for (unsigned rest = bytes[cell] >> 4 & ~bytes[cell]; rest != 0; rest &= rest - 1) {
                    const int d = std::countr_zero(rest);
                    const unsigned byte = bytes[maze.next(cell, static_cast<Direction>(d))];
                    ways |= (kinds[byte] & 1u) << d;
                    alike |= (kinds[byte] >> 1 & ~byte >> (d ^ 2) & 1u) << d;
                }
                if (ways == 0) [[unlikely]]
                    continue;
                const bool asks = alike != 0;
                const auto d = static_cast<unsigned>(random.pick(asks ? alike : ways));
                choice[cell] = static_cast<std::uint8_t>(asks ? d : d | opens);
                ends[able++] = ends[k];
            }
            control_.poll(8 * (last - first));
        }
        random_ = random;
        left_ = able;
    }

    // Opens the chosen walls: single ones, and those of pairs that propose to each other. The
    // others stay in the list. Without a branch, as the outcome is unpredictable.
    void open() {
        std::uint8_t* const bytes = maze_.bytes();
        const Topology maze = maze_;
        Id* const ends = ends_.data();
        const std::uint8_t* const choice = choice_.data();
        Index still = 0;
        for (Index first = 0; first < left_; first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, left_);
            for (Index k = first; k < last; ++k) {
                const auto cell = static_cast<Index>(ends[k]);
                const auto towards = static_cast<Direction>(choice[cell] & 3u);
                const Index other = maze.next(cell, towards);
                const auto back = static_cast<unsigned>(opposite(towards));
                const unsigned now = choice[cell] >= opens || choice[other] == back ? 1 : 0;
                bytes[cell] |= static_cast<std::uint8_t>(bit(towards) * now);
                bytes[other] |= static_cast<std::uint8_t>((1u << back) * now);
                ends[still] = ends[k];
                still += static_cast<Index>(1 - now);
            }
            control_.poll(4 * (last - first));
        }
        left_ = still;
    }

    const Topology maze_;
    Control& control_;
    Random random_;
    Buffer<Id> ends_;              // acting dead ends, in order
    Buffer<std::uint8_t> choice_;  // per cell
    Index left_ = 0;
};

}  // namespace

void braid(const Passages& maze, const Seed& seed, Chance p, Control& control) {
    with_ids_below(maze.size(), [&](auto id) {
        with_topology(maze, [&](const auto& topology) {
            Braid<decltype(id), std::decay_t<decltype(topology)>>(topology, seed, control).run(p);
        });
    });
}

}  // namespace meiro
