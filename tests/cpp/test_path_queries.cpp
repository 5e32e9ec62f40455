// Questions about ways: bytes that no maze can hold do no harm, and small worlds by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "measure/components.hpp"
#include "paths/path_queries.hpp"
#include "solve/solve_many.hpp"
#include "solve/solvers.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

// Ways at random, many without their way back, but none over a rim that does not wrap.
Bytes loose_passages(Shape shape, Wrap wrap, std::uint64_t seed) {
    Bytes open(at(shape.size()));
    Random random(Seed{{seed, 97}});
    for (Index row = 0; row < shape.rows; ++row)
        for (Index col = 0; col < shape.cols; ++col)
            for (const Direction d : directions)
                if (neighbour(shape, some_mask(shape, 0), row, col, d, wrap) && random.coin())
                    open[at(shape.id({row, col}))] |= static_cast<std::uint8_t>(bit(d));
    return open;
}

template <class Ask>
void ends_or_says_why(Ask ask) {
    try {
        ask();
    } catch (const std::invalid_argument& error) {
        CHECK(std::string_view(error.what()) == "the adjacency is not symmetric");
    }
}

}  // namespace

TEST_CASE("whatever the bytes are, ways are asked for within the memory, and to an end") {
    for (const Shape shape : shapes)
        for (const Wrap wrap : wraps_of(shape))
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                const Bytes open = loose_passages(shape, wrap, seed);
                Bytes room(open.size());
                Control control;
                const Adjacency adjacency =
                    adjacency_of_passages(open.data(), shape, wrap, room.data(), control);
                Random random(Seed{{seed, 2}});
                const Index start = random.below(shape.size());
                const std::array<Index, 2> goals{random.below(shape.size()),
                                                 random.below(shape.size())};
                CHECK(policy(adjacency, goals, control).size() == shape.size());
                Descent descent = descend(adjacency, goals, start, control);
                if (descent.length >= 0) count_paths(adjacency, descent, start, control);
                ends_or_says_why([&] {
                    PathList list(descend(adjacency, goals, start, control), start);
                    for (int i = 0; i < 20 && list.next(adjacency, control); ++i) continue;
                });
                ends_or_says_why([&] { bottlenecks(adjacency, goals, start, control); });
                ends_or_says_why([&] { longest_path(adjacency, seed % 2 == 0, control); });
                std::vector<std::int32_t> labels(open.size());
                CHECK(label_cells(open.data(), shape, wrap, nullptr, labels.data(), control) >= 1);
                PathFinder<Search> finder(shape.size());
                const SquarePlaces<Index> places(adjacency);
                const Index length = finder.length(places, start, goals[0], control);
                REQUIRE(length >= -1);
                const auto steps = finder.steps(places, length, goals[0], control);
                std::vector<std::int32_t> path(at(2 * (length + 1)));
                list_places(shape, start, steps, length, length + 1, path.data(), control);
                if (length >= 0) CHECK(shape.id({path[0], path[1]}) == start);
            }
}

TEST_CASE("octile moves stay inside, wherever walls are") {
    for (const Shape shape : shapes)
        for (std::uint64_t seed = 0; seed < 20; ++seed) {
            Bytes walls = some_mask(shape, seed), room(walls.size());
            for (std::uint8_t& wall : walls) wall ^= 1;
            Control control;
            const Adjacency adjacency =
                adjacency_with_diagonals(walls.data(), shape, room.data(), control);
            const Index goal = static_cast<Index>(seed) % shape.size();
            const auto bits = octile_policy(adjacency, {&goal, 1}, control);
            for (Index i = 0; i < shape.size(); ++i) CHECK((bits[i] & ~adjacency.open()[i]) == 0);
            CHECK(bits[goal] == 0);
        }
}

TEST_CASE("the longest path is found, however many sweeps came before") {
    // A part whose longest path needs the exact search; and pairs of cells, each swept once before
    // that, so that the number of a sweep comes again.
    const Index side = 6, most = 280;
    const Shape shape{side + 1, side + 2 * most};
    Index harder = 0;
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
        Bytes part = some_passages({side, side}, some_mask({side, side}, 0), seed);
        const Bytes more = some_passages({side, side}, some_mask({side, side}, 0), seed + 99);
        for (std::size_t i = 0; i < part.size(); ++i) part[i] |= more[i];
        Control control;
        const Adjacency alone = adjacency_of_passages(part.data(), {side, side});
        Index longest = 0;
        std::vector<std::int64_t> distance(part.size());
        for (Index from = 0; from < side * side; ++from) {
            distances(alone, {&from, 1}, distance.data(), control);
            longest = std::max(longest, *std::max_element(distance.begin(), distance.end()));
        }
        if (longest_path(alone, false, control).length == longest) continue;
        ++harder;
        for (Index pairs = 230; pairs < most; ++pairs) {
            Bytes open(at(shape.size()), 0);
            for (Index row = 0; row < side; ++row)
                std::copy_n(part.begin() + row * side, side, open.begin() + row * shape.cols);
            for (Index pair = 0; pair < pairs; ++pair) {
                const Index cell = shape.id({side, 2 * pair});
                open[at(cell)] = bits::east;
                open[at(cell + 1)] = bits::west;
            }
            const Longest found =
                longest_path(adjacency_of_passages(open.data(), shape), true, control);
            REQUIRE(found.length == longest);
            REQUIRE(found.at_most == longest);
        }
    }
    CHECK(harder > 0);
}

TEST_CASE("octile moves from more goals at once than are taken between two polls") {
    const Shape shape{3, poll_chunk + 300};
    const Bytes room(at(shape.size()), 0);
    Bytes scratch(at(shape.size()));
    Control control;
    const Adjacency adjacency =
        adjacency_with_diagonals(room.data(), shape, scratch.data(), control);
    std::vector<Index> goals;
    for (Index col = 0; col < shape.cols; ++col) goals.insert(goals.end(), {col, col});
    const auto found = octile_policy(adjacency, goals, control);
    Index others = 0;
    for (Index cell = 0; cell < shape.size(); ++cell)
        others += found[cell] == (cell < shape.cols ? 0u : bits::north) ? 0 : 1;
    CHECK(others == 0);
}
