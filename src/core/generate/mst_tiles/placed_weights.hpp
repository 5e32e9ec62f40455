// The weights of a window, whose cells are counted from its first one.
#pragma once

#include "../shared/weights.hpp"

namespace meiro::tiles {

class PlacedWeights {
public:
    PlacedWeights(const Seed& seed, Factor bias, Cell first)
        : weights_(seed, bias), first_(first) {}

    struct Row {
        BiasedWeights::Row words;
        Index first;  // column
        Block block(std::uint64_t k) const {
            const Index col = first + 2 * static_cast<Index>(k);
            const Block words_of_two = words.block(weight_block(col));
            if (first % 2 == 0) return words_of_two;
            const Block next = words.block(weight_block(col + 1));
            return {words_of_two[2], words_of_two[3], next[0], next[1]};
        }
    };
    Row row(Index r) const { return {weights_.row(first_.row + r), first_.col}; }
    std::uint64_t at(Cell c, bool south) const {
        return weights_.at({first_.row + c.row, first_.col + c.col}, south);
    }

private:
    BiasedWeights weights_;
    Cell first_;
};

}  // namespace meiro::tiles
