// Counter-based random numbers: Philox4x64-10 turns a counter into four words by ten rounds.
//   J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw, Parallel random numbers: as easy as 1, 2,
//   3, SC '11. doi:10.1145/2063384.2063405
//
// key = the two words of the seed; counter = {block, lane, replicate, purpose}. Blocks count from 1
// as in NumPy, whose Philox is the oracle of the tests. All streams are disjoint by construction,
// and any word of a stream can be computed directly.
//
// Integer draws are exact:
//   D. Lemire, Fast random integer generation in an interval, ACM TOMACS 29 (2019) 3.
//   doi:10.1145/3230636
//   N. Brackett-Rozinsky, D. Lemire, Batched ranged random integer generation, Softw. Pract. Exp.
//   55 (2024) 155. doi:10.1002/spe.3369
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#if defined(_MSC_VER) && defined(_M_X64)
extern "C" unsigned __int64 _umul128(unsigned __int64, unsigned __int64, unsigned __int64*);
#endif

#include "assert.hpp"
#include "lattice.hpp"

namespace meiro {

// The version of the random stream: a seed makes the same maze as long as it stays the same.
// meiro.seeds.STREAM, in every file that holds a seed. CHANGELOG.md names each change.
inline constexpr int stream_version = 2;

struct Seed {
    std::uint64_t key[2] = {0, 0};
    std::uint64_t replicate = 0;
};

// The seed of the i-th replicate after this one.
inline Seed replicate(Seed seed, Index i) {
    seed.replicate += static_cast<std::uint64_t>(i);
    return seed;
}

// The purpose of a stream. The numbers are part of the stream's version: never renumber, only
// append.
enum class Purpose : std::uint64_t {
    generate = 0,
    weigh = 1,
    transform = 2,
    solve = 3,
    begin = 4,
    furnish = 5,
    ends = 6,     // drawn by NumPy's Philox: endpoints.py
    lattice = 7,  // crossings and points of lattices: python/meiro/lattices
    tokens = 8,   // the order of connections: python/meiro/io/peers
    agents = 9,   // levels, starts and goals: agent/agent_batch.hpp
    locks = 10    // of the levels of agents, too: paths/locks.hpp
};

// The product of two words. Without integers of 128 bits, as on 32-bit machines, or with the macro
// MEIRO_NO_INT128, it is put together from four products of half words.
struct Product {
    std::uint64_t high, low;
};
constexpr Product multiply_halves(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
    const std::uint64_t ll = al * bl, lh = al * bh, hl = ah * bl, hh = ah * bh;
    const std::uint64_t middle = (ll >> 32) + (lh & 0xffffffffu) + (hl & 0xffffffffu);
    return {hh + (lh >> 32) + (hl >> 32) + (middle >> 32), (middle << 32) | (ll & 0xffffffffu)};
}
inline Product multiply(std::uint64_t a, std::uint64_t b) {
#if defined(MEIRO_NO_INT128)
    return multiply_halves(a, b);
#elif defined(__SIZEOF_INT128__)
    __extension__ using Wide = unsigned __int128;
    const Wide p = static_cast<Wide>(a) * b;
    return {static_cast<std::uint64_t>(p >> 64), static_cast<std::uint64_t>(p)};
#elif defined(_MSC_VER) && defined(_M_X64)
    Product p{};
    p.low = _umul128(a, b, &p.high);
    return p;
#else
    // 32-bit machines, and MSVC for other processors than x64.
    return multiply_halves(a, b);
#endif
}

using Block = std::array<std::uint64_t, 4>;

namespace detail {
inline constexpr std::uint64_t philox_factors[] = {0xd2e7470ee14c6c93u, 0xca5a826395121157u};
inline constexpr std::uint64_t philox_steps[] = {0x9e3779b97f4a7c15u, 0xbb67ae8584caa73bu};
}  // namespace detail

inline Block philox(Block x, std::uint64_t k0, std::uint64_t k1) {
    for (int round = 0; round < 10; ++round) {
        const Product p = multiply(detail::philox_factors[0], x[0]);
        const Product q = multiply(detail::philox_factors[1], x[2]);
        x = {q.high ^ x[1] ^ k0, q.low, p.high ^ x[3] ^ k1, p.low};
        k0 += detail::philox_steps[0];
        k1 += detail::philox_steps[1];
    }
    return x;
}

// The same, never inlined: its 700 bytes at each draw of each algorithm would be a third of what
// the core takes to compile. By value, in registers: no state of the caller has to be in memory.
[[gnu::noinline, gnu::const]] inline Block called_philox(std::uint64_t x0, std::uint64_t x1,
                                                         std::uint64_t x2, std::uint64_t x3,
                                                         std::uint64_t k0, std::uint64_t k1) {
    return philox({x0, x1, x2, x3}, k0, k1);
}

namespace detail {
// pick_table[bits][d]: the (d * count / 12)-th of the directions in `bits`; 12 is a multiple of
// 1..4.
constexpr auto make_pick_table() {
    std::array<std::array<std::uint8_t, 16>, 16> table{};
    for (unsigned bits = 1; bits < 16; ++bits) {
        const auto count = static_cast<unsigned>(std::popcount(bits));
        for (unsigned digit = 0; digit < 12; ++digit) {
            unsigned skip = digit * count / 12, d = 0;
            while (((bits >> d) & 1u) == 0 || skip-- > 0) ++d;
            table[bits][digit] = static_cast<std::uint8_t>(d);
        }
    }
    return table;
}
inline constexpr auto pick_table = make_pick_table();

inline constexpr int digits_a_word = 16;
inline constexpr std::uint64_t twelves = 184884258895036416u;  // 12^16
// A word gives 16 exact base-12 digits unless its remainder falls below this: 2^64 mod 12^16.
inline constexpr std::uint64_t unfair = (0 - twelves) % twelves;
}  // namespace detail

// One of the directions in `bits` (not 0), by a uniform digit in 0 .. 11.
constexpr Direction pick_by(unsigned bits, unsigned digit) {
    MEIRO_ASSERT(bits > 0 && bits < 16 && digit < 12);
    return static_cast<Direction>(detail::pick_table[bits][digit]);
}

// True with a probability given as a multiple of 2^-63; 0 and 2^63 mean never and always.
struct Chance {
    static constexpr std::uint64_t certain = std::uint64_t{1} << 63;
    std::uint64_t share = 0;
    bool operator()(std::uint64_t word) const { return word >> 1 < share; }
};

// Uniform in 0 .. n-1, exactly, from the words of word(). n > 0.
template <class Word>
Index uniform_below(Index n, Word word) {
    MEIRO_ASSERT(n > 0);
    const auto range = static_cast<std::uint64_t>(n);
    Product p = multiply(word(), range);
    if (p.low < range) [[unlikely]] {
        const std::uint64_t threshold = (0 - range) % range;
        while (p.low < threshold) p = multiply(word(), range);
    }
    return static_cast<Index>(p.high);
}

// Whether a word gives 16 digits: each is the high word of its product with 12; the low word
// remains for the next digit.
constexpr bool gives_digits(std::uint64_t word) {
    return word * detail::twelves >= detail::unfair;
}

// The next one of the words of word() that does.
template <class Word>
std::uint64_t word_of_digits(Word word) {
    std::uint64_t drawn;
    do drawn = word();
    while (!gives_digits(drawn));
    return drawn;
}

class Random {
public:
    explicit Random(const Seed& seed, Purpose purpose = Purpose::generate, std::uint64_t lane = 0)
        : key_{seed.key[0], seed.key[1]},
          counter_{0, lane, seed.replicate, static_cast<std::uint64_t>(purpose)} {}

