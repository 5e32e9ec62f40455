// The double sweep: a cell farthest from any cell of a tree is an end of a longest path, so a cell
// farthest from that one is the other end. This also holds for paths between chosen cells.
//   C. Magnien, M. Latapy, M. Habib, ACM J. Exp. Algorithmics 13 (2009) 10.
//   doi:10.1145/1412228.1455266 (on other graphs a lower bound, and a good one)
//
// Each component is swept twice, breadth first; the longest pair of all components is returned.
// Time: linear. Scratch: a byte per cell and two levels. Invariant: in a sweep each cell is added
// to a level once.
#include "double_sweep.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "../buffer.hpp"
#include "../solve/bfs_levels.hpp"

namespace meiro {
namespace {

constexpr std::uint8_t chosen = 0x80;  // may be an end; the low bits count the sweeps

template <class Id>
class DoubleSweep {
public:
    DoubleSweep(const Adjacency& adjacency, const std::uint8_t* among, Control& control)
        : adjacency_(adjacency),
          neighbours_(default_neighbours(adjacency)),
          seen_(adjacency.size()),
          control_(control) {
        by_pieces(adjacency.size(), control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i)
                seen_[i] = among == nullptr || among[i] != 0 ? chosen : 0;
        });
    }

    // The chosen cell farthest from `start`, and its distance; length -1 if no chosen cell is
    // reachable.
    Pair sweep(Index start, std::uint8_t mark) {
        const auto step = adjacency_.offsets();
        const std::uint8_t* const open = adjacency_.open();
        std::uint8_t* const seen = seen_.data();
        Pair found{start, start, (seen[start] & chosen) != 0 ? 0 : -1};
        seen[start] |= mark;
        now_.clear();
        now_.push(static_cast<Id>(start << move_bits | from_nowhere));
        for (Index distance = 1; !now_.empty(); ++distance) {
            next_.clear();
            for (Index first = 0; first < now_.size(); first += poll_chunk) {
                const Index last = std::min(first + poll_chunk, now_.size());
                control_.poll(last - first);
                next_.reserve(8 * (last - first));
                for (Index i = first; i < last; ++i) {
                    const auto at = static_cast<Index>(now_[i] >> move_bits);
                    auto moves = neighbours_[open[at] & without_reverse[now_[i] & 15]];
                    for (unsigned d; (d = moves & 15) != no_move; moves >>= 4) {
                        const Index to = at + step[d];
                        const std::uint8_t before = seen[to];
                        if ((before & mark) != 0) continue;
                        seen[to] = before | mark;
                        next_.push_if(static_cast<Id>(to << move_bits | d), true);
                        if ((before & chosen) != 0) {
                            found.second = to;
                            found.length = distance;
                        }
                    }
                }
            }
            std::swap(now_, next_);
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
    const OrderedNeighbours& neighbours_;
    Buffer<std::uint8_t> seen_;
    Stack<Id> now_, next_;
    Control& control_;
};

}  // namespace

Pair farthest(const Adjacency& adjacency, const std::uint8_t* among, Control& control) {
    if (adjacency.size() <= std::numeric_limits<std::uint32_t>::max() >> move_bits)
        return DoubleSweep<std::uint32_t>(adjacency, among, control).longest();
    return DoubleSweep<Index>(adjacency, among, control).longest();
}

}  // namespace meiro
