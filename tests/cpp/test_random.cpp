// Philox against words that NumPy's Philox gave, and the exactness of what is drawn from it.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "generate/shared/prefetched_draws.hpp"
#include "random.hpp"

using namespace meiro;

namespace {

struct Known {
    Seed seed;
    std::uint64_t lane;
    std::uint64_t purpose;
    std::array<std::uint64_t, 8> words;
};

// numpy.random.Philox(key=key, counter=[0, lane, replicate, purpose]).random_raw(8), NumPy 2.4.6
// clang-format off
constexpr Known known[] = {
    {{{0x0u, 0x0u}, 0x0u}, 0x0u, 0,
     {0x02f4ba6408e4d89bu, 0x3dd62b0b9ca8c5b2u, 0x1c8667a55d902e79u, 0x907d7a052fd5b4dcu, 0x809bf322883987c3u, 0x471128b9e807f7ddu, 0xf250ba0dbec065b7u, 0xfc6ed66767a457bcu}},
    {{{0x1u, 0x2u}, 0x0u}, 0x0u, 0,
     {0x4f2f4313b5536b09u, 0x5b617be3219ff32au, 0x097293476f9275cbu, 0xf63f3bf4962c3942u, 0x04dcc60473aa0f43u, 0x6d905c9b986b0028u, 0x559a6c953d16fe9du, 0xbd24fd1da9945eeau}},
    {{{0xffffffffffffffffu, 0xffffffffffffffffu}, 0xffffffffffffffffu}, 0xffffffffffffffffu, 3,
     {0x21ed024f6e6d3f8fu, 0xe754d053b247d784u, 0xc232c6a6c45da414u, 0xac778b987f95d22fu, 0xa2af7db6f00ce093u, 0x73e9a6fed936eaa5u, 0xcf0739509d30e255u, 0xd1ad0bd6b55a501au}},
    {{{0x123456789abcdefu, 0xfedcba9876543210u}, 0x7u}, 0x5u, 1,
     {0xefe01a7203da4cf9u, 0x2e74f5e11eae514du, 0x805b8d61714bb60du, 0xf226cea1f3ebea64u, 0x720a6b461ecdebaau, 0xa82fd6dc9c88a04du, 0x7cc722541ccc816eu, 0xc15830e33a130ac6u}},
    {{{0x2au, 0x0u}, 0xf4240u}, 0x1u, 2,
     {0x95e5063834772eebu, 0xfa9b0cf457e5a207u, 0x5e6b10a84e0abfc9u, 0x828fcc08693461eau, 0x5f016767dc48689eu, 0x68515ad57e9a9979u, 0xe0c2a10b43b4546du, 0xd2a55421e00e6ce3u}},
};
// clang-format on

// For streams that begin in different places of the same key.
Random stream(std::uint64_t lane = 0) {
    return Random(Seed{{3, 4}, 5}, Purpose::generate, lane);
}

}  // namespace

TEST_CASE("Philox is NumPy's, word for word") {
    for (const Known& k : known) {
        Random random(k.seed, static_cast<Purpose>(k.purpose), k.lane);
        for (std::uint64_t i = 0; i < 8; ++i) {
            CAPTURE(i);
            CHECK(random.at(i) == k.words[i]);
            CHECK(random.block(i / 4)[i % 4] == k.words[i]);
            CHECK(random() == k.words[i]);
        }
    }
}

TEST_CASE("the first blocks of the lanes are those of each lane") {
    const auto first_block = [](const Known& k, std::uint64_t lane) {
        return Random(k.seed, static_cast<Purpose>(k.purpose), lane).block(0);
    };
    for (const Known& k : known) {
        const FirstBlocks blocks(k.seed, static_cast<Purpose>(k.purpose));
        for (const std::uint64_t lane : {k.lane, std::uint64_t{0}, ~std::uint64_t{1}}) {
            CAPTURE(lane);
            CHECK(blocks.of(lane) == first_block(k, lane));
            CHECK(blocks.two(lane)[0] == first_block(k, lane));
            CHECK(blocks.two(lane)[1] == first_block(k, lane + 1));
        }
    }
}

