// One maze shared by threads: the same result for any number of them.
#include <doctest/doctest.h>

#include <bit>
#include <stdexcept>

#include "generate/job.hpp"
#include "measure/components.hpp"
#include "measure/measure_many.hpp"
#include "solve/dead_end_filling.hpp"
#include "solve/solvers.hpp"
#include "support.hpp"
#include "transform/transforms.hpp"

using namespace meiro;

namespace {

constexpr int banded_threads[] = {2, 3, 40};
const std::vector<int> room_threads = only_races ? std::vector{3} : std::vector{2, 3, 7};
// Bands have 16 rows at least: one band, two, as many as three threads have, and more.
constexpr Shape banded_shapes[] = {{1, 1}, {1, 40}, {17, 1}, {33, 3}, {64, 7}, {200, 13}};

void require_equal(const Census& a, const Census& b) {
    REQUIRE(a.regions == b.regions);
    REQUIRE(a.loops == b.loops);
    REQUIRE(a.islands == b.islands);
    REQUIRE(a.open_blocks == b.open_blocks);
    REQUIRE(a.bare_posts == b.bare_posts);
    REQUIRE(a.parts == b.parts);
}

}  // namespace

TEST_CASE("a census of bands is that of the whole") {
    for (const Shape shape : banded_shapes)
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            Control control;
            const Bytes mask = some_mask(shape, seed % 5);
            const Bytes open = some_passages(shape, mask, seed);
            const Census maze = census_of_passages(open.data(), shape, mask.data(), control);
            const Census cells = census_of_passages(open.data(), shape, nullptr, control);
            Bytes sites = open;
            for (std::uint8_t& site : sites) site &= 1;
            const Census walls = census_of_walls(sites.data(), shape, control);
            for (const int threads : banded_threads) {
                require_equal(census_of_passages(open.data(), shape, mask.data(), control, threads),
                              maze);
                require_equal(census_of_passages(open.data(), shape, nullptr, control, threads),
                              cells);
                require_equal(census_of_walls(sites.data(), shape, control, threads), walls);
            }
            for (const Wrap wrap : wraps_of(shape)) {
                Bytes round = some_passages(shape, mask, seed, wrap);
                if (seed % 3 == 0) {  // few walls: loops of all kinds
                    const Bytes more = some_passages(shape, mask, seed + 1, wrap);
                    for (std::size_t i = 0; i < round.size(); ++i) round[i] |= more[i];
                }
                const Census whole =
                    census_of_periodic(round.data(), shape, wrap, mask.data(), control);
                for (const int threads : banded_threads)
                    require_equal(census_of_periodic(round.data(), shape, wrap, mask.data(),
                                                     control, threads),
                                  whole);
            }
        }
}

TEST_CASE("dead ends filled by bands are those filled as a whole") {
    for (const Shape shape : banded_shapes)
        for (const Wrap wrap : wraps_of(shape))
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                Control control;
                const Bytes mask = some_mask(shape, seed % 5);
                const Bytes open = some_passages(shape, mask, seed, wrap);
                Bytes moves(open.size());
                const Adjacency adjacency =
                    adjacency_of_passages(open.data(), shape, wrap, moves.data(), control);
                const auto filled = [&](Bytes& left, int threads) {
                    left.assign(adjacency.open(), adjacency.open() + shape.size());
                    if (seed % 2 == 0) left[at(shape.size() / 2)] = 0xff;  // a cell that stays
                    return fill_dead_ends(adjacency, left.data(), control, threads);
                };
                Bytes alone, shared;
                const Filled whole = filled(alone, 1);
                for (const int threads : banded_threads) {
                    const Filled found = filled(shared, threads);
                    REQUIRE(found.sites == whole.sites);
                    REQUIRE(found.trees == whole.trees);
                    REQUIRE(shared == alone);
                }
            }
}