    // The next word.
    std::uint64_t operator()() {
        if (used_ == 4) [[unlikely]] {
            ++counter_[0];
            words_ = philox(counter_, key_[0], key_[1]);
            used_ = 0;
        }
        return words_[used_++];
    }

    // The next word, for draws that do other work as well.
    std::uint64_t word() {
        if (used_ == 4) [[unlikely]] {
            ++counter_[0];
            words_ =
                called_philox(counter_[0], counter_[1], counter_[2], counter_[3], key_[0], key_[1]);
            used_ = 0;
        }
        return words_[used_++];
    }

    // Continues with the word at a position of the stream.
    void seek(std::uint64_t word) {
        counter_[0] = word / 4;
        used_ = 4;
        for (word %= 4; word > 0; --word) (*this)();
    }

    // The word at a position of the stream, whatever was drawn before.
    std::uint64_t at(std::uint64_t word) const {
        return called_philox(word / 4 + 1, counter_[1], counter_[2], counter_[3], key_[0],
                             key_[1])[word % 4];
    }

    // Four consecutive words at once: those at 4 * block .. 4 * block + 3.
    Block block(std::uint64_t block) const {
        Block counter = counter_;
        counter[0] = block + 1;
        return philox(counter, key_[0], key_[1]);
    }

    // Uniform in 0 .. n-1, exactly. n > 0.
    Index below(Index n) {
        return uniform_below(n, [this] { return word(); });
    }

    // Uniform among the multiples of 2^-53 in [0, 1).
    double share() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

    // A word for 16 digits.
    std::uint64_t digits() {
        return word_of_digits([this] { return word(); });
    }

