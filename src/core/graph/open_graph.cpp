#include "open_graph.hpp"

#include "../huge_pages.hpp"

namespace meiro {

OpenGraph::OpenGraph(const Graph& graph, const std::uint8_t* open, Control& control)
    : graph_(&graph), first_(graph.first()), to_(graph.to()), via_(graph.via()) {
    bool all = true;
    by_each(graph.edges(), control, [&](Index edge) { all &= open[edge] != 0; });
    if (!all) copy(open, control);
}

void OpenGraph::copy(const std::uint8_t* open, Control& control) {
    const Graph& graph = *graph_;
    own_first_ = Buffer<GraphId>(graph.cells() + 1);
    // Room for all slots: pages that are not reached cost nothing. One more, as each slot is
    // written and only then counted, without a branch.
    own_to_ = Buffer<GraphId>(graph.slots() + 1);
    own_via_ = Buffer<GraphId>(graph.slots() + 1);
    for (Buffer<GraphId>* const rows : {&own_first_, &own_to_, &own_via_}) prefer_huge_pages(*rows);
    GraphId* const to = own_to_.data();
    GraphId* const via = own_via_.data();
    GraphId* const begin = own_first_.data();
    GraphId filled = 0, slot = 0;
    by_each(graph.cells(), control, [&](Index cell) {
        begin[cell] = filled;
        const GraphId end = first_[cell + 1];
        control.poll(end - slot);
        for (; slot < end; ++slot) {
            to[filled] = to_[slot];
            via[filled] = via_[slot];
            filled += open[via_[slot]] != 0 ? 1 : 0;
        }
    });
    begin[graph.cells()] = filled;
    own_to_.grow(filled);  // which shrinks them
    own_via_.grow(filled);
    first_ = begin;
    to_ = own_to_.data();
    via_ = own_via_.data();
}

}  // namespace meiro