TEST_CASE("dead ends of strips are braided as by one thread") {
    for (const Shape shape : {Shape{33, 5}, {47, 20'000}, {50, 20'000}})  // 1, 2 and 3 strips
        for (const Wrap wrap : {Wrap{}, Wrap{true, true}}) {
            Control control;
            const Bytes open = some_passages(shape, some_mask(shape, 0), 1, wrap);
            const auto braided = [&](int threads) {
                Bytes out(open.size());
                const Passages maze(out.data(), shape, wrap);
                lay_out(maze, open.data(), nullptr, control);
                braid(maze, Seed{{1, 2}}, Chance{Chance::certain / 4 * 3}, control, threads);
                maze.finish(control);
                return out;
            };
            const Bytes alone = braided(1);
            for (const int threads : {2, 5}) REQUIRE(braided(threads) == alone);
        }
}

TEST_CASE("measures of bands are those of the whole") {
    std::vector<const MeasureFacts*> ids;
    for (const MeasureFacts& facts : measures()) ids.push_back(&facts);
    const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
    for (const Shape shape : banded_shapes)
        for (const Wrap wrap : wraps_of(shape))
            for (std::uint64_t seed = 0; seed < 10; ++seed) {
                Control control;
                const Bytes mask = some_mask(shape, 0);
                const Index size = shape.size(), start = size / 3, goal = size - 1;
                Bytes open = some_passages(shape, mask, seed, wrap);
                if (seed % 2 == 0) {  // a tree
                    const Options usual;
                    Job job{{open.data(), shape, wrap}, nullptr, Seed{{seed, 3}}, usual, control};
                    NoTrace none;
                    kruskal(job, none);
                }
                const Batch batch{open.data(), 1, shape, wrap, nullptr, false, &start, &goal};
                std::vector<double> alone(ids.size()), shared(ids.size());
                measure_batch(batch, ids, alone.data(), control, 1);
                for (const int threads : banded_threads) {
                    measure_batch(batch, ids, shared.data(), control, threads);
                    for (std::size_t k = 0; k < ids.size(); ++k)
                        REQUIRE(bits(shared[k]) == bits(alone[k]));
                }
            }
}

namespace {

// Rooms whose levels are shared, in which floods meet: open, with obstacles and parts that no
// source reaches, and halls joined by one door, between which one thread goes on alone.
Bytes some_room(Shape shape, int kind) {
    Bytes walls(at(shape.size()), 0);
    Random random(Seed{{7, static_cast<std::uint64_t>(kind)}});
    for (Index row = 0; row < shape.rows; ++row)
        for (Index col = 0; col < shape.cols; ++col) {
            const bool obstacle = (kind == 1 || kind == 2) && random.bits(kind == 1 ? 4 : 1) == 0;
            const bool partition = kind == 3 && row % 600 == 599 && col != shape.cols / 2;
            walls[at(shape.id({row, col}))] = obstacle || partition ? 1 : 0;
        }
    return walls;
}

template <class T>
void require_the_same_distances(const Adjacency& adjacency, std::span<const Index> sources) {
    Control control;
    const auto found = [&](int threads) {
        std::vector<T> out(at(adjacency.size()), 77);
        distances<T>(adjacency, sources, out.data(), control, threads);
        return out;
    };
    const std::vector<T> alone = found(1);
    for (const int threads : room_threads) REQUIRE((found(threads) == alone));
}

}  // namespace

TEST_CASE("distances in rooms shared by threads are those of one") {
    for (const Shape shape : {Shape{1, 1}, {5, 3}, {1600, 700}})
        for (const int kind : {0, 1, 2, 3}) {
            Control control;
            Bytes walls = some_room(shape, kind), open(walls.size()), with_diagonals(walls.size());
            const Index sources[] = {0, shape.size() / 2, shape.size() - 1, 0};
            for (const Index source : sources) walls[at(source)] = 0;
            const Adjacency room = adjacency_of_walls(walls.data(), shape, open.data(), control);
            Bytes again(open.size());
            adjacency_of_walls(walls.data(), shape, again.data(), control, 3);
            REQUIRE((again == open));
            const Adjacency diagonal =
                adjacency_with_diagonals(walls.data(), shape, with_diagonals.data(), control);
            require_the_same_distances<std::int16_t>(room, sources);
            require_the_same_distances<std::int32_t>(room, {sources, 1});
            require_the_same_distances<std::int64_t>(diagonal, {sources + 1, 1});
        }
}

