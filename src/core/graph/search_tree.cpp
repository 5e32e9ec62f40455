#include "graph_transforms.hpp"

namespace meiro {
namespace {

class SearchTree {
public:
    SearchTree(const Graph& graph, std::uint8_t* open, Control& control)
        : graph_(graph), open_(open), control_(control), next_(graph.cells()) {
        polled_fill(next_.data(), graph.cells(), unreached, control);
    }

    void breadth_first(GraphId root) {
        Stack<GraphId> queue;
        next_[root] = 0;
        queue.push(root);
        for (Index head = 0; head < queue.size(); ++head) {
            const GraphId cell = queue[head];
            control_.poll(4 + graph_.degree(cell));
            for (GraphId slot = graph_.first()[cell]; slot < graph_.first()[cell + 1]; ++slot)
                if (reach(slot)) queue.push(graph_.to()[slot]);
        }
    }

    void depth_first(GraphId root) {
        Stack<GraphId> path;
        next_[root] = graph_.first()[root];
        path.push(root);
        while (!path.empty()) {
            control_.poll(4);
            const GraphId cell = path.top();
            if (next_[cell] == graph_.first()[cell + 1]) {
                path.pop();
                continue;
            }
            const GraphId slot = next_[cell]++, to = graph_.to()[slot];
            if (!reach(slot)) continue;
            next_[to] = graph_.first()[to];
            path.push(to);
        }
    }

private:
    static constexpr GraphId unreached = -1;

    bool reach(GraphId slot) {
        GraphId& to = next_[graph_.to()[slot]];
        if (to != unreached) return false;
        to = 0;
        open_[graph_.via()[slot]] = 1;
        return true;
    }

    const Graph& graph_;
    std::uint8_t* open_;
    Control& control_;
    Buffer<GraphId> next_;  // of reached cells, depth first: the next slot to look at
};

}  // namespace

void search_tree(const Graph& graph, Index start, SearchOrder order, std::uint8_t* open,
                 Control& control) {
    SearchTree tree(graph, open, control);
    for (Index i = 0; i < static_cast<Index>(graph.roots().size()); ++i) {
        const bool own = start >= 0 && graph.component(start) == i;
        const GraphId root =
            own ? static_cast<GraphId>(start) : graph.roots()[static_cast<std::size_t>(i)];
        if (order == SearchOrder::breadth_first)
            tree.breadth_first(root);
        else
            tree.depth_first(root);
    }
}

}  // namespace meiro
