// Input and result of every solver, and what solvers share: the marks of places, the events, the
// way back. A Search is on squares, a GraphSearch on a graph; a solver that needs no rows and
// columns is one template over both.
#pragma once

#include <concepts>
#include <span>
#include <string_view>
#include <utility>

#include "../graph/graph_job.hpp"
#include "../huge_pages.hpp"
#include "../random.hpp"
#include "../topology.hpp"
#include "../trace/events.hpp"

namespace meiro {

enum class Hand : std::uint8_t { right, left };

struct SolveOptions {
    std::array<Direction, 4> directions = meiro::directions;  // of squares: the order of search
    bool random = false;                 // pick among unused moves at random, not the first
    bool order = false;                  // also return when each place was reached
    Hand hand = Hand::right;             // the hand on the wall
    Index max_steps = -1;                // limit of a random walk; -1: the default
    std::span<const double> weights;     // the cost to enter each site, of each edge; empty: 1,
                                         // infinity: never entered
    std::span<const double> positions;   // of a graph, (cells, dimensions); empty: none
    std::span<const GraphId> clockwise;  // of a graph, for each slot the slot of its cell that
                                         // comes next around the cell; empty: not in the plane
    double turn_cost = 0;                // of squares: of each change of direction
};

// Step: a move of squares, or an edge.
template <class Step, class Mark>
struct Found {
    Buffer<Step> steps;            // the path, from start to goal
    Buffer<Mark> reached;          // per place: the move that reached it, or another mark
    Buffer<Index> order;           // if requested, per place: its number in order of reach, or -1
    Buffer<Step> walk;             // of walkers: each step taken
    Buffer<std::uint8_t> remains;  // of fillers: 1 for the remaining places
    Index explored = 0;            // places reached or filled, up to and with the goal
    Index goal = -1;               // the goal that was found
    bool found = false;
    std::string_view reason;  // why a walker gave up; empty if no path exists
};
struct SearchResult : Found<std::uint8_t, std::uint8_t> {};
struct GraphSearchResult : Found<GraphId, GraphId> {};

// On squares 1 + the move, in the low four bits.
inline constexpr std::uint8_t start_mark = 9, filled_mark = 10;
inline constexpr unsigned move_mask = 0x0f;
// The mark of a goal until it is reached, so that one load tests both.
inline constexpr std::uint8_t goal_mark = 0x80, reached_mask = 0x7f;

struct SquareMarks {
    using Mark = std::uint8_t;
    static constexpr Mark nothing = 0, goal = goal_mark, start = start_mark, filled = filled_mark;
    static constexpr bool is_free(Mark mark) { return (mark & reached_mask) == 0; }
    static constexpr Mark without_goal(Mark mark) { return mark & reached_mask; }
    static constexpr Mark of(unsigned move) { return static_cast<Mark>(move + 1); }
    static constexpr unsigned move(Mark mark) { return mark - 1u; }
};

// On a graph the slot. What is free is unsigned ~1 or ~0, so that one comparison tells.
struct GraphMarks {
    using Mark = GraphId;
    static constexpr Mark nothing = -1, goal = -2, start = -3, filled = -4;
    static constexpr bool is_free(Mark mark) { return mark == nothing || mark == goal; }
    static constexpr Mark without_goal(Mark mark) { return mark == goal ? nothing : mark; }
    static constexpr Mark of(GraphId slot) { return slot; }
    static constexpr GraphId move(Mark mark) { return mark; }
};

struct Search {
    using Marks = SquareMarks;
    using Result = SearchResult;

    Adjacency adjacency;
    Index start;                   // a site that exists
    std::span<const Index> goals;  // one or more that exist
    Seed seed;
    const SolveOptions& options;
    Control& control;
    int threads = 1;

    const Adjacency& maze() const { return adjacency; }
    [[gnu::always_inline]] SquarePlaces<Index> places() const {
        return SquarePlaces<Index>(adjacency);
    }
};

struct GraphSearch {
    using Marks = GraphMarks;
    using Result = GraphSearchResult;
    static constexpr int threads = 1;

    const OpenGraph& graph;
    Index start;
    std::span<const Index> goals;  // one or more
    Seed seed;
    const SolveOptions& options;
    Control& control;

    const OpenGraph& maze() const { return graph; }
    [[gnu::always_inline]] GraphPlaces places() const { return GraphPlaces(graph); }
};

template <class S>
concept AnySearch = std::same_as<S, Search> || std::same_as<S, GraphSearch>;

// The clause of the visit with which a search begins.
inline constexpr unsigned start_clause = 1;

// The events of a search: at a place; at one entered by a step; at one left by a step; back at one
// by the step that had led away.
template <AnySearch S, Recorder R>
class SearchEvents {
public:
    [[gnu::always_inline]] SearchEvents(const Search& search, R& record)
        : record_(record), adjacency_(search.adjacency), shape_(adjacency_.shape()) {}
    void place(Event e, Index at, unsigned clause = 0) {
        record_.on(e, shape_.cell(at), Direction::none, clause);
    }
    void entered(Event e, Index at, unsigned move, unsigned clause = 0) {
        record_.on(e, shape_.cell(at), adjacency_.direction_of(move), clause);
    }
    void left(Event e, Index at, unsigned move) { entered(e, at, move); }
    void back(Index at, unsigned) { place(Event::back, at); }

private:
    R& record_;
    Adjacency adjacency_;
    Shape shape_;
};

template <Recorder R>
class SearchEvents<GraphSearch, R> {
public:
    [[gnu::always_inline]] SearchEvents(const GraphSearch& search, R& record)
        : events_(record, search.graph.all()), ends_(search.graph.all().ends()) {}
    void place(Event e, Index at, unsigned clause = 0) { events_.cell(e, at, clause); }
    void entered(Event e, Index at, GraphId edge, unsigned clause = 0) {
        events_.edge(e, edge, ends_[2 * edge] == at, clause);
    }
    void left(Event e, Index at, GraphId edge) { events_.edge(e, edge, ends_[2 * edge] != at); }
    void back(Index at, GraphId edge) { entered(Event::back, at, edge); }

private:
    GraphEvents<R> events_;
    const GraphId* ends_;
};

// Reaches places: their marks, their numbers, and the events.
template <AnySearch S, Places P, Recorder R>
class Reach {
public:
    using Marks = typename S::Marks;
    using Mark = typename Marks::Mark;

