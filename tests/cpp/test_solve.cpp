// Solvers over Adjacency, against the slowest possible reference.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

#include "registry.hpp"
#include "solve/solvers.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

// Distances by going over all cells until nothing changes.
std::vector<Index> slow_distances(Shape shape, const Bytes& open, Index source) {
    std::vector<Index> distance(open.size(), -1);
    distance[at(source)] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (Index id = 0; id < shape.size(); ++id)
            for (const Direction d : directions) {
                if (distance[at(id)] < 0 || (open[at(id)] & bit(d)) == 0) continue;
                Index& there = distance[at(beyond(shape, id, d))];
                if (there >= 0 && there <= distance[at(id)] + 1) continue;
                there = distance[at(id)] + 1;
                changed = true;
            }
    }
    return distance;
}

void check_path(Shape shape, const Bytes& open, Index start, Index goal,
                const SearchResult& found) {
    std::vector<bool> been(open.size());
    Index here = start;
    been[at(here)] = true;
    for (const std::uint8_t d : found.steps) {
        const auto towards = static_cast<Direction>(d & 3u);
        REQUIRE((open[at(here)] & bit(towards)) != 0);
        const Cell cell = shape.cell(here);
        const Index row = cell.row + row_step(towards), col = cell.col + col_step(towards);
        REQUIRE((d > 3) == (row < 0 || row == shape.rows || col < 0 || col == shape.cols));
        here = beyond(shape, here, towards);
        REQUIRE(!been[at(here)]);
        REQUIRE(found.reached[here] == d + 1);
        been[at(here)] = true;
    }
    REQUIRE(here == goal);
}

// `last`: the goal is what was reached last.
void check_order(const SearchResult& found, Index start, Index goal, bool last) {
    Index reached = 0;
    std::vector<bool> seen(at(found.explored));
    for (Index i = 0; i < found.order.size(); ++i) {
        REQUIRE((found.order[i] >= 0) == (found.reached[i] != 0));
        if (found.order[i] < 0) continue;
        ++reached;
        REQUIRE(found.order[i] < found.explored);
        REQUIRE(!seen[at(found.order[i])]);
        seen[at(found.order[i])] = true;
    }
    CHECK(reached == found.explored);
    CHECK(found.order[start] == 0);
    if (found.found && last) CHECK(found.order[goal] == found.explored - 1);
}

}  // namespace

TEST_CASE("every solver finds a way exactly when there is one, a shortest one if it says so") {
    for (const Solver& solver : solvers())
        for (const Shape shape : shapes)
            for (std::uint64_t seed = 0; seed < 12; ++seed) {
                CAPTURE(solver.name);
                const auto wraps = wraps_of(shape);
                const Wrap wrap =
                    !solver.is(SolverTrait::flat) ? wraps[seed / 3 % wraps.size()] : Wrap{};
                const Bytes open = some_passages(shape, some_mask(shape, seed % 3), seed, wrap);
                Bytes room(open.size());
                Random random(Seed{{seed, 1}});
                const Index start = random.below(shape.size());
                const std::vector<Index> goals{random.below(shape.size())};
                const Index goal = goals[0];
                const auto distance = slow_distances(shape, open, start);
                for (const bool by_chance : {false, true})
                    for (const bool order : {false, true}) {
                        SolveOptions options;
                        options.random = by_chance;
                        options.order = order;
                        Control control;
                        Search search{
                            adjacency_of_passages(open.data(), shape, wrap, room.data(), control),
                            start,
                            goals,
                            {{seed, 2}},
                            options,
                            control};
                        NoTrace silent;
                        const SearchResult found = solver.run(search, silent);
                        if (!solver.is(SolverTrait::incomplete))
                            REQUIRE(found.found == (distance[at(goal)] >= 0));
                        if (found.found) check_path(shape, open, start, goal, found);
                        if (found.found && solver.is(SolverTrait::shortest))
                            REQUIRE(found.steps.size() == distance[at(goal)]);
                        if (order) check_order(found, start, goal, solver.name != "bidirectional");
                        if (start == goal) CHECK(found.explored == 1);

                        std::vector<std::uint64_t> memory(10000);
                        Trace trace(shape, Space::sites, memory.data(), 10000);
                        const SearchResult watched = solver.run(search, trace);
                        REQUIRE(watched.explored == found.explored);
                        REQUIRE(std::equal(watched.reached.begin(), watched.reached.end(),
                                           found.reached.begin()));
                        Index visits = 0, places = 0;
                        for (Index i = 0; i < trace.count(); ++i) {
                            const EventRecord h = unpack(memory[at(i)]);
                            places += h.event == Event::path ? 1 : 0;
                            if (h.event != Event::visit && h.event != Event::fill) continue;
                            if (order) REQUIRE(found.order[static_cast<Index>(h.place)] == visits);
                            ++visits;
                        }
                        REQUIRE(visits == found.explored);
                        REQUIRE(places == (found.found ? found.steps.size() + 1 : 0));
                    }
            }
}

