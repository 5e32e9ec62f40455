// Breadth-first search: bfs and distances.
//   E. F. Moore, The shortest path through a maze, Proc. Int. Symp. Theory of Switching (1959) 285.
//
// The flood keeps a byte per site and two levels instead of a queue of all sites. Sites are reached
// in the order of a queue that looks at the directions in the given order; this order decides which
// of several shortest paths is found. Time: linear in the sites reached. Scratch: a byte per site,
// and the levels: a few hundred sites in most mazes, at worst half of all sites; of graphs the rows
// of open edges, and 8 bytes a cell. Invariant: all sites of a level have the same distance, and
// each was added once.
#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "../graph/flood.hpp"
#include "../huge_pages.hpp"
#include "bfs_levels.hpp"
#include "shared_flood.hpp"
#include "solvers.hpp"

namespace meiro {
namespace {

// Expands levels until a goal is found, nothing is left, or large levels of more than `most_wide`
// sites in all were expanded.
template <class Id, bool ordered, Recorder R>
void expand_levels(Search& search, SearchResult& result, const OrderedNeighbours& neighbours,
                   R& record, Levels<Id>& frontiers, Index& distance, Index most_wide) {
    const SquarePlaces<Id> places(search.adjacency, neighbours);
    SearchEvents<Search, R> events(search, record);
    std::uint8_t* const reached = result.reached.data();
    Index* const order = result.order.data();
    Index explored = result.explored, wide = 0;
    for (; frontiers.size() > 0 && !result.found; frontiers.advance()) {
        if (frontiers.size() >= shared_level) [[unlikely]]
            if ((wide += frontiers.size()) > most_wide) break;
        ++distance;
        search.control.done(frontiers.size());
        frontiers.spread(places, search.control, [&](Index to, unsigned d) {
            const std::uint8_t before = reached[to];
            if ((before & reached_mask) != 0) return Take::skip;
            reached[to] = SquareMarks::of(d);
            if (ordered) order[to] = explored;
            ++explored;
            places.fetch_ahead(to, d, reached);
            events.entered(Event::visit, to, d);
            if (before == 0) [[likely]]
                return Take::add;
            result.goal = to;
            result.found = true;
            return Take::stop;
        });
    }
    result.explored = explored;
}

template <class Id, bool ordered, Recorder R>
SearchResult flood(Search& search, SearchResult&& begun, const OrderedNeighbours& neighbours,
                   R& record) {
    SearchResult result = std::move(begun);
    Levels<Id> frontiers;
    frontiers.start(search.start);
    frontiers.advance();
    Index distance = 0;
    const auto expand = [&](Index most_wide) {
        expand_levels<Id, ordered>(search, result, neighbours, record, frontiers, distance,
                                   most_wide);
    };
    bool shares = false;
    if constexpr (!ordered && std::is_same_v<R, NoTrace>) shares = SharedFlood<Id>::fits(search);
    if (shares) {
        SharedFlood<Id> shared(search, result, neighbours);
        for (expand(before_sharing); frontiers.size() > 0 && !result.found; expand(before_sharing))
            shared.run(frontiers, distance);
        shared.finish();
    } else {
        expand(std::numeric_limits<Index>::max());
    }
    return finished(search, std::move(result), record, distance);
}

// On graphs. The cells reached are the queue; ties go to the cell reached first, then to the edge
// with the lower number. A cell keeps by which it was reached, not by which slot: so the way back
// takes one access a cell, where by slots it takes three, each of which waits for the one before.
template <bool ordered, Recorder R>
void search_flood(GraphSearch& search, GraphSearchResult& result, R& record) {
    constexpr bool plain = !ordered && std::is_same_v<R, NoTrace>;
    GraphId* const by = result.reached.data();
    const Index known = result.explored;  // those filled, and the start
    const GraphPlaces places = search.places();
    Reach reach(search, places, result, record);
    Buffer<GraphId> queue(search.graph.cells() + 1);
    prefer_huge_pages(queue);
    queue[0] = static_cast<GraphId>(search.start);
    bool found = false;
    const auto free = [&](GraphId mark) { return GraphMarks::is_free(mark) && !found; };
    const auto enter = [](Index cell) { return static_cast<GraphId>(cell); };
    const auto take = [&](GraphId cell, GraphId slot, GraphId next) {
        const GraphId before = by[next];
        GraphId fresh = 1;
        if constexpr (plain) fresh = (GraphMarks::is_free(before) ? 1 : 0) & (found ? 0 : 1);
        if (before == GraphMarks::goal && fresh != 0) [[unlikely]] {
            found = true;
            result.goal = next;
        }
        if constexpr (!plain) reach(next, slot);
        by[next] = before ^ ((before ^ cell) & -fresh);
        return fresh;
    };
    const Index end =
        flood<!plain>(search.graph, by, queue.data(), 1, found, search.control, free, enter, take);
    result.explored = known + end - 1;
}

// The path of the flood: the cells, and then the first edge between each two of them.
void trace_cells(const GraphSearch& search, GraphSearchResult& result) {
    const GraphId* const by = result.reached.data();
    Stack<GraphId> cells;
    for (auto at = static_cast<GraphId>(result.goal); at != search.start; at = by[at]) {
        cells.push(at);
        search.control.poll();
    }
    result.steps = Buffer<GraphId>(cells.size());
    for (Index i = 0; i < cells.size(); ++i) {
        const GraphId to = cells[cells.size() - 1 - i];
        GraphId slot = search.graph.first()[by[to]];
        while (search.graph.to()[slot] != to) ++slot;
        result.steps[i] = search.graph.via()[slot];
        search.control.poll(4);
    }
}

template <class Id, class T>
void measure(const Adjacency& adjacency, std::span<const Index> sources, T* out, Control& control,
             int threads) {
    const Index size = adjacency.size();
    Buffer<std::uint8_t> seen(size, true);
    std::uint8_t* const reached = seen.data();
    prefer_huge_pages(seen);
    Levels<Id> frontiers;
    for (const Index source : sources)
        if (reached[source] == 0) {
            reached[source] = 1;
            out[source] = 0;
            frontiers.start(source);
        }
    // Writes the distance of the sites that this part of a level reaches. Of two threads that find
    // a site at the same moment both write the same, and both add it to the next level: that costs
    // time, and it is not added again unless they meet at its neighbours, too.
    const auto expand = [step = adjacency.offsets(), open = adjacency.open(), reached, out,
                         &neighbours = default_neighbours(adjacency)]<bool shared>(
                            const Id* now, Index sites, Index distance, Levels<Id>& found,
                            Control& own, std::bool_constant<shared>) {
        const bool fits = distance <= static_cast<Index>(std::numeric_limits<T>::max());
        const auto value = static_cast<T>(fits ? distance : 0);
        for (Index first = 0; first < sites; first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, sites);
            own.poll(last - first);
            Id* const next = found.next(last - first);
            Index filled = 0;
            for (Index i = first; i < last; ++i) {
                const auto at = static_cast<Index>(now[i] >> move_bits);
                auto moves = neighbours[open[at] & without_reverse[now[i] & 15]];
                for (unsigned d; (d = moves & 15) != no_move; moves >>= 4) {
                    const Index to = at + step[d];
                    if (load<shared>(reached + to) != 0) continue;
                    store<shared>(reached + to, std::uint8_t{1});
                    store<shared>(out + to, value);
                    fetch_ahead(open, reached, to, step[d]);
                    next[filled++] = static_cast<Id>(to << move_bits | d);
                }
            }
            if (!fits && filled > 0)
                throw std::overflow_error("a distance of " + std::to_string(distance));
            found.filled(filled);
        }
    };
    Index distance = 0, explored = 0, wide = 0;
    const auto begin = [&](Index sites, Control& own) {
        ++distance;
        explored += sites;
        own.done(sites);
        return true;
    };
    const auto clear = [&](int by) {
        by_each(size, control, by,
                [=](Index i) { out[i] = reached[i] != 0 ? out[i] : static_cast<T>(-1); });
    };
    bool cleared = false;
    for (frontiers.advance(); frontiers.size() > 0; frontiers.advance()) {
        wide = frontiers.size() < shared_level ? 0 : wide + frontiers.size();
        if (threads > 1 && wide > before_sharing) {
            wide = 0;
            // Before the many sites are reached, so that all threads touch fresh memory.
            if (!cleared) clear(threads);
            cleared = true;
            // A copy: the loop below keeps its own in registers.
            const auto part = [copy = expand, &distance](SharedPart<Id> level, Levels<Id>& found,
                                                         Control& own) {
                copy(level.sites, level.size, distance, found, own, std::true_type());
            };
            const auto all = [](Id, unsigned) { return true; };
            SharedLevels<Id>(threads, adjacency.shape()).run(frontiers, control, begin, part, all);
        }
        begin(frontiers.size(), control);
        expand(frontiers.now(), frontiers.size(), distance, frontiers, control, std::false_type());
    }
    if (!cleared && explored < size) clear(1);
}

}  // namespace

