#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "generate/endless/contour.hpp"
#include "generate/endless/endless.hpp"
#include "generate/endless/forest.hpp"
#include "generate/shared/weights.hpp"
#include "support.hpp"

using namespace meiro;
using namespace meiro::endless;

namespace {

// Weights of which only `distinct` occur, so that ties are everywhere; high or low bits alike.
struct FewWeights {
    Weights weights;
    std::uint64_t distinct;
    int shift;
    struct Row {
        const FewWeights& of;
        Random random;
        Block block(std::uint64_t k) const {
            Block words = random.block(k);
            for (std::uint64_t& w : words) w = w % of.distinct << of.shift;
            return words;
        }
    };
    Row row(Index r) const { return {*this, weights.row(r)}; }
    std::uint64_t at(Cell c, bool south) const {
        const Block four = row(c.row).block(weight_block(c.col));
        return four[(c.col % 2 != 0 ? 2u : 0u) + (south ? 1u : 0u)];
    }
};

// The bits east and south of the forest of a seed, from boxes and contours, or from the latter
// only.
Bytes decided(const Seed& seed, Cell first, Shape shape, int threads = 1) {
    Bytes own(at(shape.size()), 0xee);
    Control control;
    forest(Field(seed), first, shape, own.data(), control, threads);
    for (std::uint8_t& cell : own) cell &= bits::east | bits::south;
    return own;
}
template <class W>
Bytes by_contours(const W& weights, Cell first, Shape shape) {
    Bytes own(at(shape.size()));
    Control control;
    Contours<W> contours(weights);
    for (Index i = 0; i < shape.size(); ++i)
        for (const bool south : {false, true}) {
            const Cell cell{first.row + shape.cell(i).row, first.col + shape.cell(i).col};
            if (contours.opens({weights.at(cell, south), south, cell}, control))
                own[at(i)] |= static_cast<std::uint8_t>(south ? bits::south : bits::east);
        }
    return own;
}

// Kruskal in a box as one would write it down, with the cells of its rim one component or not.
template <class W>
Bytes in_box(const W& weights, Cell corner, Shape box, bool wired) {
    std::vector<PlaneWall> walls;
    for (Index r = 0; r < box.rows; ++r)
        for (Index c = 0; c < box.cols; ++c)
            for (const bool south : {false, true})
                if (south ? r + 1 < box.rows : c + 1 < box.cols) {
                    const Cell cell{corner.row + r, corner.col + c};
                    walls.push_back({weights.at(cell, south), south, cell});
                }
    std::sort(walls.begin(), walls.end());
    std::vector<Index> parent(at(box.size()));
    std::iota(parent.begin(), parent.end(), Index{0});
    const auto root = [&](Index i) {
        while (parent[at(i)] != i) i = parent[at(i)] = parent[at(parent[at(i)])];
        return i;
    };
    for (Index r = 0; wired && r < box.rows; ++r)
        for (Index c = 0; c < box.cols; ++c)
            if (r == 0 || c == 0 || r + 1 == box.rows || c + 1 == box.cols)
                parent[at(box.id({r, c}))] = 0;
    Bytes own(at(box.size()));
    for (const PlaneWall& wall : walls) {
        const Index a = box.id({wall.cell.row - corner.row, wall.cell.col - corner.col});
        const Index u = root(a), v = root(a + (wall.south ? box.cols : 1));
        if (u == v) continue;
        parent[at(u)] = v;
        own[at(a)] |= static_cast<std::uint8_t>(wall.south ? bits::south : bits::east);
    }
    return own;
}

// What opens in a wired box opens in the plane, and that in a free box: in nearly all cells both
// are equal.
template <class W>
Index undecided(const W& weights, Cell first, Shape shape, const Bytes& found) {
    const Index pad = 60;
    const Cell corner{first.row - pad, first.col - pad};
    const Shape box{shape.rows + 2 * pad, shape.cols + 2 * pad};
    const Bytes least = in_box(weights, corner, box, true);
    const Bytes most = in_box(weights, corner, box, false);
    Index unlike = 0;
    for (Index r = 0; r < shape.rows; ++r)
        for (Index c = 0; c < shape.cols; ++c) {
            const std::size_t cell = at(box.id({r + pad, c + pad}));
            const unsigned own = found[at(shape.id({r, c}))];
            if ((least[cell] & ~own) != 0 || (own & ~most[cell]) != 0) FAIL("cell ", r, " ", c);
            unlike += least[cell] != most[cell] ? 1 : 0;
        }
    return unlike;
}

}  // namespace

