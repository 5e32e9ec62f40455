#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "ensemble.hpp"
#include "generate/job.hpp"
#include "generate/mst_tiles/tiles.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

// Weights of which only `distinct` occur, so that ties are everywhere; high or low bits alike.
struct Coarse {
    Weights weights;
    std::uint64_t distinct;
    int shift;

    std::uint64_t coarse(std::uint64_t word) const { return word % distinct << shift; }
    struct Row {
        const Coarse& of;
        Random random;
        Block block(std::uint64_t k) const {
            Block words = random.block(k);
            for (std::uint64_t& w : words) w = of.coarse(w);
            return words;
        }
    };
    Row row(Index r) const { return {*this, weights.row(r)}; }
    std::uint64_t at(Cell c, bool south) const { return coarse(weights.at(c, south)); }
};

// Kruskal as one would write it down.
// `among`: only the passages of a maze.
template <class W>
Bytes reference(Shape shape, Mask mask, const W& weights, Wrap wrap = {},
                const std::uint8_t* among = nullptr) {
    Bytes open(static_cast<std::size_t>(shape.size()));
    const PeriodicPassages maze(Passages(open.data(), shape, wrap));
    std::vector<Index> label(open.size());
    std::iota(label.begin(), label.end(), 0);
    std::vector<std::pair<std::uint64_t, Index>> walls;
    for (Index id = 0; id < wall_count(shape, wrap); ++id) {
        const Wall wall = wall_of(shape, id, wrap);
        if (wall_id(shape, wall, wrap) != id) FAIL("wall ", id);
        walls.emplace_back(weights.at(shape.cell(wall.cell), wall.south), id);
    }
    std::sort(walls.begin(), walls.end());
    for (const auto& [weight, id] : walls) {
        const Wall wall = wall_of(shape, id, wrap);
        const Direction d = wall.towards();
        const Index beyond = maze.next(wall.cell, d);
        if (mask != nullptr && (mask[wall.cell] == 0 || mask[beyond] == 0)) continue;
        if (among != nullptr && (among[wall.cell] & bit(d)) == 0) continue;
        const Index a = label[static_cast<std::size_t>(wall.cell)];
        const Index b = label[static_cast<std::size_t>(beyond)];
        if (a == b) continue;
        std::replace(label.begin(), label.end(), std::max(a, b), std::min(a, b));
        maze.open(wall.cell, d);
    }
    return open;
}

template <class W, class Id = std::uint32_t>
Bytes by_tiles(Shape shape, Mask mask, const W& weights, Index largest, Wrap wrap = {},
               int threads = 1, const std::uint8_t* among = nullptr) {
    Bytes open(static_cast<std::size_t>(shape.size()), 0xee);
    Control control;
    const Passages maze(open.data(), shape, wrap);
    tiles::tree<Id>(maze, mask, weights, control, threads, largest, {}, nullptr, among);
    return open;
}

Bytes made(Shape shape, const Options& options, Seed seed, Mask mask = nullptr, int threads = 1,
           Wrap wrap = {}) {
    Bytes open(static_cast<std::size_t>(shape.size()), 0xee);
    Control control;
    Job job{Passages(open.data(), shape, wrap), mask, seed, options, control, threads};
    NoTrace none;
    kruskal(job, none);
    return open;
}

Bytes random_mask(Shape shape, Random& random) {
    Bytes mask(static_cast<std::size_t>(shape.size()));
    const Index share = 3 + random.below(8);
    for (std::uint8_t& m : mask) m = random.below(10) < share ? 1 : 0;
    return mask;
}

}  // namespace

