// Counts and labels of what hangs together, against a flood fill.
#include <doctest/doctest.h>

#include <algorithm>

#include "measure/components.hpp"
#include "support.hpp"
#include "transform/expand.hpp"

using namespace meiro;

namespace {

// Labels in the order of first sites, by filling one component after the other.
std::vector<Index> slow_labels(Shape shape, const Bytes& sites, std::uint8_t kind, Index& count) {
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
                const Cell to{here.row + row_step(d), here.col + col_step(d)};
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

Index slow_islands(Shape shape, const Bytes& walls) {
    Index count = 0;
    const auto labels = slow_labels(shape, walls, 1, count);
    std::vector<bool> touches(at(count) + 1);
    for (Index row = 0; row < shape.rows; ++row)
        for (Index col = 0; col < shape.cols; ++col)
            if (row == 0 || col == 0 || row + 1 == shape.rows || col + 1 == shape.cols)
                touches[at(labels[at(shape.id({row, col}))])] = true;
    Index islands = 0;
    for (Index i = 1; i <= count; ++i) islands += touches[at(i)] ? 0 : 1;
    return islands;
}

Bytes some_walls(Shape shape, std::uint64_t seed) {
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
            const Bytes walls = some_walls(shape, seed);
            Control control;
            const Census census = census_of_walls(walls.data(), shape, control);
            Index roads = 0;
            Index blocks = 0;
            const auto road_labels = slow_labels(shape, walls, 0, roads);
            const auto wall_labels = slow_labels(shape, walls, 1, blocks);
            REQUIRE(census.regions == roads);
            REQUIRE(census.islands == slow_islands(shape, walls));
            std::vector<std::int32_t> labels(walls.size(), -7);
            REQUIRE(label(walls.data(), shape, 0, labels.data(), control) == roads);
            REQUIRE(std::equal(labels.begin(), labels.end(), road_labels.begin()));
            std::vector<std::int64_t> wide(walls.size(), -7);
            REQUIRE(label(walls.data(), shape, 1, wide.data(), control) == blocks);
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
