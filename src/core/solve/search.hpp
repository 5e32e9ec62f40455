// What every solver is given, and what it gives back.
#pragma once

#include <span>
#include <string_view>

#include "../adjacency.hpp"
#include "../buffer.hpp"
#include "../control.hpp"
#include "../random.hpp"
#include "../trace/events.hpp"

namespace meiro {

enum class Hand : std::uint8_t { right, left };

struct SolveOptions {
    std::array<Direction, 4> directions = meiro::directions;  // the order they are looked at
    bool random = false;      // a random one of the moves not yet taken, instead of the first
    bool order = false;       // tell when each site was reached
    Hand hand = Hand::right;  // the one that stays at the wall
    Index max_steps = -1;     // after which a random walk gives up; -1: the usual number
    std::span<const double> weights;  // what it costs to enter each site; empty: 1
};

struct Search {
    Adjacency adjacency;
    Index start;                   // a site that exists
    std::span<const Index> goals;  // one or more that exist
    Seed seed;
    const SolveOptions& options;
    Control& control;
};

struct SearchResult {
    Buffer<std::uint8_t> steps;    // the path: the move of each step
    Buffer<std::uint8_t> reached;  // a site: 0, or 1 + the move it was reached by (start: 9); of
                                   // those that were filled: 10
    Buffer<Index> order;           // when asked for, a site: as which it was reached, or -1
    Buffer<std::uint8_t> walk;     // of one who walks: the move of each step really taken
    Buffer<std::uint8_t> remains;  // of one who fills: the sites that are left
    Index explored = 0;            // sites reached or filled, up to and with the goal
    Index goal = -1;               // the one that was found
    bool found = false;
    std::string_view reason;  // of one who gives up: why. Where there is no way: nothing
};

inline constexpr std::uint8_t start_mark = 9, filled_mark = 10;

// The bits of `reached` that are 1 + the move, or one of these marks.
inline constexpr unsigned move_mask = 0x0f;

// Until a goal is reached, this is what `reached` says of it: so one load tells both.
inline constexpr std::uint8_t goal_mark = 0x80, reached_mask = 0x7f;

// The path that ends in `result.goal`, of `length` steps (-1: to be counted), by the moves that the
// sites were reached by.
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

// Tells the path, when it is found.
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

// Writes -1 everywhere, with polls between.
inline void forget(Buffer<Index>& order, Control& control) {
    constexpr Index band = Index{1} << 18;
    for (Index first = 0; first < order.size(); first += band) {
        const Index last = first + band < order.size() ? first + band : order.size();
        for (Index i = first; i < last; ++i) order[i] = -1;
        control.poll(last - first);
    }
}

// Nothing is reached but the start; the goals are marked, unless the start is one.
template <Recorder R>
SearchResult at_start(Search& search, R& record) {
    const Shape shape = search.adjacency.shape();
    SearchResult result;
    result.reached = Buffer<std::uint8_t>(shape.size(), true);
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
    record.on(Event::visit, shape.cell(search.start));
    return result;
}

// The end of every search: the path, if it has come to `result.goal`, and no mark is left.
template <Recorder R>
SearchResult finished(const Search& search, SearchResult&& result, R& record, Index length = -1) {
    for (const Index goal : search.goals) result.reached[goal] &= reached_mask;
    result.found = result.goal >= 0;
    if (result.found) trace_back(search, result, length);
    show_path(search, result, record);
    return std::move(result);
}

}  // namespace meiro
