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
//
// By several threads: strips of rows have random numbers and lists of their own, whatever the
// number of threads. A dead end in the last row of a strip may open a wall to the next one, so
// strips that are neighbours open theirs one after the other.
#include <array>
#include <bit>
#include <vector>

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
    Braid(const Topology& maze, const Seed& seed, Control& control, int threads)
        : maze_(maze), control_(control), threads_(threads) {
        const Index strips = std::max<Index>(1, maze.shape().rows / height_);
        strips_.reserve(static_cast<std::size_t>(strips));
        for (Index s = 0; s < strips; ++s)
            strips_.push_back({transform_random(seed, TransformLane::braid, s), 0, 0});
        each_strip([&](Strip& strip, Index first, Index last, Control& worker) {
            count(strip, first, last, worker);
        });
        Index most = 0;
        for (Strip& strip : strips_) {
            strip.begin = most;
            most += strip.left + 1;  // list() writes one past the end
        }
        ends_ = Buffer<Id>(most);
    }

    void run(Chance p) {
        each_strip([&](Strip& strip, Index first, Index last, Control& worker) {
            list(strip, first, last, worker);
            take(strip, p, worker);
        });
        for (;;) {
            Index left = 0;
            for (const Strip& strip : strips_) left += strip.left;
            if (left == 0) return;
            if (left < few) threads_ = 1;
            each_strip([&](Strip& strip, Index, Index, Control& worker) { choose(strip, worker); });
            for (Index turn = 0; turn < 3; ++turn) open(turn);
        }
    }

private:
    static constexpr unsigned opens = 4;  // flag in a choice, beside the direction
    static constexpr Index strip_cells = Index{1} << 18, least_height = 16, few = 1 << 12;

    struct Strip {
        Random random;
        Index begin, left;  // of its acting dead ends, which are in order
    };

    // body(strip, first cell, end of its cells, control)
    template <class Body>
    void each_strip(Body body) {
        const auto [rows, cols] = maze_.shape();
        parallel(control_, threads_, strips(), [&](Index s, Control& worker) {
            const Index end = s + 1 < strips() ? (s + 1) * height_ : rows;
            body(strip(s), s * height_ * cols, end * cols, worker);
        });
    }
    Index strips() const { return static_cast<Index>(strips_.size()); }
    Strip& strip(Index s) { return strips_[static_cast<std::size_t>(s)]; }

    void count(Strip& strip, Index first, Index last, Control& control) const {
        const std::uint8_t* const bytes = maze_.bytes() + first;
        Index found = 0;
        by_each(last - first, control, [&](Index i) { found += is_dead_end(bytes[i]) ? 1 : 0; });
        strip.left = found;
    }
    void list(const Strip& strip, Index first, Index last, Control& control) {
        const std::uint8_t* const bytes = maze_.bytes();
        Id* out = ends_.data() + strip.begin;
        by_pieces(last - first, control, [&](Index from, Index to) {
            for (Index i = first + from; i < first + to; ++i) {
                *out = static_cast<Id>(i);
                out += is_dead_end(bytes[i]) ? 1 : 0;
            }
        });
    }
    void take(Strip& strip, Chance p, Control& control) {
        if (p.share >= Chance::certain) return;
        Id* const ends = ends_.data() + strip.begin;
        Index taken = 0;
        for (Index first = 0; first < strip.left; first += 64) {
            std::uint64_t coins = strip.random.coins(p);
            const Index last = std::min(first + 64, strip.left);
            for (Index k = first; k < last; ++k, coins >>= 1) {
                const Id end = ends[k];
                if ((coins & 1u) == 0) maze_.bytes()[end] &= 15;
                ends[taken] = end;
                taken += static_cast<Index>(coins & 1u);
            }
            control.poll(64);
        }
        strip.left = taken;
    }

    // Each dead end chooses an adjacent one to propose to, or without such a neighbour a wall.
    // Opens nothing yet: stores near the next loads would delay these.
    void choose(Strip& strip, Control& control) {
        const std::uint8_t* const bytes = maze_.bytes();
        Random random = strip.random;
        const Topology maze = maze_;
        Id* const ends = ends_.data() + strip.begin;
        std::uint8_t* const choice = choice_.data();
        Index able = 0;
        for (Index first = 0; first < strip.left; first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, strip.left);
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
            control.poll(8 * (last - first));
        }
        strip.random = random;
        strip.left = able;
    }

    // The strips of a turn: every other one, and the last one alone where their number is odd, as
    // on periodic lattices it is a neighbour of the first.
    void open(Index turn) {
        const Index even = strips() / 2 * 2;
        parallel(
            control_, threads_, turn < 2 ? even / 2 : strips() - even,
            [&](Index k, Control& worker) { open(strip(turn < 2 ? 2 * k + turn : even), worker); });
    }

    // Opens the chosen walls: single ones, and those of pairs that propose to each other. The
    // others stay in the list. Without a branch, as the outcome is unpredictable.
    void open(Strip& strip, Control& control) {
        std::uint8_t* const bytes = maze_.bytes();
        const Topology maze = maze_;
        Id* const ends = ends_.data() + strip.begin;
        const std::uint8_t* const choice = choice_.data();
        Index still = 0;
        for (Index first = 0; first < strip.left; first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, strip.left);
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
            control.poll(4 * (last - first));
        }
        strip.left = still;
    }

    const Topology maze_;
    Control& control_;
    int threads_;
    // Of a strip; the last one may be higher.
    const Index height_ = std::max(least_height, strip_cells / maze_.shape().cols);
    std::vector<Strip> strips_;
    Buffer<Id> ends_;
    Buffer<std::uint8_t> choice_{maze_.size()};  // per cell
};

}  // namespace

void braid(const Passages& maze, const Seed& seed, Chance p, Control& control, int threads) {
    with_ids_below(maze.size(), [&](auto id) {
        with_topology(maze, [&](const auto& topology) {
            Braid<decltype(id), std::decay_t<decltype(topology)>>(topology, seed, control, threads)
                .run(p);
        });
    });
}

}  // namespace meiro
