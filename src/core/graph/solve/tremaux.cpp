// Tremaux on graphs: solve/tremaux.cpp has the rule and its sources. Chalk marks are counted once
// an edge. A cell without an unmarked passage is left by the one with one mark, which is the
// passage by which it was first entered.
// Time: linear in the passages. Scratch: a byte an edge, 5 bytes a cell, 4 a step; with rng= 4 more
// a slot.
#include "graph_solvers.hpp"

namespace meiro {
namespace {

template <bool random>
class GraphChalk {
public:
    explicit GraphChalk(const GraphSearch& search)
        : graph_(search.graph),
          unused_(search),
          marks_(search.graph.all().edges(), true),
          first_(search.graph.cells()),
          known_(search.graph.cells(), true) {}

    GraphId operator()(Index at) {
        looked_at = 0;
        if (behind_ >= 0 && known_[at] != 0 && marks_[graph_.via()[behind_]] == 1) {
            clause = 2;  // a known cell, entered by a passage with one mark: back
            return take(graph_.slot_of(at, graph_.via()[behind_]));
        }
        if (known_[at] == 0) {
            known_[at] = 1;
            first_[at] = behind_;
        }
        while (unused_.any(at)) {
            const GraphId slot = unused_.take(at);
            ++looked_at;
            if (marks_[graph_.via()[slot]] != 0) continue;
            clause = 3;
            return take(slot);
        }
        if (first_[at] < 0) return -1;
        clause = 4;
        return take(graph_.slot_of(at, graph_.via()[first_[at]]));
    }

    std::string_view reason;  // empty: the walk covers the whole component
    unsigned clause = 3;      // 2: back; 3: by a passage without marks; 4: by one with one mark
    Index looked_at = 0;

private:
    GraphId take(GraphId slot) {
        ++marks_[graph_.via()[slot]];
        return behind_ = slot;
    }

    const OpenGraph& graph_;
    UnusedSlots<random> unused_;
    Buffer<std::uint8_t> marks_;
    Buffer<GraphId> first_;  // the slot by which a cell was first entered
    Buffer<std::uint8_t> known_;
    GraphId behind_ = -1;  // the slot taken last
};

}  // namespace

template <Recorder R>
GraphSearchResult graph_tremaux(GraphSearch& search, R& record) {
    const Index bound = search.graph.slots();  // each passage twice
    return search.options.random ? walk_by(search, GraphChalk<true>(search), bound, record)
                                 : walk_by(search, GraphChalk<false>(search), bound, record);
}

template GraphSearchResult graph_tremaux(GraphSearch&, NoTrace&);
template GraphSearchResult graph_tremaux(GraphSearch&, Trace&);

}  // namespace meiro