TEST_CASE("distances in a periodic room shared by threads are those of one") {
    const Shape shape{801, 600};
    Control control;
    const Bytes passages(at(shape.size()), 15);
    Bytes open(passages.size());
    const Index source = shape.size() / 3;
    require_the_same_distances<std::int32_t>(
        adjacency_of_passages(passages.data(), shape, {true, true}, open.data(), control),
        {&source, 1});
}

TEST_CASE("what threads of a room throw ends all of them, and so does the hook") {
    const Shape shape{1000, 2000};
    const Bytes walls(at(shape.size()), 0);
    Bytes open(walls.size());
    std::vector<Index> row;
    for (Index col = 0; col < shape.cols; ++col) row.push_back(col);
    std::vector<std::int8_t> narrow(walls.size());
    std::vector<std::int32_t> wide(walls.size());
    for (const int threads : {1, 2, 5}) {
        // (How often it is asked depends on the share of the work that its thread gets.)
        Control free, stopped([](void*, Index) { return false; });
        const Adjacency room = adjacency_of_walls(walls.data(), shape, open.data(), free);
        CHECK_THROWS_WITH_AS(distances(room, row, narrow.data(), free, threads),
                             "a distance of 128", std::overflow_error);
        CHECK_THROWS_AS(distances(room, row, wide.data(), stopped, threads), Cancelled);
    }
}

namespace {

void require_the_same_search(const Adjacency& adjacency, std::span<const Index> goals,
                             const SolveOptions& options) {
    const auto found = [&](int threads) {
        Control control;
        Search search{adjacency, adjacency.size() / 3, goals, {{1, 2}}, options, control, threads};
        NoTrace record;
        return bfs(search, record);
    };
    const auto bytes = [](const Buffer<std::uint8_t>& of) {
        return Bytes(of.data(), of.data() + of.size());
    };
    const SearchResult alone = found(1);
    for (const int threads : room_threads) {
        const SearchResult shared = found(threads);
        REQUIRE(shared.found == alone.found);
        REQUIRE(shared.goal == alone.goal);
        REQUIRE(shared.explored == alone.explored);
        REQUIRE((bytes(shared.steps) == bytes(alone.steps)));
        REQUIRE((bytes(shared.reached) == bytes(alone.reached)));
    }
}

}  // namespace

TEST_CASE("paths in rooms shared by threads are those of one") {
    SolveOptions backwards;
    backwards.directions = {Direction::west, Direction::south, Direction::east, Direction::north};
    for (const Shape shape : {Shape{5, 3}, {700, 1600}})
        for (const int kind : {0, 1, 2, 3}) {
            Control control;
            Bytes walls = some_room(shape, kind), open(walls.size());
            // At the rim, in the middle of a level, adjacent, and the last that is reached.
            const Index goals[] = {shape.size() - 1, shape.size() / 2 + shape.cols / 5, 1, 0};
            for (const Index goal : goals) walls[at(goal)] = 0;
            walls[at(shape.size() / 3)] = 0;
            const Adjacency room = adjacency_of_walls(walls.data(), shape, open.data(), control);
            for (const SolveOptions& options : {SolveOptions(), backwards}) {
                require_the_same_search(room, {goals, 1}, options);
                require_the_same_search(room, {goals + 1, 2}, options);
                require_the_same_search(room, {goals + 2, 2}, options);
            }
        }
}

TEST_CASE("diagonal and periodic paths do not depend on threads") {
    const Shape shape{801, 600};
    Control control;
    const Bytes passages(at(shape.size()), 15);
    Bytes open(passages.size());
    const Index goal = shape.size() - 1;
    require_the_same_search(
        adjacency_of_passages(passages.data(), shape, {true, true}, open.data(), control),
        {&goal, 1}, SolveOptions());
    const Bytes walls(passages.size(), 0);
    require_the_same_search(adjacency_with_diagonals(walls.data(), shape, open.data(), control),
                            {&goal, 1}, SolveOptions());
}
