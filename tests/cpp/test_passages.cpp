// The bytes of a maze while it is made, at every rim and under masks.
#include <doctest/doctest.h>

#include "adjacency.hpp"
#include "passages.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

constexpr std::uint8_t guard = 0xa5;

// Bytes with guards on both sides, and Passages over those between.
struct Guarded {
    explicit Guarded(Shape s)
        : shape(s), bytes(at(s.size()) + 2, guard), maze(bytes.data() + 1, s) {}
    std::uint8_t& operator[](Index i) { return bytes[at(i) + 1]; }
    bool whole() const { return bytes.front() == guard && bytes.back() == guard; }

    Shape shape;
    Bytes bytes;
    Passages maze;
};

unsigned neighbours(Shape shape, const Bytes& mask, Index row, Index col) {
    unsigned bits = 0;
    for (const Direction d : directions)
        if (neighbour(shape, mask, row, col, d)) bits |= bit(d);
    return bits;
}

template <class Body>
void every_world(Body body) {
    for (const Shape shape : shapes)
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            CAPTURE(shape.rows);
            CAPTURE(shape.cols);
            CAPTURE(seed);
            const Bytes mask = some_mask(shape, seed);
            body(shape, seed == 0 ? nullptr : mask.data(), mask);
        }
}

// body(sound passages, shape, wrap, mask, which cells exist)
template <class Body>
void every_sound_maze(Body body) {
    every_world([&](Shape shape, Mask mask, const Bytes& there) {
        for (const Wrap wrap : wraps_of(shape))
            body(some_passages(shape, there, 6, wrap), shape, wrap, mask, there);
    });
}

}  // namespace

TEST_CASE("begin: nothing open, the free are the neighbours that exist") {
    every_world([](Shape shape, Mask mask, const Bytes& there) {
        Guarded g(shape);
        Control control;
        g.maze.begin(mask, control);
        for (Index r = 0; r < shape.rows; ++r)
            for (Index c = 0; c < shape.cols; ++c) {
                const Index id = shape.id({r, c});
                REQUIRE((g[id] & 15) == 0);
                REQUIRE(g.maze.free(id) == neighbours(shape, there, r, c));
            }
        CHECK(g.whole());
    });
}

TEST_CASE("a mask of ones is no mask") {
    for (const Shape shape : shapes) {
        const Bytes ones(at(shape.size()), 1);
        Guarded with(shape);
        Guarded without(shape);
        Control control;
        with.maze.begin(ones.data(), control);
        without.maze.begin(nullptr, control);
        CHECK(with.bytes == without.bytes);
    }
}

TEST_CASE("enter: no neighbour may choose the cell any more, and nothing else changes") {
    every_world([](Shape shape, Mask mask, const Bytes& there) {
        for (Index cell = 0; cell < shape.size(); ++cell) {
            Guarded g(shape);
            Control control;
            g.maze.begin(mask, control);
            g.maze.enter(cell);
            for (Index r = 0; r < shape.rows; ++r)
                for (Index c = 0; c < shape.cols; ++c) {
                    unsigned expected = neighbours(shape, there, r, c);
                    for (const Direction d : directions)
                        if (Cell{r + row_step(d), c + col_step(d)} == shape.cell(cell))
                            expected &= ~bit(d);
                    REQUIRE(g.maze.free(shape.id({r, c})) == expected);
                }
            REQUIRE(g.whole());
        }
    });
}

TEST_CASE("open: both sides; finish: only the open directions remain") {
    every_world([](Shape shape, Mask mask, const Bytes& there) {
        Guarded g(shape);
        Control control;
        g.maze.begin(mask, control);
        const Bytes wanted = some_passages(shape, there, 5);
        for (Index id = 0; id < shape.size(); ++id)
            for (const Direction d : {Direction::east, Direction::south})
                if ((wanted[at(id)] & bit(d)) != 0) g.maze.open(id, d);
        g.maze.finish(control);
        for (Index id = 0; id < shape.size(); ++id) REQUIRE(g[id] == wanted[at(id)]);
        CHECK(g.whole());
        CHECK(g.maze.first_fault(mask, control) == -1);
    });
}

TEST_CASE("first_fault finds each bit that is wrong, at the first of the cells it concerns") {
    every_sound_maze([](const Bytes& sound, Shape shape, Wrap wrap, Mask mask, const Bytes&) {
        const auto first_fault = [&](Bytes bytes) {
            Control control;
            return Passages(bytes.data(), shape, wrap).first_fault(mask, control);
        };
        for (Index id = 0; id < shape.size(); ++id)
            for (unsigned b = 0; b < 8; ++b) {
                Bytes bytes = sound;
                bytes[at(id)] ^= static_cast<std::uint8_t>(1u << b);
                // Named is the side that is open and should not be: the other, if it was both.
                const bool taken = b < 4 && (sound[at(id)] >> b & 1) != 0;
                REQUIRE(first_fault(bytes) ==
                        (taken ? beyond(shape, id, static_cast<Direction>(b & 3u)) : id));
            }
        CHECK(first_fault(sound) == -1);
    });
}

TEST_CASE("first_fault finds passages of cells that do not exist, at one of their two cells") {
    every_sound_maze([](const Bytes& sound, Shape shape, Wrap wrap, Mask mask, const Bytes& there) {
        Control control;
        for (Index id = 0; id < shape.size(); ++id)
            for (const Direction d : {Direction::east, Direction::south}) {
                const Index other = beyond(shape, id, d);
                const bool wraps = d == Direction::east ? wrap.cols : wrap.rows;
                if ((other < id && !wraps) || other == id) continue;
                if ((there[at(id)] & there[at(other)]) != 0) continue;
                Bytes bytes = sound;
                bytes[at(id)] |= static_cast<std::uint8_t>(bit(d));
                bytes[at(other)] |= static_cast<std::uint8_t>(bit(opposite(d)));
                const Index fault = Passages(bytes.data(), shape, wrap).first_fault(mask, control);
                REQUIRE((fault == id || fault == other));
            }
    });
}

TEST_CASE("wide and tall mazes, over more than one band") {
    for (const Shape shape : {Shape{3, (Index{1} << 20) + 5}, Shape{(Index{1} << 20) + 5, 3}}) {
        Guarded g(shape);
        Control control;
        g.maze.begin(nullptr, control);
        CHECK(g.maze.free(0) == (bit(Direction::east) | bit(Direction::south)));
        CHECK(g.maze.free(shape.size() - 1) == (bit(Direction::north) | bit(Direction::west)));
        CHECK(g.maze.free(shape.id({1, 1})) == 15);
        g.maze.finish(control);
        CHECK(g.maze.first_fault(nullptr, control) == -1);
        g[shape.size() - 2] |= static_cast<std::uint8_t>(bit(Direction::east));
        CHECK(g.maze.first_fault(nullptr, control) == shape.size() - 2);
        CHECK(g.whole());
    }
}

TEST_CASE("the first fault of rows longer than a piece") {
    const Shape shape{2, (Index{1} << 20) + 37};
    const Index first = 5, second = shape.cols - 3, below = shape.cols + 7;
    for (const std::vector<Index>& faults :
         {std::vector{first}, {second}, {below}, {first, second}, {second, below}}) {
        Bytes open(at(shape.size()), 0);
        for (const Index cell : faults) open[at(cell)] = 0x20;
        Control control;
        CHECK(Passages(open.data(), shape).first_fault(nullptr, control) == faults[0]);
    }
}
