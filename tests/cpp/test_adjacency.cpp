// Adjacency: what can be walked, and that nothing leads outside.
#include <doctest/doctest.h>

#include <stdexcept>

#include "adjacency.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

Bytes some_walls(Shape shape, std::uint64_t seed) {
    Bytes walls(at(shape.size()), 0);
    Random random(Seed{{seed, 97}});
    for (std::uint8_t& wall : walls)  // whatever is not 0 is a wall
        wall = static_cast<std::uint8_t>(random.bits(2) == 0 ? 1 + random.bits(7) : 0);
    return walls;
}

}  // namespace

TEST_CASE("walls become moves to the four neighbours that are roads") {
    for (const Shape shape : shapes)
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            const Bytes walls = some_walls(shape, seed);
            Bytes roads(walls.size());
            for (std::size_t i = 0; i < walls.size(); ++i) roads[i] = walls[i] == 0 ? 1 : 0;
            Bytes room(walls.size(), 0xee);
            Control control;
            const Adjacency adjacency =
                adjacency_of_walls(walls.data(), shape, room.data(), control);
            CHECK(adjacency.open() == room.data());
            for (Index row = 0; row < shape.rows; ++row)
                for (Index col = 0; col < shape.cols; ++col) {
                    unsigned expected = 0;
                    for (const Direction d : directions)
                        if (neighbour(shape, roads, row, col, d)) expected |= bit(d);
                    REQUIRE(adjacency.open()[shape.id({row, col})] == expected);
                }
        }
}

TEST_CASE("rows of walls longer than a piece") {
    const Shape shape{3, (Index{1} << 20) + 37};
    const Bytes walls = some_walls(shape, 8);
    Bytes roads(walls.size()), room(walls.size(), 0xee);
    for (std::size_t i = 0; i < walls.size(); ++i) roads[i] = walls[i] == 0 ? 1 : 0;
    Control control;
    const Adjacency adjacency = adjacency_of_walls(walls.data(), shape, room.data(), control);
    Index others = 0;
    for (Index row = 0; row < shape.rows; ++row)
        for (Index col = 0; col < shape.cols; ++col) {
            unsigned expected = 0;
            for (const Direction d : directions)
                if (neighbour(shape, roads, row, col, d)) expected |= bit(d);
            others += adjacency.open()[shape.id({row, col})] == expected ? 0 : 1;
        }
    CHECK(others == 0);
}

TEST_CASE("passages are an adjacency as they stand") {
    for (const Shape shape : shapes) {
        const Bytes open = some_passages(shape, some_mask(shape, 0), 5);
        const Adjacency adjacency = adjacency_of_passages(open.data(), shape);
        CHECK(adjacency.open() == open.data());
        CHECK(adjacency.shape() == shape);
    }
}

TEST_CASE("passages over any side of the rim are refused") {
    for (const Shape shape : shapes)
        for (Index row = 0; row < shape.rows; ++row)
            for (Index col = 0; col < shape.cols; ++col)
                for (const Direction d : directions) {
                    const Index r = row + row_step(d);
                    const Index c = col + col_step(d);
                    Bytes open(at(shape.size()), 0);
                    open[at(shape.id({row, col}))] = static_cast<std::uint8_t>(bit(d));
                    if (r >= 0 && r < shape.rows && c >= 0 && c < shape.cols)
                        CHECK_NOTHROW(adjacency_of_passages(open.data(), shape));
                    else
                        CHECK_THROWS_AS(adjacency_of_passages(open.data(), shape),
                                        std::invalid_argument);
                }
}

TEST_CASE("passages that wrap: every way leads to the neighbour, whatever the bytes") {
    Control control;
    for (const Shape shape : shapes)
        for (const Wrap wrap : wraps_of(shape)) {
            Bytes given(at(shape.size()), 0xff), room(at(shape.size()));
            for (Index id = 0; id < shape.size(); ++id) {
                const auto [row, col] = shape.cell(id);
                for (const Direction d : directions)
                    if (!neighbour(shape, Bytes(at(shape.size()), 1), row, col, d, wrap))
                        given[at(id)] &= static_cast<std::uint8_t>(~bit(d));
            }
            const Adjacency adjacency =
                adjacency_of_passages(given.data(), shape, wrap, room.data(), control);
            CHECK((adjacency.open() == room.data()) == wrap.any());
            const auto step = adjacency.offsets();
            for (Index id = 0; id < shape.size(); ++id) {
                unsigned seen = 0;
                for (unsigned move = 0; move < 8; ++move) {
                    if ((adjacency.open()[id] & adjacency.moves() & 1u << move) == 0) continue;
                    const Direction d = adjacency.direction_of(move);
                    REQUIRE(id + step[move] == beyond(shape, id, d));
                    REQUIRE(step[move ^ 2u] == -step[move]);
                    REQUIRE((seen & bit(d)) == 0);
                    seen |= bit(d);
                }
                REQUIRE(seen == (given[at(id)] & 15u));
            }
            // Any bit more leads over a rim that does not wrap.
            for (Index id = 0; id < shape.size(); ++id)
                for (const Direction d : directions)
                    if ((given[at(id)] & bit(d)) == 0) {
                        Bytes bad = given;
                        bad[at(id)] |= static_cast<std::uint8_t>(bit(d));
                        CHECK_THROWS_AS(
                            adjacency_of_passages(bad.data(), shape, wrap, room.data(), control),
                            std::invalid_argument);
                    }
        }
}

TEST_CASE("without_reverse: all but the move back") {
    for (unsigned d = 0; d < 8; ++d)
        CHECK(without_reverse[d] == static_cast<std::uint8_t>(~(1u << (d ^ 2u))));
    CHECK(without_reverse[from_nowhere] == 0xff);
}

TEST_CASE("neighbours come in the order given, those that are moves only") {
    const std::array<Direction, 4> order{Direction::north, Direction::south, Direction::west,
                                         Direction::east};
    for (const unsigned followed : {0x0fu, 0xffu}) {
        const OrderedNeighbours neighbours(order, followed);
        for (unsigned byte = 0; byte < 256; ++byte) {
            auto moves = neighbours[byte];
            for (const Direction d : order)
                for (const unsigned move : {static_cast<unsigned>(d), static_cast<unsigned>(d) + 4})
                    if ((byte & followed & 1u << move) != 0) {
                        REQUIRE((moves & 15) == move);
                        moves >>= 4;
                    }
            REQUIRE((moves & 15) == no_move);
        }
    }
}
