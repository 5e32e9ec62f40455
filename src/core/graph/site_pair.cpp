// Two places in the rim of a maze on a graph, as transform/transform_many.hpp has them for squares.
//
// Far apart: the double sweep of paths/double_sweep.cpp, which has the paper, over a queue.
// Time: linear. Scratch: 5 bytes a cell. Invariant: in a sweep each cell joins the queue once.
#include "../transform/transform_many.hpp"
#include "graph_transforms.hpp"

namespace meiro {
namespace {

// A cell of `among` farthest from `start`; length -1 if none is reachable. Cells that a sweep has
// reached have its bit, `mark`.
Pair sweep(const OpenGraph& maze, Index start, const std::uint8_t* among, std::uint8_t mark,
           std::uint8_t* seen, GraphId* queue, Control& control) {
    Pair found{start, start, -1};
    Index begin = 0, end = 1;
    queue[0] = static_cast<GraphId>(start);
    seen[start] |= mark;
    for (Index distance = 0; begin < end; ++distance) {
        for (const Index level = end; begin < level; ++begin) {
            const Index cell = queue[begin];
            control.poll(4 + maze.degree(cell));
            if (among[cell] != 0) found = {start, cell, distance};
            for (GraphId slot = maze.first()[cell]; slot < maze.first()[cell + 1]; ++slot) {
                const GraphId to = maze.to()[slot];
                if ((seen[to] & mark) != 0) continue;
                seen[to] |= mark;
                queue[end++] = to;
            }
        }
    }
    return found;
}

}  // namespace

Pair farthest(const OpenGraph& maze, const std::uint8_t* among, Control& control) {
    Buffer<std::uint8_t> seen(maze.cells(), true);
    Buffer<GraphId> queue(maze.cells());
    Pair best;
    for (Index start = 0; start < maze.cells(); ++start) {
        control.poll();
        if (among[start] == 0 || (seen[start] & 1) != 0) continue;
        const Pair once = sweep(maze, start, among, 1, seen.data(), queue.data(), control);
        const Pair twice = sweep(maze, once.second, among, 2, seen.data(), queue.data(), control);
        if (twice.length > best.length) best = twice;
    }
    return best;
}

void site_pair(const OpenGraph& maze, std::span<const Index> beside, SitePair how, const Seed& seed,
               Index i, Index* out, Control& control) {
    const auto count = static_cast<Index>(beside.size());
    const auto cell = [&](Index k) { return beside[static_cast<std::size_t>(k)]; };
    const Two two = chosen_sites(count, how, seed, i, cell, [&] {
        Buffer<std::uint8_t> among(maze.cells(), true);
        for (const Index one : beside) among[one] = 1;
        return farthest(maze, among.data(), control);
    });
    const bool distinct = two.first != two.second;
    out[0] = count < 2 ? SitePairFault::too_few : distinct ? two.first : SitePairFault::no_path;
    out[1] = count < 2 ? count : two.second;
}

}  // namespace meiro
