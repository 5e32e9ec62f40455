// Questions about ways: bytes that no maze can hold do no harm, and small worlds by hand.
#include <doctest/doctest.h>

#include <array>
#include <stdexcept>

#include "measure/components.hpp"
#include "paths/path_queries.hpp"
#include "solve/solve_many.hpp"
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
                Bytes room(open.size()), came(open.size());
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
                const ManyMazes many{open.data(), 1, shape, wrap, {&start, 1}, {goals.data(), 1}};
                Index length = -2;
                lengths_of_each(many, &length, came.data(), control, 1);
                REQUIRE(length >= -1);
                std::vector<std::int32_t> path(at(2 * (length + 1)));
                path_of_each(many, &length, came.data(), length + 1, path.data(), control, 1);
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