template <Recorder R>
SearchResult bfs_from(Search& search, SearchResult&& begun, R& record) {
    std::optional<OrderedNeighbours> given;  // which takes as long as a small maze
    if (search.options.directions != directions)
        given.emplace(search.options.directions, search.adjacency.moves());
    const OrderedNeighbours& neighbours = given ? *given : default_neighbours(search.adjacency);
    // Traces and orders, which take longer, have wide entries only.
    if (search.options.order)
        return flood<Index, true>(search, std::move(begun), neighbours, record);
    if constexpr (std::is_same_v<R, NoTrace>)
        if (fits_32_bits(search.adjacency))
            return flood<std::uint32_t, false>(search, std::move(begun), neighbours, record);
    return flood<Index, false>(search, std::move(begun), neighbours, record);
}

template <Recorder R>
GraphSearchResult bfs_from(GraphSearch& search, GraphSearchResult&& begun, R& record) {
    GraphSearchResult result = std::move(begun);
    if (result.goal < 0) {
        if (search.options.order)
            search_flood<true>(search, result, record);
        else
            search_flood<false>(search, result, record);
    }
    return finished_by(trace_cells, search, std::move(result), record);
}

template <class T>
void distances(const Adjacency& adjacency, std::span<const Index> sources, T* out, Control& control,
               int threads) {
    if constexpr (sizeof(T) >= sizeof(std::int32_t))  // distances are int32 unless `out` is given
        if (fits_32_bits(adjacency))
            return measure<std::uint32_t>(adjacency, sources, out, control, threads);
    measure<Index>(adjacency, sources, out, control, threads);
}

template SearchResult bfs_from(Search&, SearchResult&&, NoTrace&);
template SearchResult bfs_from(Search&, SearchResult&&, Trace&);
template GraphSearchResult bfs_from(GraphSearch&, GraphSearchResult&&, NoTrace&);
template GraphSearchResult bfs_from(GraphSearch&, GraphSearchResult&&, Trace&);
template void distances(const Adjacency&, std::span<const Index>, std::int8_t*, Control&, int);
template void distances(const Adjacency&, std::span<const Index>, std::int16_t*, Control&, int);
template void distances(const Adjacency&, std::span<const Index>, std::int32_t*, Control&, int);
template void distances(const Adjacency&, std::span<const Index>, std::int64_t*, Control&, int);

constexpr SolverRuns bfs =
    on_squares_and_graphs([]<AnySearch S>(S& search, auto& record) -> typename S::Result {
        if constexpr (std::is_same_v<S, Search>)
            if (search.options.turn_cost > 0) return fewest_steps_and_turns(search, record);
        return bfs_from(search, at_start(search, record), record);
    });

}  // namespace meiro
