// The minimum spanning tree with weights from the seed: see tiles.hpp.
#include "tiles.hpp"

#include "../shared/minimum_tree.hpp"

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
            by(BiasedWeights(job.seed, job.options.bias));
    });
}

}  // namespace meiro
