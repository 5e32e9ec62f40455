#include "ensemble.hpp"

namespace meiro {

void generate_many(const Ensemble& many, Control& control, int threads) {
    const Index cells = many.shape.size();
    const auto make = [&](Index i, Control& own, int threads_each) {
        Seed seed = many.seed;
        seed.replicate += static_cast<std::uint64_t>(i);
        Job job{Passages(many.passages + i * cells, many.shape, many.wrap),
                many.mask,
                seed,
                many.options,
                own,
                threads_each};
        NoTrace none;
        many.generator.run(job, none);
    };
    if (many.n == 1) {
        make(0, control, threads);
        return;
    }
    // Small mazes are handed out by the dozen, so that the shared counter is not what is measured.
    const Index dozen = std::max<Index>(1, 4096 / std::max<Index>(1, cells));
    parallel(control, threads, (many.n + dozen - 1) / dozen, [&](Index item, Control& own) {
        const Index end = std::min(many.n, (item + 1) * dozen);
        for (Index i = item * dozen; i < end; ++i) {
            own.poll(cells);
            make(i, own, 1);
        }
    });
}

}  // namespace meiro
