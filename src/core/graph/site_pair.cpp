// Two places in the rim of a maze on a graph, as transform/transform_many.hpp has them for squares.
#include "../paths/double_sweep.hpp"
#include "../transform/transform_many.hpp"
#include "graph_transforms.hpp"

namespace meiro {

void site_pair(const OpenGraph& maze, std::span<const Index> beside, SitePair how, const Seed& seed,
               Index i, Index* out, Control& control) {
    const auto count = static_cast<Index>(beside.size());
    const auto cell = [&](Index k) { return beside[static_cast<std::size_t>(k)]; };
    const Two two = chosen_sites(count, how, seed, i, cell, [&] {
        Buffer<std::uint8_t> among(maze.cells(), true);
        for (const Index one : beside) among[one] = 1;
        return farthest(maze, among.data(), control);
    });
    const bool distinct = two.first != two.second;
    out[0] = count < 2 ? SitePairFault::too_few : distinct ? two.first : SitePairFault::no_path;
    out[1] = count < 2 ? count : two.second;
}

}  // namespace meiro
