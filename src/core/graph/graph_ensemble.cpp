#include "graph_ensemble.hpp"

#include <cstring>

namespace meiro {

void make_one(const GraphEnsemble& many, Index i, std::uint8_t* to, Control& control) {
    Seed seed = many.seed;
    seed.replicate += static_cast<std::uint64_t>(i);
    by_pieces(many.graph.edges(), control, [&](Index first, Index last) {
        std::memset(to + first, 0, static_cast<std::size_t>(last - first));
    });
    GraphJob job{many.graph, to, seed, many.options, many.hints, control};
    NoTrace none;
    many.generator.graph(job, none);
}

void generate_many(const GraphEnsemble& many, Control& control, int threads) {
    const Index size = many.graph.cells() + many.graph.edges();
    // Small mazes are handed to a thread in batches, so that the shared counter costs little.
    const Index dozen = std::max<Index>(1, 4096 / std::max<Index>(1, size));
    parallel(control, threads, (many.n + dozen - 1) / dozen, [&](Index item, Control& worker) {
        const Index end = std::min(many.n, (item + 1) * dozen);
        for (Index i = item * dozen; i < end; ++i) {
            worker.poll(size);
            make_one(many, i, many.open + i * many.graph.edges(), worker);
        }
    });
}

}  // namespace meiro
