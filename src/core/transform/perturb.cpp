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
// On periodic lattices the two parts are flooded: exchange.hpp. Time: linear, and a few ns for each
// cell of the smaller parts.
//
// Scratch: 4 bytes per passage and 9 per cell (8 and 17 from 2^31 cells on).
#include "exchange.hpp"
#include "regions.hpp"
#include "wall_tree.hpp"

namespace meiro {
namespace {

// What exchange.hpp asks of a periodic maze: an edge is a wall, numbered as in regions.hpp.
template <class Word>
class PeriodicTree {
public:
    using Id = Word;
    explicit PeriodicTree(const PeriodicPassages& maze) : maze_(maze) {}

    Index cells() const { return maze_.size(); }
    std::array<Index, 2> ends(Index wall) const {
        return {wall >> 1, maze_.next(wall >> 1, side_of(wall))};
    }
    void open(Index wall) { maze_.open(wall >> 1, side_of(wall)); }
    void close(Index wall) {
        const Direction d = side_of(wall);
        maze_.bytes()[wall >> 1] &= static_cast<std::uint8_t>(~bit(d));
        maze_.bytes()[ends(wall)[1]] &= static_cast<std::uint8_t>(~bit(opposite(d)));
    }

    template <class Body>
    void each_open(Index cell, Body body) const {
        each(cell, maze_.bytes()[cell] & 15u, [&](Index to, Direction) { body(to); });
    }
    template <class Body>
    void each_side(Index cell, Body body) const {
        each(cell, maze_.free(cell), body);
    }
    static Index edge(Index cell, Index to, Direction d) {
        const bool own = d == Direction::east || d == Direction::south;
        const Direction side = own ? d : opposite(d);
        return 2 * (own ? cell : to) + (side == Direction::south ? 1 : 0);
    }

private:
    template <class Body>
    void each(Index cell, unsigned sides, Body body) const {
        for (; sides != 0; sides &= sides - 1) {
            const auto d = static_cast<Direction>(std::countr_zero(sides));
            body(maze_.next(cell, d), d);
        }
    }
    const PeriodicPassages maze_;
};

template <class Id, class Cut>
void exchange_walls(const Passages& maze, const Seed& seed, Index n, Cut cut, Control& control) {
    Stack<Id> passages;
    each_wall(maze, control, open_walls,
              [&](Index wall, Index, Direction) { passages.push(static_cast<Id>(wall)); });
    exchanges(passages, cut, seed, n, control);
}

}  // namespace

void perturb(const Passages& maze, const Seed& seed, Index n, Control& control) {
    with_wall_numbers(maze, [&]<class Id>(Id) {
        if (maze.wrap().any())
            exchange_walls<Id>(maze, seed, n,
                               Parts(PeriodicTree<Id>(PeriodicPassages(maze)), control), control);
        else
            exchange_walls<Id>(maze, seed, n, WallTree<Id>(maze, control), control);
    });
}

}  // namespace meiro