TEST_CASE("the wall order of the article gives its maze") {
    const std::vector<Index> order{7, 2, 11, 6, 1, 10, 4, 8, 0, 3, 5, 9};
    Options options;
    options.order = order;
    CHECK(made({3, 3}, options, {}) == Bytes{4, 6, 12, 3, 13, 5, 2, 9, 1});

    std::vector<std::uint64_t> memory(16);
    Trace trace({3, 3}, Space::cells, memory.data(), 16);
    Bytes open(9);
    Control control;
    Job job{Passages(open.data(), {3, 3}), nullptr, {}, options, control};
    kruskal(job, trace);
    REQUIRE(trace.count() == 12);
    // The numbers of the regions after each wall, replayed from the events alone.
    const std::vector<std::vector<Index>> areas{
        {0, 1, 2, 3, 1, 5, 6, 7, 8}, {0, 1, 2, 1, 1, 5, 6, 7, 8}, {0, 1, 2, 1, 1, 5, 6, 7, 5},
        {0, 0, 2, 0, 0, 5, 6, 7, 5}, {0, 0, 0, 0, 0, 5, 6, 7, 5}, {0, 0, 0, 0, 0, 5, 6, 0, 5},
        {0, 0, 0, 0, 0, 5, 0, 0, 5}, {0, 0, 0, 0, 0, 0, 0, 0, 0}};
    std::vector<Index> area(9);
    std::iota(area.begin(), area.end(), 0);
    for (std::size_t k = 0; k < 12; ++k) {
        const EventRecord h = unpack(memory[k]);
        const auto place = static_cast<Index>(h.place);
        const Index cell = (place / 7 - 1) / 2 * 3 + (place % 7 - 1) / 2;
        CHECK(h.event == (k < 8 ? Event::carve : Event::keep));
        const Wall wall = wall_of({3, 3}, order[k]);
        CHECK(cell == wall.cell);
        CHECK(h.direction == (wall.south ? Direction::south : Direction::east));
        if (k >= 8) continue;
        const Index a = area[static_cast<std::size_t>(cell)];
        const Index b = area[static_cast<std::size_t>(cell + (wall.south ? 3 : 1))];
        std::replace(area.begin(), area.end(), std::max(a, b), std::min(a, b));
        CHECK(area == areas[k]);
    }
}

