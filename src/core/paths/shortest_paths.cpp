// The number of shortest paths, and their list: count_paths and PathList.
//
// The moves that descend from the start (see policy.cpp) are followed level by level; the number of
// a site is the sum of those of its predecessors, as in Pascal's triangle on an open array:
//
//   1 1 1
//   1 2 3
//   1 3 6
//
// Only the numbers of two levels are kept. All numbers of a level have one width, which grows
// before a sum of four could overflow. Time: linear in the sites on the paths, times the width.
// Invariant: slot[site] is the position of a site in its level.
#include "../solve/bfs_levels.hpp"
#include "path_counts.hpp"
#include "path_queries.hpp"

namespace meiro {
namespace {

template <class Id>
Buffer<Limb> count(const Adjacency& adjacency, Descent& descent, Index start, Control& control) {
    const auto step = adjacency.offsets();
    const std::uint8_t* const open = adjacency.open();
    const OrderedNeighbours& neighbours = default_neighbours(adjacency);
    std::uint8_t* const marks = descent.marks.data();
    Buffer<Id> slots(adjacency.size()), level(1), next(4);
    Id* const slot = slots.data();
    PathCounts numbers(2);
    Index size = 1;
    level[0] = static_cast<Id>(start);
    slot[start] = 0;
    marks[start] |= Descent::on_path;
    for (Index left = descent.length; left > 0; --left) {
        const Index limbs = numbers.limbs(), chunk = std::max<Index>(1, 4096 / limbs);
        Index filled = 0;
        Limb top = 0;
        for (Index first = 0; first < size; first += chunk) {
            const Index last = std::min(first + chunk, size), most = filled + 4 * (last - first);
            control.poll((last - first) * limbs);
            if (most > next.size()) next.grow(next.size() * 2 + most);
            const Limb* const from = numbers.now();
            Limb* const to_fill = numbers.next(most);
            const Id* const sites = level.data();
            Id* const new_sites = next.data();
            for (Index i = first; i < last; ++i) {
                const auto at = static_cast<Index>(sites[i]);
                auto moves = neighbours[(marks[at] & Descent::moves) * 0x11u & open[at]];
                for (unsigned d; (d = moves & 15) != no_move; moves >>= 4) {
                    const Index to = at + step[d];
                    if ((marks[to] & Descent::on_path) == 0) {
                        marks[to] |= Descent::on_path;
                        slot[to] = static_cast<Id>(filled);
                        new_sites[filled] = static_cast<Id>(to);
                        top |= copy_limbs(to_fill + filled++ * limbs, from + i * limbs, limbs);
                    } else if (static_cast<Index>(slot[to]) < filled) {  // always, if symmetric
                        top |= add_limbs(to_fill + static_cast<Index>(slot[to]) * limbs,
                                         from + i * limbs, limbs);
                    }
                }
            }
        }
        std::swap(level, next);
        size = filled;
        numbers.advance(size, top, control);
    }
    // Sums over the nearest goals.
    const Index limbs = numbers.limbs();
    Buffer<Limb> sum(limbs + 1, true), one(limbs + 1, true);
    for (Index i = 0; i < size; ++i) {
        copy_limbs(one.data(), numbers.now() + i * limbs, limbs);
        add_limbs(sum.data(), one.data(), limbs + 1);
        control.poll(limbs);
    }
    by_pieces(adjacency.size(), control, [=](Index first, Index last) {
        for (Index i = first; i < last; ++i) marks[i] = (marks[i] & Descent::on_path) != 0 ? 1 : 0;
    });
    return sum;
}

}  // namespace

Buffer<Limb> count_paths(const Adjacency& adjacency, Descent& descent, Index start,
                         Control& control) {
    return fits_32_bits(adjacency) ? count<std::uint32_t>(adjacency, descent, start, control)
                                   : count<Index>(adjacency, descent, start, control);
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

}  // namespace meiro