TEST_CASE("a word can be asked for alone, whatever was drawn before") {
    Random drawn = stream();
    const Random asked = stream();
    for (std::uint64_t i = 0; i < 100; ++i) {
        const std::uint64_t word = drawn();
        CHECK(asked.at(i) == word);
        CHECK(drawn.at(i) == word);
    }
    CHECK(asked.at(std::uint64_t{1} << 40) == asked.block(std::uint64_t{1} << 38)[0]);
}

TEST_CASE("streams differ by key, replicate, lane and purpose") {
    std::vector<std::uint64_t> first{stream()(),
                                     stream(1)(),
                                     Random(Seed{{4, 3}, 5})(),
                                     Random(Seed{{3, 4}, 6})(),
                                     Random(Seed{{3, 4}, 5}, Purpose::weigh)(),
                                     Random(Seed{{3, 4}, 5}, Purpose::transform)(),
                                     Random(Seed{{3, 4}, 5}, Purpose::solve)()};
    std::ranges::sort(first);
    CHECK(std::ranges::adjacent_find(first) == first.end());
}

TEST_CASE("the high half of a product") {
    const std::uint64_t most = ~std::uint64_t{0};
    CHECK(multiply(most, most).high == most - 1);
    CHECK(multiply(most, most).low == 1);
    CHECK(multiply(0x123456789abcdef0u, 16).high == 1);
    CHECK(multiply(0x123456789abcdef0u, 16).low == 0x23456789abcdef00u);
}

TEST_CASE("the product is the same without integers of 128 bits") {
    Random words = stream();
    std::vector<std::uint64_t> factors{0, 1, 0xffffffffu, std::uint64_t{1} << 32,
                                       ~std::uint64_t{0}};
    for (int i = 0; i < 400; ++i) factors.push_back(words() >> i % 64);
    for (const std::uint64_t a : factors)
        for (const std::uint64_t b : factors) {
            const Product one = multiply(a, b), other = multiply_halves(a, b);
            REQUIRE(one.high == other.high);
            REQUIRE(one.low == other.low);
        }
    static_assert(multiply_halves(~std::uint64_t{0}, ~std::uint64_t{0}).high ==
                  ~std::uint64_t{0} - 1);
}

TEST_CASE("pick: every direction of every set belongs to equally many of the 12 digits") {
    for (unsigned bits = 1; bits < 16; ++bits) {
        std::array<int, 4> seen{};
        for (unsigned digit = 0; digit < 12; ++digit) {
            const unsigned d = detail::pick_table[bits][digit];
            REQUIRE(d < 4);
            ++seen[d];
        }
        for (unsigned d = 0; d < 4; ++d) {
            CAPTURE(bits);
            CHECK(seen[d] == ((bits >> d & 1u) != 0 ? 12 / std::popcount(bits) : 0));
        }
    }
}

TEST_CASE("digits are the base-12 digits of floor(word * 12^16 / 2^64)") {
    CHECK(detail::twelves % 12 == 0);
    std::uint64_t power = 1;
    for (int i = 0; i < detail::digits_a_word; ++i) power *= 12;
    CHECK(power == detail::twelves);
    // 2^64 mod 12^16, by 2^64 = 2^32 * 2^32
    const std::uint64_t half = (std::uint64_t{1} << 32) % power;
    std::uint64_t rest = 0;
    for (int i = 0; i < 32; ++i) rest = (i == 0 ? half : rest * 2) % power;
    rest = rest * 2 % power;
    CHECK(rest == detail::unfair);

    Random digits = stream();
    Random words = stream();
    for (int word = 0; word < 2000; ++word) {
        Product p{};
        do p = multiply(words(), detail::twelves);
        while (p.low < detail::unfair);
        std::uint64_t place = detail::twelves / 12;
        for (int i = 0; i < detail::digits_a_word; ++i, place /= 12)
            REQUIRE(digits.digit() == p.high / place % 12);
    }
}

TEST_CASE("pick chooses only what is there, each about equally often") {
    Random random = stream();
    for (unsigned bits = 1; bits < 16; ++bits) {
        std::array<int, 4> seen{};
        const int draws = 12000;
        for (int i = 0; i < draws; ++i) ++seen[static_cast<unsigned>(random.pick(bits))];
        for (unsigned d = 0; d < 4; ++d) {
            const double expected =
                (bits >> d & 1u) != 0 ? static_cast<double>(draws) / std::popcount(bits) : 0;
            CAPTURE(bits);
            CHECK(std::abs(seen[d] - expected) <= 6 * std::sqrt(expected));  // 6 sigma
        }
    }
}

