// Counts and labels of components, against a flood fill.
#include <doctest/doctest.h>

#include <algorithm>

#include "measure/components.hpp"
#include "support.hpp"
#include "transform/grid.hpp"

using namespace meiro;

namespace {

// Labels in the order of first sites, by filling one component after the other.
std::vector<Index> slow_labels(Shape shape, const Bytes& sites, std::uint8_t kind, Index& count,
                               Wrap wrap = {}) {
    std::vector<Index> labels(sites.size(), 0);
    count = 0;
    for (Index first = 0; first < shape.size(); ++first) {
        if (sites[at(first)] != kind || labels[at(first)] != 0) continue;
        std::vector<Index> todo{first};
        labels[at(first)] = ++count;
        while (!todo.empty()) {
            const Cell here = shape.cell(todo.back());
            todo.pop_back();
            for (const Direction d : directions) {
                Cell to{here.row + row_step(d), here.col + col_step(d)};
                if (wrap.rows) to.row = (to.row + shape.rows) % shape.rows;
                if (wrap.cols) to.col = (to.col + shape.cols) % shape.cols;
                if (to.row < 0 || to.row >= shape.rows || to.col < 0 || to.col >= shape.cols)
                    continue;
                const Index id = shape.id(to);
                if (sites[at(id)] != kind || labels[at(id)] != 0) continue;
                labels[at(id)] = count;
                todo.push_back(id);
            }
        }
    }
    return labels;
}

// Of a torus, which has no border: those beyond the first.
Index slow_islands(Shape shape, const Bytes& walls, Wrap wrap = {}) {
    Index count = 0;
    const auto labels = slow_labels(shape, walls, 1, count, wrap);
    if (wrap.rows && wrap.cols) return count - 1;
    std::vector<bool> touches(at(count) + 1);
    for (Index row = 0; row < shape.rows; ++row)
        for (Index col = 0; col < shape.cols; ++col)
            if ((!wrap.rows && (row == 0 || row + 1 == shape.rows)) ||
                (!wrap.cols && (col == 0 || col + 1 == shape.cols)))
                touches[at(labels[at(shape.id({row, col}))])] = true;
    Index islands = 0;
    for (Index i = 1; i <= count; ++i) islands += touches[at(i)] ? 0 : 1;
    return islands;
}

Bytes random_walls(Shape shape, std::uint64_t seed) {
    Bytes walls(at(shape.size()), 0);
    Random random(Seed{{seed, 96}});
    for (std::uint8_t& wall : walls) wall = random.bits(3) < 1 + seed % 6 ? 1 : 0;
    return walls;
}

}  // namespace

TEST_CASE("components of walls and roads are the slow ones") {
    for (const Shape shape :
         {Shape{1, 1}, Shape{1, 20}, Shape{20, 1}, Shape{2, 2}, Shape{13, 17}, Shape{40, 31}})
        for (std::uint64_t seed = 0; seed < 60; ++seed) {
            const Bytes walls = random_walls(shape, seed);
            Control control;
            const Census census = census_of_walls(walls.data(), shape, control);
            Index roads = 0;
            Index blocks = 0;
            const auto road_labels = slow_labels(shape, walls, 0, roads);
            const auto wall_labels = slow_labels(shape, walls, 1, blocks);
            REQUIRE(census.regions == roads);
            REQUIRE(census.islands == slow_islands(shape, walls));
            std::vector<std::int32_t> labels(walls.size(), -7);
            REQUIRE(label(walls.data(), shape, {}, 0, labels.data(), control) == roads);
            REQUIRE(std::equal(labels.begin(), labels.end(), road_labels.begin()));
            std::vector<std::int64_t> wide(walls.size(), -7);
            REQUIRE(label(walls.data(), shape, {}, 1, wide.data(), control) == blocks);
            REQUIRE(wide == wall_labels);
        }
}

TEST_CASE("a maze counts as its grid does, masked or not") {
    for (const Shape shape : {Shape{1, 1}, Shape{1, 7}, Shape{7, 1}, Shape{2, 2}, Shape{9, 8}})
        for (std::uint64_t seed = 0; seed < 100; ++seed) {
            const Bytes mask = some_mask(shape, seed % 5);
            const Bytes open = some_passages(shape, mask, seed);
            Bytes grid(at(shape.grid().size()));
            Control control;
            expand(open.data(), shape, mask.data(), 0, shape.grid().rows, grid.data(), control);
            const Census maze = census_of_passages(open.data(), shape, mask.data(), control);
            const Census drawn = census_of_walls(grid.data(), shape.grid(), control);
            REQUIRE(maze.regions == drawn.regions);
            REQUIRE(maze.loops == drawn.loops);
            REQUIRE(maze.islands == drawn.islands);
            REQUIRE(maze.bare_posts == drawn.bare_posts);
            REQUIRE(drawn.open_blocks == 0);
            Bytes absent(mask.size());
            for (std::size_t i = 0; i < mask.size(); ++i) absent[i] = mask[i] != 0 ? 0 : 1;
            REQUIRE(maze.parts == census_of_walls(absent.data(), shape, control).regions);
        }
}

