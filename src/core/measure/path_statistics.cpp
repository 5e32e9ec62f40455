#include "path_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "../gathered.hpp"
#include "../solve/bfs_levels.hpp"
#include "leaf_peeling.hpp"
#include "natural_log.hpp"

namespace meiro {
namespace {

constexpr bool are_several(unsigned moves) {
    return (moves & (moves - 1)) != 0;
}

// Straight pieces one after the other, and the sum of 1 / their lengths.
class Arcs {
public:
    void step(unsigned move) {  // the low two bits of a move are its direction, also over the rim
        const unsigned direction = move & 3u;
        if (direction != last_ && length_ > 0) {
            inverse_ += 1.0 / static_cast<double>(arc_);
            arc_ = 0;
            ++turns_;
        }
        last_ = direction;
        ++arc_;
        ++length_;
    }
    Index length() const { return length_; }
    Index turns() const { return turns_; }
    double complexity() const {
        if (length_ == 0) return 0;
        return 0.5 * static_cast<double>(length_) * (inverse_ + 1.0 / static_cast<double>(arc_));
    }

private:
    Index length_ = 0, arc_ = 0, turns_ = 0;
    double inverse_ = 0;
    unsigned last_ = 0;
};

// Walks through corridors to the first cell that is not a corridor.
class CorridorWalk {
public:
    CorridorWalk(const Adjacency& adjacency, Control& control)
        : step_(adjacency.offsets()), open_(adjacency.open()), control_(control) {}

    // From `at` in the direction of a bit, with body(direction) at every step. Returns the end, and
    // the open directions from there.
    struct End {
        Index at;
        unsigned moves;
    };
    template <class Body>
    End go(Index at, unsigned bit_of_move, Body body) {
        auto move = static_cast<unsigned>(std::countr_zero(bit_of_move));
        for (;;) {
            for (Index i = 0; i < budget_; ++i) {
                at += step_[move];
                body(move);
                const unsigned moves = open_[at] & without_reverse[move];
                if (is_single(moves) == 0) {
                    budget_ -= i + 1;
                    return {at, moves};
                }
                move = static_cast<unsigned>(std::countr_zero(moves));
            }
            control_.poll(fold_chunk);
            budget_ = fold_chunk;
        }
    }

private:
    std::array<Index, 8> step_;
    const std::uint8_t* open_;
    Control& control_;
    Index budget_ = fold_chunk;  // steps until the next poll
};

// Sums the complexities of the hallways in the branches of a cell that some of its moves lead to.
class Hallways {
public:
    Hallways(const Adjacency& adjacency, Control& control) : walk_(adjacency, control) {}