TEST_CASE("below: in range, all values, and Lemire's rejection at its worst") {
    Random random = stream();
    for (const Index n : {1, 2, 3, 5, 12, 100}) {
        std::vector<int> seen(static_cast<std::size_t>(n));
        for (int i = 0; i < 2000 * n; ++i) {
            const Index x = random.below(n);
            REQUIRE(x >= 0);
            REQUIRE(x < n);
            ++seen[static_cast<std::size_t>(x)];
        }
        for (const int s : seen) CHECK(std::abs(s - 2000) < 6 * 45);
    }
    // With n = 3 * 2^61 a third of the words is in excess: without rejection 0 mod 3 would come
    // twice.
    const Index n = Index{3} << 61;
    std::array<int, 3> seen{};
    for (int i = 0; i < 3000; ++i) ++seen[static_cast<std::size_t>(random.below(n) % 3)];
    for (const int s : seen) CHECK(std::abs(s - 1000) < 6 * 32);
}

TEST_CASE("bits are the bits of the words, in order") {
    Random random = stream();
    for (const std::uint64_t draw : {0u, 1u, 2u}) {
        std::uint64_t again = 0;
        for (int i = 0; i < 64; i += 4) again |= std::uint64_t{random.bits(4)} << i;
        CHECK(again == stream().at(draw));
    }
    const std::uint64_t word = stream().at(0);
    Random coins = stream();
    for (int i = 0; i < 64; ++i) CHECK(coins.coin() == ((word >> i & 1u) != 0));
}

TEST_CASE("coins: each of the 64 comes with the given share, alone") {
    const int draws = 4000;
    for (const double share : {0.0, 0.125, 1.0 / 3, 0.9, 1.0}) {
        Random random = stream();
        const Chance chance{static_cast<std::uint64_t>(share * 0x1p63)};
        std::array<int, 64> seen{};
        std::array<int, 64> with_next{};
        for (int i = 0; i < draws; ++i) {
            const std::uint64_t coins = random.coins(chance);
            for (std::size_t k = 0; k < 64; ++k) {
                seen[k] += static_cast<int>(coins >> k & 1u);
                with_next[k] += static_cast<int>(coins >> k & std::rotr(coins, 1) >> k & 1u);
            }
        }
        const auto near = [&](int n, double p) {
            return std::abs(n - draws * p) <= 6 * std::sqrt(draws * p * (1 - p));
        };
        for (std::size_t k = 0; k < 64; ++k) {
            CAPTURE(share);
            CHECK(near(seen[k], share));
            CHECK(near(with_next[k], share * share));
        }
    }
}

TEST_CASE("draws made ahead take each place equally often") {
    // A list that grows by two at each use, as those of growing trees do: what was added since a
    // draw was made is drawn as often as all else.
    const std::vector<std::uint8_t> list(2000);  // longer than it gets
    for (const Index begin : {Index{1}, Index{600}}) {
        Random random = stream();
        PrefetchedDraws draws{};
        std::array<double, 2> expected{};  // of the first place, and of the newest ones
        std::array<double, 2> seen{};
        std::array<int, 12> digits{};
        for (int again = 0; again < 300; ++again) {
            Index size = begin;
            const auto use = [&](Draw draw) {
                REQUIRE(draw.place >= 0);
                REQUIRE(draw.place < size);
                const Index newest = std::min<Index>(size, 16);
                expected[0] += 1.0 / static_cast<double>(size);
                expected[1] += static_cast<double>(newest) / static_cast<double>(size);
                seen[0] += draw.place == 0 ? 1 : 0;
                seen[1] += draw.place >= size - newest ? 1 : 0;
                ++digits[draw.digit];
                size += 2;
            };
            draws.run(
                200, 2, 12, random, list.data(), [&] { return size; }, use, [](std::uint8_t) {});
        }
        for (const std::size_t k : {0u, 1u}) {
            CAPTURE(begin);
            CAPTURE(k);
            CHECK(std::abs(seen[k] - expected[k]) < 6 * std::sqrt(expected[k]));
        }
        const double each = std::accumulate(digits.begin(), digits.end(), 0) / 12.0;
        for (const int n : digits) CHECK(std::abs(n - each) < 6 * std::sqrt(each));
    }
}

