// Walking along walls: wall_follower, and pledge who knows when to leave one.
//   H. Abelson, A. A. diSessa, Turtle Geometry, MIT Press (1981), ch. 4. ISBN 978-0-262-01063-4
//
// wall_follower. A hand stays at the wall: to its side, else ahead, else to the other side, else
// back. At the start it faces the first of N, E, S, W that has a wall at the hand; where no wall is
// beside it, it first goes straight north until one is. Each such step can be undone, so the walk
// along the wall is a ring, and ends where its first step comes again. It sees all sites along that
// wall: those of a maze without loops all.
//
// pledge. It counts its turns. While the count is 0 it goes straight north; at a wall it turns away
// from its hand (1) and follows the wall, a turn away from the hand counting 1, one towards it -1,
// until the count is 0 again. In the plane no state (site, heading, count) comes again; it only
// goes round and round the outer wall of what the start hangs together with, each time 4 turns
// more: so it gets there from everywhere, and sees all of it. Around a cylinder or a torus it may
// come again to a site with the count at 0, or follow a wall that turns nothing. It gives up when
// it has been round a wall, or comes again with the count at 0.
//
// Where only a corner is at the hand, both go around it. Time: a look at a table a step, of which
// pledge may need many more than there are sites (81 a site in a spiral of 400 x 400), else both
// at most about two a site. Scratch: a byte a site, pledge two, and a byte a step.
#include "solvers.hpp"
#include "walker.hpp"

namespace meiro {
namespace {

// Steps along a wall until they begin again, at most: twice as many as there are sites, as Euler's
// formula tells of the faces of a drawing in the plane or on a torus. This also ends what does not
// come round, on bytes that have a move without its reverse.
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
        const Step step = turns_(heading_, byte);
        heading_ = step.move;
        return at == first_ && step.move == first_move_ ? no_step : step;
    }

    std::string_view reason = "it came round to where it had put its hand on the wall";

private:
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
        const Step step = turns_(heading_, byte);
        first_move_ = heading_ = step.move;
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
            if ((directions_in(byte) & 1) != 0) return turns_.straight(0, byte);
            heading_ = away_;
            count_ = 1;
            first_ = at;
            left_ = ring_;
            const Step step = go_on(byte);
            first_move_ = step.move;
            return step;
        }
        const Step step = go_on(byte);
        return (at == first_ && step.move == first_move_) || --left_ == 0 ? no_step : step;
    }

    std::string_view reason = "it came round a wall, and so it would for ever";

private:
    Step go_on(unsigned byte) {
        const Step step = turns_(heading_, byte);
        // Turns away from the hand: 0, 1, 2, or one towards it.
        const unsigned turned = (step.move - heading_) * away_ & 3;
        count_ += turned == 3 ? -1 : static_cast<Index>(turned);
        heading_ = step.move;
        return step;
    }

    const Turns& turns_;
    unsigned away_;
    Buffer<std::uint8_t> straight_;  // sites where the count was 0: there nothing else is its state
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
