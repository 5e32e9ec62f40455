#include "graph_transforms.hpp"

#include <utility>

#include "../disjoint_set.hpp"

namespace meiro {
namespace {

bool is_wall(const Graph& graph, const std::uint8_t* open, Index edge) {
    return open[edge] == 0 && graph.ends()[2 * edge] != graph.ends()[2 * edge + 1];
}

// Opens those of some edges, in an order that is uniform over all, that join two components.
void open_in_random_order(const Graph& graph, std::uint8_t* open, Stack<GraphId>& edges,
                          Random random, Control& control) {
    DisjointSet<GraphId> sets(graph.cells());
    sets.reset(graph.cells(), control);
    each_passage(graph, open, control, [&](GraphId one, GraphId other) { sets.join(one, other); });
    for (Index left = edges.size(); left > 0; --left) {
        control.poll(16);
        const Index at = random.below(left);
        const GraphId edge = edges[at];
        edges[at] = edges[left - 1];
        const GraphId* const ends = graph.ends() + 2 * Index{edge};
        if (sets.join(ends[0], ends[1])) open[edge] = 1;
    }
}

}  // namespace

void join_regions(const Graph& graph, std::uint8_t* open, const Seed& seed, Control& control) {
    Stack<GraphId> walls;
    for (Index edge = 0; edge < graph.edges(); ++edge) {
        control.poll(2);
        if (is_wall(graph, open, edge)) walls.push(static_cast<GraphId>(edge));
    }
    open_in_random_order(graph, open, walls, transform_random(seed, TransformLane::join_regions),
                         control);
}

void remove_islands(const Graph& graph, std::uint8_t* open, const Seed& seed, Control& control,
                    int) {
    Stack<GraphId> passages;
    for (Index edge = 0; edge < graph.edges(); ++edge) {
        control.poll(2);
        if (open[edge] == 0) continue;
        passages.push(static_cast<GraphId>(edge));
        open[edge] = 0;
    }
    open_in_random_order(graph, open, passages,
                         transform_random(seed, TransformLane::remove_islands), control);
}

// The rounds are those of transform/braid.cpp. A dead end proposes by one of its walls, so that two
// with several walls between them are joined by one.
void braid(const Graph& graph, std::uint8_t* open, const Seed& seed, Chance p, Control& control,
           int) {
    Random random = transform_random(seed, TransformLane::braid);
    Buffer<GraphId> degrees = open_degrees(graph, open, control);
    Buffer<GraphId> choice(graph.cells());
    Buffer<std::uint8_t> acting(graph.cells(), true);
    Stack<GraphId> ends;
    std::uint64_t coins = 0;
    int left = 0;
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        control.poll();
        if (degrees[cell] != 1) continue;
        if (left == 0) {
            coins = random.coins(p);
            left = 64;
        }
        acting[cell] = static_cast<std::uint8_t>(coins & 1u);
        if (acting[cell] != 0) ends.push(static_cast<GraphId>(cell));
        coins >>= 1;
        --left;
    }
    // body(edge, other) for each wall of a cell behind which there is a cell with a passage.
    const auto each_wall = [&](Index cell, auto body) {
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot)
            if (open[graph.via()[slot]] == 0 && degrees[graph.to()[slot]] > 0)
                body(graph.via()[slot], graph.to()[slot]);
        control.poll(2 + 2 * graph.degree(cell));
    };
    const auto is_alike = [&](Index cell) { return acting[cell] != 0 && degrees[cell] == 1; };
    const auto join = [&](GraphId edge) {
        open[edge] = 1;
        ++degrees[graph.ends()[2 * edge]];
        ++degrees[graph.ends()[2 * edge + 1]];
    };
    constexpr GraphId proposes = 1 << 30;  // beside the edge; edges are fewer
    while (!ends.empty()) {
        Index able = 0;
        for (Index i = 0; i < ends.size(); ++i) {
            const Index cell = ends[i];
            Index walls = 0, alike = 0;
            each_wall(cell, [&](GraphId, Index other) {
                ++walls;
                alike += is_alike(other) ? 1 : 0;
            });
            if (walls == 0) {
                choice[cell] = -1;
                continue;
            }
            Index skipped = random.below(alike > 0 ? alike : walls);
            each_wall(cell, [&](GraphId edge, Index other) {
                if ((alike == 0 || is_alike(other)) && skipped-- == 0)
                    choice[cell] = edge + (alike > 0 ? proposes : 0);
            });
            ends[able++] = static_cast<GraphId>(cell);
        }
        ends.resize(able);
        Index still = 0;
        for (Index i = 0; i < able; ++i) {
            const Index cell = ends[i];
            const GraphId edge = choice[cell] & (proposes - 1);
            control.poll(4);
            if (choice[cell] < proposes) {
                join(edge);
            } else if (const Index other = graph.other_end(edge, cell);
                       choice[other] == choice[cell] && is_alike(other)) {
                if (open[edge] == 0) join(edge);
            } else if (open[edge] == 0) {
                ends[still++] = static_cast<GraphId>(cell);
            }
        }
        ends.resize(still);
    }
}

Index count_walls(const Graph& graph, const std::uint8_t* open, Control& control) {
    Index walls = 0;
    for (Index edge = 0; edge < graph.edges(); ++edge) {
        control.poll(2);
        walls += is_wall(graph, open, edge) ? 1 : 0;
    }
    return walls;
}

void add_loops(const Graph& graph, std::uint8_t* open, const Seed& seed, Index n,
               Control& control) {
    Random random = transform_random(seed, TransformLane::add_loops);
    Index left = count_walls(graph, open, control);
    for (Index edge = 0; edge < graph.edges() && n > 0; ++edge) {
        control.poll(4);
        if (!is_wall(graph, open, edge) || random.below(left--) >= n) continue;
        open[edge] = 1;
        --n;
    }
}

void fill_dead_ends(const Graph& graph, std::uint8_t* open, std::span<const Index> kept,
                    Index rounds, Control& control) {
    Buffer<GraphId> degrees = open_degrees(graph, open, control);
    Buffer<GraphId> beside(graph.cells(), true);  // exclusive or of the open edges
    Buffer<std::uint8_t> stays(graph.cells(), true);
    for (Index edge = 0; edge < graph.edges(); ++edge) {
        control.poll(2);
        if (open[edge] == 0) continue;
        beside[graph.ends()[2 * edge]] ^= static_cast<GraphId>(edge);
        beside[graph.ends()[2 * edge + 1]] ^= static_cast<GraphId>(edge);
    }
    for (const Index cell : kept)
        if (cell >= 0) stays[cell] = 1;
    Stack<GraphId> ends, next;
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        control.poll();
        if (degrees[cell] == 1 && stays[cell] == 0) ends.push(static_cast<GraphId>(cell));
    }
    for (Index round = 0; round < rounds && !ends.empty(); ++round) {
        next.clear();
        for (const GraphId cell : ends) {
            control.poll(4);
            if (degrees[cell] != 1) continue;  // its only neighbour was filled, too
            const GraphId edge = beside[cell];
            const Index other = graph.other_end(edge, cell);
            open[edge] = 0;
            degrees[cell] = 0;
            beside[other] ^= edge;
            if (--degrees[other] == 1 && stays[other] == 0) next.push(static_cast<GraphId>(other));
        }
        // A cell that lost its next to last passage in this round is a dead end of the next one.
        std::swap(ends, next);
    }
}

}  // namespace meiro
