// Work on many mazes: each result is that of the maze alone, on any number of threads.
#include <doctest/doctest.h>

#include "batch.hpp"
#include "measure/components.hpp"
#include "paths/path_queries.hpp"
#include "solve/solvers.hpp"
#include "support.hpp"
#include "transform/square_symmetry.hpp"
#include "transform/transform_many.hpp"

using namespace meiro;

namespace {

// Seven mazes of one shape, with one mask or with one each.
struct Mazes {
    static constexpr Index n = 7;
    Bytes passages, masks;
    Batch batch{};

    Mazes(Shape shape, Wrap wrap, bool each) {
        for (std::uint64_t i = 0; i < n; ++i) {
            const Bytes mask = some_mask(shape, each ? i + 1 : 1);
            const Bytes open = some_passages(shape, mask, i, wrap);
            passages.insert(passages.end(), open.begin(), open.end());
            masks.insert(masks.end(), mask.begin(), mask.end());
        }
        batch = {passages.data(), n, shape, wrap, masks.data(), each};
    }
};

template <class Body>
void each_case(Body body) {
    for (const Shape shape : shapes)
        for (const Wrap wrap : wraps_of(shape))
            for (const bool each : {false, true})
                for (const int threads : {1, 3}) body(Mazes(shape, wrap, each), threads);
}

bool same(const Census& a, const Census& b) {
    return a.regions == b.regions && a.loops == b.loops && a.islands == b.islands &&
           a.open_blocks == b.open_blocks && a.bare_posts == b.bare_posts && a.parts == b.parts;
}

}  // namespace

TEST_CASE("the census of many mazes is that of each") {
    each_case([](const Mazes& mazes, int threads) {
        const Batch& batch = mazes.batch;
        Control control;
        Buffer<Census> found(batch.n);
        census_of_each(batch, found.data(), control, threads);
        for (Index i = 0; i < batch.n; ++i) {
            const Census alone =
                batch.wrap.any()
                    ? census_of_periodic(batch.maze(i), batch.shape, batch.wrap, batch.mask_of(i),
                                         control)
                    : census_of_passages(batch.maze(i), batch.shape, batch.mask_of(i), control);
            REQUIRE(same(found[i], alone));
        }
    });
}

TEST_CASE("the census of mazes that are too large to be labelled") {
    const Shape shape{300, 300};
    const Bytes mask = some_mask(shape, 1), open = some_passages(shape, mask, 1);
    Control control;
    Census found;
    census_of_each({open.data(), 1, shape, {}, mask.data()}, &found, control, 1);
    CHECK(same(found, census_of_passages(open.data(), shape, mask.data(), control)));
}

TEST_CASE("distances and policies of many mazes are those of each") {
    each_case([](const Mazes& mazes, int threads) {
        const Batch& batch = mazes.batch;
        const Index size = batch.shape.size();
        Control control;
        std::vector<Index> cells;
        for (Index i = 0; i < batch.n; ++i) {
            cells.push_back(i % size);
            cells.push_back(size - 1);
        }
        const auto places = [&](Index i) {
            return std::span<const Index>(cells).subspan(at(2 * i), 2);
        };
        std::vector<std::int32_t> steps(at(batch.n * size)), alone(at(size));
        std::vector<double> least(at(batch.n * size)), least_alone(at(size));
        Bytes moves(at(batch.n * size));
        search_each(batch, control, threads, [&](const Adjacency& maze, Index i, Control& one) {
            distances(maze, places(i), steps.data() + i * size, one);
            costs(maze, {}, places(i), least.data() + i * size, one);
            const auto best = policy(maze, places(i), one);
            std::copy(best.begin(), best.end(), moves.begin() + i * size);
        });
        MazeCopy copy(batch);
        for (Index i = 0; i < batch.n; ++i) {
            const Adjacency adjacency = copy.of(i, control);
            distances(adjacency, places(i), alone.data(), control);
            costs(adjacency, {}, places(i), least_alone.data(), control);
            const auto best = policy(adjacency, places(i), control);
            for (Index cell = 0; cell < size; ++cell) {
                REQUIRE(steps[at(i * size + cell)] == alone[at(cell)]);
                REQUIRE(least[at(i * size + cell)] == least_alone[at(cell)]);
                REQUIRE(moves[at(i * size + cell)] == best[cell]);
            }
        }
    });
}

TEST_CASE("transforms of many mazes have successive replicates, and any bytes stay in memory") {
    each_case([](Mazes mazes, int threads) {
        const Index size = mazes.batch.shape.size();
        Random random(Seed{{1, 97}});
        for (Index i = 4 * size; i < mazes.n * size; ++i)
            mazes.passages[at(i)] = static_cast<std::uint8_t>(random.bits(8));
        const Batch batch{mazes.passages.data(), mazes.n,
                          mazes.batch.shape,     mazes.batch.wrap,
                          mazes.masks.data(),    mazes.batch.mask_each};
        const Seed seed{{3, 4}, ~std::uint64_t{2}};  // the replicates begin again at 0
        Control control;
        Bytes out(at(batch.n * size)), one(at(size));
        transform_each(batch, out.data(), 10 * batch.shape.size(), control, threads,
                       [&](const Passages& maze, Index i, Control& worker) {
                           braid(maze, replicate(seed, i), Chance{Chance::certain / 2}, worker);
                       });
        const Passages alone(one.data(), batch.shape, batch.wrap);
        for (Index i = 0; i < batch.n; ++i) {
            lay_out(alone, batch.maze(i), batch.mask_of(i), control);
            braid(alone, {{3, 4}, seed.replicate + static_cast<std::uint64_t>(i)},
                  Chance{Chance::certain / 2}, control);
            alone.finish(control);
            REQUIRE(std::equal(one.begin(), one.end(), out.begin() + i * size));
        }
        std::vector<Index> walls(at(batch.n));
        Bytes left(at(batch.n * size), 1);
        transform_each(batch, out.data(), 5 * size, control, threads,
                       [&](const Passages& maze, Index i, Control& worker) {
                           fill_dead_ends(maze, left.data() + i * size, {}, 9, worker);
                       });
        count_walls_of_each(batch, walls.data(), control, threads);
        for (Index i = 0; i < batch.n; ++i) {
            lay_out(alone, batch.maze(i), batch.mask_of(i), control);
            REQUIRE(walls[at(i)] == count_walls(alone, control));
        }
        for (Index i = 0; i < batch.n * size; ++i) REQUIRE((left[at(i)] != 0 || out[at(i)] == 0));
    });
}

TEST_CASE("layers are turned one by one") {
    for (const Shape shape : shapes)
        for (unsigned symmetry = 0; symmetry < 8; ++symmetry)
            for (const int threads : {1, 3}) {
                const Symmetry how{(symmetry & 1) != 0, (symmetry & 2) != 0, (symmetry & 4) != 0};
                const Index n = 600, size = shape.size();
                Bytes from(at(n * size)), to(at(n * size)), one(at(size));
                Random random(Seed{{symmetry, 95}});
                for (std::uint8_t& byte : from) byte = static_cast<std::uint8_t>(random.bits(4));
                Control control;
                turn_each(from.data(), n, shape, how, true, to.data(), threads, control);
                for (Index i = 0; i < n; ++i) {
                    turn(from.data() + i * size, shape, how, true, one.data(), 1, control);
                    REQUIRE(std::equal(one.begin(), one.end(), to.begin() + i * size));
                }
            }
}
