// Eller's rows: the sets between two rows, and the events from which set numbers can be replayed.
#include "generate/eller.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "generate/job.hpp"
#include "registry.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

const Generator& eller_row() {
    return *std::ranges::find(generators(), "eller", &Generator::name);
}

Bytes drawn(Shape shape, const Seed& seed) {
    Bytes open(at(shape.size()));
    Control control;
    const Options options;
    Job job{Passages(open.data(), shape), nullptr, seed, options, control};
    NoTrace none;
    eller_row().run(job, none);
    return open;
}

}  // namespace

TEST_CASE("given walls are drawn walls, whatever the width") {
    for (const Index cols : {1, 2, 63, 64, 65, 127, 128, 129, 300}) {
        CAPTURE(cols);
        const Shape shape{6, cols};
        const Seed seed{{3, 4}, 5};
        const Bytes expected = drawn(shape, seed);
        EllerRow row(cols);
        EllerRow row_given(cols);
        Bytes out(at(cols));
        Control control;
        for (Index r = 0; r < shape.rows; ++r) {
            EllerCoins coins(seed, r);
            Bytes right(at(std::max<Index>(cols - 1, 1)));
            Bytes lower(at(cols));
            EllerCoins::Walls walls{0, 0};
            for (Index c = 0; c < cols; ++c) {
                if (c % 64 == 0) walls = coins(c / 64);
                if (c + 1 < cols) right[at(c)] = walls.right >> (c % 64) & 1;
                lower[at(c)] = walls.lower >> (c % 64) & 1;
            }
            const EllerCoins given(right.data(), lower.data(), cols);
            const auto* const line = expected.data() + r * cols;
            if (r + 1 < shape.rows) {
                row.next({seed, r}, out.data(), control);
                REQUIRE(std::equal(out.begin(), out.end(), line));
                row_given.next(given, out.data(), control);
            } else {
                row.last({seed, r}, out.data(), control);
                REQUIRE(std::equal(out.begin(), out.end(), line));
                row_given.last(given, out.data(), control);
            }
            REQUIRE(std::equal(out.begin(), out.end(), line));
        }
    }
}

TEST_CASE("a state that is put goes on as if it had grown there") {
    const Index cols = 200;
    const Seed seed{{1, 2}, 3};
    EllerRow one(cols);
    Control control;
    Bytes line(at(cols));
    Bytes other(at(cols));
    Bytes state(at(cols));
    for (Index r = 0; r < 20; ++r) {
        one.next({seed, r}, line.data(), control);
        one.get(state.data(), control);
        EllerRow two(cols);
        REQUIRE(two.put(state.data(), control));
        one.next({seed, 100 + r}, line.data(), control);
        two.next({seed, 100 + r}, other.data(), control);
        REQUIRE(line == other);
    }
}

TEST_CASE("unsound sets are refused, and change nothing") {
    EllerRow row(3);
    Control control;
    const Bytes sound{EllerRow::road_above | EllerRow::later, 0,
                      EllerRow::road_above | EllerRow::earlier};
    REQUIRE(row.put(sound.data(), control));
    Bytes state(3);
    Index refused = 0;
    for (unsigned bits = 0; bits < 16 * 16 * 16; ++bits) {
        const Bytes some{static_cast<std::uint8_t>(bits & 15),
                         static_cast<std::uint8_t>(bits >> 4 & 15),
                         static_cast<std::uint8_t>(bits >> 8)};
        EllerRow trial(3);
        if (!trial.put(some.data(), control)) {
            ++refused;
            REQUIRE_FALSE(row.put(some.data(), control));
            row.get(state.data(), control);
            REQUIRE(state == sound);
            continue;
        }
        trial.get(state.data(), control);
        REQUIRE(state == some);
        Bytes out(3);
        trial.last({Seed{}, 1}, out.data(), control);  // within its memory: the sanitizer looks
    }
    CHECK(refused == 16 * 16 * 16 - 15);
}

