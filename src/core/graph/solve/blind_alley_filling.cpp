// Blind alley filling on graphs: what is joined to the rest by a single cell and has no goal inside
// is filled, as solve/blind_alleys.cpp says. What remains are the cells on at least one simple path
// from the start to a goal.
//
// Dead ends are filled first, which is cheaper. Then a depth-first search from the start finds the
// least depth that a single passage reaches from each subtree. The cells found and not filled are
// kept in the order in which they were found, so a subtree is the end of that list.
// Time: linear. Scratch: 21 bytes a cell, and that of bfs.
#include "../../solve/dead_end_filling.hpp"
#include "unused_slots.hpp"

namespace meiro {
namespace {

template <Recorder R>
void fill_alleys(GraphSearch& search, GraphSearchResult& result, R& record) {
    const OpenGraph& graph = search.graph;
    const Index cells = graph.cells();
    const GraphPlaces places = search.places();
    Reach reach(search, places, result, record);
    Buffer<GraphId> depth(cells), low(cells), by(cells), place(cells);
    Buffer<std::uint8_t> leads(cells);  // a goal is below
    polled_fill(by.data(), cells, GraphMarks::nothing, search.control);
    polled_fill(leads.data(), cells, 0, search.control);
    for (const Index goal : search.goals) leads[goal] = 1;
    UnusedSlots<false> unused(search);
    Stack<GraphId> found;
    const auto enter = [&](Index cell, GraphId slot, GraphId deep) {
        by[cell] = slot;
        depth[cell] = low[cell] = deep;
        place[cell] = static_cast<GraphId>(found.size());
        found.push(static_cast<GraphId>(cell));
    };
    enter(search.start, GraphMarks::start, 0);
    for (Index at = search.start;;) {
        search.control.poll(8);
        if (unused.any(at)) {
            const GraphId slot = unused.take(at);
            const Index next = graph.to()[slot];
            if (result.reached[next] == GraphMarks::filled) continue;
            if (by[next] == GraphMarks::nothing) {
                enter(next, slot, depth[at] + 1);
                at = next;
            } else if (by[at] < 0 || graph.via()[by[at]] != graph.via()[slot]) {
                low[at] = std::min(low[at], depth[next]);
            }
            continue;
        }
        if (at == search.start) break;
        const Index up = graph.origin(by[at], at);
        if (low[at] >= depth[up] && leads[at] == 0) {
            while (found.size() > place[at]) {
                reach.fill(found.pop(), 1);
                search.control.done(1);
                search.control.poll(2);
            }
        } else {
            low[up] = std::min(low[up], low[at]);
            leads[up] |= leads[at];
        }
        at = up;
    }
    for (Index cell = 0; cell < cells; ++cell) {
        search.control.poll(2);
        if (by[cell] == GraphMarks::nothing && result.reached[cell] == GraphMarks::nothing &&
            graph.degree(cell) > 0)
            reach.fill(cell, 2);  // unreachable
    }
    result.explored = reach.explored();
}

}  // namespace

template <Recorder R>
GraphSearchResult blind_alley_filling(GraphSearch& search, R& record) {
    const auto fill = [&](GraphSearchResult& result) {
        fill_dead_ends(search, result, record);
        fill_alleys(search, result, record);
        return not_filled(search, result);
    };
    return search_remaining(search, fill, record);
}

template GraphSearchResult blind_alley_filling(GraphSearch&, NoTrace&);
template GraphSearchResult blind_alley_filling(GraphSearch&, Trace&);

}  // namespace meiro
