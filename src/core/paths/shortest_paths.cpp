// The number of shortest paths, and their list: count_paths, PathList and GraphPathList.
//
// The moves that descend from the start are followed level by level; the number of a place is the
// sum of those of its predecessors, as in Pascal's triangle on an open array:
//
//   1 1 1
//   1 2 3
//   1 3 6
//
// Which moves descend squares know (see policy.cpp), and a graph sees from the distances. Only the
// numbers of two levels are kept. All numbers of a level have one width, which grows before a sum
// could overflow. Time: linear in the passages between the places on the paths, times the width.
// Invariant: slot[place] is the position of a place in its level.
#include <bit>

#include "../graph/paths/graph_paths.hpp"
#include "../solve/bfs_levels.hpp"
#include "path_counts.hpp"
#include "path_queries.hpp"

namespace meiro {
namespace {

// The moves that descend, and which places are known to be on a path.
struct SquareWays {
    std::uint8_t* marks;
    auto moves(const auto& places, Index at) const {
        return places.moves_in(at, (marks[at] & Descent::moves) * 0x11u);
    }
    static bool descends(Index, Index) { return true; }
    bool on_path(Index at) const { return (marks[at] & Descent::on_path) != 0; }
    void add(Index at) const { marks[at] |= Descent::on_path; }
};

struct GraphWays {
    const GraphId* distance;
    std::uint8_t* known;
    static auto moves(const GraphPlaces& places, Index at) { return places.moves(at); }
    bool descends(Index to, Index left) const { return distance[to] == left; }
    bool on_path(Index at) const { return known[at] != 0; }
    void add(Index at) const { known[at] = 1; }
};

// At most 2^spare moves lead to a place.
template <Places P, class Ways>
Buffer<Limb> count(const P places, Ways ways, Index start, Index length, int spare,
                   Control& control) {
    using Entry = typename P::Entry;
    Buffer<Entry> slots(places.size());
    Entry* const slot = slots.data();
    Levels<Entry> levels;  // of places alone
    PathCounts numbers(spare);
    levels.push(static_cast<Entry>(start));
    slot[start] = 0;
    ways.add(start);
    for (Index left = length - 1; left >= 0; --left) {
        levels.advance();
        const Index limbs = numbers.limbs();
        Index filled = 0;
        Limb top = 0;
        for (Index first = 0; first < levels.size();) {
            const LevelPart part = places.part(levels.now(), first, levels.size(),
                                               std::max<Index>(1, poll_chunk / limbs));
            control.poll(part.steps * limbs);
            const Limb* const from = numbers.now();
            Limb* const to_fill = numbers.next(filled + part.neighbours);
            const Entry* const level = levels.now();
            const Index before = filled;
            Entry* const next = levels.room_for(part.neighbours) - before;
            for (; first < part.end; ++first) {
                const auto at = static_cast<Index>(level[first]);
                const Limb* const number = from + first * limbs;
                for (const auto move : ways.moves(places, at)) {
                    const Index to = places.to(at, move);
                    if (!ways.descends(to, left)) continue;
                    if (!ways.on_path(to)) {
                        ways.add(to);
                        slot[to] = static_cast<Entry>(filled);
                        next[filled] = static_cast<Entry>(to);
                        top |= copy_limbs(to_fill + filled++ * limbs, number, limbs);
                    } else if (static_cast<Index>(slot[to]) < filled) {  // always, if symmetric
                        top |= add_limbs(to_fill + static_cast<Index>(slot[to]) * limbs, number,
                                         limbs);
                    }
                }
            }
            levels.filled(filled - before);
        }
        numbers.advance(filled, top, control);
    }
    levels.advance();
    // Sums over the nearest goals.
    const Index limbs = numbers.limbs();
    Buffer<Limb> sum(limbs + 1, true), one(limbs + 1, true);
    for (Index i = 0; i < levels.size(); ++i) {
        copy_limbs(one.data(), numbers.now() + i * limbs, limbs);
        add_limbs(sum.data(), one.data(), limbs + 1);
        control.poll(limbs);
    }
    return sum;
}

}  // namespace

Buffer<Limb> count_paths(const Adjacency& adjacency, Descent& descent, Index start,
                         Control& control) {
    std::uint8_t* const marks = descent.marks.data();
    Buffer<Limb> sum = with_places(adjacency, [&](const auto& places) {
        return count(places, SquareWays{marks}, start, descent.length, 2, control);
    });
    by_pieces(adjacency.size(), control, [=](Index first, Index last) {
        for (Index i = first; i < last; ++i) marks[i] = (marks[i] & Descent::on_path) != 0 ? 1 : 0;
    });
    return sum;
}

Buffer<Limb> count_paths(const OpenGraph& graph, const GraphId* distance, Index start,
                         std::uint8_t* on_path, Control& control) {
    Index most = 1;  // degree
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        most = std::max(most, graph.degree(cell));
        control.poll();
    }
    const auto spare = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most)));
    return count(GraphPlaces(graph), GraphWays{distance, on_path}, start, distance[start], spare,
                 control);
}

bool PathList::next(const Adjacency& adjacency, Control& control) {
    const auto step = adjacency.offsets();
    const Index length = steps_.size();
    if (ended_) return false;
    const auto take = [&](Index i, unsigned moves) {
        const unsigned d = first_move(moves);
        steps_[i] = static_cast<std::uint8_t>(d);
        at_ += step[d];
    };
    constexpr Index chunk = Index{1} << 10;
    Index i = 0;
    if (begun_) {  // back to the last site with another move
        unsigned others = 0;
        for (i = length; i > 0 && others == 0;) {
            if (i % chunk == 0) control.poll(chunk * 4);
            const unsigned d = steps_[--i], later = 0x0eu << (d & 3) & 15u;
            at_ -= step[d];
            others = descent_.down(adjacency, at_) & later * 0x11u;
        }
        ended_ = others == 0;
        if (ended_) return false;
        take(i++, others);
    }
    begun_ = true;
    for (; i < length; ++i) {
        if (i % chunk == 0) control.poll(chunk * 4);
        take(i, descent_.down(adjacency, at_));
    }
    return true;
}

bool GraphPathList::next(Control& control) {
    if (ended_) return false;
    const Index length = slots_.size();
    // The first slot of a cell from `slot` on that leads one step nearer; -1: none.
    const auto nearer = [&](Index cell, GraphId slot) {
        const GraphId end = graph_.first()[cell + 1];
        for (; slot < end; ++slot) {
            control.poll();
            if (distance_[graph_.to()[slot]] == distance_[cell] - 1) return slot;
        }
        return GraphId{-1};
    };
    const auto take = [&](Index i, GraphId slot) {
        slots_[i] = slot;
        at_ = graph_.to()[slot];
    };
    Index i = 0;
    if (begun_) {  // back to the last cell with another passage
        GraphId other = -1;
        for (i = length; i > 0 && other < 0;) {
            const GraphId slot = slots_[--i];
            at_ = graph_.origin(slot, at_);
            other = nearer(at_, slot + 1);
        }
        ended_ = other < 0;
        if (ended_) return false;
        take(i++, other);
    }
    begun_ = true;
    for (; i < length; ++i) take(i, nearer(at_, graph_.first()[at_]));
    return true;
}

}  // namespace meiro
