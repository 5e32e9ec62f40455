// The double sweep: a cell farthest from any cell of a tree is an end of a longest path, so a cell
// farthest from that one is the other end. This also holds for paths between chosen cells.
//   C. Magnien, M. Latapy, M. Habib, ACM J. Exp. Algorithmics 13 (2009) 10.
//   doi:10.1145/1412228.1455266 (on other graphs a lower bound, and a good one)
//
// Each component is swept twice, breadth first; the longest pair of all components is returned.
// Time: linear. Scratch: a byte per cell and two levels. Invariant: in a sweep each cell is added
// to a level once.
#include "double_sweep.hpp"

#include "../solve/bfs_levels.hpp"

namespace meiro {
namespace {

constexpr std::uint8_t chosen = 0x80;  // may be an end; the low bits count the sweeps

template <class Id>
class DoubleSweep {
public:
    DoubleSweep(const Adjacency& adjacency, const std::uint8_t* among, Control& control)
        : adjacency_(adjacency), seen_(adjacency.size()), control_(control) {
        by_pieces(adjacency.size(), control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i)
                seen_[i] = among == nullptr || among[i] != 0 ? chosen : 0;
        });
    }

    // The chosen cell farthest from `start`, and its distance; length -1 if no chosen cell is
    // reachable.
    Pair sweep(Index start, std::uint8_t mark) {
        const SquarePlaces<Id> places(adjacency_);
        std::uint8_t* const seen = seen_.data();
        Pair found{start, start, (seen[start] & chosen) != 0 ? 0 : -1};
        seen[start] |= mark;
        levels_.start(start);
        Index distance = 0;
        for (levels_.advance(); levels_.size() > 0; levels_.advance()) {
            ++distance;
            levels_.spread(places, control_, [&](Index to, unsigned) {
                const std::uint8_t before = seen[to];
                if ((before & mark) != 0) return false;
                seen[to] = before | mark;
                if ((before & chosen) != 0) {
                    found.second = to;
                    found.length = distance;
                }
                return true;
            });
        }
        return found;
    }

    Pair longest() {
        Pair best;
        for (Index first = 0; first < adjacency_.size(); first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, adjacency_.size());
            for (Index start = first; start < last; ++start) {
                if ((seen_[start] & 1) != 0) continue;
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
    Adjacency adjacency_;
    Buffer<std::uint8_t> seen_;
    Levels<Id> levels_;
    Control& control_;
};

}  // namespace

Pair farthest(const Adjacency& adjacency, const std::uint8_t* among, Control& control) {
    return fits_32_bits(adjacency) ? DoubleSweep<std::uint32_t>(adjacency, among, control).longest()
                                   : DoubleSweep<Index>(adjacency, among, control).longest();
}

}  // namespace meiro
