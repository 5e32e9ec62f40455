// The weight of an edge, a pure function of seed and edge, or weights=: kruskal, prim and boruvka
// make the same tree. Ties go to the edge with the lower number, so that the order is total.
#pragma once

#include <array>
#include <bit>

#include "graph_job.hpp"

namespace meiro {

class EdgeWeights {
public:
    explicit EdgeWeights(const GraphJob& job)
        : given_(job.options.weights), addresses_(job.hints.weight_addresses), seed_(job.seed) {}

    // Words in the order of the weights.
    std::uint64_t at(Index edge) const {
        if (!given_.empty()) return in_order(given_[static_cast<std::size_t>(edge)]);
        const Address to = address(edge);
        return Random(seed_, Purpose::weigh, to.lane).at(to.word);
    }

    // The same for one edge after the other: neighbours of a lane share a block of four words.
    std::uint64_t next(Index edge) {
        if (!given_.empty()) return at(edge);
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

    // Doubles as words in the same order; -0 is 0.
    static std::uint64_t in_order(double weight) {
        const auto bits = std::bit_cast<std::uint64_t>(weight + 0.0);
        return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
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

struct WeighedEdge {
    std::uint64_t weight;
    GraphId edge;
    friend auto operator<=>(const WeighedEdge&, const WeighedEdge&) = default;
};

}  // namespace meiro
