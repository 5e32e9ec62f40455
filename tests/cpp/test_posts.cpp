#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "generate/job.hpp"
#include "generate/shared/posts.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

struct OnPosts {
    const char* name;
    const Runs<Job>& run;
};
const OnPosts all[] = {
    {"wilson", wilson}, {"pole_toppling", pole_toppling}, {"wall_extension", wall_extension}};

Bytes made(const Runs<Job>& run, Shape shape, Seed seed, const Options& options = {},
           Mask mask = nullptr, int threads = 1) {
    Bytes open(at(shape.size()), 0xee);
    Control control;
    Job job{Passages(open.data(), shape), mask, seed, options, control, threads};
    NoTrace none;
    run(job, none);
    return open;
}

struct Watched {
    Bytes open;
    std::vector<std::uint64_t> events;
};

Watched watched(const Runs<Job>& run, Shape shape, Seed seed, Mask mask = nullptr,
                const Options& options = {}) {
    Watched result{Bytes(at(shape.size()), 0xee), {}};
    Control control;
    Job job{Passages(result.open.data(), shape), mask, seed, options, control, 1};
    Trace count(shape, Space::cells);
    run(job, count);
    result.events.resize(at(count.count()));
    Trace fill(shape, Space::cells, result.events.data(), count.count());
    run(job, fill);
    CHECK(fill.count() == count.count());
    return result;
}

// One tree a part: parts = cells - passages, and all cells of a part reached.
void check_tree(const Bytes& open, Shape shape, Index cells, Index parts) {
    Index ends = 0;
    for (const std::uint8_t o : open) ends += std::popcount(o);
    CHECK(ends == 2 * (cells - parts));
    Control control;
    CHECK(Passages(const_cast<std::uint8_t*>(open.data()), shape).first_fault(nullptr, control) ==
          -1);
}

// The cells that can be reached: 1.
Bytes part_of(const Bytes& open, Shape shape, Index first) {
    std::vector<Index> todo{first};
    Bytes seen(open.size(), 0);
    seen[at(first)] = 1;
    const auto step = steps(shape.cols);
    for (std::size_t i = 0; i < todo.size(); ++i)
        for (const Direction d : directions) {
            if ((open[at(todo[i])] & bit(d)) == 0) continue;
            const Index next = todo[i] + step[static_cast<std::size_t>(d)];
            if (seen[at(next)] == 0) todo.push_back(next);
            seen[at(next)] = 1;
        }
    return seen;
}
Index reached(const Bytes& open, Shape shape, Index first) {
    const Bytes seen = part_of(open, shape, first);
    return std::count(seen.begin(), seen.end(), 1);
}

// The grid that follows from the events alone: the sites between posts, 1 where a wall is.
class Replay {
public:
    explicit Replay(Shape shape) : shape_(shape), walls_(at(shape.grid().size()), 0) {}

    Index beside(Index place, Direction d) const {
        return place + steps(shape_.grid().cols)[static_cast<std::size_t>(d)];
    }
    std::uint8_t& wall(Index place, Direction d) { return walls_[at(beside(place, d))]; }
    Bytes passages() const {
        Bytes open(at(shape_.size()));
        const Index width = shape_.grid().cols;
        for (Index r = 0; r < shape_.rows; ++r)
            for (Index c = 0; c < shape_.cols; ++c)
                for (const Direction d : directions) {
                    const Index row = r + row_step(d), col = c + col_step(d);
                    if (row < 0 || row >= shape_.rows || col < 0 || col >= shape_.cols) continue;
                    if (walls_[at(beside((2 * r + 1) * width + 2 * c + 1, d))] == 0)
                        open[at(shape_.id({r, c}))] |= static_cast<std::uint8_t>(bit(d));
                }
        return open;
    }

private:
    Shape shape_;
    Bytes walls_;
};

