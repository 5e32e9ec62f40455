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

    // The same for one edge after the other: neighbours of a lane share a block of four words.
    std::uint64_t next(Index edge) {
        if (!given_.empty()) return at(edge);
        const std::uint64_t lane = addresses_ == nullptr ? 0 : addresses_[2 * edge];
        const std::uint64_t word =
            addresses_ == nullptr ? static_cast<std::uint64_t>(edge) : addresses_[2 * edge + 1];
        LastBlock& last = last_[lane % 2];
        if (last.lane != lane || last.number != word / 4)
            last = {lane, word / 4, Random(seed_, Purpose::weigh, lane).block(word / 4)};
        return last.words[word % 4];
    }

    // Words in the order of the weights.
    std::uint64_t at(Index edge) const {
        if (!given_.empty()) return in_order(given_[static_cast<std::size_t>(edge)]);
        if (addresses_ == nullptr)
            return Random(seed_, Purpose::weigh).at(static_cast<std::uint64_t>(edge));
        return Random(seed_, Purpose::weigh, addresses_[2 * edge]).at(addresses_[2 * edge + 1]);
    }

private:
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
