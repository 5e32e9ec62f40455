// Transforms: any bytes at all stay in memory and come to an end; mazes stay mazes.
#include <doctest/doctest.h>

#include <array>
#include <set>

#include "support.hpp"
#include "transform/transforms.hpp"

using namespace meiro;

namespace {

struct MazeCase {
    Shape shape;
    Wrap wrap;
    Bytes mask, open;
    Seed seed;
};

// Mazes, or with `any` bytes as they come.
template <class Body>
void each_maze_case(bool any, Body body) {
    for (const Shape shape : shapes)
        for (std::uint64_t number = 0; number < 12; ++number)
            for (const Wrap wrap : wraps_of(shape)) {
                const Bytes mask = some_mask(shape, number % 4);
                Bytes open = some_passages(shape, mask, number, wrap);
                Random random(Seed{{number, 97}});
                if (any)
                    for (std::uint8_t& byte : open)
                        byte = static_cast<std::uint8_t>(random.bits(8));
                body(MazeCase{shape, wrap, mask, open, Seed{{number, 1}}});
            }
}

// All transforms, one after the other of the same maze; after(name, maze, mask).
template <class After>
void all_of(const MazeCase& w, After after) {
    Control control;
    Bytes out(at(w.shape.size())), there = w.mask;
    const Passages maze(out.data(), w.shape, w.wrap);
    const auto lay = [&] { lay_out(maze, w.open.data(), w.mask.data(), control); };
    const auto done = [&](const char* name, Mask mask) {
        maze.finish(control);
        after(name, maze, mask);
    };
    for (const std::uint64_t share : {Chance::certain, Chance::certain / 3}) {
        lay();
        braid(maze, w.seed, Chance{share}, control);
        done("braid", w.mask.data());
    }
    lay();
    add_loops(maze, w.seed, count_walls(maze, control) / 2, control);
    done("add_loops", w.mask.data());
    lay();
    join_regions(maze, w.seed, control);
    done("join_regions", w.mask.data());
    lay();
    remove_islands(maze, w.seed, control);
    done("remove_islands", w.mask.data());
    lay();  // not perfect, so they may change anything but leave a maze
    origin_shift(maze, w.seed, 40, control);
    done("origin_shift", w.mask.data());
    lay();
    perturb(maze, w.seed, 40, control);
    done("perturb", w.mask.data());
    if (!w.wrap.any()) {
        const Bytes none(out.size(), 0);
        for (const SearchLimits limits :
             {SearchLimits{-1, 9, 99, true}, SearchLimits{0, 99, 3, true},
              SearchLimits{w.shape.size() - 1, 99, 99, false}}) {
            lay_out(maze, none.data(), nullptr, control);
            partial_search(maze, there.data(), w.seed, limits, control);
            done("partial_search", there.data());
        }
        there = w.mask;
    }
    for (const Index rounds : {1, 3, 1000}) {
        lay();
        there = w.mask;
        const std::array<Index, 1> kept{w.shape.size() / 2};
        fill_dead_ends(maze, there.data(), kept, rounds, control);
        done("fill_dead_ends", there.data());
    }
    for (const MazeSymmetry how :
         {MazeSymmetry::left_right, MazeSymmetry::top_bottom, MazeSymmetry::half_turn}) {
        symmetric(maze, w.open.data(), w.mask.data(), how, w.seed, there.data(), control);
        done("symmetric", there.data());
    }
    const Shape twice{2 * w.shape.rows, 2 * w.shape.cols};
    Bytes four(at(twice.size())), exist(at(twice.size()));
    unicursal(w.open.data(), w.shape, w.mask.data(), four.data(), exist.data(), control);
    after("unicursal", Passages(four.data(), twice, w.wrap), exist.data());
}

}  // namespace

TEST_CASE("a maze stays a maze") {
    each_maze_case(false, [](const MazeCase& w) {
        Control control;
        all_of(w, [&](const char* name, const Passages& maze, Mask mask) {
            CAPTURE(name);
            REQUIRE(maze.first_fault(mask, control) == -1);
        });
    });
}

TEST_CASE("any bytes stay in memory, and come to an end") {
    each_maze_case(true, [](const MazeCase& w) {
        all_of(w, [](const char*, const Passages& maze, Mask mask) {
            for (Index i = 0; i < maze.size(); ++i) REQUIRE((maze.bytes()[i] < 16 && mask[i] < 2));
        });
    });
}

TEST_CASE("each transform, and each part of one, has random numbers of its own") {
    std::set<std::uint64_t> words;
    std::size_t streams = 0;
    for (auto lane = TransformLane::braid; lane <= TransformLane::partial_search;
         lane = static_cast<TransformLane>(static_cast<std::uint64_t>(lane) + 1))
        for (const Index part : {0, 1, 2, 255, 256, 65536})
            for (const Seed& seed : {Seed{{7, 1}}, Seed{{7, 1}, 1}, Seed{{7, 2}}}) {
                words.insert(transform_random(seed, lane, part)());
                ++streams;
            }
    CHECK(streams == 9 * 6 * 3);
    CHECK(words.size() == streams);
}

TEST_CASE("out of memory is said") {
    each_maze_case(false, [](const MazeCase& w) {
        for (std::int64_t n = 0; n < 6; ++n) {
            buffers_until_failure() = n;
            try {
                all_of(w, [](const char*, const Passages&, Mask) {});
            } catch (const std::bad_alloc&) {
                buffers_until_failure() = -1;
                continue;
            }
            FAIL("nobody noticed");
        }
        buffers_until_failure() = -1;
    });
}