TEST_CASE("a maze that wraps counts as its grid does, where both sides of the border are one") {
    const Shape long_rows{3, Control::stride + 37};
    for (const Shape shape : {Shape{3, 1}, Shape{1, 3}, Shape{3, 3}, Shape{9, 8}, long_rows})
        for (const Wrap wrap : wraps_of(shape)) {
            if (!wrap.any()) continue;
            for (std::uint64_t seed = 0; seed < (shape == long_rows ? 1 : 100); ++seed) {
                const Bytes mask = some_mask(shape, seed % 5);
                Bytes open = some_passages(shape, mask, seed, wrap);
                if (seed % 3 == 0)  // few walls: loops of all kinds
                    for (const std::uint64_t more : {seed + 1, seed + 2}) {
                        const Bytes other = some_passages(shape, mask, more, wrap);
                        for (std::size_t i = 0; i < open.size(); ++i) open[i] |= other[i];
                    }
                Bytes grid(at(shape.grid().size()));
                Control control;
                expand(open.data(), shape, mask.data(), 0, shape.grid().rows, grid.data(), control);
                const Census maze =
                    census_of_periodic(open.data(), shape, wrap, mask.data(), control);
                Index regions = 0, parts = 0, adjacency = 0, cells = 0, walls = 0;
                const auto labels = slow_labels(shape.grid(), grid, 0, regions, wrap);
                (void)slow_labels(shape, mask, 1, parts, wrap);
                for (std::size_t i = 0; i < open.size(); ++i) {
                    cells += mask[i];
                    for (const Direction d : directions)
                        adjacency += (open[i] & bit(d)) != 0 ? 1 : 0;
                }
                REQUIRE(maze.regions == regions);
                REQUIRE(maze.parts == parts);
                REQUIRE(maze.loops == adjacency / 2 - cells + regions);
                REQUIRE(maze.islands == slow_islands(shape.grid(), grid, wrap));
                std::vector<std::int32_t> road_labels(grid.size());
                REQUIRE(label(grid.data(), shape.grid(), wrap, 0, road_labels.data(), control) ==
                        regions);
                REQUIRE(std::equal(labels.begin(), labels.end(), road_labels.begin()));
                std::vector<std::int64_t> wide(grid.size());
                REQUIRE(label(grid.data(), shape.grid(), wrap, 1, wide.data(), control) > 0);
                REQUIRE(wide == slow_labels(shape.grid(), grid, 1, walls, wrap));
                Index bare = 0;
                for (Index r = wrap.rows ? 0 : 2; r + 2 < shape.grid().rows; r += 2)
                    for (Index c = wrap.cols ? 0 : 2; c + 2 < shape.grid().cols; c += 2) {
                        bool alone = true;
                        for (const Direction d : directions) {
                            const Index row = r + row_step(d), col = c + col_step(d);
                            const Cell to{row < 0 ? shape.grid().rows - 2 : row,
                                          col < 0 ? shape.grid().cols - 2 : col};
                            alone = alone && grid[at(shape.grid().id(to))] == road_site;
                        }
                        bare += alone ? 1 : 0;
                    }
                REQUIRE(maze.bare_posts == bare);
            }
        }
}

TEST_CASE("passages across the border, which no sound maze has, are not counted") {
    Control control;
    for (const Shape shape : {Shape{1, 1}, Shape{1, 4}, Shape{4, 1}, Shape{3, 5}}) {
        const Bytes all(at(shape.size()), 15);
        const Census census = census_of_passages(all.data(), shape, nullptr, control);
        CHECK(census.regions == 1);
        CHECK(census.loops == (shape.rows - 1) * (shape.cols - 1));
    }
}

TEST_CASE("perfect: one tree a part") {
    Control control;
    const auto perfect = [&](const Bytes& open, Shape shape, const Bytes& mask) {
        return is_perfect(census_of_passages(open.data(), shape, mask.data(), control));
    };
    CHECK(perfect({0}, {1, 1}, {1}));
    CHECK(perfect({2, 8}, {1, 2}, {1, 1}));
    CHECK(!perfect({0, 0}, {1, 2}, {1, 1}));
    CHECK(perfect({0, 0, 0}, {1, 3}, {1, 0, 1}));
    CHECK(!perfect({6, 12, 3, 9}, {2, 2}, {1, 1, 1, 1}));
    CHECK(perfect({6, 12, 1, 1}, {2, 2}, {1, 1, 1, 1}));
}
