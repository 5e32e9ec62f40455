// What prim and boruvka tell of their growth, followed step by step with the rule in its plainest
// words. That all three make one maze, kruskal's: test_kruskal.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "generate/job.hpp"
#include "generate/shared/weights.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

struct WeightedMaze {
    Shape shape;
    Wrap wrap;
    Bytes mask;
    std::vector<double> weights;

    bool there(Index wall) const {
        const Wall w = wall_of(shape, wall, wrap);
        return mask[at(w.cell)] != 0 && mask[at(other(w))] != 0;
    }
    Index other(Wall w) const { return beyond(shape, w.cell, w.towards()); }
    bool lighter(Index a, Index b) const {
        return weights[at(a)] != weights[at(b)] ? weights[at(a)] < weights[at(b)] : a < b;
    }
    // The lightest wall that parts two cells with this and that said of them; -1: none.
    template <class Parts>
    Index lightest(Parts parts) const {
        Index best = -1;
        for (Index id = 0; id < wall_count(shape, wrap); ++id) {
            const Wall w = wall_of(shape, id, wrap);
            if (there(id) && parts(w.cell, other(w)) && (best < 0 || lighter(id, best))) best = id;
        }
        return best;
    }
};

struct Told {
    Event event;
    Index cell, wall;  // -1: none
};

template <class Body>
void every_weighted_maze(const Runs<Job>& run, Body body) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Random random(Seed{{seed, 97}});
        WeightedMaze world{
            {3 + random.below(5), 3 + random.below(5)}, {random.coin(), random.coin()}, {}, {}};
        world.mask = some_mask(world.shape, seed % 4);
        for (Index k = 0; k < wall_count(world.shape, world.wrap); ++k)
            world.weights.push_back(static_cast<double>(random.below(seed % 2 == 0 ? 6 : 1000)));
        Options options;
        options.weights = world.weights;
        Bytes open(world.mask.size());
        Control control;
        Job job{Passages(open.data(), world.shape, world.wrap),
                world.mask.data(),
                {},
                options,
                control};
        std::vector<std::uint64_t> memory(1000);
        Trace trace(world.shape, Space::cells, memory.data(), 1000);
        run(job, trace);
        std::vector<Told> told;
        for (std::size_t k = 0; k < at(trace.count()); ++k) {
            const EventRecord h = unpack(memory[k]);
            const Index width = 2 * world.shape.cols + 1, place = static_cast<Index>(h.place);
            const Index cell = world.shape.id({(place / width - 1) / 2, (place % width - 1) / 2});
            Index wall = -1;
            if (h.direction == Direction::east || h.direction == Direction::south)
                wall = wall_id(world.shape, {cell, h.direction == Direction::south}, world.wrap);
            else if (h.direction != Direction::none)
                wall = wall_id(
                    world.shape,
                    {beyond(world.shape, cell, h.direction), h.direction == Direction::north},
                    world.wrap);
            told.push_back({h.event, cell, wall});
        }
        body(world, told);
    }
}

}  // namespace

TEST_CASE("prim grows one tree through the lightest wall, and the next part from its first cell") {
    every_weighted_maze(prim, [](const WeightedMaze& world, const std::vector<Told>& told) {
        Bytes in(world.mask.size());
        const auto lightest = [&] {
            return world.lightest([&](Index a, Index b) { return in[at(a)] != in[at(b)]; });
        };
        for (const auto& [event, cell, wall] : told) {
            if (event == Event::visit) {
                REQUIRE(lightest() == -1);
                Index first = 0;
                while (world.mask[at(first)] == 0 || in[at(first)] != 0) ++first;
                REQUIRE(cell == first);
                in[at(cell)] = 1;
            } else if (event == Event::carve) {
                const Wall w = wall_of(world.shape, wall, world.wrap);
                REQUIRE(in[at(cell)] == 1);
                REQUIRE(wall == lightest());
                in[at(w.cell)] = in[at(world.other(w))] = 1;
            } else {
                REQUIRE(event == Event::keep);
                const Wall w = wall_of(world.shape, wall, world.wrap);
                REQUIRE((in[at(w.cell)] & in[at(world.other(w))]) == 1);
            }
        }
        REQUIRE(in == world.mask);
    });
}

TEST_CASE("boruvka opens the lightest wall of every region in rounds") {
    every_weighted_maze(boruvka, [](const WeightedMaze& world, const std::vector<Told>& told) {
        std::vector<Index> label(world.mask.size());
        std::iota(label.begin(), label.end(), 0);
        const auto region = [&](Index cell) { return label[at(cell)]; };
        std::size_t next = 0;
        const auto keeps = [&] {
            for (; next < told.size() && told[next].event == Event::keep; ++next) {
                const Wall w = wall_of(world.shape, told[next].wall, world.wrap);
                REQUIRE(region(w.cell) == region(world.other(w)));
            }
        };
        for (;;) {
            std::set<Index> chosen;
            for (const Index of : std::set<Index>(label.begin(), label.end())) {
                const Index wall = world.lightest(
                    [&](Index a, Index b) { return (region(a) == of) != (region(b) == of); });
                if (wall >= 0) chosen.insert(wall);
            }
            keeps();
            std::set<Index> opened;
            for (std::size_t k = 0; k < chosen.size(); ++k, ++next) {
                REQUIRE(next < told.size());
                REQUIRE(told[next].event == Event::carve);
                opened.insert(told[next].wall);
            }
            REQUIRE(opened == chosen);
            if (chosen.empty()) break;
            for (const Index wall : opened) {
                const Wall w = wall_of(world.shape, wall, world.wrap);
                std::replace(label.begin(), label.end(), region(w.cell), region(world.other(w)));
            }
        }
        REQUIRE(next == told.size());
    });
}
