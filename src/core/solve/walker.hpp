// Shared by the walkers: the hand on the wall, and one loop for the steps of any rule.
#pragma once

#include <algorithm>
#include <limits>

#include "search.hpp"

namespace meiro {

// Of the steps of a walk.
inline constexpr Index no_bound = std::numeric_limits<Index>::max();

// The open directions of a byte of adjacency.moves(), in four bits, moves across the border
// included.
constexpr unsigned directions_in(unsigned byte) {
    return (byte | byte >> 4) & 15;
}

// The move in an open direction.
constexpr unsigned move_towards(unsigned direction, unsigned byte) {
    return direction | ((byte >> direction & 1) != 0 ? 0u : 4u);
}

// A step on squares: its move, and its offset in sites.
struct Step {
    unsigned move;
    Index offset;
    bool taken() const { return move != no_move; }
    Index after(Index at) const { return at + offset; }
};
inline constexpr Step no_step{no_move, 0};

// A step on a graph: its slot, and where that leads.
struct GraphStep {
    GraphId move = -1, to = -1;
    bool taken() const { return move >= 0; }
    Index after(Index) const { return to; }
};

// The next step with a hand on the wall: to the side of the hand, else ahead, else to the other
// side, else back; no_step if nothing is open. One table look-up gives move and offset, half of the
// cost of a step.
class Turns {
public:
    Turns(const Adjacency& adjacency, Hand hand)
        : open_(adjacency.open()), moves_(adjacency.moves()) {
        const auto offsets = adjacency.offsets();
        const unsigned side = hand == Hand::right ? 1 : 3;
        for (unsigned heading = 0; heading < 4; ++heading)
            for (unsigned byte = 0; byte <= moves_; ++byte) {
                Step step = no_step;
                for (const unsigned turn : {2u, 4 - side, 0u, side}) {  // preferred turn last
                    const unsigned d = (heading + turn) & 3;
                    if ((directions_in(byte) >> d & 1) == 0) continue;
                    step.move = move_towards(d, byte);
                    step.offset = offsets[step.move];
                }
                move_[heading << 8 | byte] = static_cast<std::uint8_t>(step.move);
                offset_[heading << 8 | byte] = step.offset;
            }
    }
    unsigned byte(Index at) const { return open_[at] & moves_; }
    // The heading may also be the move of the last step.
    Step operator()(unsigned heading, unsigned byte) const {
        const unsigned i = (heading & 3) << 8 | byte;
        return {move_[i], offset_[i]};
    }
    // Straight ahead in an open direction.
    Step straight(unsigned direction, unsigned byte) const {
        return (*this)(direction, byte & 0x11u << direction);
    }

private:
    const std::uint8_t* open_;
    unsigned moves_;
    std::array<std::uint8_t, 1024> move_;
    std::array<Index, 1024> offset_;
};

// Walks by a rule until it reaches a goal: rule(place) is the next step, or one not taken to give
// up, for rule.reason; rule.clause says which part of the rule made the step, and rule.looked_at,
// if it has that, what work it was. The rule is called once per step and keeps its own state. At
// most `bound` steps are taken. The path consists of first entries, so it is part of the walk. With
// `report_progress` every new place counts as progress.
template <AnySearch S, class Rule, Recorder R>
typename S::Result walk_by(const S& search, Rule rule, Index bound, R& record,
                           bool report_progress = true) {
    using Marks = typename S::Marks;
    using Mark = typename Marks::Mark;
    const auto places = search.places();
    typename S::Result result = at_start(search, record);
    SearchEvents<S, R> events(search, record);
    Mark* const reached = result.reached.data();
    Index* const order = search.options.order ? result.order.data() : nullptr;
    Stack<typename decltype(search.places())::Edge> walk(64);
    Index at = search.start, explored = 1;
    bool more = !result.found;
    while (more) {
        const Index part = std::min(poll_chunk, bound - walk.size());
        search.control.poll(part);
        walk.reserve(part, bound);
        auto* const steps = walk.end();
        const Index before = explored;
        more = part == poll_chunk;
        Index i = 0;
        while (i < part) {
            const auto step = rule(at);
            if (!step.taken()) {
                more = false;
                break;
            }
            at = step.after(at);
            const auto edge = places.edge(step.move);
            steps[i++] = edge;
            // Without a branch: whether a place is new is unpredictable.
            const Mark was = reached[at];
            const int fresh = Marks::is_free(was) ? 1 : 0;
            const int keep = fresh - 1;  // all bits, or none
            reached[at] = static_cast<Mark>((was & keep) | (Marks::of(step.move) & ~keep));
            if (order != nullptr && fresh != 0) order[at] = explored;
            explored += fresh;
            events.entered(fresh != 0 ? Event::visit : Event::back, at, edge, rule.clause);
            if (was == Marks::goal) {
                result.goal = at;
                more = false;
                break;
            }
            if constexpr (requires { rule.looked_at; }) search.control.poll(rule.looked_at);
        }
        walk.resize(walk.size() + i);
        search.control.done(report_progress ? explored - before : 0);
    }
    result.explored = explored;
    result.walk = walk.given_away();
    if (result.goal < 0) result.reason = rule.reason;
    return finished(search, std::move(result), record);
}

}  // namespace meiro
