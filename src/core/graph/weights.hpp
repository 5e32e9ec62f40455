// The weight of an edge, a pure function of seed and edge, or weights=: kruskal, prim and boruvka
// make the same tree.
#pragma once

#include <array>

#include "../generate/shared/spanning_forest.hpp"
#include "graph_job.hpp"

namespace meiro {

class EdgeWeights : public KeptWeights<GraphId> {
public:
    explicit EdgeWeights(const GraphJob& job)
        : given_(job.options.weights), addresses_(job.hints.weight_addresses), seed_(job.seed) {}

    // Words in the order of the weights.
    std::uint64_t weight(Index edge) const {
        if (!given_.empty()) return word_of(given_[static_cast<std::size_t>(edge)]);
        const Address to = address(edge);
        return Random(seed_, Purpose::weigh, to.lane).at(to.word);
    }

    Item item(Index edge) const { return {weight(edge), static_cast<GraphId>(edge)}; }

    // The same for one edge after the other: neighbours of a lane share a block of four words.
    std::uint64_t next(Index edge) {
        if (!given_.empty()) return weight(edge);
        const Address to = address(edge);
        LastBlock& last = last_[to.lane % 2];
        if (last.lane != to.lane || last.number != to.word / 4)
            last = {to.lane, to.word / 4,
                    Random(seed_, Purpose::weigh, to.lane).block(to.word / 4)};
        return last.words[to.word % 4];
    }

private:
    struct Address {
        std::uint64_t lane, word;
    };
    Address address(Index edge) const {
        if (addresses_ == nullptr) return {0, static_cast<std::uint64_t>(edge)};
        return {addresses_[2 * edge], addresses_[2 * edge + 1]};
    }

    struct LastBlock {
        std::uint64_t lane, number = ~std::uint64_t{0};
        Block words{};
    };

    std::span<const double> given_;
    const std::uint64_t* addresses_;
    Seed seed_;
    std::array<LastBlock, 2> last_{};
};

// The edges of a graph, as spanning_forest.hpp has them.
template <Recorder R>
class GraphEdges {
public:
    using Id = GraphId;
    struct Edge {
        GraphId one, other;
        Index number;
    };

    GraphEdges(GraphJob& job, R& record) : job_(job), events_(record, job.graph) {}
    Index cells() const { return job_.graph.cells(); }
    Index size() const { return job_.graph.edges(); }
    Index most_met() const { return size(); }
    static bool has(Index) { return true; }
    Edge edge(Index number) const {
        const GraphId* const ends = job_.graph.ends() + 2 * number;
        return {ends[0], ends[1], number};
    }
    static bool exists(Edge) { return true; }
    bool is_open(Edge edge) const { return job_.open[edge.number] != 0; }
    template <class Body>
    void each_beside(Index cell, Body body) const {
        const Graph& graph = job_.graph;
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot)
            body(graph.via()[slot], graph.to()[slot]);
    }
    void visit(Index cell) {
        job_.control.done(1);
        events_.cell(Event::visit, cell);
    }
    void open(Edge edge, bool back = false) {
        job_.open[edge.number] = 1;
        job_.control.done(1);
        events_.edge(Event::carve, edge.number, back);
    }
    void keep(Edge edge) { events_.edge(Event::keep, edge.number); }

private:
    GraphJob& job_;
    GraphEvents<R> events_;
};

}  // namespace meiro
