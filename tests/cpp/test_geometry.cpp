// Mazes turned, cut, joined and widened, and the cells farthest apart: each by its definition.
#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "adjacency.hpp"
#include "paths/double_sweep.hpp"
#include "support.hpp"
#include "transform/grid.hpp"
#include "transform/seams.hpp"
#include "transform/square_symmetry.hpp"
#include "transform/thick_grid.hpp"

using namespace meiro;

namespace {

const Shape sides[] = {{1, 1},  {1, 9},   {9, 1},   {3, 5},   {7, 8},    {8, 8},
                       {9, 16}, {64, 64}, {63, 65}, {65, 63}, {129, 70}, {2, 300}};

Bytes random_bytes(Index size, std::uint64_t seed) {
    Bytes bytes(at(size));
    Random random(Seed{{seed, 97}});
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.bits(4));
    return bytes;
}

// Where a direction of the old maze leads in the new one.
Direction turned(Direction d, Symmetry how) {
    Index row = row_step(d), col = col_step(d);
    if (how.rows) row = -row;
    if (how.cols) col = -col;
    if (how.exchanged) std::swap(row, col);
    for (const Direction other : directions)
        if (row_step(other) == row && col_step(other) == col) return other;
    return Direction::none;
}

}  // namespace

TEST_CASE("every cell is where its place is turned to, and so is every way") {
    for (const Shape shape : sides)
        for (unsigned symmetry = 0; symmetry < 8; ++symmetry)
            for (const int threads : {1, 3}) {
                const Symmetry how{(symmetry & 1) != 0, (symmetry & 2) != 0, (symmetry & 4) != 0};
                const Bytes from = random_bytes(shape.size(), symmetry);
                Bytes to(at(shape.size()), 99);
                Control control;
                turn(from.data(), shape, how, true, to.data(), threads, control);
                for (Index r = 0; r < shape.rows; ++r)
                    for (Index c = 0; c < shape.cols; ++c) {
                        Cell place{how.rows ? shape.rows - 1 - r : r,
                                   how.cols ? shape.cols - 1 - c : c};
                        if (how.exchanged) std::swap(place.row, place.col);
                        unsigned open = 0;
                        for (const Direction d : directions)
                            if ((from[at(shape.id({r, c}))] & bit(d)) != 0)
                                open |= bit(turned(d, how));
                        REQUIRE(to[at(how.of(shape).id(place))] == open);
                    }
            }
}

TEST_CASE("the requested number of doors, each between two existing cells") {
    const Shape shape{6, 9};
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Bytes mask = some_mask(shape, seed);
        for (const Seam seam : {Seam{1, 1, 7, Direction::south}, Seam{4, 9, 6, Direction::east}})
            for (Index doors = 0; doors < 8; ++doors) {
                Bytes open(at(shape.size()), 0);
                Control control;
                const Index walls = open_doors(open.data(), shape, mask.data(), seam, doors,
                                               Random(Seed{{seed, 1}}), control);
                const Index step = steps(shape.cols)[static_cast<std::size_t>(seam.towards)];
                Index could = 0, found = 0, all = 0;
                for (Index i = 0; i < seam.size; ++i) {
                    const Index cell = seam.first + i * seam.step;
                    const bool there = mask[at(cell)] != 0 && mask[at(cell + step)] != 0;
                    could += there ? 1 : 0;
                    if (open[at(cell)] == 0) continue;
                    ++found;
                    REQUIRE(there);
                    REQUIRE(open[at(cell)] == bit(seam.towards));
                    REQUIRE(open[at(cell + step)] == bit(opposite(seam.towards)));
                }
                for (const std::uint8_t byte : open) all += byte != 0 ? 1 : 0;
                REQUIRE(walls == could);
                REQUIRE(found == (doors <= walls ? doors : 0));
                REQUIRE(all == 2 * found);
            }
    }
}