TEST_CASE("walls open that open in wired boxes, and none that do not in free ones" *
          doctest::test_suite("one thread")) {
    Index unlike = 0;
    for (const Cell first :
         {Cell{0, 0}, Cell{-15, -16}, Cell{coordinate_end - 30, -coordinate_end}}) {
        for (const Shape shape : {Shape{30, 31}, Shape{1, 1}, Shape{2, 70}, Shape{90, 3}})
            unlike +=
                undecided(Weights({{7, 8}, 9}), first, shape, decided({{7, 8}, 9}, first, shape));
    }
    CHECK(unlike < 60);  // of 4,000
}

TEST_CASE("a rectangle is decided by several threads as by one") {
    const Seed seed{{6, 6}, 6};
    const Shape shape{260, 260};
    CHECK(decided(seed, {-100, -101}, shape) == decided(seed, {-100, -101}, shape, 3));
}

TEST_CASE("a rectangle is decided as its parts are, each in a box of its own" *
          doctest::test_suite("one thread")) {
    const Seed seed{{6, 6}, 6};
    const Shape shape{260, 260}, part{5, 5};
    const Cell first{-100, -101};
    const Bytes own = decided(seed, first, shape);
    for (Index r = 0; r < shape.rows; r += part.rows)
        for (Index c = 0; c < shape.cols; c += part.cols) {
            const Bytes small = decided(seed, {first.row + r, first.col + c}, part);
            for (Index i = 0; i < part.size(); ++i) {
                const Cell cell = part.cell(i);
                if (small[at(i)] != own[at(shape.id({r + cell.row, c + cell.col}))])
                    FAIL("cell ", r + cell.row, " ", c + cell.col);
            }
        }
}

TEST_CASE("ties go to vertical walls, then row by row, of contours" *
          doctest::test_suite("one thread")) {
    for (const std::uint64_t distinct : {30u, 300u, 3000u})
        for (const int shift : {0, 16, 50}) {
            const FewWeights weights{Weights({{distinct, 1}, 2}), distinct, shift};
            for (const Shape shape : {Shape{40, 41}, Shape{60, 2}})
                undecided(weights, {-15, -16}, shape, by_contours(weights, {-15, -16}, shape));
        }
}

TEST_CASE("contours decide every wall as boxes do") {
    const Shape shape{70, 70};
    for (const Cell first : {Cell{-35, -36}, Cell{coordinate_end - 80, -coordinate_end + 5}})
        CHECK(decided({{3, 4}, 5}, first, shape) ==
              by_contours(Weights({{3, 4}, 5}), first, shape));
}

TEST_CASE("contours end at the border of a maze") {
    const Shape shape{40, 30};
    const Field field({{3, 4}, 5}, even_odds, shape);
    Bytes own(at(shape.size()), 0xee);
    Control control;
    forest(field, {0, 0}, shape, own.data(), control, 1);  // its box is the maze
    Contours<Field> contours(field);
    for (Index i = 0; i < shape.size(); ++i)
        for (const bool south : {false, true}) {
            const Cell c = shape.cell(i);
            const unsigned bit = south ? bits::south : bits::east;
            if (field.has(c, south))
                CHECK(contours.opens({field.at(c, south), south, c}, control) ==
                      ((own[at(i)] & bit) != 0));
        }
}

TEST_CASE("columns have weights of their own on both sides of 0") {
    CHECK(weight_block(0) == 0);
    CHECK(weight_block(7) == 3);
    CHECK(weight_block(-1) == weight_block(-2));
    CHECK(weight_block(-1) == (std::uint64_t{1} << 62) - 1);
    CHECK(weight_block(-coordinate_end) == std::uint64_t{1} << 61);
    CHECK(weight_block(coordinate_end - 1) == (std::uint64_t{1} << 61) - 1);
}
