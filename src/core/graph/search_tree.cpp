#include "graph_transforms.hpp"

namespace meiro {

void search_tree(const Graph& graph, Index start, SearchOrder order, std::uint8_t* open,
                 Control& control) {
    constexpr GraphId unreached = -1;
    const bool deep = order == SearchOrder::depth_first;
    Buffer<GraphId> next(graph.cells());  // of reached cells: the next slot to look at
    polled_fill(next.data(), graph.cells(), unreached, control);
    Stack<GraphId> cells;  // depth first the path to the present one, else a queue
    const auto reach = [&](GraphId cell) {
        next[cell] = graph.first()[cell];
        cells.push(cell);
    };
    const Index part_of_start = start >= 0 ? graph.component(start) : -1;
    for (Index part = 0; part < static_cast<Index>(graph.roots().size()); ++part) {
        const GraphId root = graph.roots()[static_cast<std::size_t>(part)];
        cells.clear();
        reach(part == part_of_start ? static_cast<GraphId>(start) : root);
        for (Index head = 0; head < cells.size(); control.poll(4)) {
            const GraphId cell = deep ? cells.top() : cells[head];
            if (next[cell] == graph.first()[cell + 1]) {
                if (deep)
                    cells.pop();
                else
                    ++head;
                continue;
            }
            const GraphId slot = next[cell]++, to = graph.to()[slot];
            if (next[to] != unreached) continue;
            open[graph.via()[slot]] = 1;
            reach(to);
        }
    }
}

}  // namespace meiro
