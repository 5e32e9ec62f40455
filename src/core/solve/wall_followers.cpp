// Walking along walls: wall_follower, and pledge, which knows when to leave a wall.
//   H. Abelson, A. A. diSessa, Turtle Geometry, MIT Press (1981), ch. 4. ISBN 978-0-262-01063-4
//
// wall_follower. The walker keeps a hand on the wall: it turns to the side of that hand if it can,
// else goes ahead, else to the other side, else back. At the start it faces the first of N, E, S, W
// that has a wall at the hand; if no wall is adjacent, it first goes straight north until one is.
// Every step along the wall can be reversed, so the walk is a cycle, and ends where its first step
// would come again. It visits all sites along that wall: in a maze without loops all sites.
//
// On a graph that lies in the plane, `clockwise` is a rotation system: for each slot the one that
// comes next around its cell. With the right hand on the wall, a walker that enters a cell takes
// the first open passage counterclockwise from the one behind it: to the right, ahead, to the left,
// back. So it walks around a face of the drawing: the steps are a permutation of the directed
// passages. It begins with its hand on the closed wall of the start with the lowest number, if
// there is one. Time: linear in the steps times the walls of a cell. Scratch: 8 bytes a slot, 4 a
// step.
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

class GraphFollower {
public:
    explicit GraphFollower(const GraphSearch& search)
        : graph_(search.graph), next_(search.graph.all().slots()), open_(next_.size()) {
        const Graph& all = graph_.all();
        const std::span<const GraphId> clockwise = search.options.clockwise;
        by_each(next_.size(), search.control, [&](Index slot) {
            const GraphId on = clockwise[static_cast<std::size_t>(slot)];
            if (search.options.hand == Hand::left)
                next_[slot] = on;
            else
                next_[on] = static_cast<GraphId>(slot);
            open_[slot] = -1;
        });
        for (Index cell = 0; cell < all.cells(); ++cell) {
            GraphId slot = all.first()[cell];
            for (GraphId open = graph_.first()[cell]; open < graph_.first()[cell + 1]; ++open) {
                while (all.via()[slot] != graph_.via()[open]) ++slot;
                open_[slot] = open;
            }
            search.control.poll(2 + all.degree(cell));
        }
    }

    GraphStep operator()(Index at) {
        const Graph& all = graph_.all();
        looked_at = all.degree(at);
        if (graph_.degree(at) == 0) return {};
        GraphId slot = all.first()[at];
        if (came_by_ >= 0) {
            slot = static_cast<GraphId>(
                std::lower_bound(all.via() + slot, all.via() + all.first()[at + 1], came_by_) -
                all.via());
        } else {
            for (GraphId i = slot; i < all.first()[at + 1]; ++i)
                if (open_[i] < 0) {
                    slot = i;
                    break;
                }
        }
        do slot = next_[slot];
        while (open_[slot] < 0);
        const GraphId step = open_[slot];
        if (step == first_step_) return {};
        clause = came_by_ < 0 ? 2 : graph_.via()[step] == came_by_ ? 6 : 4;
        if (first_step_ < 0) first_step_ = step;
        came_by_ = graph_.via()[step];
        return {step, graph_.to()[step]};
    }

    std::string_view reason = "it came round to where it had put its hand on the wall";
    unsigned clause = 2;  // 2: the first step; 4: on; 6: back
    Index looked_at = 0;

private:
    const OpenGraph& graph_;
    Buffer<GraphId> next_;  // for each slot of the graph, the one tried after it
    Buffer<GraphId> open_;  // for each slot of the graph, that of the open graph, or -1
    GraphId came_by_ = -1, first_step_ = -1;
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

constexpr SolverRuns wall_follower =
    on_squares_and_graphs([]<AnySearch S>(S& search, auto& record) -> typename S::Result {
        if constexpr (std::is_same_v<S, GraphSearch>) {
            return walk_by(search, GraphFollower(search), search.graph.slots() + 1, record);
        } else {
            const Hand hand = search.options.hand;
            const Turns turns(search.adjacency, hand);
            const Index bound = search.adjacency.shape().rows + ring(search.adjacency);
            return walk_by(search, Follower(turns, hand), bound, record);
        }
    });

constexpr SolverRuns pledge = on_squares([](Search& search, auto& record) {
    const Hand hand = search.options.hand;
    const Turns turns(search.adjacency, hand);
    return walk_by(search, Pledge(turns, search.adjacency, hand), no_bound, record);
});

}  // namespace meiro