TEST_CASE("wide is the plain grid with rows and columns again and again, and narrow the way back" *
          doctest::test_suite("one thread")) {
    for (const Shape shape : shapes)
        for (const Wrap wrap : wraps_of(shape))
            for (const Thickness wide : {Thickness{1, 1}, {2, 1}, {1, 3}, {7, 1}, {5, 4}, {3, 40}})
                for (const Index size : {1, 4, 8}) {
                    const Bytes mask = some_mask(shape, 3);
                    const Bytes open = some_passages(shape, mask, 3, wrap);
                    const Shape grid = shape.grid();
                    Bytes plain(at(grid.size())), back(at(grid.size()), 9);
                    Control control;
                    expand(open.data(), shape, mask.data(), 0, grid.rows, plain.data(), control);
                    const Index rows = wide.begin(grid.rows - 1) + wide.wall,
                                cols = wide.begin(grid.cols - 1) + wide.wall;
                    REQUIRE(wide.fits(rows, shape.rows));
                    REQUIRE(!wide.fits(rows + 1, shape.rows));
                    REQUIRE(!wide.fits(rows, shape.rows + 1));
                    const Bytes inks[] = {Bytes(at(size), 0), Bytes(at(size), 1)};
                    Bytes out(at(rows * cols * size), 9);
                    const Index half = grid.rows / 2;  // in two parts
                    for (const Index first : {Index{0}, half})
                        widen(open.data(), shape, mask.data(), wide, first,
                              first == 0 ? half : grid.rows,
                              {{inks[0].data(), inks[1].data()}, size}, out.data(), control);
                    Index wrong = 0;
                    for (Index r = 0; r < grid.rows; ++r)
                        for (Index c = 0; c < grid.cols; ++c)
                            for (Index i = 0; i < wide.size(r); ++i)
                                for (Index j = 0; j < wide.size(c) * size; ++j)
                                    wrong += out[at((wide.begin(r) + i) * cols * size +
                                                    wide.begin(c) * size + j)] !=
                                                     plain[at(r * grid.cols + c)]
                                                 ? 1
                                                 : 0;
                    REQUIRE(wrong == 0);
                    if (size > 1) continue;
                    const Cell none = narrow(out.data(), shape, wide, back.data(), control);
                    REQUIRE(none == Cell{-1, -1});
                    REQUIRE(back == plain);
                    if (wide == Thickness{1, 1}) continue;
                    out.back() ^= 1;  // the last site of a block
                    const Cell fault = narrow(out.data(), shape, wide, back.data(), control);
                    REQUIRE((fault == (wide.wall > 1 ? Cell{rows - 1, cols - 1} : Cell{-1, -1})));
                }
}

TEST_CASE("no two cells of a forest are farther apart than those that are found") {
    for (const Shape shape : shapes)
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            // A cell leads to the north, to the west, or nowhere: a forest.
            Bytes open(at(shape.size()), 0);
            Random random(Seed{{seed, 96}});
            for (Index id = 0; id < shape.size(); ++id) {
                const auto [row, col] = shape.cell(id);
                const unsigned way = random.bits(3);
                const Direction d = way < 4 ? Direction::north : Direction::west;
                if (way == 7 || (d == Direction::north ? row : col) == 0) continue;
                open[at(id)] |= static_cast<std::uint8_t>(bit(d));
                open[at(id + steps(shape.cols)[static_cast<std::size_t>(d)])] |=
                    static_cast<std::uint8_t>(bit(opposite(d)));
            }
            const Bytes among = some_mask(shape, seed);
            Control control;
            const Adjacency adjacency = adjacency_of_passages(open.data(), shape);
            const Pair all = farthest(adjacency, nullptr, control),
                       some = farthest(adjacency, among.data(), control);
            Index longest = -1, longest_among = -1;
            for (Index start = 0; start < shape.size(); ++start) {
                std::vector<Index> steps_to(at(shape.size()), -1), queue{start};
                steps_to[at(start)] = 0;
                for (std::size_t i = 0; i < queue.size(); ++i)
                    for (const Direction d : directions) {
                        if ((open[at(queue[i])] & bit(d)) == 0) continue;
                        const Index to = queue[i] + steps(shape.cols)[static_cast<std::size_t>(d)];
                        if (steps_to[at(to)] >= 0) continue;
                        steps_to[at(to)] = steps_to[at(queue[i])] + 1;
                        queue.push_back(to);
                    }
                for (const Index end : queue) {
                    longest = std::max(longest, steps_to[at(end)]);
                    if (among[at(start)] != 0 && among[at(end)] != 0)
                        longest_among = std::max(longest_among, steps_to[at(end)]);
                }
                if (start == all.first) REQUIRE(steps_to[at(all.second)] == all.length);
                if (start == some.first && some.length >= 0) {
                    REQUIRE(steps_to[at(some.second)] == some.length);
                    REQUIRE(among[at(start)] != 0);
                    REQUIRE(among[at(some.second)] != 0);
                }
            }
            REQUIRE(all.length == longest);
            REQUIRE(some.length == longest_among);
        }
}
