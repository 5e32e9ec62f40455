#include "graph_ensemble.hpp"

#include <cstring>
#include <vector>

#include "unequal_weights.hpp"

namespace meiro {

namespace {

Seed seed_of(const GraphEnsemble& many, Index i) {
    Seed seed = many.seed;
    seed.replicate += static_cast<std::uint64_t>(i);
    return seed;
}

}  // namespace

void make_one(const GraphEnsemble& many, Index i, std::uint8_t* to, Control& control,
              std::uint8_t* put_off) {
    by_pieces(many.graph.edges(), control, [&](Index first, Index last) {
        std::memset(to + first, 0, static_cast<std::size_t>(last - first));
    });
    GraphJob job{many.graph, to, seed_of(many, i), many.options, many.hints, control};
    job.put_off = put_off;
    NoTrace none;
    many.generator.graph(job, none);
}

void generate_many(const GraphEnsemble& many, Control& control, int threads) {
    const Index size = many.graph.cells() + many.graph.edges();
    // Small mazes are handed to a thread in batches, so that the shared counter costs little.
    const Index dozen = std::max<Index>(1, 4096 / std::max<Index>(1, size));
    Buffer<std::uint8_t> put_off(many.options.weights.empty() ? 0 : many.n, true);
    parallel(control, threads, (many.n + dozen - 1) / dozen, [&](Index item, Control& worker) {
        const Index end = std::min(many.n, (item + 1) * dozen);
        for (Index i = item * dozen; i < end; ++i) {
            worker.poll(size);
            make_one(many, i, many.open + i * many.graph.edges(), worker,
                     put_off.size() > 0 ? &put_off[i] : nullptr);
        }
    });
    std::vector<PutOff> left;
    for (Index i = 0; i < put_off.size(); ++i, control.poll())
        if (put_off[i] != 0) left.push_back({many.open + i * many.graph.edges(), seed_of(many, i)});
    make_by_elimination(many.graph, many.options.weights, left, control, threads);
}

}  // namespace meiro