TEST_CASE("of items drawn ahead each that is not spent is used equally often") {
    // As the walls around a tree: each use adds two items and spends one that was not drawn. Few
    // are drawn together from the short list, many from the other one.
    constexpr int growth = 2;
    for (const int begin : {8, 1200}) {
        CAPTURE(begin);
        Random random = stream();
        std::array<double, 3> expected{}, seen{};  // the oldest item, the newest eight, a half
        for (int again = 0; again < 300; ++again) {
            std::vector<int> list(3000), left;
            for (int item = 0; item < begin; ++item) left.push_back(list[item] = item);
            std::vector<char> spent(list.size());
            Index size = begin;
            int items = begin;
            const auto use = [&](int item) {
                const auto at = std::find(left.begin(), left.end(), item);
                REQUIRE(at != left.end());
                const auto all = static_cast<double>(left.size());
                const double newest = std::min(all, 8.0);
                expected[0] += 1 / all;
                expected[1] += newest / all;
                seen[0] += at == left.begin() ? 1 : 0;
                seen[1] += left.end() - at <= 8 ? 1 : 0;
                for (const int each : left) expected[2] += each % 2 / all;
                seen[2] += item % 2;
                spent[static_cast<std::size_t>(item)] = 1;
                left.erase(at);
                const std::size_t other = left.size() / 2;
                if (!left.empty()) {
                    spent[static_cast<std::size_t>(left[other])] = 1;
                    left.erase(left.begin() + static_cast<std::ptrdiff_t>(other));
                }
                for (int k = 0; k < growth; ++k) left.push_back(list[size++] = items++);
            };
            const auto is_spent = [&](int item) {
                return spent[static_cast<std::size_t>(item)] != 0;
            };
            use_drawn(400, growth, random, list.data(), size, is_spent, use);
        }
        for (const std::size_t k : {0u, 1u, 2u}) {
            CAPTURE(k);
            CHECK(std::abs(seen[k] - expected[k]) < 6 * std::sqrt(expected[k]));
        }
    }
}

TEST_CASE("draws made ahead are the digits of a word, drawn again where they would be biased") {
    constexpr unsigned digits = 12;
    // Two draws of a word; one; and bounds for which every fourth and every second word is refused.
    for (const Index bound :
         {Index{5}, Index{97'001}, Index{1'397'547}, Index{1} << 60, (Index{1} << 62) / 6 + 1}) {
        CAPTURE(bound);
        const auto places = static_cast<std::uint64_t>(bound), both = places * digits;
        const bool two = both < 1u << 24;
        const std::uint64_t range = two ? both * both : both;
        Random random = stream(), words = stream();
        DrawBatch batch{};
        Index others = 0, refused = 0;
        for (int again = 0; again < 20'000; ++again) {
            batch.fill(DrawBatch::most, bound, digits, random);
            for (Index k = 0; k < DrawBatch::most; k += two ? 2 : 1) {
                Product p = multiply(words(), range);
                for (; p.low < (0 - range) % range; ++refused) p = multiply(words(), range);
                const std::uint64_t first = two ? p.high / both : p.high;
                const auto same = [&](const Draw& draw, std::uint64_t number) {
                    return draw.place == static_cast<Index>(number / digits) &&
                           draw.digit == number % digits;
                };
                others += same(batch.draw[k], first) ? 0 : 1;
                if (two) others += same(batch.draw[k + 1], p.high % both) ? 0 : 1;
            }
        }
        CHECK(others == 0);
        CHECK((refused > 0) == (bound > 97'001));
    }
}

#if defined(MEIRO_ASSERTS)
TEST_CASE("draws from nothing are refused where asserts are on") {
    Random random(Seed{{1, 2}});
    CHECK_THROWS_AS(random.below(0), std::logic_error);
    CHECK_THROWS_AS(random.pick(0), std::logic_error);
    CHECK_THROWS_AS(random.bits(64), std::logic_error);
}
#endif
