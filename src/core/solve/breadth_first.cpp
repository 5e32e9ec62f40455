// Breadth-first search: bfs and distances.
//   E. F. Moore, The shortest path through a maze, Proc. Int. Symp. Theory of Switching (1959) 285.
//
// The flood keeps a byte per site and two levels instead of a queue of all sites. Sites are reached
// in the order of a queue that looks at the directions in the given order; this order decides which
// of several shortest paths is found. Time: linear in the sites reached. Scratch: a byte per site,
// and the levels: a few hundred sites in most mazes, at worst half of all sites. Invariant: all
// sites of a level have the same distance, and each was added once.
#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "bfs_levels.hpp"
#include "solvers.hpp"

namespace meiro {
namespace {

template <class Id, bool ordered, Recorder R>
SearchResult flood(Search& search, SearchResult&& begun, const OrderedNeighbours& neighbours,
                   R& record) {
    const Adjacency adjacency = search.adjacency;
    const Shape shape = adjacency.shape();
    const auto step = adjacency.offsets();
    const std::uint8_t* const open = adjacency.open();
    SearchResult result = std::move(begun);
    std::uint8_t* const reached = result.reached.data();
    Index* const order = result.order.data();
    Index explored = result.explored;

    Levels<Id> frontiers;
    frontiers.start(search.start);
    bool found = result.found;
    Index distance = 0;
    for (frontiers.advance(); frontiers.size() > 0 && !found; frontiers.advance()) {
        ++distance;
        const Id* const now = frontiers.now();
        for (Index first = 0; first < frontiers.size() && !found; first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, frontiers.size());
            search.control.poll(last - first);
            search.control.done(last - first);
            Id* const next = frontiers.next(last - first);
            Index filled = 0;
            for (Index i = first; i < last && !found; ++i) {
                const auto at = static_cast<Index>(now[i] >> move_bits);
                auto moves = neighbours[open[at] & without_reverse[now[i] & 15]];
                for (unsigned d; (d = moves & 15) != no_move; moves >>= 4) {
                    const Index to = at + step[d];
                    const std::uint8_t before = reached[to];
                    if ((before & reached_mask) != 0) continue;
                    reached[to] = static_cast<std::uint8_t>(d + 1);
                    if (ordered) order[to] = explored + filled;
                    prefetch(open + to + far_ahead * step[d]);
                    prefetch(reached + to + far_ahead * step[d]);
                    record.on(Event::visit, shape.cell(to), adjacency.direction_of(d));
                    next[filled++] = static_cast<Id>(to << move_bits | d);
                    if (before != 0) [[unlikely]] {
                        found = true;
                        result.goal = to;
                        break;
                    }
                }
            }
            explored += filled;
            frontiers.filled(filled);
        }
    }
    result.explored = explored;
    return finished(search, std::move(result), record, distance);
}

template <class Id, class T>
void measure(const Adjacency& adjacency, std::span<const Index> sources, T* out, Control& control) {
    const auto step = adjacency.offsets();
    const std::uint8_t* const open = adjacency.open();
    const OrderedNeighbours& neighbours = default_neighbours(adjacency);
    Buffer<std::uint8_t> seen(adjacency.size(), true);
    std::uint8_t* const reached = seen.data();
    Levels<Id> frontiers;
    for (const Index source : sources)
        if (reached[source] == 0) {
            reached[source] = 1;
            out[source] = 0;
            frontiers.start(source);
        }
    Index distance = 0, explored = 0;
    for (frontiers.advance(); frontiers.size() > 0; frontiers.advance()) {
        explored += frontiers.size();
        const bool fits = ++distance <= static_cast<Index>(std::numeric_limits<T>::max());
        const auto value = static_cast<T>(fits ? distance : 0);
        const Id* const now = frontiers.now();
        for (Index first = 0; first < frontiers.size(); first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, frontiers.size());
            control.poll(last - first);
            control.done(last - first);
            Id* const next = frontiers.next(last - first);
            Index filled = 0;
            for (Index i = first; i < last; ++i) {
                const auto at = static_cast<Index>(now[i] >> move_bits);
                auto moves = neighbours[open[at] & without_reverse[now[i] & 15]];
                for (unsigned d; (d = moves & 15) != no_move; moves >>= 4) {
                    const Index to = at + step[d];
                    if (reached[to] != 0) continue;
                    reached[to] = 1;
                    out[to] = value;
                    prefetch(open + to + far_ahead * step[d]);
                    prefetch(reached + to + far_ahead * step[d]);
                    next[filled++] = static_cast<Id>(to << move_bits | d);
                }
            }
            if (!fits && filled > 0)
                throw std::overflow_error("a distance of " + std::to_string(distance));
            frontiers.filled(filled);
        }
    }
    constexpr Index band = Index{1} << 20;
    for (Index first = 0; explored < adjacency.size() && first < adjacency.size(); first += band) {
        const Index last = std::min(first + band, adjacency.size());
        for (Index i = first; i < last; ++i) out[i] = reached[i] != 0 ? out[i] : static_cast<T>(-1);
        control.poll((last - first) / 4);
    }
}

}  // namespace

template <Recorder R>
SearchResult bfs_from(Search& search, SearchResult&& begun, R& record) {
    const bool usual = search.options.directions == directions;
    const OrderedNeighbours given(search.options.directions, search.adjacency.moves());
    const OrderedNeighbours& neighbours = usual ? default_neighbours(search.adjacency) : given;
    const bool ordered = search.options.order;
    if (fits_32_bits(search.adjacency))
        return ordered ? flood<std::uint32_t, true>(search, std::move(begun), neighbours, record)
                       : flood<std::uint32_t, false>(search, std::move(begun), neighbours, record);
    return ordered ? flood<Index, true>(search, std::move(begun), neighbours, record)
                   : flood<Index, false>(search, std::move(begun), neighbours, record);
}

template <Recorder R>
SearchResult bfs(Search& search, R& record) {
    return bfs_from(search, at_start(search, record), record);
}

template <class T>
void distances(const Adjacency& adjacency, std::span<const Index> sources, T* out,
               Control& control) {
    if (fits_32_bits(adjacency))
        measure<std::uint32_t>(adjacency, sources, out, control);
    else
        measure<Index>(adjacency, sources, out, control);
}

template SearchResult bfs_from(Search&, SearchResult&&, NoTrace&);
template SearchResult bfs_from(Search&, SearchResult&&, Trace&);
template SearchResult bfs(Search&, NoTrace&);
template SearchResult bfs(Search&, Trace&);
template void distances(const Adjacency&, std::span<const Index>, std::int8_t*, Control&);
template void distances(const Adjacency&, std::span<const Index>, std::int16_t*, Control&);
template void distances(const Adjacency&, std::span<const Index>, std::int32_t*, Control&);
template void distances(const Adjacency&, std::span<const Index>, std::int64_t*, Control&);

}  // namespace meiro