// Wall extension by its rule, as plainly as can be; for small mazes.
Bytes plain_wall_extension(Shape shape, Random& random) {
    const Shape posts{shape.rows + 1, shape.cols + 1};
    enum State : std::uint8_t { bare, growing, built };
    std::vector<State> state(at(posts.size()), built);
    std::vector<Index> left;
    for (Index r = 1; r < shape.rows; ++r)
        for (Index c = 1; c < shape.cols; ++c) {
            left.push_back(posts.id({r, c}));
            state[at(left.back())] = bare;
        }
    Replay replay(shape);
    const auto site = [&](Index post) {
        return 2 * (post / posts.cols) * shape.grid().cols + 2 * (post % posts.cols);
    };
    for (std::size_t i = left.size(); i > 1; --i)
        std::swap(left[i - 1], left[at(random.below(static_cast<Index>(i)))]);
    for (const Index start : left) {
        if (state[at(start)] == built) continue;
        for (bool done = false; !done;) {
            std::vector<std::pair<Index, Direction>> wall;
            for (Index post = start;;) {
                state[at(post)] = growing;
                unsigned free = 0;
                for (const Direction d : directions)
                    if (state[at(post + steps(posts.cols)[static_cast<std::size_t>(d)])] != growing)
                        free |= bit(d);
                if (free == 0) {
                    state[at(post)] = bare;
                    break;
                }
                const Direction d = random.pick(free);
                wall.emplace_back(post, d);
                post += steps(posts.cols)[static_cast<std::size_t>(d)];
                done = state[at(post)] == built;
                if (done) break;
            }
            for (const auto& [post, d] : wall) {
                state[at(post)] = done ? built : bare;
                if (done) replay.wall(site(post), d) = 1;
            }
        }
    }
    return replay.passages();
}

}  // namespace

TEST_CASE("a row of passages is what the walls of the posts around it leave open") {
    Random random(Seed{{4, 2}});
    for (Index cols = 1; cols < 60; ++cols) {
        Bytes above(at(cols + 1)), below(above), open(at(cols) + 1, 0xee);
        for (Bytes* row : {&above, &below})
            for (std::uint8_t& post : *row) post = static_cast<std::uint8_t>(random.bits(8));
        passages_between(above.data(), below.data(), open.data(), cols);
        for (Index c = 0; c < cols; ++c) {
            const auto has = [](std::uint8_t post, Direction d) { return (post & bit(d)) != 0; };
            const std::uint8_t nw = above[at(c)], ne = above[at(c + 1)], sw = below[at(c)],
                               se = below[at(c + 1)];
            unsigned expected = 0;
            if (!has(nw, Direction::east) && !has(ne, Direction::west))
                expected |= bit(Direction::north);
            if (!has(ne, Direction::south) && !has(se, Direction::north))
                expected |= bit(Direction::east);
            if (!has(sw, Direction::east) && !has(se, Direction::west))
                expected |= bit(Direction::south);
            if (!has(nw, Direction::south) && !has(sw, Direction::north))
                expected |= bit(Direction::west);
            CHECK(open[at(c)] == expected);
        }
        CHECK(open[at(cols)] == 0xee);
    }
}

TEST_CASE("posts begin with the outer wall and nothing else") {
    for (const Shape shape : shapes) {
        Control control;
        Posts posts(shape, control);
        for (Index r = 0; r <= shape.rows; ++r)
            for (Index c = 0; c <= shape.cols; ++c) {
                const bool outer = r == 0 || c == 0 || r == shape.rows || c == shape.cols;
                const Index id = posts.shape().id({r, c});
                CHECK(posts.built(id) == outer);
                if (!outer) CHECK(posts.bytes()[id] == 0);
            }
        Bytes open(at(shape.size()), 0xee);
        posts.write(Passages(open.data(), shape), control);
        CHECK(open == Replay(shape).passages());  // one room
    }
}

TEST_CASE("perfect in every shape; traced is untraced; the events alone make the maze") {
    for (const OnPosts& algorithm : all)
        for (const Shape shape : shapes)
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                CAPTURE(std::string(algorithm.name));
                CAPTURE(shape.rows);
                CAPTURE(shape.cols);
                const Bytes open = made(algorithm.run, shape, {{seed, 5}});
                check_tree(open, shape, shape.size(), 1);
                CHECK(reached(open, shape, 0) == shape.size());
                const Watched seen = watched(algorithm.run, shape, {{seed, 5}});
                CHECK(seen.open == open);
                Replay replay(shape);
                std::vector<Direction> arrow(at(shape.grid().size()), Direction::none);
                for (const std::uint64_t word : seen.events) {
                    const auto [place, event, d, clause] = unpack(word);
                    if (event == Event::walk) arrow[place] = d;
                    if (event == Event::build && &algorithm.run == &wilson)
                        CHECK(arrow[place] == d);
                    if (event == Event::build) replay.wall(static_cast<Index>(place), d) = 1;
                    if (event == Event::erase) replay.wall(static_cast<Index>(place), d) = 0;
                }
                CHECK(replay.passages() == open);
            }
}

