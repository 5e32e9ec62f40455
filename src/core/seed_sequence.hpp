// The key of a seed: a port of NumPy's SeedSequence (M. E. O'Neill's seed_seq_fe, 2015) with a pool
// of four words.
//   https://www.pcg-random.org/posts/developing-a-seed_seq-alternative.html
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace meiro {

// The two words of 64 bits that SeedSequence(entropy).generate_state(2, np.uint64) returns;
// `entropy` is the one that NumPy makes of integers: words of 32 bits, the low ones first.
inline std::array<std::uint64_t, 2> key_of_entropy(std::span<const std::uint32_t> entropy) {
    using Word = std::uint32_t;
    constexpr std::size_t size = 4;
    Word constant = 0x43b0d7e5;
    const auto hash = [&constant](Word value, Word factor) {
        value ^= constant;
        constant *= factor;
        value *= constant;
        return value ^ (value >> 16);
    };
    const auto absorb = [&hash](Word value) { return hash(value, 0x931e8875); };
    const auto mix = [](Word x, Word y) {
        const Word mixed = Word{0xca01f9dd} * x - Word{0x4973f715} * y;
        return mixed ^ (mixed >> 16);
    };
    std::array<Word, size> pool{};
    for (std::size_t i = 0; i < size; ++i) pool[i] = absorb(i < entropy.size() ? entropy[i] : 0);
    for (std::size_t from = 0; from < size; ++from)
        for (std::size_t to = 0; to < size; ++to)
            if (from != to) pool[to] = mix(pool[to], absorb(pool[from]));
    for (std::size_t from = size; from < entropy.size(); ++from)
        for (Word& word : pool) word = mix(word, absorb(entropy[from]));

    constant = 0x8b51f9dd;
    std::array<std::uint64_t, 2> key{};
    for (std::size_t i = 0; i < size; ++i)
        key[i / 2] |= std::uint64_t{hash(pool[i], 0x58f38ded)} << (32 * (i % 2));
    return key;
}

}  // namespace meiro
