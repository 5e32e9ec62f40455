#include "transform_many.hpp"

#include "../graph/open_graph.hpp"
#include "../passages.hpp"
#include "../topology.hpp"

namespace meiro {
namespace {

Random two_random(const Seed& seed, Index i) {
    return Random(replicate(seed, i), Purpose::transform, 0);
}

}  // namespace

void count_walls_of_each(const Batch& batch, Index* counts, Control& control, int threads) {
    const Index size = batch.shape.size();
    by_dozens(batch.n, size, control, threads, [&](Index first, Index last, Control& worker) {
        Buffer<std::uint8_t> bytes(size);
        const Passages maze(bytes.data(), batch.shape, batch.wrap);
        for (Index i = first; i < last; ++i) {
            worker.poll(size / 8 + 1);
            lay_out(maze, batch.maze(i), batch.mask_of(i), worker);
            counts[i] = count_walls(maze, worker);
        }
    });
}

void random_cells_of_each(const Batch& batch, const Seed& seed, Index* out, Control& control,
                          int threads) {
    const Index size = batch.shape.size();
    each_of_dozens(batch.n, size, control, threads, [&](Index i, Control& worker) {
        worker.poll(16);
        const Mask mask = batch.mask_of(i);
        const Index cells = count_mask(mask, size, worker);
        const Two two = cells > 1 ? two_of(cells, two_random(seed, i)) : Two{0, 0};
        out[2 * i] = cells > 0 ? cell_of_mask(mask, two.first, worker) : 0;
        out[2 * i + 1] = cells > 0 ? cell_of_mask(mask, two.second, worker) : 0;
        worker.done(size);
    });
}

template <class Maze>
void site_pair(const Maze& maze, Mask mask, std::span<const Index> beside, SitePair how,
               const Seed& seed, Index i, Index* out, Control& control) {
    Stack<Index> sites(static_cast<Index>(beside.size()));  // those beside a cell
    const auto cell = [&](Index k) { return beside[static_cast<std::size_t>(sites[k])]; };
    for (Index site = 0; site < static_cast<Index>(beside.size()); ++site) {
        if (exists(mask, beside[static_cast<std::size_t>(site)])) sites.push(site);
        control.poll();
    }
    const Index count = sites.size();
    Two two{0, count - 1};
    if (count < 2) {
        out[0] = SitePairFault::too_few;
        out[1] = count;
        return;
    }
    if (how == SitePair::random) two = two_of(count, two_random(seed, i));
    if (how == SitePair::farthest) {
        const Index size = with_places(maze, [](const auto& places) { return places.size(); });
        Buffer<std::uint8_t> among(size, true);
        for (Index k = 0; k < count; ++k) among[cell(k)] = 1;
        const Pair pair = farthest(maze, among.data(), control);
        const auto [low, high] = std::minmax(pair.first, pair.second);
        while (cell(two.first) != low) ++two.first;
        while (cell(two.second) != high) --two.second;
    }
    out[0] = two.first != two.second ? sites[two.first] : SitePairFault::no_path;
    out[1] = sites[two.second];
}
template void site_pair(const Adjacency&, Mask, std::span<const Index>, SitePair, const Seed&,
                        Index, Index*, Control&);
template void site_pair(const OpenGraph&, Mask, std::span<const Index>, SitePair, const Seed&,
                        Index, Index*, Control&);

}  // namespace meiro
