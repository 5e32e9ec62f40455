#include "double_sweep_many.hpp"

#include <algorithm>

#include "../solve/bfs_levels.hpp"
#include "path_queries.hpp"

namespace meiro {
namespace {

// Invariant: a cell that a flood reached has its tag; before tags repeat, all are cleared.
template <class Id>
void count(const Adjacency& adjacency, const std::uint8_t* among, Index least, Index* counts,
           Control& control) {
    Buffer<std::uint8_t> tags(adjacency.size(), true);
    Levels<Id> levels;
    std::uint8_t* const seen = tags.data();
    std::uint8_t tag = 0;
    for (Index source = 0; source < adjacency.size(); ++source) {
        control.poll();
        counts[source] = 0;
        if (among[source] == 0) continue;
        if (++tag == 0) {
            by_pieces(adjacency.size(), control,
                      [&](Index first, Index last) { std::fill(seen + first, seen + last, 0); });
            tag = 1;
        }
        seen[source] = tag;
        levels.clear();
        levels.start(source);
        levels.advance();
        Index far = 0;
        for (Index steps = 1; levels.size() > 0; ++steps) {
            const unsigned counted = steps >= least ? 1 : 0;
            levels.spread(adjacency, default_neighbours(adjacency), control,
                          [&](Index to, unsigned) {
                              if (seen[to] == tag) return false;
                              seen[to] = tag;
                              far += among[to] & counted;
                              return true;
                          });
            levels.advance();
        }
        counts[source] = far;
    }
}

}  // namespace

void count_far(const Adjacency& adjacency, const std::uint8_t* among, Index least, Index* counts,
               Control& control) {
    if (fits_32_bits(adjacency))
        count<std::uint32_t>(adjacency, among, least, counts, control);
    else
        count<Index>(adjacency, among, least, counts, control);
}

void farthest_of_each(const Batch& batch, Index* out, Control& control, int threads) {
    const Index cells = batch.shape.size();
    const Index dozen = std::max<Index>(1, (Index{1} << 14) / cells);
    parallel(control, threads, (batch.n + dozen - 1) / dozen, [&](Index item, Control& worker) {
        Buffer<std::uint8_t> scratch(batch.wrap.any() ? cells : 0);
        const Index end = std::min(batch.n, (item + 1) * dozen);
        for (Index i = item * dozen; i < end; ++i) {
            worker.poll(cells);
            const Adjacency adjacency = adjacency_of_passages(batch.maze(i), batch.shape,
                                                              batch.wrap, scratch.data(), worker);
            const Longest found = longest_path(adjacency, true, worker);
            const bool any = found.start >= 0;
            out[3 * i] = found.start;
            out[3 * i + 1] = found.goal;
            out[3 * i + 2] = any ? found.length : -1;
        }
    });
}

}  // namespace meiro
