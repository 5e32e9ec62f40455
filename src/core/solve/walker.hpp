// What those share who walk: the steps they really took, the hand on the wall, and one loop that
// takes the steps of any rule.
#pragma once

#include <algorithm>
#include <limits>

#include "search.hpp"

namespace meiro {

// The way of each step, a byte a step, and no more than `bound`. Grows by doubling, and is cut to
// its length at the end.
class Walk {
public:
    explicit Walk(Index bound) : bound_(bound) {}
    // Where the next steps go, with room for `more`, within the bound.
    std::uint8_t* next(Index more) {
        const Index need = size_ + more;
        if (need > ways_.size()) ways_.grow(std::min(std::max(2 * ways_.size(), need), bound_));
        return ways_.data() + size_;
    }
    void took(Index steps) { size_ += steps; }
    Index size() const { return size_; }
    Buffer<std::uint8_t> given_away() {
        ways_.grow(size_);
        return std::move(ways_);
    }

private:
    Buffer<std::uint8_t> ways_{64};
    Index bound_, size_ = 0;
};
inline constexpr Index no_bound = std::numeric_limits<Index>::max();

// The open directions of a byte of links.ways(), in four bits: those over the rim are the same.
constexpr unsigned directions_in(unsigned byte) {
    return (byte | byte >> 4) & 15;
}

// The way in a direction that is open.
constexpr unsigned way_towards(unsigned direction, unsigned byte) {
    return direction | ((byte >> direction & 1) != 0 ? 0u : 4u);
}

// A step: its way, and what it adds to the site.
struct Step {
    unsigned way;
    Index move;
};
inline constexpr Step no_step{no_choice, 0};

// Where one goes on whose hand is at the wall: to the side of the hand, else ahead, else to the
// other side, else back; no_step where nothing is open. Way and move in one look, which is half of
// what a step costs.
class Turns {
public:
    Turns(const Links& links, Hand hand) : open_(links.open()), ways_(links.ways()) {
        const auto moves = links.moves();
        const unsigned side = hand == Hand::right ? 1 : 3;
        for (unsigned heading = 0; heading < 4; ++heading)
            for (unsigned byte = 0; byte <= ways_; ++byte) {
                Step step = no_step;
                for (const unsigned turn : {2u, 4 - side, 0u, side}) {  // the best comes last
                    const unsigned d = (heading + turn) & 3;
                    if ((directions_in(byte) >> d & 1) == 0) continue;
                    step.way = way_towards(d, byte);
                    step.move = moves[step.way];
                }
                way_[heading << 8 | byte] = static_cast<std::uint8_t>(step.way);
                move_[heading << 8 | byte] = step.move;
            }
    }
    unsigned byte(Index at) const { return open_[at] & ways_; }
    // The heading may be the way that was come by.
    Step operator()(unsigned heading, unsigned byte) const {
        const unsigned i = (heading & 3) << 8 | byte;
        return {way_[i], move_[i]};
    }
    // Straight on in an open direction.
    Step straight(unsigned direction, unsigned byte) const {
        return (*this)(direction, byte & 0x11u << direction);
    }

private:
    const std::uint8_t* open_;
    unsigned ways_;
    std::array<std::uint8_t, 1024> way_;
    std::array<Index, 1024> move_;
};

// Walks by a rule until it comes to a goal: rule(site) is the next step, or no_step when it gives
// up, for rule.reason. A rule is asked once a step and keeps its own state. At most `bound` steps
// are taken. The path is traced by the first entries, so it is a part of the walk. `tell`: new
// sites are progress.
template <class Rule, Recorder R>
Found walk_by(Search& search, Rule rule, Index bound, R& record, bool tell = true) {
    constexpr Index chunk = Index{1} << 12;
    const Links links = search.links;
    const Shape shape = links.shape();
    Found result = at_start(search, record);
    std::uint8_t* const reached = result.reached.data();
    Index* const order = search.options.order ? result.order.data() : nullptr;
    Walk walk(bound);
    Index at = search.start, explored = 1;
    bool more = !result.found;
    while (more) {
        const Index part = std::min(chunk, bound - walk.size());
        search.control.poll(part);
        std::uint8_t* const ways = walk.next(part);
        const Index before = explored;
        more = part == chunk;
        Index i = 0;
        while (i < part) {
            const auto [way, move] = rule(at);
            if (way == no_choice) {
                more = false;
                break;
            }
            at += move;
            ways[i++] = static_cast<std::uint8_t>(way);
            // Without a branch: whether a site is new is a guess at every second one.
            const unsigned was = reached[at], fresh = (was & reached_mask) == 0 ? 1 : 0;
            const unsigned keep = fresh - 1;  // all bits, or none
            reached[at] = static_cast<std::uint8_t>((was & keep) | ((way + 1) & ~keep));
            if (order != nullptr && fresh != 0) order[at] = explored;
            explored += fresh;
            record.on(fresh != 0 ? Event::visit : Event::back, shape.cell(at),
                      links.direction_of(way));
            if (was == goal_mark) {
                result.goal = at;
                more = false;
                break;
            }
        }
        walk.took(i);
        search.control.done(tell ? explored - before : 0);
    }
    result.explored = explored;
    result.walk = walk.given_away();
    if (result.goal < 0) result.reason = rule.reason;
    return finished(search, std::move(result), record);
}

}  // namespace meiro