    // Uniform in 0 .. 11, exactly.
    unsigned digit() {
        if (digits_ == 0) [[unlikely]] {
            rest_ = digits();
            digits_ = detail::digits_a_word;
        }
        --digits_;
        const Product p = multiply(rest_, 12);
        rest_ = p.low;
        return static_cast<unsigned>(p.high);
    }

    // A uniform one of the directions in `bits` (not 0). Costs a multiplication and a table
    // look-up.
    Direction pick(unsigned bits) {
        MEIRO_ASSERT(bits > 0 && bits < 16);
        return static_cast<Direction>(detail::pick_table[bits][digit()]);
    }

    // n fair bits, n in 1 .. 63.
    unsigned bits(int n) {
        MEIRO_ASSERT(n > 0 && n < 64);
        if (bits_ < n) [[unlikely]] {
            pool_ = word();
            bits_ = 64;
        }
        const auto taken = static_cast<unsigned>(pool_ & ((std::uint64_t{1} << n) - 1));
        pool_ >>= n;
        bits_ -= n;
        return taken;
    }
    bool coin() { return bits(1) != 0; }

    // 64 independent events of a probability, exactly. Each compares a uniform number of 63 binary
    // digits with the probability, digit by digit from the highest, all 64 with one word per digit.
    // Digits are drawn only until all comparisons are decided: about seven words.
    std::uint64_t coins(Chance chance) {
        if (chance.share >= Chance::certain) return ~std::uint64_t{0};
        std::uint64_t less = 0, equal = ~std::uint64_t{0};
        for (std::uint64_t digits = chance.share << 1; digits != 0 && equal != 0; digits <<= 1) {
            const std::uint64_t word = (*this)(), one = 0 - (digits >> 63);
            less |= equal & ~word & one;
            equal &= ~(word ^ one);
        }
        return less;
    }

private:
    std::uint64_t key_[2];
    Block counter_;
    Block words_{};
    int used_ = 4;
    int digits_ = 0;
    int bits_ = 0;
    std::uint64_t rest_ = 0;
    std::uint64_t pool_ = 0;
};

// The first blocks of the lanes of a stream, for mazes whose rows have a lane each: where rows are
// short, these blocks are most of the time. The counters differ in the lane alone, which reaches
// one of the two products of the second round and one of the third. So all else of three rounds,
// and the keys of the others, are made once for all lanes: 16 multiplications a block, not 20.
class FirstBlocks {
public:
    explicit FirstBlocks(const Seed& seed, Purpose purpose = Purpose::generate) {
        std::uint64_t k0 = seed.key[0], k1 = seed.key[1];
        const auto next_keys = [&] {
            k0 += detail::philox_steps[0];
            k1 += detail::philox_steps[1];
        };
        // Of a first round of {1, lane, replicate, purpose}: the product of the 1 is the factor.
        const Product first = multiply(detail::philox_factors[1], seed.replicate);
        lane_ = first.high ^ k0;
        const std::uint64_t x2 = static_cast<std::uint64_t>(purpose) ^ k1;
        next_keys();
        const Product second = multiply(detail::philox_factors[1], x2);
        second_ = detail::philox_factors[0] ^ k1;
        const std::uint64_t x0 = second.high ^ first.low ^ k0;
        next_keys();
        const Product third = multiply(detail::philox_factors[0], x0);
        third_ = {second.low ^ k0, 0, third.high ^ k1, third.low};
        for (Keys& keys : keys_) {
            next_keys();
            keys = {k0, k1};
        }
    }

    // Random(seed, purpose, lane).block(0).
    Block of(std::uint64_t lane) const {
        Block x = begin(lane);
        for (const Keys& keys : keys_) x = round(x, keys);
        return x;
    }

    // Those of a lane and the next one, side by side: the products of a block wait for each other.
    std::array<Block, 2> two(std::uint64_t lane) const {
        Block x = begin(lane), y = begin(lane + 1);
        for (const Keys& keys : keys_) {
            x = round(x, keys);
            y = round(y, keys);
        }
        return {x, y};
    }

private:
    using Keys = std::array<std::uint64_t, 2>;

    Block begin(std::uint64_t lane) const {
        const Product p = multiply(detail::philox_factors[0], lane_ ^ lane);
        const Product q = multiply(detail::philox_factors[1], p.high ^ second_);
        return {q.high ^ third_[0], q.low, p.low ^ third_[2], third_[3]};
    }
    static Block round(const Block& x, const Keys& keys) {
        const Product p = multiply(detail::philox_factors[0], x[0]);
        const Product q = multiply(detail::philox_factors[1], x[2]);
        return {q.high ^ (x[1] ^ keys[0]), q.low, p.high ^ (x[3] ^ keys[1]), p.low};
    }

    std::uint64_t lane_, second_;  // what the lane and its product are combined with
    Block third_;
    std::array<Keys, 7> keys_;
};

}  // namespace meiro
