// What the events of a trace come to: the passages, a state of every place of the drawn grid, and
// the numbers that are written into the cells. One replay for every generator and every solver: it
// knows events and no algorithm.
//
// A step costs about 10 ns. Memory: see Replay::bytes(). Whatever words it is given, it stays in
// its memory: an event that is outside or no cell, where it should be one, changes nothing.
#pragma once

#include "../buffer.hpp"
#include "../control.hpp"
#include "../lattice.hpp"
#include "cell_labels.hpp"
#include "events.hpp"

namespace meiro {

// State of a place of the drawn grid. Bound as meiro.State, by bindings/enums.cpp.
enum class State : std::uint8_t {
    untouched,
    frontier,   // not entered, beside a place that was: it may be next
    walk,       // walked on, and not yet for good
    in_maze,    // a cell or passage of the maze that is made
    visited,    // reached by a search
    filled,     // leads nowhere
    path,       // of the path that was found
    kept,       // a wall that was looked at and stays
    growing,    // a wall that is built, and hangs on nothing yet
    built,      // a wall that was built
    torn_down,  // a wall stood here a moment ago
    current     // where it happens
};

// How a place is drawn: by its state, or where that is untouched by what stands there. Python's
// meiro.colors has a colour for each number.
enum class Paint : std::uint8_t {
    road = 0,
    wall = 12,  // or no cell
    closed,     // a cell without a passage
    start,
    goal
};

// What is drawn beside the events: start and goal, and the walls that a search does not change.
struct SearchEnds {
    const std::uint8_t* walls;  // of a search, a place of the grid each; of a generator: null
    Index start, goal;          // places; -1: none
};

// What a trace is of: a maze that is made, or an array or a maze that is searched.
struct TraceDomain {
    Shape shape;  // in cells; of an array, in sites
    Space space;
    Wrap wrap;
    Mask mask;
    const std::uint8_t* start;  // passages before the first event; of an array, its walls
    bool search;                // nothing is opened or closed
    LabelKind label_kind;
    unsigned kinds;  // of the events that there will be, as Trace tells
};

// What events change.
struct ReplayState {
    Buffer<std::uint8_t> passages;  // a byte a cell; of a search: empty
    Buffer<std::uint8_t> places;    // a place of the grid: its State, and the arrow << 4
    CellLabels labels;
    Stack<Index> torn{16};  // places that were torn down since the last commit
    Index head = -1;        // the place where it happened
    ReplayState copy(Control& control) const;
    void copy_from(const ReplayState& other, Control& control);
};

class Replay {
public:
    Replay(const TraceDomain& domain, Control& control);

    void apply(const std::uint64_t* events, Index size) {
        for (Index i = 0; i < size; ++i) apply(unpack(events[i]));
    }
    const ReplayState& current() const { return state_; }
    void restore(const ReplayState& state, Control& control) { state_.copy_from(state, control); }
    Shape grid() const { return {height_, width_}; }

    // The state of each place, head included.
    void write_states(std::uint8_t* out) const;
    // How each place is drawn, or one: a Paint, or a State that is not untouched.
    void write_paints(const SearchEnds& ends, std::uint8_t* out) const;
    std::uint8_t paint(const SearchEnds& ends, Index place) const { return paint(ends, at(place)); }

    // From now on keeps which places change, some more than once; or no longer.
    void track_changes(bool on) {
        tracking_ = on;
        touched_.clear();
    }
    Stack<Index>& touched() { return touched_; }

    // Of a ReplayState, whatever its labels.
    static Index bytes(Shape shape, Space space, bool search);

private:
    struct At {
        Index place, row, col;
    };
    static constexpr std::uint8_t code_bits = 15;

    void apply(EventRecord event);
    bool is(Event e) const { return (domain_.kinds >> static_cast<unsigned>(e) & 1) != 0; }
    At at(Index place) const { return {place, place / width_, place % width_}; }
    bool is_cell(const At& a) const {
        return domain_.space == Space::sites || (a.row & a.col & 1) != 0;
    }
    Index cell(const At& a) const {
        return domain_.space == Space::sites ? a.place
                                             : (a.row >> 1) * domain_.shape.cols + (a.col >> 1);
    }
    At neighbour(const At& a, Direction d, Index steps) const;  // place -1: outside
    std::uint8_t paint(const SearchEnds& ends, const At& a) const;
    Paint bare(const SearchEnds& ends, const At& a) const;
    State state(Index place) const { return static_cast<State>(state_.places[place] & code_bits); }
    void set(Index place, State s, Direction arrow = Direction::north) {
        state_.places[place] =
            static_cast<std::uint8_t>(static_cast<unsigned>(s) | static_cast<unsigned>(arrow) << 4);
        if (tracking_) [[unlikely]]
            touched_.push(place);
    }
    Direction arrow(Index place) const { return static_cast<Direction>(state_.places[place] >> 4); }
    void set_door(const At& from, Direction d, State s);
    bool set_wall(const At& from, Direction d, bool open);
    void set_built(const At& post, Direction d, bool open);

    void enter(const At& a, State s);
    void visit(const At& a, Direction d);
    void walk(const At& a, Direction d);
    void carve(const At& a, Direction d);
    void close(const At& a, Direction d);
    void commit(At a);

    TraceDomain domain_;
    Index height_, width_, step_;
    bool frontiers_;
    ReplayState state_;
    bool tracking_ = false;
    Stack<Index> touched_{16};
};

}  // namespace meiro
