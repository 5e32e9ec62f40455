// The minimum spanning tree with weights from the seed: see tiles.hpp.
#include "tiles.hpp"

#include "../shared/minimum_tree.hpp"
#include "pieces.hpp"
#include "placed_weights.hpp"

namespace meiro {

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
