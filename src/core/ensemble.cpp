#include "ensemble.hpp"

#include "generate/job.hpp"

namespace meiro {

void make_one(const Ensemble& many, Index i, std::uint8_t* to, Control& control, int threads) {
    Seed seed = many.seed;
    seed.replicate += static_cast<std::uint64_t>(i);
    Job job{Passages(to, many.shape, many.wrap), many.mask, seed, many.options, control, threads};
    NoTrace none;
    many.generator.run(job, none);
}

void generate_many(const Ensemble& many, Control& control, int threads) {
    const Index cells = many.shape.size();
    if (many.n == 1) {
        make_one(many, 0, many.passages, control, threads);
        return;
    }
    // Small mazes are handed to a thread in batches, so that the shared counter costs little.
    const Index dozen = std::max<Index>(1, 4096 / std::max<Index>(1, cells));
    parallel(control, threads, (many.n + dozen - 1) / dozen, [&](Index item, Control& worker) {
        const Index end = std::min(many.n, (item + 1) * dozen);
        for (Index i = item * dozen; i < end; ++i) {
            worker.poll(cells);
            make_one(many, i, many.passages + i * cells, worker);
        }
    });
}

}  // namespace meiro
