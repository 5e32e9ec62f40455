#include "path_statistics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "../solve/bfs_levels.hpp"
#include "leaf_peeling.hpp"

namespace meiro {
namespace {

constexpr Index chunk = Index{1} << 13;

constexpr bool several(unsigned ways) {
    return (ways & (ways - 1)) != 0;
}

// Straight pieces one after the other, and the sum of 1 / their lengths.
class Arcs {
public:
    void step(unsigned way) {  // the low two bits of a way are its direction, also over the rim
        const unsigned direction = way & 3u;
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

// Walks through corridors, until it comes to a cell that is none.
class Walk {
public:
    Walk(const Links& links, Control& control)
        : step_(links.moves()), open_(links.open()), control_(control) {}

    // From `at` by the way of a bit; body(way) at every step. Returns the end, and the ways on from
    // there.
    struct End {
        Index at;
        unsigned ways;
    };
    template <class Body>
    End go(Index at, unsigned bit_of_way, Body body) {
        auto way = static_cast<unsigned>(std::countr_zero(bit_of_way));
        for (;;) {
            for (Index i = 0; i < budget_; ++i) {
                at += step_[way];
                body(way);
                const unsigned ways = open_[at] & onward[way];
                if (one_way(ways) == 0) {
                    budget_ -= i + 1;
                    return {at, ways};
                }
                way = static_cast<unsigned>(std::countr_zero(ways));
            }
            control_.poll(chunk);
            budget_ = chunk;
        }
    }

private:
    std::array<Index, 8> step_;
    const std::uint8_t* open_;
    Control& control_;
    Index budget_ = chunk;  // steps until the next poll
};

// The sum of the complexities of the hallways of a tree that hang on a cell by some of its ways.
class Hallways {
public:
    Hallways(const Links& links, Control& control) : walk_(links, control) {}

    double sum(Index at, unsigned ways) {
        double sum = 0;
        push(at, ways);
        while (!waiting_.empty()) {
            const Index begin = waiting_.pop();
            Arcs arcs;
            const Walk::End end = walk_.go(begin >> 8, static_cast<unsigned>(begin & 255),
                                           [&](unsigned way) { arcs.step(way); });
            sum += arcs.complexity();
            push(end.at, end.ways);
        }
        return sum;
    }

private:
    void push(Index at, unsigned ways) {
        for (; ways != 0; ways &= ways - 1) waiting_.push(at << 8 | (ways & (~ways + 1)));
    }
    Walk walk_;
    Stack<Index> waiting_;
};

// body(cell) for those where is(ways) is 1, not 0: gathered without a branch, then gone through.
template <class Is, class Body>
void each_where(const Links& links, Control& control, Is is, Body body) {
    constexpr Index piece = Index{1} << 10;
    const std::uint8_t* const open = links.open();
    std::array<Index, piece> found;  // NOLINT(cppcoreguidelines-pro-type-member-init)
    for (Index first = 0; first < links.size(); first += piece) {
        const Index last = std::min(first + piece, links.size());
        control.poll(last - first);
        Index count = 0;
        for (Index at = first; at < last; ++at) {
            found[static_cast<std::size_t>(count)] = at;
            count += is(open[at]) ? 1 : 0;
        }
        for (Index i = 0; i < count; ++i) body(found[static_cast<std::size_t>(i)]);
    }
}

template <class Id>
void flood(const Links& links, Index start, Index goal, std::uint8_t* towards, Control& control) {
    const auto step = links.moves();
    const Choices& choices = plain_choices(links);
    Levels<Id> frontiers;
    frontiers.start(start);
    towards[start] = 0;  // so that nothing comes back to it
    for (frontiers.advance(); frontiers.size() > 0 && towards[goal] == nowhere; frontiers.advance())
        for (Index first = 0; first < frontiers.size(); first += chunk) {
            const Index last = std::min(first + chunk, frontiers.size());
            control.poll(last - first);
            Id* const next = frontiers.next(last - first);
            Index filled = 0;
            for (Index i = first; i < last; ++i) {
                const auto at = static_cast<Index>(frontiers.now()[i] >> way_bits);
                auto ways = choices[links.open()[at] & onward[frontiers.now()[i] & 15]];
                for (unsigned way; (way = ways & 15) != no_choice; ways >>= 4) {
                    const Index to = at + step[way];
                    if (towards[to] != nowhere) continue;
                    towards[to] = static_cast<std::uint8_t>(way ^ 2u);
                    next[filled++] = static_cast<Id>(to << way_bits | way);
                }
            }
            frontiers.filled(filled);
        }
    towards[start] = nowhere;
}

}  // namespace

Solution follow(const Links& links, const std::uint8_t* towards, Index from, Index to,
                Control& control) {
    const auto step = links.moves();
    Solution found;
    Arcs arcs;
    Index at = from;
    while (at != to && towards[at] != nowhere) {
        control.poll(chunk);
        for (Index i = 0; i < chunk && at != to && towards[at] != nowhere; ++i) {
            const unsigned way = towards[at];
            arcs.step(way);
            at += step[way];
            const unsigned ways = links.open()[at] & onward[way];
            found.choices += at != to && several(ways) ? 1 : 0;
        }
    }
    found.found = at == to;
    found.length = arcs.length();
    found.turns = arcs.turns();
    found.complexity = arcs.complexity();
    return found;
}

void flood_towards(const Links& links, Index start, Index goal, std::uint8_t* towards,
                   Control& control) {
    by_pieces(links.size(), control, [&](Index first, Index last) {
        std::memset(towards + first, nowhere, static_cast<std::size_t>(last - first));
    });
    if (fits_32_bits(links))
        flood<std::uint32_t>(links, start, goal, towards, control);
    else
        flood<Index>(links, start, goal, towards, control);
}

DeadEndSteps dead_ends(const Links& links, Control& control) {
    DeadEndSteps found;
    Walk walk(links, control);
    each_where(links, control, one_way, [&](Index at) {
        Index steps = 0;
        walk.go(at, links.open()[at], [&](unsigned) { ++steps; });
        found.steps += steps;
        found.longest = std::max(found.longest, steps);
    });
    return found;
}

Index lonely_corridors(const Links& links, Index corridors, Control& control) {
    Walk walk(links, control);
    Index seen = 0;  // twice: from both ends
    each_where(
        links, control, [](unsigned ways) { return std::popcount(ways) != 2; },
        [&](Index at) {
            for (unsigned ways = links.open()[at]; ways != 0; ways &= ways - 1) {
                Index steps = 0;
                walk.go(at, ways & (~ways + 1), [&](unsigned) { ++steps; });
                seen += steps - 1;
            }
        });
    return corridors - seen / 2;
}

double hallways(const Links& links, Control& control) {
    Index leaf = -1;
    each_where(links, control, one_way, [&](Index at) { leaf = at; });
    return leaf < 0 ? 0 : Hallways(links, control).sum(leaf, links.open()[leaf]);
}

double branches(const Links& links, const std::uint8_t* towards, Index from, Control& control) {
    const auto step = links.moves();
    Hallways hanging(links, control);
    double sum = 0;
    unsigned back = 0;  // the way that leads to where one came from
    for (Index at = from;; at += step[towards[at]]) {
        const bool end = towards[at] == nowhere;
        const unsigned on = end ? 0 : 1u << towards[at];
        for (unsigned ways = links.open()[at] & ~(back | on); ways != 0; ways &= ways - 1)
            sum += std::log1p(hanging.sum(at, ways & (~ways + 1)));
        control.poll();
        if (end) return sum;
        back = 1u << (towards[at] ^ 2u);
    }
}

}  // namespace meiro
