// The minimum spanning tree with weights from the seed: see tiles.hpp.
#include "tiles.hpp"

#include "../shared/minimum_tree.hpp"
#include "pieces.hpp"

namespace meiro {
namespace tiles {
namespace {

// The weights of a window, whose cells are counted from its first one.
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

}  // namespace
}  // namespace tiles

void minimum_tree(Job& job) {
    with_wall_ids<NoTrace>(job, [&](auto id) {
        using Id = decltype(id);
        const auto by = [&](const auto& weights) {
            tiles::tree<Id>(job.maze, job.mask, weights, job.control, job.threads);
        };
        if (job.options.bias == even_odds)
            by(Weights(job.seed));
        else
            by(tiles::PlacedWeights(job.seed, job.options.bias, {0, 0}));
    });
}

void minimum_forest(const Passages& maze, const std::uint8_t* passages, const Seed& seed,
                    Control& control, int threads) {
    with_ids<NoTrace>(maze.size() < Index{1} << 31, [&](auto id) {
        tiles::tree<decltype(id)>(maze, nullptr, Weights(seed), control, threads,
                                  tiles::largest_tile, {}, nullptr, passages);
    });
}

namespace tiles {

void reduce(const Seed& seed, Factor bias, const Rectangle& at, Sides sides, std::uint8_t* out,
            Stack<Critical>& critical, Control& control, int threads) {
    MEIRO_ASSERT(at.shape.size() < largest_piece);
    tree<std::uint32_t>(Passages(out, at.shape), nullptr, PlacedWeights(seed, bias, at.first),
                        control, threads, largest_tile, sides, &critical);
}

void reduce(const WholeMaze& whole, const Rectangle& at, std::uint8_t* out,
            Stack<Critical>& critical, Control& control, int threads) {
    reduce(whole.seed, whole.bias, at, sides_of(at, whole.shape), out, critical, control, threads);
    for (Critical& wall : critical) {
        const Cell c = at.shape.cell(wall.wall / 2);
        wall.wall =
            2 * whole.shape.id({at.first.row + c.row, at.first.col + c.col}) + wall.wall % 2;
    }
}

}  // namespace tiles
}  // namespace meiro
