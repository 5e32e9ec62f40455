// The number of shortest paths, and their list: paths/shortest_paths.cpp on graphs. The passages
// that lead one step nearer to a goal are followed from the start, level by level; the number of a
// cell is the sum of those of its predecessors.
// Time: linear in the passages between the cells on the paths, times the width of the numbers.
// Scratch: 4 bytes a cell, and two levels.
#include <bit>

#include "../../paths/path_counts.hpp"
#include "graph_paths.hpp"

namespace meiro {

Buffer<Limb> count_paths(const OpenGraph& graph, const GraphId* distance, Index start,
                         std::uint8_t* on_path, Control& control) {
    Index most = 1;  // degree
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        most = std::max(most, graph.degree(cell));
        control.poll();
    }
    PathCounts numbers(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most))));
    Buffer<GraphId> places(graph.cells());
    Stack<GraphId> level, next;
    level.push(static_cast<GraphId>(start));
    on_path[start] = 1;
    for (GraphId left = distance[start]; left > 0; --left) {
        const Index limbs = numbers.limbs();
        Limb top = 0;
        next.clear();
        for (Index i = 0; i < level.size(); ++i) {
            const Index at = level[i];
            control.poll(4 + graph.degree(at) * limbs);
            for (GraphId slot = graph.first()[at]; slot < graph.first()[at + 1]; ++slot) {
                const GraphId to = graph.to()[slot];
                if (distance[to] != left - 1) continue;
                if (on_path[to] == 0) {
                    on_path[to] = 1;
                    places[to] = static_cast<GraphId>(next.size());
                    next.push(to);
                    Limb* const fill = numbers.next(next.size());
                    top |= copy_limbs(fill + (next.size() - 1) * limbs, numbers.now() + i * limbs,
                                      limbs);
                } else {
                    Limb* const fill = numbers.next(next.size());
                    top |= add_limbs(fill + places[to] * limbs, numbers.now() + i * limbs, limbs);
                }
            }
        }
        std::swap(level, next);
        numbers.advance(level.size(), top, control);
    }
    const Index limbs = numbers.limbs();
    Buffer<Limb> sum(limbs + 1, true), one(limbs + 1, true);
    for (Index i = 0; i < level.size(); ++i) {  // over the nearest goals
        copy_limbs(one.data(), numbers.now() + i * limbs, limbs);
        add_limbs(sum.data(), one.data(), limbs + 1);
        control.poll(limbs);
    }
    return sum;
}

bool GraphPathList::next(Control& control) {
    if (ended_) return false;
    const Index length = slots_.size();
    // The first slot of a cell from `slot` on that leads one step nearer; -1: none.
    const auto nearer = [&](Index cell, GraphId slot) {
        const GraphId end = graph_.first()[cell + 1];
        for (; slot < end; ++slot) {
            control.poll();
            if (distance_[graph_.to()[slot]] == distance_[cell] - 1) return slot;
        }
        return GraphId{-1};
    };
    const auto take = [&](Index i, GraphId slot) {
        slots_[i] = slot;
        at_ = graph_.to()[slot];
    };
    Index i = 0;
    if (begun_) {  // back to the last cell with another passage
        GraphId other = -1;
        for (i = length; i > 0 && other < 0;) {
            const GraphId slot = slots_[--i];
            at_ = graph_.origin(slot, at_);
            other = nearer(at_, slot + 1);
        }
        ended_ = other < 0;
        if (ended_) return false;
        take(i++, other);
    }
    begun_ = true;
    for (; i < length; ++i) take(i, nearer(at_, graph_.first()[at_]));
    return true;
}

}  // namespace meiro
