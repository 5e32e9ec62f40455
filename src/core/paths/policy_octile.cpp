// The best moves where diagonal ones cost the square root of 2: octile_policy.
//   E. W. Dijkstra, Numer. Math. 1 (1959) 269. doi:10.1007/BF01386390
//
// A cost is a pair: a straight and b diagonal steps. Two costs are equal only if their pairs are
// equal, and pairs are compared exactly in integers. As there are two lengths of steps, two queues,
// each sorted by itself, replace a heap. All sites of one cost are settled together: every move
// that reaches a site at that cost is one of its best moves. Time: linear in the sites reached.
// Scratch: two bytes per site and the queues, usually a few levels. Invariant: no settled site
// costs more than the heads of the queues.

#include "../random.hpp"
#include "../solve/bfs_levels.hpp"
#include "path_queries.hpp"

namespace meiro {
namespace {

struct Cost {
    Index straight = 0, diagonal = 0;
    friend bool operator==(const Cost&, const Cost&) = default;
};

// Is a^2 < 2 b^2?
bool less_than_root_2(Index a, Index b) {
    const auto x = static_cast<std::uint64_t>(a), y = static_cast<std::uint64_t>(b);
    const Product left = multiply(x, x), right = multiply(y, 2 * y);
    return left.high != right.high ? left.high < right.high : left.low < right.low;
}

bool operator<(const Cost& one, const Cost& other) {
    const Index more = one.straight - other.straight, less = other.diagonal - one.diagonal;
    if (more >= 0) return less > 0 && less_than_root_2(more, less);  // more < less * root 2
    return less >= 0 || !less_than_root_2(-more, -less);
}

// A first-in, first-out queue of runs of equal cost.
template <class Id>
class Queue {
public:
    bool empty() const { return head_ == runs_.size(); }
    Cost cost() const { return runs_[head_].cost; }
    Stack<Id>& at_the_end() { return sites_; }
    // Everything pushed since the last call has this cost.
    void close(Cost cost) {
        const Index before = runs_.empty() ? 0 : runs_.top().end;
        if (sites_.size() > before) runs_.push({cost, sites_.size()});
    }
    const Id* begin() const { return sites_.begin() + first_; }
    const Id* end() const { return sites_.begin() + runs_[head_].end; }
    void drop() {
        first_ = runs_[head_++].end;
        if (first_ * 2 < sites_.size()) return;  // fewer popped than left
        for (Index i = first_; i < sites_.size(); ++i) sites_[i - first_] = sites_[i];
        for (Index i = head_; i < runs_.size(); ++i)
            runs_[i - head_] = {runs_[i].cost, runs_[i].end - first_};
        sites_.resize(sites_.size() - first_);
        runs_.resize(runs_.size() - head_);
        first_ = head_ = 0;
    }

private:
    struct Run {
        Cost cost;
        Index end;
    };
    Stack<Id> sites_;
    Stack<Run> runs_;
    Index first_ = 0, head_ = 0;
};

enum SiteState : std::uint8_t { unknown, fresh, settled };

template <class Id>
Buffer<std::uint8_t> settle(const Adjacency& adjacency, std::span<const Index> goals,
                            Control& control) {
    using L = Levels<Id>;
    const auto step = adjacency.offsets();
    const std::uint8_t* const open = adjacency.open();
    const OrderedNeighbours neighbours(directions, adjacency.moves());
    Buffer<std::uint8_t> policy(adjacency.size(), true), states(adjacency.size(), true);
    std::uint8_t* const bits = policy.data();
    std::uint8_t* const state = states.data();
    Queue<Id> straight, diagonal;
    Stack<Id> level;  // the sites of one cost
    for (const Index goal : goals) {
        if (state[goal] == unknown) level.push(L::entry(goal, 0));
        state[goal] = fresh;
    }
    for (Cost cost; !level.empty();) {
        for (Index first = 0; first < level.size(); first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, level.size());
            for (Index i = first; i < last; ++i) state[L::site(level[i])] = settled;
            control.poll(last - first);
        }
        for (Index first = 0; first < level.size(); first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, level.size());
            control.poll(4 * (last - first));
            control.done(last - first);
            Stack<Id>&one = straight.at_the_end(), &other = diagonal.at_the_end();
            one.reserve(4 * (last - first));
            other.reserve(4 * (last - first));
            for (Index i = first; i < last; ++i) {
                const Index at = L::site(level[i]);
                auto moves = neighbours[open[at]];
                for (unsigned d; (d = moves & 15) != no_move; moves >>= 4) {
                    const Index to = at + step[d];
                    const bool unseen = state[to] == unknown;
                    one.push_if(L::entry(to, d), unseen && d < 4);
                    other.push_if(L::entry(to, d), unseen && d > 3);
                }
            }
        }
        straight.close({cost.straight + 1, cost.diagonal});
        diagonal.close({cost.straight, cost.diagonal + 1});
        level.clear();
        while (level.empty() && !(straight.empty() && diagonal.empty())) {
            if (straight.empty() || (!diagonal.empty() && diagonal.cost() < straight.cost()))
                cost = diagonal.cost();
            else
                cost = straight.cost();
            for (Queue<Id>* queue : {&straight, &diagonal}) {
                if (queue->empty() || queue->cost() != cost) continue;
                Index steps = 0;
                for (const Id entry : *queue) {
                    if (++steps % poll_chunk == 0) control.poll(poll_chunk);
                    const Index at = L::site(entry);
                    if (state[at] == settled) continue;
                    if (state[at] == unknown) level.push(entry);
                    state[at] = fresh;
                    bits[at] |= static_cast<std::uint8_t>(1u << (L::move(entry) ^ 2u));
                }
                queue->drop();
                control.poll();
            }
        }
    }
    return policy;
}

}  // namespace

Buffer<std::uint8_t> octile_policy(const Adjacency& adjacency, std::span<const Index> goals,
                                   Control& control) {
    return fits_32_bits(adjacency) ? settle<std::uint32_t>(adjacency, goals, control)
                                   : settle<Index>(adjacency, goals, control);
}

}  // namespace meiro