TEST_CASE("arcs nest as deep as the row is wide") {
    const Index cols = 4001;
    Bytes state(at(cols), EllerRow::road_above);
    for (Index c = 0; c < cols / 2; ++c) {
        state[at(c)] |= EllerRow::later;
        state[at(cols - 1 - c)] |= EllerRow::earlier;
    }
    EllerRow row(cols);
    Control control;
    REQUIRE(row.put(state.data(), control));
    Bytes out(at(cols));
    Bytes right(at(cols), 1);
    row.next({right.data(), nullptr, cols}, out.data(), control);
    for (Index c = 0; c < cols; ++c) REQUIRE(out[at(c)] == 5);
    Bytes after(at(cols));
    row.get(after.data(), control);
    CHECK(after == state);
    // Joined from the left: the first half is one set, and every wall of the second is refused.
    std::ranges::fill(right, 0);
    row.next({right.data(), nullptr, cols}, out.data(), control);
    for (Index c = 0; c + 1 < cols; ++c) REQUIRE((out[at(c)] >> 1 & 1) == (c < cols / 2 ? 1 : 0));
}

TEST_CASE("set numbers can be replayed from the events, and never err") {
    for (const Shape shape : shapes)
        for (std::uint64_t replicate = 0; replicate < 20; ++replicate) {
            Bytes open(at(shape.size()));
            std::vector<std::uint64_t> memory(at(4 * shape.size() + 8));
            Control control;
            const Options options;
            const auto size = static_cast<Index>(memory.size());
            Trace trace(shape, Space::cells, memory.data(), size);
            Job job{Passages(open.data(), shape), nullptr, {{8, 9}, replicate}, options, control};
            eller_row().run(job, trace);
            REQUIRE(trace.count() <= size);

            std::vector<int> number(at(shape.size()), 0);
            int counter = 0;
            std::map<Index, int> told;  // by wall: how often it was put or carved
            for (Index i = 0; i < trace.count(); ++i) {
                const EventRecord h = unpack(memory[at(i)]);
                const auto place = static_cast<Index>(h.place);
                const Index width = shape.grid().cols;
                const Index id = shape.id({place / width / 2, place % width / 2});
                if (h.event == Event::visit) {
                    REQUIRE(number[at(id)] == 0);
                    number[at(id)] = ++counter;
                    continue;
                }
                const bool south = h.direction == Direction::south;
                REQUIRE((south || h.direction == Direction::east));
                const Index beside = south ? id + shape.cols : id + 1;
                told[2 * id + (south ? 1 : 0)] += h.event == Event::carve ? 1 : 16;
                if (h.event != Event::carve) {
                    REQUIRE(h.event == Event::close);
                } else if (south) {
                    REQUIRE(number[at(beside)] == 0);
                    number[at(beside)] = number[at(id)];
                } else {
                    const int loses = number[at(beside)];
                    REQUIRE(loses != number[at(id)]);
                    std::ranges::replace(number, loses, number[at(id)]);
                }
            }
            for (Index id = 0; id < shape.size(); ++id) {
                const Cell cell = shape.cell(id);
                REQUIRE(number[at(id)] == number[0]);
                const bool east = (open[at(id)] & bit(Direction::east)) != 0;
                const bool south = (open[at(id)] & bit(Direction::south)) != 0;
                if (cell.col + 1 < shape.cols) REQUIRE((told[2 * id] & 1) == (east ? 1 : 0));
                if (cell.row + 1 < shape.rows) REQUIRE(told[2 * id + 1] == (south ? 1 : 16));
            }
        }
}

TEST_CASE("a wide row is polled within") {
    struct Looks {
        Index count = 0;
    } looks;
    Control control(
        [](void* context, Index) {
            ++static_cast<Looks*>(context)->count;
            return true;
        },
        &looks);
    const Index cols = Index{1} << 20;
    EllerRow row(cols);
    Bytes out(at(cols));
    row.next({Seed{}, 0}, out.data(), control);
    CHECK(looks.count == 16);
}
