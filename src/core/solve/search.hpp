// What every solver is given, and what it gives back.
#pragma once

#include "../buffer.hpp"
#include "../control.hpp"
#include "../links.hpp"
#include "../random.hpp"
#include "../recorder.hpp"

namespace meiro {

struct SolveOptions {
    std::array<Direction, 4> directions = meiro::directions;  // the order they are looked at
    bool random = false;  // a random one of the ways not yet taken, instead of the first
    bool order = false;   // tell when each site was reached
};

struct Search {
    Links links;
    Index start, goal;  // sites that exist
    Seed seed;
    const SolveOptions& options;
    Control& control;
};

struct Found {
    Buffer<std::uint8_t> steps;    // the path: the way of each step
    Buffer<std::uint8_t> reached;  // a site: 0, or 1 + the way it was reached by (start: 9)
    Buffer<Index> order;           // when asked for, a site: as which it was reached, or -1
    Index explored = 0;            // sites reached, up to and with the goal
    bool found = false;
};

inline constexpr std::uint8_t start_mark = 9;

// The path of `length` steps that ends in `goal`, by the ways that the sites were reached by.
inline Buffer<std::uint8_t> trace_back(const Search& search, const Buffer<std::uint8_t>& reached,
                                       Index length) {
    const auto step = search.links.moves();
    Buffer<std::uint8_t> steps(length);
    Index at = search.goal;
    for (Index left = length; left > 0;) {
        const Index part = left < Control::stride / 16 ? left : Control::stride / 16;
        search.control.poll(part);
        for (Index i = 0; i < part; ++i) {
            const auto d = static_cast<std::uint8_t>(reached[at] - 1);
            steps[--left] = d;
            at -= step[d];
        }
    }
    return steps;
}

// Tells the path, when it is found.
template <Recorder R>
void show_path(const Search& search, const Found& result, R& record) {
    if (!result.found) return;
    const Shape shape = search.links.shape();
    const auto step = search.links.moves();
    Index at = search.start;
    record.on(Event::path, shape.cell(at));
    for (const std::uint8_t d : result.steps) {
        at += step[d];
        record.on(Event::path, shape.cell(at), direction_of(d));
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

// Nothing is reached but the start.
template <Recorder R>
Found at_start(Search& search, R& record) {
    const Shape shape = search.links.shape();
    Found result;
    result.reached = Buffer<std::uint8_t>(shape.size(), true);
    result.reached[search.start] = start_mark;
    if (search.options.order) {
        result.order = Buffer<Index>(shape.size());
        forget(result.order, search.control);
        result.order[search.start] = 0;
    }
    record.on(Event::visit, shape.cell(search.start));
    return result;
}

}  // namespace meiro
