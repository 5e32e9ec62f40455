// Arbitrary words as recorded events on a graph, with parallel edges, self loops and cells without
// edges: a generator's, or of a search of some passages.
#include "graph/graph.hpp"
#include "replays.hpp"

namespace meiro {

void check(Input& in) {
    Control control;
    const Index cells = in.between(1, 12), edges = in.between(0, 24);
    std::vector<GraphId> pairs(at(2 * edges));
    for (GraphId& cell : pairs) cell = static_cast<GraphId>(in.between(0, cells - 1));
    const Graph graph(cells, pairs.data(), edges, control);
    const bool search = in.flag();
    Bytes open = in.bytes(edges + 1);           // never without memory
    for (Index edge = 0; edge < edges; ++edge)  // self loops are never open
        open[at(edge)] &= pairs[at(2 * edge)] != pairs[at(2 * edge + 1)] ? 1 : 0;
    const GraphDomain domain{&graph, search ? open.data() : nullptr, in.choice<LabelKind>(5),
                             in.flag() ? 0xfffu : static_cast<unsigned>(in.word())};
    const SearchEnds ends{nullptr, in.between(-1, cells - 1), in.between(-1, cells - 1)};
    const RecordingWindow asked = window_from(in);
    const Index places = cells + edges;
    const std::vector<std::uint64_t> events = events_from(in, places);
    check_replays<GraphReplay>(domain, {1, places}, Space::sites, ends, asked, events,
                               [](Trace& trace, const EventRecord& event, Index place) {
                                   trace.on(event.event, Cell{0, place}, event.direction,
                                            event.clause);
                               });
}

}  // namespace meiro
