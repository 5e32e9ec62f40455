// Links: what can be walked, and that nothing leads outside.
#include <doctest/doctest.h>

#include <stdexcept>

#include "links.hpp"
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

TEST_CASE("walls become links to the four neighbours that are roads") {
    for (const Shape shape : shapes)
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            const Bytes walls = some_walls(shape, seed);
            Bytes roads(walls.size());
            for (std::size_t i = 0; i < walls.size(); ++i) roads[i] = walls[i] == 0 ? 1 : 0;
            Bytes room(walls.size(), 0xee);
            Control control;
            const Links links = links_of_walls(walls.data(), shape, room.data(), control);
            CHECK(links.open() == room.data());
            for (Index row = 0; row < shape.rows; ++row)
                for (Index col = 0; col < shape.cols; ++col) {
                    unsigned expected = 0;
                    for (const Direction d : directions)
                        if (neighbour(shape, roads, row, col, d)) expected |= bit(d);
                    REQUIRE(links.open()[shape.id({row, col})] == expected);
                }
        }
}

TEST_CASE("passages are links as they stand") {
    for (const Shape shape : shapes) {
        const Bytes open = some_passages(shape, some_mask(shape, 0), 5);
        const Links links = links_of_passages(open.data(), shape);
        CHECK(links.open() == open.data());
        CHECK(links.shape() == shape);
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
                        CHECK_NOTHROW(links_of_passages(open.data(), shape));
                    else
                        CHECK_THROWS_AS(links_of_passages(open.data(), shape),
                                        std::invalid_argument);
                }
}

TEST_CASE("moves lead to the neighbours, opposites back") {
    constexpr auto step = moves(10);
    const Index expected[] = {-10, 1, 10, -1, -9, 11, 9, -11};
    for (std::size_t d = 0; d < 8; ++d) {
        CHECK(step[d] == expected[d]);
        CHECK(step[d ^ 2u] == -step[d]);
        CHECK(onward[d] == static_cast<std::uint8_t>(~(1u << (d ^ 2u))));
    }
    CHECK(onward[from_nowhere] == 0xff);
}

TEST_CASE("choices come in the order given, straight ones only") {
    const std::array<Direction, 4> order{Direction::north, Direction::south, Direction::west,
                                         Direction::east};
    const Choices choices(order);
    for (unsigned byte = 0; byte < 256; ++byte) {
        auto ways = choices[byte];
        for (const Direction d : order)
            if ((byte & bit(d)) != 0) {
                REQUIRE((ways & 15) == static_cast<unsigned>(d));
                ways >>= 4;
            }
        REQUIRE((ways & 15) == no_choice);
    }
}
