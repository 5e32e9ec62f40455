// Windows of mazes, and mazes in pieces: byte for byte those of the whole maze.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "generate/job.hpp"
#include "generate/mst_tiles/pieces.hpp"
#include "generate/window/window.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

using Make = void (*)(Job&, NoTrace&);

Bytes whole_maze(Make make, Shape shape, const Seed& seed, const Options& options) {
    Bytes bytes(at(shape.size()), 0xee);
    Control control;
    NoTrace none;
    Job job{Passages(bytes.data(), shape), nullptr, seed, options, control};
    make(job, none);
    return bytes;
}

Bytes cut(const Bytes& whole, Shape shape, Cell first, Shape part) {
    Bytes found;
    for (Index r = 0; r < part.rows; ++r)
        for (Index c = 0; c < part.cols; ++c)
            found.push_back(whole[at(shape.id({first.row + r, first.col + c}))]);
    return found;
}

// A rectangle within a shape.
tiles::Rectangle some_rectangle(Random& random, Shape shape) {
    const Cell first{random.below(shape.rows), random.below(shape.cols)};
    return {first,
            {1 + random.below(shape.rows - first.row), 1 + random.below(shape.cols - first.col)}};
}

// The critical walls of a rectangle, reduced at once or from its halves; `open` collects.
Stack<tiles::Critical> reduced(const tiles::WholeMaze& maze, const tiles::Rectangle& all,
                               Random& random, std::vector<tiles::Rectangle>& leaves,
                               Stack<Index>& open, int depth) {
    Stack<tiles::Critical> critical;
    Control control;
    const bool across = random.coin();
    const Index side = across ? all.shape.cols : all.shape.rows;
    if (depth == 0 || side == 1) {
        Bytes passages(at(all.shape.size()));
        tiles::reduce(maze, all, passages.data(), critical, control, 1);
        leaves.push_back(all);
        return critical;
    }
    tiles::Rectangle a = all, b = all;
    const Index half = 1 + random.below(side - 1);
    (across ? a.shape.cols : a.shape.rows) = half;
    (across ? b.shape.cols : b.shape.rows) = side - half;
    (across ? b.first.col : b.first.row) += half;
    const auto of_a = reduced(maze, a, random, leaves, open, depth - 1);
    const auto of_b = reduced(maze, b, random, leaves, open, depth - 1);
    const auto piece = [](const tiles::Rectangle& where, const Stack<tiles::Critical>& walls) {
        return tiles::Piece{where, {walls.begin(), at(walls.size())}};
    };
    tiles::merge(maze, piece(a, of_a), piece(b, of_b), critical, open, control);
    return critical;
}

}  // namespace

TEST_CASE("a window is a part of the whole maze") {
    struct Kind {
        std::string name;
        Make make;
    };
    const std::vector<Kind> kinds{{"binary_tree", binary_tree.plain},
                                  {"kruskal", kruskal.plain},
                                  {"percolation", percolation.plain},
                                  {"pole_toppling", pole_toppling.plain},
                                  {"sidewinder", sidewinder.plain}};
    Random random({{1, 2}, 3});
    for (int round = 0; round < 400; ++round) {
        const Kind& kind = kinds[at(random.below(5))];
        const Shape shape = round % 4 == 0 ? Shape{1 + random.below(400), 1 + random.below(400)}
                                           : Shape{1 + random.below(12), 1 + random.below(12)};
        const Seed seed{{random(), random()}, 0};
        Options options;
        options.corner = static_cast<Corner>(random.below(4));
        if (kind.name == "sidewinder" || kind.name == "pole_toppling")
            options.towards = static_cast<Direction>(random.below(4));
        if (random.coin()) options.p = {Chance::certain / 3};
        if (random.coin()) options.bias = even_odds / 4;
        const Bytes whole = whole_maze(kind.make, shape, seed, options);
        const auto part = some_rectangle(random, shape);
        Bytes found(at(part.shape.size()), 0xee);
        Control control;
        const int threads = 1 + static_cast<int>(random.below(2));
        REQUIRE(make_window(kind.name, {shape, part.first, part.shape, found.data(), seed, options,
                                        control, threads}));
        CAPTURE(kind.name);
        CHECK(found == cut(whole, shape, part.first, part.shape));
    }
    Control control;
    CHECK_FALSE(make_window("wilson", {{1, 1}, {0, 0}, {1, 1}, nullptr, {}, {}, control}));
}

TEST_CASE("a maze in pieces is the maze of kruskal" * doctest::test_suite("one thread")) {
    Random random({{1, 2}, 4});
    for (int round = 0; round < 200; ++round) {
        const Shape shape = round % 8 == 0 ? Shape{1 + random.below(300), 1 + random.below(300)}
                                           : Shape{1 + random.below(12), 1 + random.below(12)};
        Options options;
        if (random.coin()) options.bias = even_odds / 4;
        const Seed seed{{random(), random()}, 0};
        const Bytes whole = whole_maze(kruskal.plain, shape, seed, options);
        const tiles::WholeMaze maze{shape, seed, options.bias};
        std::vector<tiles::Rectangle> leaves;
        Stack<Index> open;
        CHECK(reduced(maze, {{0, 0}, shape}, random, leaves, open, 4).empty());
        for (const tiles::Rectangle& leaf : leaves) {
            Bytes found(at(leaf.shape.size()), 0xee);
            Stack<tiles::Critical> critical;
            Control control;
            tiles::reduce(maze, leaf, found.data(), critical, control, 1);
            tiles::open(maze, leaf, {open.begin(), at(open.size())}, found.data());
            CHECK(found == cut(whole, shape, leaf.first, leaf.shape));
        }
    }
}
