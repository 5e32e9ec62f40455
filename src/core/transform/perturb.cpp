// Perturbing a perfect maze: n times a uniform passage is closed, and of the walls between the two
// parts that it leaves a uniform one is opened, perhaps the same.
//   T. Feder, M. Mihail, Balanced matroids, STOC (1992) 26. doi:10.1145/129712.129716
//
// This is the bases-exchange walk on the spanning trees: its stationary law is uniform, and it
// mixes after O(n log n) exchanges.
//   N. Anari, K. Liu, S. Oveis Gharan, C. Vinzant, Log-concave polynomials II, STOC (2019) 1.
//   doi:10.1145/3313276.3316385
//
// In the plane the walls between the two parts are the cycle that the closed passage closes in the
// tree of walls: wall_tree.hpp. Time: linear, and a few ns for each wall of the cycles.
//
// On periodic lattices the two parts are flooded side by side, a cell each in turn, until the
// smaller is known: the walls to be opened are those around it. Time: linear, and a few ns for each
// cell of the smaller parts.
//
// Scratch: 4 bytes per passage and 9 per cell (8 and 17 from 2^31 cells on).
#include "regions.hpp"
#include "wall_tree.hpp"

namespace meiro {
namespace {

// The two parts, flooded.
template <class Id>
class Parts {
public:
    Parts(const PeriodicPassages& maze, Control& control)
        : maze_(maze), control_(control), side_(maze.size(), true) {}

    Index exchange(Index passage, Random& random) {
        const Index cell = passage >> 1;
        shut(cell, side_of(passage));
        return joined(passage, smaller(cell, side_of(passage)), random);
    }

private:
    void shut(Index cell, Direction d) {
        maze_.bytes()[cell] &= static_cast<std::uint8_t>(~bit(d));
        maze_.bytes()[maze_.next(cell, d)] &= static_cast<std::uint8_t>(~bit(opposite(d)));
    }

    // The side, 0 or 1, that is flooded first; its cells are those in its queue.
    std::size_t smaller(Index cell, Direction d) {
        const std::array<Index, 2> begin{cell, maze_.next(cell, d)};
        for (std::size_t k = 0; k < 2; ++k) {
            queues_[k].clear();
            reach(begin[k], k);
        }
        for (Index head = 0;; ++head, control_.poll(8))
            for (std::size_t k = 0; k < 2; ++k) {
                if (head == queues_[k].size()) return k;
                const auto at = static_cast<Index>(queues_[k][head]);
                for (unsigned open = maze_.bytes()[at] & 15u; open != 0; open &= open - 1) {
                    const auto way = static_cast<Direction>(std::countr_zero(open));
                    const Index to = maze_.next(at, way);
                    if (side_[to] == 0) reach(to, k);
                }
            }
    }
    void reach(Index cell, std::size_t k) {
        side_[cell] = static_cast<std::uint8_t>(k + 1);
        queues_[k].push(static_cast<Id>(cell));
    }

    // Opens a uniform wall around a side, else `wall` itself, and returns the number of what it
    // opened.
    Index joined(Index wall, std::size_t k, Random& random) {
        Index chosen = wall, count = 0;
        const auto own = static_cast<std::uint8_t>(k + 1);
        for (const Id id : queues_[k]) {
            const auto cell = static_cast<Index>(id);
            for (unsigned free = maze_.free(cell); free != 0; free &= free - 1) {
                const auto d = static_cast<Direction>(std::countr_zero(free));
                const Index to = maze_.next(cell, d);
                if (side_[to] == own || random.below(++count) != 0) continue;
                chosen = d == Direction::east || d == Direction::south ? number(cell, d)
                                                                       : number(to, opposite(d));
            }
            control_.poll(8);
        }
        for (const auto& queue : queues_)
            for (const Id id : queue) {
                side_[static_cast<Index>(id)] = 0;
                control_.poll();
            }
        maze_.open(chosen >> 1, side_of(chosen));
        return chosen;
    }
    static Index number(Index cell, Direction d) {
        return 2 * cell + (d == Direction::south ? 1 : 0);
    }

    const PeriodicPassages maze_;
    Control& control_;
    Buffer<std::uint8_t> side_;  // of a cell: 0, or 1 + the number of its queue
    std::array<Stack<Id>, 2> queues_;
};

template <class Id, class Cut>
void exchanges(const Passages& maze, const Seed& seed, Index n, Cut cut, Control& control) {
    Random random = transform_random(seed, TransformLane::perturb);
    Stack<Id> passages;
    each_wall(maze, control, open_walls,
              [&](Index wall, Index, Direction) { passages.push(static_cast<Id>(wall)); });
    if (passages.empty()) return;
    for (; n > 0; --n) {
        Id& passage = passages[random.below(passages.size())];
        passage = static_cast<Id>(cut.exchange(static_cast<Index>(passage), random));
        control.poll(16);
    }
}

}  // namespace

void perturb(const Passages& maze, const Seed& seed, Index n, Control& control) {
    with_wall_numbers(maze, [&]<class Id>(Id) {
        if (maze.wrap().any())
            exchanges<Id>(maze, seed, n, Parts<Id>(PeriodicPassages(maze), control), control);
        else
            exchanges<Id>(maze, seed, n, WallTree<Id>(maze, control), control);
    });
}

}  // namespace meiro
