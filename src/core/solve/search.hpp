// Input and result of every solver.
#pragma once

#include <span>
#include <string_view>

#include "../adjacency.hpp"
#include "../buffer.hpp"
#include "../control.hpp"
#include "../huge_pages.hpp"
#include "../random.hpp"
#include "../trace/events.hpp"

namespace meiro {

enum class Hand : std::uint8_t { right, left };

struct SolveOptions {
    std::array<Direction, 4> directions = meiro::directions;  // the order of search
    bool random = false;              // pick among unused moves at random, not the first
    bool order = false;               // also return when each site was reached
    Hand hand = Hand::right;          // the hand on the wall
    Index max_steps = -1;             // limit of a random walk; -1: the default
    std::span<const double> weights;  // the cost to enter each site; empty: 1
};

struct Search {
    Adjacency adjacency;
    Index start;                   // a site that exists
    std::span<const Index> goals;  // one or more that exist
    Seed seed;
    const SolveOptions& options;
    Control& control;
    int threads = 1;
};

struct SearchResult {
    Buffer<std::uint8_t> steps;    // the path: the move of each step
    Buffer<std::uint8_t> reached;  // per site: 0, or 1 + the move that reached it;
                                   // start: 9; filled: 10
    Buffer<Index> order;           // if requested, per site: its number in order of reach, or -1
    Buffer<std::uint8_t> walk;     // of walkers: the move of each step taken
    Buffer<std::uint8_t> remains;  // of fillers: 1 for the remaining sites
    Index explored = 0;            // sites reached or filled, up to and with the goal
    Index goal = -1;               // the goal that was found
    bool found = false;
    std::string_view reason;  // why a walker gave up; empty if no path exists
};

inline constexpr std::uint8_t start_mark = 9, filled_mark = 10;

// Most ways go straight on: what a site needs that is as many moves ahead is prefetched. A hint
// only, which may lie beyond the border.
inline constexpr Index far_ahead = 4;

// The clause of the visit with which a search begins.
inline constexpr unsigned start_clause = 1;

// The bits of `reached` that hold 1 + the move, or one of these marks.
inline constexpr unsigned move_mask = 0x0f;

// The mark of a goal until it is reached, so that one load tests both.
inline constexpr std::uint8_t goal_mark = 0x80, reached_mask = 0x7f;

// Traces the path back from `result.goal` by the moves in `reached`; `length` in steps, -1:
// unknown.
inline void trace_back(const Search& search, SearchResult& result, Index length = -1) {
    const auto step = search.adjacency.offsets();
    const std::uint8_t* const reached = result.reached.data();
    constexpr Index chunk = Control::stride / 16;
    if (length < 0) {
        length = 0;
        for (Index at = result.goal; reached[at] != start_mark; ++length) {
            if (length % chunk == 0) search.control.poll(chunk);
            at -= step[reached[at] - 1u];
        }
    }
    result.steps = Buffer<std::uint8_t>(length);
    std::uint8_t* const steps = result.steps.data();
    Index at = result.goal;
    for (Index left = length; left > 0;) {
        const Index part = left < chunk ? left : chunk;
        search.control.poll(part);
        for (Index i = 0; i < part; ++i) {
            const auto d = static_cast<std::uint8_t>(reached[at] - 1);
            steps[--left] = d;
            at -= step[d];
        }
    }
}

// Records the path, if one was found.
template <Recorder R>
void show_path(const Search& search, const SearchResult& result, R& record) {
    if (!result.found) return;
    const Adjacency& adjacency = search.adjacency;
    const Shape shape = adjacency.shape();
    const auto step = adjacency.offsets();
    Index at = search.start;
    record.on(Event::path, shape.cell(at));
    for (const std::uint8_t d : result.steps) {
        at += step[d];
        record.on(Event::path, shape.cell(at), adjacency.direction_of(d));
    }
}

// Fills `order` with -1, polling in between.
inline void forget(Buffer<Index>& order, Control& control) {
    constexpr Index band = Index{1} << 18;
    for (Index first = 0; first < order.size(); first += band) {
        const Index last = first + band < order.size() ? first + band : order.size();
        for (Index i = first; i < last; ++i) order[i] = -1;
        control.poll(last - first);
    }
}

// A result in which only the start is reached and the goals are marked, unless the start is a goal.
template <Recorder R>
SearchResult at_start(Search& search, R& record) {
    const Shape shape = search.adjacency.shape();
    SearchResult result;
    result.reached = Buffer<std::uint8_t>(shape.size(), true);
    // A flood touches all of it, each level a place in every row; others touch few pages.
    prefer_huge_pages(result.reached.data(), shape.size());
    for (const Index goal : search.goals) {
        result.reached[goal] = goal_mark;
        if (goal == search.start) {
            result.found = true;
            result.goal = goal;
        }
    }
    result.reached[search.start] = start_mark;
    result.explored = 1;
    if (search.options.order) {
        result.order = Buffer<Index>(shape.size());
        forget(result.order, search.control);
        result.order[search.start] = 0;
    }
    record.on(Event::visit, shape.cell(search.start), Direction::none, start_clause);
    return result;
}

// The end of every search: traces the path if `result.goal` is set, and clears the goal marks.
template <Recorder R>
SearchResult finished(const Search& search, SearchResult&& result, R& record, Index length = -1) {
    for (const Index goal : search.goals) result.reached[goal] &= reached_mask;
    result.found = result.goal >= 0;
    if (result.found) trace_back(search, result, length);
    show_path(search, result, record);
    return std::move(result);
}

}  // namespace meiro