TEST_CASE("wilson in a mask: one tree a part, and the events alone make the maze" *
          doctest::test_suite("one thread")) {
    for (const Shape shape : shapes)
        for (std::uint64_t seed = 1; seed < 30; ++seed)
            for (const Walks walks : {Walks::posts, Walks::cells}) {
                const Bytes mask = some_mask(shape, seed);
                Options options;
                options.walks = walks;
                const Bytes open = made(wilson, shape, {{seed, 6}}, options, mask.data());
                Control control;
                Bytes free(open.size());
                const Passages existing(free.data(), shape);
                existing.begin(mask.data(), control);
                for (std::uint8_t& f : free) f >>= 4;
                Index cells = 0, parts = 0, root = -1, visits = 0;
                Bytes known(open.size(), 0);
                for (Index cell = 0; cell < shape.size(); ++cell) {
                    CHECK((open[at(cell)] & ~free[at(cell)]) == 0);
                    cells += mask[at(cell)];
                    if (mask[at(cell)] == 0) continue;
                    root = root < 0 ? cell : root;
                    const Bytes part = part_of(free, shape, cell);
                    CHECK(part_of(open, shape, cell) == part);
                    parts += known[at(cell)] == 0 ? 1 : 0;
                    for (std::size_t i = 0; i < part.size(); ++i) known[i] |= part[i];
                }
                check_tree(open, shape, cells, parts);
                const Watched seen = watched(wilson, shape, {{seed, 6}}, mask.data(), options);
                CHECK(seen.open == open);
                Replay replay(shape);
                Bytes replayed(walks == Walks::cells ? open.size() : 0, 0);
                for (const std::uint64_t word : seen.events) {
                    const auto [place, event, d, clause] = unpack(word);
                    const auto width = static_cast<std::uint64_t>(shape.grid().cols);
                    const Cell cell{static_cast<Index>(place / width / 2),
                                    static_cast<Index>(place % width / 2)};
                    if (event == Event::build) replay.wall(static_cast<Index>(place), d) = 1;
                    if (event == Event::visit && ++visits == 1) CHECK(shape.id(cell) == root);
                    if (event == Event::carve)
                        Passages(replayed.data(), shape).open(shape.id(cell), d);
                }
                if (walks == Walks::posts) {
                    replayed = replay.passages();
                    for (std::size_t i = 0; i < open.size(); ++i) replayed[i] &= free[i];
                }
                CHECK(replayed == open);
                CHECK(visits == (walks == Walks::cells ? parts : 0));
            }
}

TEST_CASE("wall extension: what is torn down is what was built since the last connection") {
    Index torn = 0;
    const Shape shape{50, 50};
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        std::vector<std::uint64_t> wall;  // place and direction of what was built since
        for (const std::uint64_t word : watched(wall_extension, shape, {{seed, 7}}).events) {
            const auto [place, event, d, clause] = unpack(word);
            const std::uint64_t post_and_direction = place << 4 | static_cast<std::uint64_t>(d);
            if (event == Event::build) wall.push_back(post_and_direction);
            if (event == Event::erase) {
                REQUIRE(!wall.empty());
                CHECK(wall.back() == post_and_direction);
                wall.pop_back();
                // A trapped wall goes altogether: nothing is built before it is gone.
                torn += wall.empty() ? 1 : 0;
            }
            if (event == Event::commit) {
                REQUIRE(!wall.empty());
                CHECK((wall.front() >> 4) == place);
                wall.clear();
            }
        }
        CHECK(wall.empty());
    }
    CHECK(torn > 100);  // some 15 times a maze
    CHECK(torn < 800);
}