TEST_CASE("weights: lightest first, ties by the lower id, -0 is 0, NaN does no harm") {
    Options options;
    const std::vector<double> rising{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    options.weights = rising;
    const Bytes rows_first = made({3, 3}, options, {});
    CHECK(rows_first == Bytes{6, 10, 8, 7, 10, 8, 3, 10, 8});
    const std::vector<double> same(12, -1.5),
        zeros{0., -0., 0., -0., 0., 0., -0., 0., -0., 0., 0., 0.};
    options.weights = same;
    CHECK(made({3, 3}, options, {}) == rows_first);
    options.weights = zeros;
    CHECK(made({3, 3}, options, {}) == rows_first);
    const std::vector<double> falling{-0., -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -1e300};
    const std::vector<Index> backwards{11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
    options.weights = falling;
    const Bytes reverse = made({3, 3}, options, {});
    options.weights = {};
    options.order = backwards;
    CHECK(made({3, 3}, options, {}) == reverse);
    options.order = {};
    const std::vector<double> none(12, std::numeric_limits<double>::quiet_NaN());
    options.weights = none;
    CHECK(made({3, 3}, options, {}) == rows_first);
}

TEST_CASE("by tiles it is the tree of the whole, whatever the tile, mask, wrap, bias and ties") {
    constexpr int step = only_races ? 16 : 1;  // 8: those of several threads
    Random random({{3, 1}, 4});
    for (int trial = 0; trial < 2000; trial += step) {
        const Shape shape{1 + random.below(trial % 4 == 0 ? 40 : 14),
                          1 + random.below(trial % 4 == 1 ? 40 : 14)};
        const Wrap wrap{shape.rows >= least_wrap && random.coin(),
                        shape.cols >= least_wrap && random.coin()};
        const Index largest = random.below(8) == 0 ? tiles::largest_tile : 4 + random.below(300);
        const Bytes mask = random_mask(shape, random);
        const Seed seed{{random(), random()}, random()};
        const Weights weights(seed);
        const Factor bias = Factor{1} << (10 + random.below(21));
        const BiasedWeights biased(seed, bias + static_cast<Factor>(random.below(1000)));
        const Coarse coarse{weights, static_cast<std::uint64_t>(1 + random.below(40)),
                            random.coin() ? static_cast<int>(random.below(59)) : 58};
        const Mask masks[] = {nullptr, mask.data()};
        for (const Mask m : masks) {
            const auto same = [&](const auto& w) {
                const Bytes expected = reference(shape, m, w, wrap);
                REQUIRE(by_tiles(shape, m, w, largest, wrap) == expected);
                using W = std::decay_t<decltype(w)>;
                if (trial % 8 == 0)
                    REQUIRE(by_tiles<W, Index>(shape, m, w, largest, wrap, 3) == expected);
                Bytes passages = some_passages(shape, mask, seed.key[0], wrap);
                if (random.coin()) {  // most of them, across the mask as well
                    const Bytes more =
                        some_passages(shape, Bytes(mask.size(), 1), seed.key[1], wrap);
                    for (std::size_t i = 0; i < more.size(); ++i) passages[i] |= more[i];
                }
                REQUIRE(by_tiles(shape, nullptr, w, largest, wrap, 1, passages.data()) ==
                        reference(shape, nullptr, w, wrap, passages.data()));
            };
            same(weights);
            same(biased);
            same(coarse);
        }
    }
}

TEST_CASE("more walls between tiles than are sorted in one piece") {
    const Shape shape{70, 75};
    for (std::uint64_t i = 0; i < 8; i += only_races ? 7 : 1) {
        const Weights weights({{i, 8}, 0});
        const Wrap wrap{i % 2 != 0, i % 4 != 0};
        const Bytes expected = reference(shape, nullptr, weights, wrap);
        REQUIRE(by_tiles(shape, nullptr, weights, 4, wrap) == expected);
        REQUIRE(by_tiles(shape, nullptr, weights, 4, wrap, 3) == expected);
        const Coarse coarse{weights, 3 + i, 58};
        REQUIRE(by_tiles(shape, nullptr, coarse, 4, wrap) ==
                reference(shape, nullptr, coarse, wrap));
    }
}

TEST_CASE("weights whose high bits are all ones are walls like others") {
    struct Top : Coarse {
        struct Row {
            Coarse::Row row;
            Block block(std::uint64_t k) const {
                Block words = row.block(k);
                for (std::uint64_t& w : words) w |= 0xfffffff0ull << 32;
                return words;
            }
        };
        Row row(Index r) const { return {Coarse::row(r)}; }
        std::uint64_t at(Cell c, bool south) const {
            return Coarse::at(c, south) | 0xfffffff0ull << 32;
        }
    };
    for (std::uint64_t i = 0; i < 100; ++i) {
        const Top top{{Weights({{i, 7}, 0}), 1000, 27}};
        REQUIRE(by_tiles({13, 17}, nullptr, top, 16) == reference({13, 17}, nullptr, top));
        REQUIRE(by_tiles({13, 17}, nullptr, top, 1024) == reference({13, 17}, nullptr, top));
    }
}

TEST_CASE("kruskal, prim, boruvka: one maze, traced or not, around the edges of real tiles") {
    using Traced = void (*)(Job&, Trace&);
    const Traced all[] = {kruskal.traced, prim.traced, boruvka.traced};
    for (const Shape shape : {Shape{1, 1},
                              {1, 17001},
                              {17001, 1},
                              {2, 9001},
                              {9001, 2},
                              {3, 6001},
                              {127, 127},
                              {128, 128},
                              {129, 129},
                              {130, 260},
                              {601, 19}})
        for (int k = 0; k < 4; ++k) {
            const Seed seed{{static_cast<std::uint64_t>(shape.rows), 5}, 9};
            Options options;
            options.bias = k == 1 ? even_odds * 900 : k == 2 ? even_odds / 3 : even_odds;
            const Wrap wrap{k > 1 && shape.rows >= least_wrap, k > 0 && shape.cols >= least_wrap};
            const Bytes plain = made(shape, options, seed, nullptr, 1, wrap);
            CHECK(made(shape, options, seed, nullptr, 2, wrap) == plain);
            if (only_races) continue;
            for (const Traced traced : all) {
                Bytes open(static_cast<std::size_t>(shape.size()), 0xee);
                Control control;
                Job job{Passages(open.data(), shape, wrap), nullptr, seed, options, control};
                Trace trace(shape, Space::cells);
                traced(job, trace);
                CHECK(open == plain);
                // Every wall is told once, opened or kept, and where prim begins.
                const Index walls = wall_count(shape, wrap);
                CHECK(trace.count() == walls + (traced == Traced{prim.traced} ? 1 : 0));
            }
        }
}

TEST_CASE("a tile has room for what it may be given" * doctest::test_suite("one thread")) {
    for (const Index most : {Index{4}, Index{100}, tiles::largest_tile})
        for (Index rows = 1; rows < 400; rows += 1 + rows / 7)
            for (Index cols = 1; cols < 40000; cols += 1 + cols / 3) {
                if (rows * cols > 100'000 * most) break;  // as many tiles tell as much
                const tiles::Tiling t({rows, cols}, most);
                REQUIRE(t.tile.size() <= most);
                Index cells = 0;
                bool good = true;
                for (Index i = 0; i < t.count.rows; ++i)
                    for (Index j = 0; j < t.count.cols; ++j) {
                        const tiles::Tile tile(t, i, j);
                        good = good && tile.shape.rows > 0 && tile.shape.cols > 0 &&
                               tile.names() <= 2 * (t.tile.rows + t.tile.cols) && tile.col % 2 == 0;
                        cells += tile.shape.size();
                    }
                REQUIRE(good);
                REQUIRE(cells == rows * cols);
            }
}
