// Replays the events of a trace: the passages, a state for each place of the drawn grid, and the
// numbers written into the cells. One replay serves every generator and solver: it knows events,
// not algorithms.
//
// A step costs about 10 ns. Memory: see Replay::bytes(). It never leaves its memory, whatever words
// it is given: an event outside of the grid, or at a place that is not a cell where a cell is
// expected, changes nothing.
#pragma once

#include <array>

#include "../buffer.hpp"
#include "../control.hpp"
#include "../lattice.hpp"
#include "cell_labels.hpp"
#include "events.hpp"

namespace meiro {

// The state of a place of the grid, for renderers. Python's meiro.State has the same numbers.
enum class State : std::uint8_t {
    untouched,
    frontier,   // not entered, adjacent to an entered place
    walk,       // on the current walk, not yet final
    in_maze,    // a cell or passage of the maze that is made
    visited,    // reached by a search
    filled,     // a filled dead end
    path,       // on the path found
    kept,       // a wall that was examined and stays
    growing,    // a wall being built, not connected yet
    built,      // a wall that was built
    torn_down,  // a wall stood here a moment ago
    current     // place of the last event
};

// How a place is drawn: by its state or, if untouched, by its content. Python's meiro.colors has a
// colour for each number.
enum class Paint : std::uint8_t {
    road = 0,
    wall = 12,  // or a masked-out cell
    closed,     // a cell without a passage
    start,
    goal
};

// Drawn beside the events: start and goal, and the walls, which a search does not change.
struct SearchEnds {
    const std::uint8_t* walls;  // of a search, per place of the grid; of a generator: null
    Index start, goal;          // places; -1: none
};

// The subject of a trace: a generated maze, or an array or maze that is searched.
struct TraceDomain {
    Shape shape;  // in cells; of an array, in sites
    Space space;
    Wrap wrap;
    Mask mask;
    const std::uint8_t* start;  // passages before the first event; of an array, its walls
    bool search;                // a search: it opens and closes nothing
    LabelKind label_kind;
    unsigned kinds;  // of the events to come, see Trace::kinds()
};

// The state that events change.
struct ReplayState {
    Buffer<std::uint8_t> passages;  // a byte a cell; of a search: empty
    Buffer<std::uint8_t> places;    // per place of the grid: its State, and the arrow << 4
    CellLabels labels;
    Buffer<std::int32_t> left_by;  // of walks on graphs: per cell, the edge by which it was left
    Stack<Index> torn{16};         // places torn down since the last commit
    Index head = -1;               // the place of the last event
    ReplayState copy(Control& control) const;
    void copy_from(const ReplayState& other, Control& control);
};

// What replays of grids and of graphs have in common: the state, the places that change, and rules
// for the colour of a place that go by states alone.
class PlaceReplay {
public:
    const ReplayState& current() const { return state_; }
    void restore(const ReplayState& state, Control& control) { state_.copy_from(state, control); }

    // The state of each place, head included.
    void write_states(std::uint8_t* out) const;

    // Starts or stops listing the places that change, some more than once.
    void track_changes(bool on) {
        tracking_ = on;
        touched_.clear();
    }
    Stack<Index>& touched() { return touched_; }

protected:
    static constexpr std::uint8_t code_bits = 15;
    static constexpr int no_paint = -1;

    explicit PlaceReplay(unsigned kinds) : kinds_(kinds) {}

    bool is(Event e) const { return (kinds_ >> static_cast<unsigned>(e) & 1) != 0; }
    State state(Index place) const { return static_cast<State>(state_.places[place] & code_bits); }
    void set(Index place, State s, Direction arrow = Direction::north) {
        state_.places[place] =
            static_cast<std::uint8_t>(static_cast<unsigned>(s) | static_cast<unsigned>(arrow) << 4);
        touch(place);
    }
    void touch(Index place) {
        if (tracking_) [[unlikely]]
            touched_.push(place);
    }
    // Whether cells beside entered ones are shown: not where walks and walls are.
    bool shows_frontiers() const;
    // The Paint of a place that is the head, an end, or was touched; else no_paint.
    int touched_paint(const SearchEnds& ends, Index place) const;
    // The State in which a passage is drawn that no step led through, by those of the cells around
    // it (a bit for each State): so it does not look like a wall.
    static State passage_state(unsigned around);

    ReplayState state_;

private:
    bool tracking_ = false;
    unsigned kinds_;  // of the events to come, see Trace::kinds()
    Stack<Index> touched_{16};
};

class Replay : public PlaceReplay {
public:
    using Domain = TraceDomain;

    Replay(const TraceDomain& domain, Control& control);

    void apply(const std::uint64_t* events, Index size) {
        for (Index i = 0; i < size; ++i) apply(unpack(events[i]));
    }
    Shape grid() const { return {height_, width_}; }
    Index places() const { return height_ * width_; }

    // The Paint of each place, or of one: its State unless untouched.
    void write_paints(const SearchEnds& ends, std::uint8_t* out) const;
    std::uint8_t paint(const SearchEnds& ends, Index place) const { return paint(ends, at(place)); }

    // The numbers of the cells on the two sides of an event that is to come; -1: no number, no
    // cell. Of a visit that begins a set, the number of this set.
    std::array<std::int32_t, 2> numbers(const EventRecord& event);

    // body(place) for a place that changed and those whose paint goes by its state.
    template <class Body>
    void each_painted(Index place, Body body) const {
        body(place);
        if (!domain_.search || step_ == 1) return;
        const At a = at(place);
        for (unsigned n = 0; n < row_steps.size(); ++n) {
            const At to = neighbour(a, static_cast<Direction>(n), 1);
            if (to.place >= 0) body(to.place);
            if (const Index twin = across_border(to); twin >= 0) body(twin);
        }
    }

    // The bytes of a ReplayState, with any labels.
    static Index bytes(Shape shape, Space space, bool search) {
        return grid_of(shape, space).size() + (search ? 4 : 9) * shape.size();
    }

private:
    static Shape grid_of(Shape shape, Space space) {
        return space == Space::cells ? shape.grid() : shape;
    }
    struct At {
        Index place, row, col;
    };
    void apply(const EventRecord& event);
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
    bool is_open(const SearchEnds& ends, const At& a) const;
    State between(const At& a) const;
    Direction arrow(Index place) const { return static_cast<Direction>(state_.places[place] >> 4); }
    // The other of the two places of a wall across the border, or -1.
    Index across_border(const At& a) const;
    void set_both(const At& a, State s, Direction arrow = Direction::north);
    void set_door(const At& from, Direction d, State s);
    bool set_wall(const At& from, Direction d, bool open);
    void set_built(const At& post, Direction d, bool open);

    void enter(const At& a, State s);
    void visit(const At& a, Direction d);
    void walk(const At& a, Direction d);
    void carve(const At& a, Direction d);
    void close(const At& a, Direction d);
    void commit(At a);
    void build(const At& a, Direction d);
    void erase(const At& a, Direction d);
    void fill(const At& a);

    TraceDomain domain_;
    Index height_ = grid_of(domain_.shape, domain_.space).rows;
    Index width_ = grid_of(domain_.shape, domain_.space).cols;
    Index step_ = domain_.space == Space::cells ? 2 : 1;
    bool frontiers_;
};

}  // namespace meiro
