// Does a wall belong to the minimal spanning forest of the plane? It does unless its two cells are
// connected by lighter walls. Then these surround one end of the wall; otherwise heavier walls
// surround one of its cells:
//
//     +---+---+---+                            +---+---+---+
//     |         *     a, b: the cells;         |     a     |     heavier walls are drawn,
//     +   +   + * +   *: a way round from      +---+***+---+     *: the wall
//     | a   b   *     a to b                   |     b
//
// A walk from a with its left hand on the wall comes back to the wall: on the side of b if both are
// connected, else on the side of a. So does one from b. Two walks at a time, a step each: the first
// one that is back decides, and as the plane is cut by what surrounds an end or a cell, one of them
// is back with probability 1:
//   R. Lyons, Y. Peres, O. Schramm, Minimal spanning forests, Ann. Probab. 34 (2006) 1665.
//   doi:10.1214/009117906000000269
// Nothing is remembered but the last weights. Both are still under way at a distance r with a
// probability of about r^-2, and have then taken about r^(7/4) steps: their number has a tail of
// about steps^(-8/7), so no bound holds everywhere. (Floods from both cells take r^1.9 steps.)
#pragma once

#include <compare>

#include "../../buffer.hpp"
#include "../../control.hpp"
#include "field.hpp"

namespace meiro::endless {

// A wall of the plane: to the east or to the south of a cell.
struct PlaneWall {
    std::uint64_t weight;
    bool south;
    Cell cell;
    // The order of Kruskal: ties go to vertical walls, then row by row.
    friend auto operator<=>(const PlaneWall& a, const PlaneWall& b) {
        if (a.weight != b.weight) return a.weight <=> b.weight;
        if (a.south != b.south) return static_cast<int>(a.south) <=> static_cast<int>(b.south);
        return a.cell.row != b.cell.row ? a.cell.row <=> b.cell.row : a.cell.col <=> b.cell.col;
    }
};

template <class W>
class Contours {
public:
    explicit Contours(const W& weights) : weights_(weights) {
        for (Known& place : known_) place.row = none;
    }

    bool opens(const PlaneWall& wall, Control& control) {
        wall_ = wall;
        high_ = high(wall.weight);
        const Direction to = wall_.south ? Direction::south : Direction::east;
        Walk walks[] = {{wall_.cell, right_of(to)}, {next(wall_.cell, to), right_of(opposite(to))}};
        const Cell from[] = {walks[0].at, walks[1].at};
        for (;;) {
            for (Index k = 0; k < poll_chunk; ++k)
                for (int w = 0; w < 2; ++w)
                    if (step(walks[w])) return walks[w].at == from[w];
            control.poll(8 * poll_chunk);
        }
    }

private:
    // The last blocks of weights, in a torus of 64 x 64 cells: the high halves of those of the
    // walls to the east and south of two cells. Where there is no wall: `absent`.
    static constexpr std::uint64_t rows = 64, blocks = 32;
    static constexpr Index none = Index{-1} << 63;
    static constexpr std::uint32_t absent = 0xffffffff;
    struct Known {
        Index row;
        std::uint64_t block;
        std::uint32_t weights[4];
    };
    static std::uint32_t high(std::uint64_t weight) {
        return static_cast<std::uint32_t>(weight >> 32);
    }
    struct Walk {
        Cell at;
        Direction looks;
    };
    static constexpr Direction right_of(Direction d) {
        return static_cast<Direction>((static_cast<unsigned>(d) + 1) & 3u);
    }
    static constexpr Direction left_of(Direction d) {
        return static_cast<Direction>((static_cast<unsigned>(d) + 3) & 3u);
    }
    static Cell next(Cell c, Direction d) { return {c.row + row_step(d), c.col + col_step(d)}; }

    // Looks at a wall: goes on if it is open, and else turns. True: it is the one in question.
    bool step(Walk& walk) {
        const Direction d = walk.looks;
        const Cell beyond = next(walk.at, d);
        const bool back = d == Direction::north || d == Direction::west;
        const Cell cell = back ? beyond : walk.at;
        const bool south = d == Direction::north || d == Direction::south;
        if (cell == wall_.cell && south == wall_.south) [[unlikely]]
            return true;
        const bool open = lighter(cell, south);
        walk.at = open ? beyond : walk.at;
        walk.looks = open ? left_of(d) : right_of(d);
        return false;
    }

    bool lighter(Cell cell, bool south) {
        const std::uint64_t block = weight_block(cell.col);
        Known& known = known_[static_cast<Index>(
            static_cast<std::uint64_t>(cell.row) % rows * blocks + block % blocks)];
        if (known.row != cell.row || known.block != block) [[unlikely]]
            look_up(known, cell, block);
        const std::uint32_t weight =
            known.weights[(static_cast<std::uint64_t>(cell.col) % 2 * 2) + (south ? 1 : 0)];
        if (weight == high_) [[unlikely]]
            return compare(cell, south);
        return weight < high_;
    }
    [[gnu::noinline]] void look_up(Known& known, Cell cell, std::uint64_t block) {
        const Block four = weights_.row(cell.row).block(block);
        known.row = cell.row;
        known.block = block;
        for (unsigned i = 0; i < 4; ++i) {
            const Cell c{cell.row, (cell.col & ~Index{1}) + static_cast<Index>(i / 2)};
            known.weights[i] = has_wall(weights_, c, i % 2 != 0) ? high(four[i]) : absent;
        }
    }
    [[gnu::noinline]] bool compare(Cell cell, bool south) const {
        return has_wall(weights_, cell, south) &&
               PlaneWall{weights_.at(cell, south), south, cell} < wall_;
    }

    const W& weights_;
    PlaneWall wall_{};
    std::uint32_t high_ = 0;
    Buffer<Known> known_{rows * blocks};
};

}  // namespace meiro::endless
