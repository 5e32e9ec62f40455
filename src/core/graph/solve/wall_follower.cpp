// Wall follower on graphs that lie in the plane: solve/wall_followers.cpp has the rule for squares.
//
// `clockwise` is a rotation system: for each slot of the graph the one that comes next around its
// cell. With the right hand on the wall, a walker that enters a cell takes the first open passage
// counterclockwise from the one behind it: to the right, ahead, to the left, back. So it walks
// around a face of the drawing, and comes round to its first step: the steps are a permutation of
// the directed passages. It begins with its hand on the closed wall of the start with the lowest
// number, if there is one. In a maze without loops the face is the whole component.
// Time: linear in the steps times the walls of a cell. Scratch: 4 bytes a slot of the graph, 4 a
// step.
#include "graph_solvers.hpp"

namespace meiro {
namespace {

class GraphFollower {
public:
    explicit GraphFollower(const GraphSearch& search)
        : graph_(search.graph), next_(search.graph.all().slots()), open_(next_.size()) {
        const Graph& all = graph_.all();
        const std::span<const GraphId> clockwise = search.options.clockwise;
        by_pieces(next_.size(), search.control, [&](Index first, Index last) {
            for (Index slot = first; slot < last; ++slot) {
                const GraphId on = clockwise[static_cast<std::size_t>(slot)];
                if (search.options.hand == Hand::left)
                    next_[slot] = on;
                else
                    next_[on] = static_cast<GraphId>(slot);
                open_[slot] = -1;
            }
        });
        for (Index cell = 0; cell < all.cells(); ++cell) {
            GraphId slot = all.first()[cell];
            for (GraphId open = graph_.first()[cell]; open < graph_.first()[cell + 1]; ++open) {
                while (all.via()[slot] != graph_.via()[open]) ++slot;
                open_[slot] = open;
            }
            search.control.poll(2 + all.degree(cell));
        }
    }

    GraphId operator()(Index at) {
        const Graph& all = graph_.all();
        looked_at = all.degree(at);
        if (graph_.degree(at) == 0) return -1;
        GraphId slot = all.first()[at];
        if (came_by_ >= 0) {
            slot = static_cast<GraphId>(
                std::lower_bound(all.via() + slot, all.via() + all.first()[at + 1], came_by_) -
                all.via());
        } else {
            for (GraphId i = slot; i < all.first()[at + 1]; ++i)
                if (open_[i] < 0) {
                    slot = i;
                    break;
                }
        }
        do slot = next_[slot];
        while (open_[slot] < 0);
        const GraphId step = open_[slot];
        if (step == first_step_) return -1;
        clause = came_by_ < 0 ? 2 : graph_.via()[step] == came_by_ ? 6 : 4;
        if (first_step_ < 0) first_step_ = step;
        came_by_ = graph_.via()[step];
        return step;
    }

    std::string_view reason = "it came round to where it had put its hand on the wall";
    unsigned clause = 2;  // 2: the first step; 4: on; 6: back
    Index looked_at = 0;

private:
    const OpenGraph& graph_;
    Buffer<GraphId> next_;  // for each slot of the graph, the one tried after it
    Buffer<GraphId> open_;  // for each slot of the graph, that of the open graph, or -1
    GraphId came_by_ = -1, first_step_ = -1;
};

}  // namespace

template <Recorder R>
GraphSearchResult graph_wall_follower(GraphSearch& search, R& record) {
    return walk_by(search, GraphFollower(search), search.graph.slots() + 1, record);
}

template GraphSearchResult graph_wall_follower(GraphSearch&, NoTrace&);
template GraphSearchResult graph_wall_follower(GraphSearch&, Trace&);

}  // namespace meiro
