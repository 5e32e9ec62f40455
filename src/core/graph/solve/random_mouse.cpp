// Random mouse on graphs (solve/random_mouse.cpp): a uniform passage of the cell, but not the one
// it came by, unless that is the only one. A flood checks first that a goal is reachable. After
// max_steps it gives up, by default the square of the number of cells, at most 10^8.
// Scratch: 4 bytes a cell, 4 a step, and that of bfs.
#include "graph_solvers.hpp"

namespace meiro {
namespace {

class GraphMouse {
public:
    explicit GraphMouse(const GraphSearch& search)
        : graph_(search.graph), draw_(search.seed, Purpose::solve) {}

    GraphId operator()(Index at) {
        const GraphId first = graph_.first()[at];
        const Index degree = graph_.degree(at);
        if (degree == 0) return -1;
        clause = degree > 2 || came_by_ < 0 ? 4 : degree == 1 ? 3 : 2;
        GraphId slot = first;
        if (degree > 1) do
                slot = first + static_cast<GraphId>(draw_.below(degree));
            while (graph_.via()[slot] == came_by_);
        came_by_ = graph_.via()[slot];
        return slot;
    }

    std::string_view reason = "it has taken all the steps it may (max_steps)";
    unsigned clause = 2;  // 2: the only way on; 3: back from a dead end; 4: drawn
    Index looked_at = 0;

private:
    const OpenGraph& graph_;
    Random draw_;
    GraphId came_by_ = -1;
};

}  // namespace

template <Recorder R>
GraphSearchResult graph_random_mouse(GraphSearch& search, R& record) {
    const GraphSolveOptions plain;
    GraphSearch asked{search.graph, search.start, search.goals, search.seed, plain, search.control};
    NoTrace silent;
    const bool reachable = graph_bfs(asked, silent).found;
    const Index cells = search.graph.cells();
    const Index usual = cells < 10'000 ? cells * cells : 100'000'000;
    const Index given = search.options.max_steps;
    const Index most = !reachable ? 0 : given >= 0 ? given : usual;
    return walk_by(search, GraphMouse(search), most, record);
}

template GraphSearchResult graph_random_mouse(GraphSearch&, NoTrace&);
template GraphSearchResult graph_random_mouse(GraphSearch&, Trace&);

}  // namespace meiro
