// Replays the events of a trace on a graph: the open edges, a state for each place, and the numbers
// of the cells. Places are the cells, 0 .. cells-1, and behind them the edges; a drawing of them
// needs no more. The states have the meaning that they have on grids, see replay.hpp: an edge
// stands for what lies between its two cells.
//
// An event at an edge goes from one of its cells to the other: from its first one, or with a
// direction other than north from its second one. Events at a place that does not exist, and at
// edges whose two cells are one, change nothing.
#pragma once

#include <array>

#include "../graph/graph.hpp"
#include "replay.hpp"

namespace meiro {

struct GraphDomain {
    const Graph* graph;
    const std::uint8_t* open;  // by edge, what is searched: no self loops; of a generator: null
    LabelKind label_kind;
    unsigned kinds;  // of the events to come, see Trace::kinds()
};

class GraphReplay : public PlaceReplay {
public:
    using Domain = GraphDomain;

    GraphReplay(const GraphDomain& domain, Control& control);

    void apply(const std::uint64_t* events, Index size) {
        for (Index i = 0; i < size; ++i) apply(unpack(events[i]));
    }
    Index cells() const { return cells_; }
    Index places() const { return cells_ + domain_.graph->edges(); }

    // The Paint of each place, or of one: its State unless untouched. Ends have no walls here.
    void write_paints(const SearchEnds& ends, std::uint8_t* out) const;
    std::uint8_t paint(const SearchEnds& ends, Index place) const;

    // The numbers of the cells that an event at an edge goes from and to, before it happens.
    std::array<std::int32_t, 2> numbers(const EventRecord& event);

    // body(place) for a place that changed and those whose paint goes by its state.
    template <class Body>
    void each_painted(Index place, Body body) const {
        body(place);
        if (domain_.open == nullptr || place >= cells_) return;
        const Graph& graph = *domain_.graph;
        for (GraphId slot = graph.first()[place]; slot < graph.first()[place + 1]; ++slot)
            body(cells_ + graph.via()[slot]);
    }

    // The bytes of a ReplayState, with any labels.
    static Index bytes(const Graph& graph, bool search) {
        return (search ? 5 : 13) * graph.cells() + (search ? 1 : 2) * graph.edges();
    }

private:
    struct Step {
        Index edge, from, to;
    };

    void apply(const EventRecord& event);
    Step step(const EventRecord& event) const;
    bool search() const { return domain_.open != nullptr; }

    void enter(Index cell, State s);
    void visit(Index cell, Index from, Index edge);
    void walk(const Step& taken);
    void carve(const Step& taken);
    void close(const Step& taken);
    void fill(Index cell);

    GraphDomain domain_;
    Index cells_;
    bool frontiers_;
};

}  // namespace meiro
