// Walking along walls: wall_follower, and pledge, which knows when to leave a wall.
//   H. Abelson, A. A. diSessa, Turtle Geometry, MIT Press (1981), ch. 4. ISBN 978-0-262-01063-4
//
// wall_follower. The walker keeps a hand on the wall: it turns to the side of that hand if it can,
// else goes ahead, else to the other side, else back. At the start it faces the first of N, E, S, W
// that has a wall at the hand; if no wall is adjacent, it first goes straight north until one is.
// Every step along the wall can be reversed, so the walk is a cycle, and ends where its first step
// would come again. It visits all sites along that wall: in a maze without loops all sites.
//
// pledge. The walker counts its turns. While the count is 0 it goes straight north; at a wall it
// turns away from its hand (+1) and follows the wall, each turn away from the hand +1, each turn
// towards it -1, until the count is 0 again. In the plane no state (site, heading, count) repeats,
// except that the walker ends up circling the outer wall of the component, with 4 more turns each
// time: so it gets there from everywhere, and sees all of that wall. On a cylinder or torus it may
// return to a site with the count 0, or follow a wall whose turns sum to 0. It gives up after a
// full circle around a wall, or when it returns to a site with the count 0.
//
// Where only a corner is at the hand, both go around it. Time: one table look-up per step. pledge
// may need many more steps than there are sites (81 per site in a spiral of 400 x 400); otherwise
// both take at most about two per site. Scratch: a byte per site (pledge: two), and a byte per
// step.
#include "solvers.hpp"
#include "walker.hpp"

namespace meiro {
namespace {

// The most steps along a wall before they repeat: twice the number of sites, by Euler's formula for
// the faces of a drawing in the plane or on a torus. The bound also ends the loop on bytes with
// one-way moves, where the walk need not return.
Index ring(const Adjacency& adjacency) {
    return 2 * adjacency.size() + 2;
}

class Follower {
public:
    Follower(const Turns& turns, Hand hand) : turns_(turns), side_(hand == Hand::right ? 1 : 3) {}

    Step operator()(Index at) {
        const unsigned byte = turns_.byte(at);
        if (!at_wall_) [[unlikely]]
            return begin(at, byte);
        const Step step = turn(byte);
        return at == first_ && step.move == first_move_ ? no_step : step;
    }

    std::string_view reason = "it came round to where it had put its hand on the wall";
    // 2: towards a wall; 3: to the side of the hand, 4: ahead, 5: to the other side, 6: back.
    unsigned clause = 2;

private:
    Step turn(unsigned byte) {
        const Step step = turns_(heading_, byte);
        const unsigned turned = (step.move - heading_) * side_ & 3;
        clause = turned == 1 ? 3 : turned == 0 ? 4 : turned == 3 ? 5 : 6;
        heading_ = step.move;
        return step;
    }
    Step begin(Index at, unsigned byte) {
        const unsigned open = directions_in(byte);
        if (open == 15) {
            if (at == first_) {
                reason = "straight on there is no wall to put a hand on";
                return no_step;
            }
            if (first_ < 0) first_ = at;
            return turns_.straight(0, byte);
        }
        while ((open >> ((heading_ + side_) & 3) & 1) != 0) ++heading_;
        at_wall_ = true;
        first_ = at;
        const Step step = turn(byte);
        first_move_ = step.move;
        return step;
    }

    const Turns& turns_;
    unsigned side_;
    bool at_wall_ = false;
    Index first_ = -1;
    unsigned first_move_ = no_move, heading_ = 0;
};

class Pledge {
public:
    Pledge(const Turns& turns, const Adjacency& adjacency, Hand hand)
        : turns_(turns),
          away_(hand == Hand::right ? 3 : 1),
          straight_(adjacency.size(), true),
          ring_(ring(adjacency)) {}

    Step operator()(Index at) {
        const unsigned byte = turns_.byte(at);
        if (count_ == 0) {
            if (straight_[at] != 0) {
                reason = "it came again to where it had been with no turns left to undo";
                return no_step;
            }
            straight_[at] = 1;
            clause = 2;
            if ((directions_in(byte) & 1) != 0) return turns_.straight(0, byte);
            heading_ = away_;
            count_ = 1;
            first_ = at;
            left_ = ring_;
            const Step step = go_on(byte);
            first_move_ = step.move;
            clause = 3;
            return step;
        }
        const Step step = go_on(byte);
        return (at == first_ && step.move == first_move_) || --left_ == 0 ? no_step : step;
    }

    std::string_view reason = "it came round a wall, and so it would for ever";
    // 2: north; 3: a wall is met; 4: ahead, 5: away from the hand, 6: back, 7: towards the hand.
    unsigned clause = 2;

private:
    Step go_on(unsigned byte) {
        const Step step = turns_(heading_, byte);
        // Turns away from the hand: 0, 1, 2, or one towards it (3).
        const unsigned turned = (step.move - heading_) * away_ & 3;
        count_ += turned == 3 ? -1 : static_cast<Index>(turned);
        clause = 4 + turned;
        heading_ = step.move;
        return step;
    }

    const Turns& turns_;
    unsigned away_;
    Buffer<std::uint8_t> straight_;  // sites seen with count 0, where the site is the whole state
    Index ring_, left_ = 0, count_ = 0, first_ = -1;
    unsigned first_move_ = no_move, heading_ = 0;
};

}  // namespace

template <Recorder R>
SearchResult wall_follower(Search& search, R& record) {
    const Hand hand = search.options.hand;
    const Turns turns(search.adjacency, hand);
    const Index bound = search.adjacency.shape().rows + ring(search.adjacency);
    return walk_by(search, Follower(turns, hand), bound, record);
}

template <Recorder R>
SearchResult pledge(Search& search, R& record) {
    const Hand hand = search.options.hand;
    const Turns turns(search.adjacency, hand);
    return walk_by(search, Pledge(turns, search.adjacency, hand), no_bound, record);
}

template SearchResult wall_follower(Search&, NoTrace&);
template SearchResult wall_follower(Search&, Trace&);
template SearchResult pledge(Search&, NoTrace&);
template SearchResult pledge(Search&, Trace&);

}  // namespace meiro