TEST_CASE("wall extension: the quick way has the law of the plain one where traps happen" *
          doctest::test_suite("one thread")) {
    const Shape shape{12, 9};
    const Index n = 3000;
    Random random(Seed{{8, 8}});
    double sum[2][2] = {}, squares[2][2] = {};
    for (Index i = 0; i < n; ++i) {
        const Bytes mazes[2] = {
            plain_wall_extension(shape, random),
            made(wall_extension, shape, {{8, 9}, static_cast<std::uint64_t>(i)})};
        for (int k = 0; k < 2; ++k) {
            double ends = 0, straight = 0;
            for (const std::uint8_t o : mazes[k]) {
                ends += std::popcount(o) == 1 ? 1 : 0;
                straight += o == 5 || o == 10 ? 1 : 0;
            }
            sum[k][0] += ends, squares[k][0] += ends * ends;
            sum[k][1] += straight, squares[k][1] += straight * straight;
        }
    }
    for (int what = 0; what < 2; ++what) {
        double mean[2], variance = 0;
        for (int k = 0; k < 2; ++k) {
            mean[k] = sum[k][what] / static_cast<double>(n);
            variance += (squares[k][what] / static_cast<double>(n) - mean[k] * mean[k]) /
                        static_cast<double>(n);
        }
        CHECK(std::abs(mean[0] - mean[1]) < 5 * std::sqrt(variance));
    }
}

TEST_CASE("wall extension ends where the rule alone would not") {
    const Shape shape{300, 500};
    const Bytes open = made(wall_extension, shape, {{1, 1}});
    check_tree(open, shape, shape.size(), 1);
    CHECK(reached(open, shape, 0) == shape.size());
}

TEST_CASE("pole toppling: given falls are replayed") {
    const Bytes falls{1, 2, 4, 4};
    Options options;
    options.falls = falls;
    CHECK(made(pole_toppling, {3, 3}, {}, options) == Bytes{4, 6, 8, 7, 15, 12, 1, 1, 1});
    // What a run did, given back, makes the same maze.
    const Shape shape{9, 14};
    Bytes seen;
    const Watched run = watched(pole_toppling, shape, {{2, 2}});
    for (const std::uint64_t word : run.events)
        seen.push_back(static_cast<std::uint8_t>(bit(unpack(word).direction)));
    options.falls = seen;
    CHECK(made(pole_toppling, shape, {}, options) == run.open);
}

TEST_CASE("pole toppling: what the rule forbids is refused, and the post named") {
    const auto refusal = [](Bytes falls) -> std::string {
        Options options;
        options.falls = falls;
        try {
            made(pole_toppling, {3, 3}, {}, options);
        } catch (const std::invalid_argument& e) {
            return e.what();
        }
        return "";
    };
    CHECK(refusal({1, 1, 2, 4}).empty());
    CHECK(refusal({1, 2, 1, 4}).find("falls[1, 0]: the post (2, 1) cannot fall north") == 0);
    CHECK(refusal({2, 8, 4, 4}).find("falls[0, 1]: the post (1, 2) cannot fall west") == 0);
    CHECK(refusal({4, 4, 4, 3}).find("falls[1, 1]: the post (2, 2) must fall") == 0);
    CHECK(refusal({4, 0, 4, 4}).find("falls[0, 1]: the post (1, 2) must fall") == 0);
    CHECK(refusal({4, 4, 16, 4}).find("falls[1, 0]: the post (2, 1) must fall") == 0);
}

TEST_CASE("pole toppling: any number of threads, the same maze") {
    const Shape shape{333, 70};
    const Bytes one = made(pole_toppling, shape, {{3, 3}});
    for (const int threads : {2, 3, 5})
        CHECK(made(pole_toppling, shape, {{3, 3}}, {}, nullptr, threads) == one);
}

TEST_CASE("algorithms on posts can be stopped, and tell how far they are" *
          doctest::test_suite("one thread")) {
    for (const OnPosts& algorithm : all) {
        CAPTURE(std::string(algorithm.name));
        const Shape shape{1500, 1000};
        Bytes open(at(shape.size()));
        const Options options;
        NoTrace none;
        Control stopped([](void*, Index) { return false; }, nullptr);
        Job job{Passages(open.data(), shape), nullptr, {}, options, stopped, 1};
        CHECK_THROWS_AS(algorithm.run(job, none), Cancelled);
        Index most = 0;
        Control watched(
            [](void* context, Index done) {
                *static_cast<Index*>(context) = done;
                return true;
            },
            &most);
        Job again{Passages(open.data(), shape), nullptr, {}, options, watched, 1};
        algorithm.run(again, none);
        watched.poll(2 * Control::stride);
        CHECK(most == shape.size());
    }
}
