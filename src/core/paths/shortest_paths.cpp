// The number of shortest paths, and their list: count_paths and PathList.
//
// The moves that descend from the start are followed level by level; the number of a place is the
// sum of those of its predecessors, as in Pascal's triangle on an open array:
//
//   1 1 1
//   1 2 3
//   1 3 6
//
// Only the numbers of two levels are kept. All numbers of a level have one width, which grows
// before a sum could overflow. Time: linear in the passages between the places on the paths, times
// the width. Invariant: slot[place] is the position of a place in its level.
#include <bit>

#include "../solve/bfs_levels.hpp"
#include "path_counts.hpp"
#include "path_queries.hpp"

namespace meiro {
namespace {

// At most 2^spare moves lead to a place: of four in squares.
int spare_bits(const Adjacency&, Control&) {
    return 2;
}
int spare_bits(const OpenGraph& graph, Control& control) {
    Index most = 1;  // degree
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        most = std::max(most, graph.degree(cell));
        control.poll();
    }
    return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most)));
}

template <Places P, class Descent>
Buffer<Limb> count(const P places, Descent& descent, Index start, int spare, Control& control) {
    using Entry = typename P::Entry;
    Buffer<Entry> slots(places.size());
    Entry* const slot = slots.data();
    std::uint8_t* const marks = descent.marks.data();
    Levels<Entry> levels;  // of places alone
    PathCounts numbers(spare);
    levels.push(static_cast<Entry>(start));
    slot[start] = 0;
    marks[start] |= Descent::on_path;
    for (Index left = descent.length; left > 0; --left) {
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
                for (const auto move : descent.some_moves(places, at)) {
                    const Index to = places.to(at, move);
                    if (!descent.nearer(to, at)) continue;
                    if ((marks[to] & Descent::on_path) == 0) {
                        marks[to] |= Descent::on_path;
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

template <class Maze>
Buffer<Limb> count_paths(const Maze& maze, DescentOf<Maze>& descent, Index start,
                         Control& control) {
    const int spare = spare_bits(maze, control);
    Buffer<Limb> sum = with_places(
        maze, [&](const auto& places) { return count(places, descent, start, spare, control); });
    std::uint8_t* const marks = descent.marks.data();
    by_each(descent.marks.size(), control,
            [=](Index i) { marks[i] = (marks[i] & WaysDown::on_path) != 0 ? 1 : 0; });
    return sum;
}

template <class Descent>
template <class Maze>
bool PathList<Descent>::next(const Maze& maze, Control& control) {
    if (ended_) return false;
    return with_places(maze, [&](const auto& places) {
        // Takes the first move down from at_, or the next one after another; false: there is none.
        const auto take = [&](Index i, const Step* after) {
            for (const auto move : descent_.some_moves(places, at_)) {
                control.poll();
                const Index to = places.to(at_, move);
                if (after != nullptr) {
                    if (static_cast<Step>(move) == *after) after = nullptr;
                } else if (descent_.nearer(to, at_)) {
                    steps_[i] = static_cast<Step>(move);
                    at_ = to;
                    return true;
                }
            }
            return false;
        };
        Index i = 0;
        if (begun_) {  // back to the last place with another move
            ended_ = true;
            for (i = steps_.size(); i > 0 && ended_;) {
                const Step last = steps_[--i];
                at_ = places.from(at_, last);
                ended_ = !take(i, &last);
            }
            if (ended_) return false;
            ++i;
        }
        begun_ = true;
        for (; i < steps_.size(); ++i)
            if (!take(i, nullptr)) throw std::invalid_argument("the adjacency is not symmetric");
        return true;
    });
}

template Buffer<Limb> count_paths(const Adjacency&, Descent&, Index, Control&);
template Buffer<Limb> count_paths(const OpenGraph&, GraphDescent&, Index, Control&);
template bool PathList<Descent>::next(const Adjacency&, Control&);
template bool PathList<GraphDescent>::next(const OpenGraph&, Control&);

}  // namespace meiro
