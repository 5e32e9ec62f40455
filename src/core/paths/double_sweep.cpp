// The double sweep: a cell farthest from any cell of a tree is an end of a longest path, so a cell
// farthest from that one is the other end. This also holds for paths between chosen cells.
//   C. Magnien, M. Latapy, M. Habib, ACM J. Exp. Algorithmics 13 (2009) 10.
//   doi:10.1145/1412228.1455266 (on other graphs a lower bound, and a good one)
//
// Each component is swept twice, breadth first; the longest pair of all components is returned.
// Time: linear. Scratch: a byte per cell and two levels.
#include "double_sweep.hpp"

#include "tagged_sweeps.hpp"

namespace meiro {

template <class Maze>
Pair farthest(const Maze& maze, const std::uint8_t* among, Control& control) {
    return with_places(maze, [&]<class P>(const P& places) {
        TaggedSweeps<P> sweeps(places, control);
        const auto chosen = [among](Index cell) { return among == nullptr || among[cell] != 0; };
        // The chosen cell farthest from `start`; length -1 if no path leads to one.
        const auto sweep = [&](Index start) {
            Pair found{start, start, -1};
            Index distance = 0;
            sweeps.run(start, [&](const auto& level) {
                for (Index i = among == nullptr ? level.size() - 1 : 0; i < level.size(); ++i)
                    if (const Index cell = P::place(level.now()[i]); chosen(cell)) {
                        found.second = cell;
                        found.length = distance;
                    }
                ++distance;
            });
            return found;
        };
        Pair best;
        by_each(places.size(), control, [&](Index start) {
            if (sweeps.seen(start) || (on_graph<P> && !chosen(start))) return;
            const Pair once = sweep(start);
            if (once.length < 0) return;
            const Pair twice = sweep(once.second);
            if (twice.length > best.length) best = twice;
        });
        return best;
    });
}

template Pair farthest(const Adjacency&, const std::uint8_t*, Control&);
template Pair farthest(const OpenGraph&, const std::uint8_t*, Control&);

template <class Maze>
void count_far(const Maze& maze, const std::uint8_t* among, Index least, Index* counts,
               Control& control) {
    with_places(maze, [&]<class P>(const P& places) {
        TaggedSweeps<P> sweeps(places, control);
        for (Index source = 0; source < places.size(); ++source) {
            control.poll();
            Index steps = 0, far = 0;
            if (among[source] != 0)
                sweeps.run(source, [&](const auto& level) {
                    for (Index i = 0; steps >= least && i < level.size(); ++i)
                        far += among[P::place(level.now()[i])];
                    ++steps;
                });
            counts[source] = far;
        }
    });
}

template void count_far(const Adjacency&, const std::uint8_t*, Index, Index*, Control&);
template void count_far(const OpenGraph&, const std::uint8_t*, Index, Index*, Control&);

}  // namespace meiro
