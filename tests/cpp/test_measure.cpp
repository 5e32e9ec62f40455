// Measures, where an error would be outside of memory or in a sum that Python cannot see.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "measure/measure_many.hpp"
#include "measure/natural_log.hpp"
#include "support.hpp"

namespace meiro {
namespace {

using Measures = std::vector<const MeasureFacts*>;

Measures all_measures() {
    Measures list;
    for (const MeasureFacts& one : measures()) list.push_back(&one);
    return list;
}

std::size_t place_of(std::string_view name) {
    return at(measure_named(name) - measures().data());
}

TEST_CASE("cells are counted as one by one") {
    Control control;
    Random random(Seed{{1, 2}});
    for (const Index size : {1, 15, 16, 17, 239, 240, 241, 255, 256, 1920, 1921, 4000, 70001}) {
        Bytes bytes(at(size));
        for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random.bits(4));
        std::array<Index, 5> degrees{};
        Index horizontal = 0, vertical = 0, straights = 0;
        for (const std::uint8_t b : bytes) {
            ++degrees[at(std::popcount(b))];
            horizontal += b >> 1 & 1;
            vertical += b >> 2 & 1;
            straights += b == 5 || b == 10 ? 1 : 0;
        }
        const CellCounts found = count_cells(bytes.data(), size, size, control);
        CHECK(found.horizontal == horizontal);
        CHECK(found.vertical == vertical);
        CHECK(found.straights == straights);
        CHECK(found.dead_ends == degrees[1]);
        CHECK(found.junctions == degrees[3]);
        CHECK(found.crossroads == degrees[4]);
    }
}

TEST_CASE("wide sums are rounded once") {
    const std::uint64_t top = std::uint64_t{1} << 63, all = ~std::uint64_t{0};
    CHECK(WideSum{0, 7}.value() == 7);
    CHECK(WideSum{1, 0}.value() == std::ldexp(1, 64));
    CHECK(WideSum{top, 0}.value() == std::ldexp(1, 127));
    // Half way between two floats: to the even one, but a single bit below decides for the other.
    CHECK(WideSum{1, std::uint64_t{1} << 11}.value() == std::ldexp(1, 64));
    CHECK(WideSum{1, (std::uint64_t{1} << 11) + 1}.value() ==
          std::ldexp(1, 64) + std::ldexp(1, 12));
    CHECK(WideSum{std::uint64_t{1} << 53, 1}.value() == std::ldexp(1, 117));
    CHECK(WideSum{(std::uint64_t{1} << 53) + 1, 1}.value() ==
          std::ldexp(1, 117) + std::ldexp(1, 65));
    WideSum sum;
    for (int i = 0; i < 4; ++i) sum.add({3, all});
    CHECK(sum.high == 15);
    CHECK(sum.low == all - 3);
    // A row of n cells: a third of n cubed, far beyond what 4 x 10^9 cells need.
    const std::uint64_t n = std::uint64_t{1} << 44;
    WideSum wiener;
    wiener.add(multiply(n, n));
    CHECK(wiener.value() == std::ldexp(1, 88));
}

TEST_CASE("logarithms are those of the C library, to two units in the last place") {
    const double unit = std::numeric_limits<double>::epsilon();
    Random random(Seed{{7, 8}});
    for (int i = 0; i < 100'000; ++i) {
        const double x = std::ldexp(static_cast<double>(random() >> 11), i % 200 - 150);
        CAPTURE(x);
        REQUIRE(std::abs(natural_log(x) - std::log(x)) <= 2 * unit * std::abs(std::log(x)));
        REQUIRE(std::abs(natural_log1p(x) - std::log1p(x)) <= 2 * unit * std::log1p(x));
    }
    CHECK(natural_log(1) == 0);
    CHECK(natural_log(0) == -std::numeric_limits<double>::infinity());
    CHECK(natural_log1p(0) == 0);
}

TEST_CASE("every measure of any maze stays in memory, with narrow and with wide ids") {
    const Measures ids = all_measures();
    Control control;
    for (const Shape shape : shapes)
        for (const Wrap wrap : wraps_of(shape))
            for (std::uint64_t seed = 0; seed < 12; ++seed) {
                const Bytes mask = some_mask(shape, seed % 2 * seed);
                const Bytes open = some_passages(shape, mask, seed, wrap);
                Index cell = 0;
                while (cell < shape.size() && mask[at(cell)] == 0) ++cell;
                if (cell == shape.size()) continue;
                const Batch batch{.passages = open.data(),
                                  .n = 1,
                                  .shape = shape,
                                  .wrap = wrap,
                                  .mask = mask.data(),
                                  .starts = &cell,
                                  .goals = &cell};
                std::vector<double> found(ids.size());
                std::vector<std::string_view> reason(ids.size());
                measure_batch(batch, ids, found.data(), control, 1, reason.data());
                CHECK(found[place_of("passages")] ==
                      found[0] - found[place_of("regions")] + found[place_of("loops")]);
                for (std::size_t i = 0; i < ids.size(); ++i)
                    CHECK(std::isnan(found[i]) == !reason[i].empty());

                Bytes room(at(shape.size()));
                const Adjacency adjacency =
                    adjacency_of_passages(open.data(), shape, wrap, room.data(), control);
                LeafPeeling<std::uint32_t> narrow(shape.size());
                LeafPeeling<std::uint64_t> wide(shape.size());
                narrow.peel(adjacency, cell, control);
                wide.peel(adjacency, cell, control);
                CHECK(narrow.peeled() == wide.peeled());
                CHECK(narrow.diameter(control) == wide.diameter(control));
                CHECK(narrow.wiener_index(found.size() + 99, control).low ==
                      wide.wiener_index(found.size() + 99, control).low);
            }
}

TEST_CASE("a corridor longer than the steps between two polls") {
    const Index cells = 3 * fold_chunk + 5, first = 0, last = cells - 1;
    Bytes open(at(cells), bits::east | bits::west);
    open.front() = bits::east;
    open.back() = bits::west;
    Control control;
    const Batch batch{.passages = open.data(),
                      .n = 1,
                      .shape = {1, cells},
                      .wrap = {},
                      .mask = nullptr,
                      .starts = &first,
                      .goals = &last};
    const Measures ids{measure_named("diameter"), measure_named("solution_length"),
                       measure_named("longest_dead_end"), measure_named("absorption_time")};
    std::vector<double> found(ids.size());
    measure_batch(batch, ids, found.data(), control, 1);
    const auto steps = static_cast<double>(last);
    CHECK(found == std::vector<double>{steps, steps, steps, steps * steps});
}

TEST_CASE("bytes that are no maze are refused") {
    Random random(Seed{{5, 6}});
    const Shape shape{5, 7};
    Control control;
    const Index ends[] = {0, 0, 0};
    const Measures ids = all_measures();
    std::vector<double> found(3 * ids.size());
    for (int i = 0; i < 300; ++i) {
        Bytes bytes(at(3 * shape.size()));
        for (std::uint8_t& b : bytes) b = static_cast<std::uint8_t>(random.bits(8));
        const Batch batch{.passages = bytes.data(),
                          .n = 3,
                          .shape = shape,
                          .wrap = {i % 2 == 0, i % 3 == 0},
                          .mask = nullptr,
                          .starts = ends,
                          .goals = ends};
        CHECK_THROWS_AS(measure_batch(batch, ids, found.data(), control, 1 + i % 2),
                        std::invalid_argument);
    }
}

TEST_CASE("memory that runs out is said, wherever it does") {
    const Shape shape{6, 6};
    const Bytes open = some_passages(shape, Bytes(36, 1), 3);
    const Index end = 0;
    const Batch batch{.passages = open.data(),
                      .n = 1,
                      .shape = shape,
                      .wrap = {},
                      .mask = nullptr,
                      .starts = &end,
                      .goals = &end};
    const Measures ids = all_measures();
    std::vector<double> found(ids.size());
    Control control;
    int failures = 0;
    for (;; ++failures) {
        buffers_until_failure() = failures;
        try {
            measure_batch(batch, ids, found.data(), control, 1);
            break;
        } catch (const std::bad_alloc&) {
            continue;
        }
    }
    buffers_until_failure() = -1;
    CHECK(failures > 5);
}

}  // namespace
}  // namespace meiro
