// The double sweep: a cell farthest from any cell of a tree is an end of a longest path, so a cell
// farthest from that one is the other end. This also holds for paths between chosen cells.
//   C. Magnien, M. Latapy, M. Habib, ACM J. Exp. Algorithmics 13 (2009) 10.
//   doi:10.1145/1412228.1455266 (on other graphs a lower bound, and a good one)
//
// Each component is swept twice, breadth first; the longest pair of all components is returned.
// Time: linear. Scratch: a byte per cell and two levels. Invariant: in a sweep each cell is added
// to a level once.
#include "double_sweep.hpp"

#include <type_traits>

#include "../solve/bfs_levels.hpp"

namespace meiro {
namespace {

constexpr std::uint8_t chosen = 0x80;  // may be an end; the low bits count the sweeps

template <Places P>
class DoubleSweep {
public:
    DoubleSweep(const P& places, const std::uint8_t* among, Control& control)
        : places_(places), seen_(places.size()), control_(control) {
        by_each(places.size(), control,
                [&](Index i) { seen_[i] = among == nullptr || among[i] != 0 ? chosen : 0; });
    }

    // The chosen cell farthest from `start`, and its distance; length -1 if no chosen cell is
    // reachable.
    Pair sweep(Index start, std::uint8_t mark) {
        const P places(places_);
        std::uint8_t* const seen = seen_.data();
        Pair found{start, start, (seen[start] & chosen) != 0 ? 0 : -1};
        seen[start] |= mark;
        levels_.push(P::entry(start));
        levels_.flood(places, control_, [&](Index to, typename P::Move, Index distance) {
            const std::uint8_t before = seen[to];
            if ((before & mark) != 0) return false;
            seen[to] = before | mark;
            if ((before & chosen) != 0) {
                found.second = to;
                found.length = distance;
            }
            return true;
        });
        return found;
    }

    Pair longest() {
        Pair best;
        for (Index first = 0; first < places_.size(); first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, places_.size());
            for (Index start = first; start < last; ++start) {
                if ((seen_[start] & 1) != 0) continue;
                if (std::is_same_v<P, GraphPlaces> && seen_[start] != chosen) continue;
                const Pair once = sweep(start, 1);
                if (once.length < 0) continue;
                const Pair twice = sweep(once.second, 2);
                if (twice.length > best.length) best = twice;
            }
            control_.poll(poll_chunk);
        }
        return best;
    }

private:
    P places_;
    Buffer<std::uint8_t> seen_;
    Levels<typename P::Entry> levels_;
    Control& control_;
};

// Invariant: a cell that a flood reached has its tag; before tags repeat, all are cleared.
template <Places P>
void count(const P places, const std::uint8_t* among, Index least, Index* counts,
           Control& control) {
    Buffer<std::uint8_t> tags(places.size(), true);
    Levels<typename P::Entry> levels;
    std::uint8_t* const tag_of = tags.data();
    std::uint8_t tag = 0;
    for (Index source = 0; source < places.size(); ++source) {
        control.poll();
        counts[source] = 0;
        if (among[source] == 0) continue;
        if (++tag == 0) {
            polled_fill(tag_of, places.size(), 0, control);
            tag = 1;
        }
        tag_of[source] = tag;
        levels.push(P::entry(source));
        Index far = 0;
        levels.flood(places, control, [&](Index to, typename P::Move, Index steps) {
            if (tag_of[to] == tag) return false;
            tag_of[to] = tag;
            far += among[to] & (steps >= least ? 1 : 0);
            return true;
        });
        counts[source] = far;
    }
}

}  // namespace

template <class Maze>
Pair farthest(const Maze& maze, const std::uint8_t* among, Control& control) {
    return with_places(maze, [&]<class P>(const P& places) {
        return DoubleSweep<P>(places, among, control).longest();
    });
}

template Pair farthest(const Adjacency&, const std::uint8_t*, Control&);
template Pair farthest(const OpenGraph&, const std::uint8_t*, Control&);

template <class Maze>
void count_far(const Maze& maze, const std::uint8_t* among, Index least, Index* counts,
               Control& control) {
    with_places(maze, [&](const auto& places) { count(places, among, least, counts, control); });
}

template void count_far(const Adjacency&, const std::uint8_t*, Index, Index*, Control&);
template void count_far(const OpenGraph&, const std::uint8_t*, Index, Index*, Control&);

}  // namespace meiro