    // Inlined, as is the next function: an object whose address nobody knows is kept in registers.
    [[gnu::always_inline]] Reach(const S& search, const P& places, typename S::Result& result,
                                 R& record)
        : places_(places),
          events_(search, record),
          reached_(result.reached.data()),
          order_(search.options.order ? result.order.data() : nullptr),
          explored_(result.explored) {}
    bool is_free(Index at) const { return Marks::is_free(reached_[at]); }
    // True if the place is a goal. `tag` has other bits of its mark.
    [[gnu::always_inline]] bool operator()(Index to, typename P::Move move, unsigned clause = 0,
                                           Mark tag = 0) {
        const bool goal = reached_[to] == Marks::goal;
        reached_[to] = Marks::of(move) | tag;
        places_.fetch_ahead(to, move, reached_);
        count(to);
        events_.entered(Event::visit, to, places_.edge(move), clause);
        return goal;
    }
    void fill(Index at, unsigned clause = 0) {
        reached_[at] = Marks::filled;
        count(at);
        events_.place(Event::fill, at, clause);
    }
    // One more place; the caller marks it.
    void count(Index at) {
        if (order_ != nullptr) order_[at] = explored_;
        ++explored_;
    }
    // To be kept in the result.
    Index explored() const { return explored_; }

private:
    const P& places_;
    SearchEvents<S, R> events_;
    Mark* reached_;
    Index* order_;
    Index explored_;
};

inline Buffer<std::uint8_t> nothing_reached(const Search& search) {
    Buffer<std::uint8_t> reached(search.adjacency.size(), true);
    // A flood touches all of it, each level a place in every row; others touch few pages.
    prefer_huge_pages(reached);
    return reached;
}
inline Buffer<GraphId> nothing_reached(const GraphSearch& search) {
    Buffer<GraphId> reached(search.graph.cells());
    prefer_huge_pages(reached);
    polled_fill(reached.data(), reached.size(), GraphMarks::nothing, search.control);
    return reached;
}

// A result in which only the start is reached and the goals are marked, unless the start is a goal.
template <AnySearch S, Recorder R>
typename S::Result at_start(const S& search, R& record) {
    using Marks = typename S::Marks;
    typename S::Result result;
    result.reached = nothing_reached(search);
    for (const Index goal : search.goals) {
        result.reached[goal] = Marks::goal;
        if (goal == search.start) {
            result.found = true;
            result.goal = goal;
        }
        search.control.poll();
    }
    result.reached[search.start] = Marks::start;
    result.explored = 1;
    if (search.options.order) {
        result.order = Buffer<Index>(result.reached.size());
        polled_fill(result.order.data(), result.order.size(), -1, search.control);
        result.order[search.start] = 0;
    }
    SearchEvents<S, R>(search, record).place(Event::visit, search.start, start_clause);
    return result;
}

// Traces the path back from `result.goal` by the moves in `reached`; `length` in steps, -1:
// unknown.
template <AnySearch S>
void trace_back(const S& search, typename S::Result& result, Index length) {
    using Marks = typename S::Marks;
    const auto places = search.places();
    const auto* const reached = result.reached.data();
    constexpr Index chunk = Control::stride / 16;
    if (length < 0) {
        length = 0;
        for (Index at = result.goal; reached[at] != Marks::start; ++length) {
            if (length % chunk == 0) search.control.poll(chunk);
            at = places.from(at, Marks::move(reached[at]));
        }
    }
    result.steps = decltype(result.steps)(length);
    auto* const steps = result.steps.data();
    Index at = result.goal;
    for (Index left = length; left > 0;) {
        const Index part = left < chunk ? left : chunk;
        search.control.poll(part);
        for (Index i = 0; i < part; ++i) {
            const auto move = Marks::move(reached[at]);
            steps[--left] = places.edge(move);
            at = places.from(at, move);
        }
    }
}

// The end of every search: clears the goal marks, and if `result.goal` is set, traces the path by
// trace(search, result) and records it.
template <AnySearch S, Recorder R, class TracePath>
typename S::Result finished_by(const TracePath& trace, const S& search, typename S::Result&& result,
                               R& record) {
    using Marks = typename S::Marks;
    for (const Index goal : search.goals) {
        result.reached[goal] = Marks::without_goal(result.reached[goal]);
        search.control.poll();
    }
    result.found = result.goal >= 0;
    if (!result.found) return std::move(result);
    trace(search, result);
    if constexpr (!std::is_same_v<R, NoTrace>) {
        SearchEvents<S, R> events(search, record);
        Index at = search.start;
        events.place(Event::path, at);
        for (const auto step : result.steps) {
            at = search.maze().after(at, step);
            events.entered(Event::path, at, step);
            search.control.poll(4);
        }
    }
    return std::move(result);
}
template <AnySearch S, Recorder R>
typename S::Result finished(const S& search, typename S::Result&& result, R& record,
                            Index length = -1) {
    return finished_by([=](const S& s, typename S::Result& found) { trace_back(s, found, length); },
                       search, std::move(result), record);
}

}  // namespace meiro