TEST_CASE("distances are the slow ones, from one or several sources, in every width") {
    for (const Shape shape : shapes)
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            const auto wraps = wraps_of(shape);
            const Wrap wrap = wraps[seed / 3 % wraps.size()];
            const Bytes open = some_passages(shape, some_mask(shape, seed % 3), seed, wrap);
            Bytes room(open.size());
            const Index sources[] = {0, shape.size() / 2, shape.size() - 1, 0};
            std::vector<Index> expected(open.size(), -1);
            for (const Index source : sources) {
                const auto one = slow_distances(shape, open, source);
                for (std::size_t i = 0; i < one.size(); ++i)
                    if (one[i] >= 0 && (expected[i] < 0 || one[i] < expected[i]))
                        expected[i] = one[i];
            }
            Control control;
            const Adjacency adjacency =
                adjacency_of_passages(open.data(), shape, wrap, room.data(), control);
            std::vector<std::int64_t> wide(open.size(), 77);
            distances<std::int64_t>(adjacency, sources, wide.data(), control);
            CHECK(wide == expected);
            std::vector<std::int8_t> narrow(open.size(), 77);
            distances<std::int8_t>(adjacency, sources, narrow.data(), control);
            CHECK(std::equal(narrow.begin(), narrow.end(), expected.begin()));
        }
}

TEST_CASE("a distance that does not fit is an error, one that just fits is not") {
    for (const Index cols : {Index{128}, Index{129}}) {
        Bytes open(at(cols), 10);
        open.front() = 2;
        open.back() = 8;
        const Index source = 0;
        Control control;
        std::vector<std::int8_t> out(open.size());
        const Adjacency adjacency = adjacency_of_passages(open.data(), {1, cols});
        if (cols == 128) {
            distances<std::int8_t>(adjacency, {&source, 1}, out.data(), control);
            CHECK(out.back() == 127);
        } else {
            CHECK_THROWS_AS(distances<std::int8_t>(adjacency, {&source, 1}, out.data(), control),
                            std::overflow_error);
        }
    }
}

TEST_CASE("the order of directions decides") {
    const Bytes open{6, 12, 3, 9};  // 2 x 2, a ring
    const Adjacency adjacency = adjacency_of_passages(open.data(), {2, 2});
    for (const bool east_first : {true, false}) {
        SolveOptions options;
        if (!east_first) std::swap(options.directions[1], options.directions[2]);
        for (const Solver& solver : solvers()) {
            if (solver.options.find("directions") == std::string_view::npos) continue;
            Control control;
            const std::vector<Index> goals{3};
            Search search{adjacency, 0, goals, {}, options, control};
            NoTrace silent;
            const SearchResult found = solver.run(search, silent);
            REQUIRE(found.steps.size() == 2);
            CHECK(found.steps[0] == (east_first ? 1 : 2));
        }
    }
}

TEST_CASE("a wide frontier grows, in an open room") {
    const Shape shape{300, 257};
    const Bytes walls(at(shape.size()), 0);
    Bytes room(walls.size());
    Control control;
    const Adjacency adjacency = adjacency_of_walls(walls.data(), shape, room.data(), control);
    const Index middle = shape.id({150, 128});
    std::vector<std::int16_t> out(walls.size());
    distances<std::int16_t>(adjacency, {&middle, 1}, out.data(), control);
    for (Index row = 0; row < shape.rows; ++row)
        for (Index col = 0; col < shape.cols; ++col)
            REQUIRE(out[at(shape.id({row, col}))] == std::abs(row - 150) + std::abs(col - 128));
    const SolveOptions options;
    const std::vector<Index> goals{shape.size() - 1};
    Search search{adjacency, 0, goals, {}, options, control};
    NoTrace silent;
    CHECK(bfs(search, silent).steps.size() == shape.rows + shape.cols - 2);
    CHECK(dfs(search, silent).found);
}

TEST_CASE("searches end when they are told to, and when memory is short") {
    const Shape shape{600, 600};
    const Bytes walls(at(shape.size()), 0);
    Bytes room(walls.size());
    Control patient;
    const Adjacency adjacency = adjacency_of_walls(walls.data(), shape, room.data(), patient);
    SolveOptions options;
    options.order = true;
    NoTrace silent;
    for (const Solver& solver : solvers()) {
        Control control([](void*, Index) { return false; }, nullptr);
        const std::vector<Index> goals{shape.size() - 1};
        Search search{adjacency, 0, goals, {}, options, control};
        CHECK_THROWS_AS(solver.run(search, silent), Cancelled);
        for (std::int64_t n = 0; n < 2; ++n) {
            buffers_until_failure() = n;
            Search again{adjacency, 0, goals, {}, options, patient};
            CHECK_THROWS_AS(solver.run(again, silent), std::bad_alloc);
        }
        buffers_until_failure() = -1;
    }
}