    double sum(Index at, unsigned moves) {
        double sum = 0;
        push(at, moves);
        while (!waiting_.empty()) {
            const Index begin = waiting_.pop();
            Arcs arcs;
            const CorridorWalk::End end = walk_.go(begin >> 8, static_cast<unsigned>(begin & 255),
                                                   [&](unsigned move) { arcs.step(move); });
            sum += arcs.complexity();
            push(end.at, end.moves);
        }
        return sum;
    }

private:
    void push(Index at, unsigned moves) {
        for (; moves != 0; moves &= moves - 1) waiting_.push(at << 8 | (moves & (~moves + 1)));
    }
    CorridorWalk walk_;
    Stack<Index> waiting_;
};

// body(cell) for cells of [begin, end) where is(moves) is 1, not 0: collected without a branch,
// then visited.
template <class Is, class Body>
void each_where(const Adjacency& adjacency, Index begin, Index end, Control& control, Is is,
                Body body) {
    constexpr Index piece = Index{1} << 10;
    const std::uint8_t* const open = adjacency.open();
    std::array<Index, piece> found;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    for (Index first = begin; first < end; first += piece) {
        const Index last = std::min(first + piece, end);
        control.poll(last - first);
        Index count = 0;
        for (Index at = first; at < last; ++at) {
            found[static_cast<std::size_t>(count)] = at;
            count += is(open[at]) ? 1 : 0;
        }
        for (Index i = 0; i < count; ++i) body(found[static_cast<std::size_t>(i)]);
    }
}

// The corridors from dead ends, or from all cells that are no corridors. Threads share the cells.
DeadEndSteps corridors_from(const Adjacency& adjacency, bool all_ends, Control& control,
                            int threads) {
    constexpr Index share = Index{1} << 18;
    const Index size = adjacency.size();
    const auto is = [=](unsigned moves) {
        return all_ends ? std::popcount(moves) != 2 : is_single(moves) != 0;
    };
    const auto walk_all = [&](Index item, DeadEndSteps& found, Control& worker) {
        CorridorWalk walk(adjacency, worker);
        each_where(adjacency, item * share, std::min(size, (item + 1) * share), worker, is,
                   [&](Index at) {
                       for (unsigned moves = adjacency.open()[at]; moves != 0; moves &= moves - 1) {
                           Index steps = 0;
                           walk.go(at, moves & (~moves + 1), [&](unsigned) { ++steps; });
                           found.merge({steps, steps, 1});
                       }
                   });
    };
    return gathered<DeadEndSteps>(control, threads, (size - 1) / share + 1, walk_all);
}

}  // namespace

Solution follow(const Adjacency& adjacency, const std::uint8_t* towards, Index from, Index to,
                Control& control) {
    const auto step = adjacency.offsets();
    Solution found;
    Arcs arcs;
    Index at = from;
    while (at != to && towards[at] != nowhere) {
        control.poll(fold_chunk);
        for (Index i = 0; i < fold_chunk && at != to && towards[at] != nowhere; ++i) {
            const unsigned move = towards[at];
            arcs.step(move);
            at += step[move];
            const unsigned moves = adjacency.open()[at] & without_reverse[move];
            found.decisions += at != to && are_several(moves) ? 1 : 0;
        }
    }
    found.found = at == to;
    found.length = arcs.length();
    found.turns = arcs.turns();
    found.complexity = arcs.complexity();
    return found;
}

void flood_towards(const Adjacency& adjacency, Index start, Index goal, std::uint8_t* towards,
                   Control& control) {
    polled_fill(towards, adjacency.size(), nowhere, control);
    towards[start] = 0;  // so that no path returns to it
    bool met = start == goal;
    with_places(adjacency, [&]<class P>(const P places) {
        Levels<typename P::Entry> frontiers;
        frontiers.start(start);
        frontiers.flood(places, control, met, [&](Index to, unsigned move, Index) {
            if (towards[to] != nowhere) return false;
            towards[to] = static_cast<std::uint8_t>(move ^ 2u);
            met |= to == goal;
            return true;
        });
    });
    towards[start] = nowhere;
}

DeadEndSteps dead_ends(const Adjacency& adjacency, Control& control, int threads) {
    return corridors_from(adjacency, false, control, threads);
}

Index lonely_corridors(const Adjacency& adjacency, Index corridors, Control& control, int threads) {
    const DeadEndSteps seen = corridors_from(adjacency, true, control, threads);
    return corridors - (seen.steps - seen.corridors) / 2;  // each was seen from both ends
}

double hallways(const Adjacency& adjacency, Control& control) {
    Index leaf = -1;
    each_where(adjacency, 0, adjacency.size(), control, is_single, [&](Index at) { leaf = at; });
    return leaf < 0 ? 0 : Hallways(adjacency, control).sum(leaf, adjacency.open()[leaf]);
}

double branches(const Adjacency& adjacency, const std::uint8_t* towards, Index from,
                Control& control) {
    const auto step = adjacency.offsets();
    Hallways hanging(adjacency, control);
    double sum = 0;
    unsigned back = 0;  // the move that leads back
    for (Index at = from;; at += step[towards[at]]) {
        const bool end = towards[at] == nowhere;
        const unsigned on = end ? 0 : 1u << towards[at];
        for (unsigned moves = adjacency.open()[at] & ~(back | on); moves != 0; moves &= moves - 1)
            sum += natural_log1p(hanging.sum(at, moves & (~moves + 1)));
        control.poll();
        if (end) return sum;
        back = 1u << (towards[at] ^ 2u);
    }
}

}  // namespace meiro
