// A set of numbers below `size`, as a tree of bitsets: insert, erase and find the next number, each
// in one word per level, where each level has 64 times fewer words. Memory: a bit per number. With
// words of 4 bits:
//
//   level 1        1 0 1 0      bit i: is word i below not 0?
//   level 0   0110 0000 1000 0000
#pragma once

#include <bit>

#include "../../buffer.hpp"

namespace meiro {

class BitsetTree {
public:
    explicit BitsetTree(Index size) : words_(lay_out(size), true) {}

    void insert(Index i) {
        MEIRO_ASSERT(i >= 0 && i < size_[0]);
        for (int level = 0; level < levels_; ++level) {
            std::uint64_t& word = at(level, i);
            const bool others = word != 0;
            word |= one(i);
            if (others) return;  // the bits above are set already
            i >>= 6;
        }
    }
    void erase(Index i) {
        MEIRO_ASSERT(i >= 0 && i < size_[0]);
        for (int level = 0; level < levels_; ++level) {
            std::uint64_t& word = at(level, i);
            word &= ~one(i);
            if (word != 0) return;
            i >>= 6;
        }
    }
    // The first number not less than i; -1 if there is no such number.
    Index next(Index i) const {
        for (int level = 0; level < levels_; ++level) {
            if (i >= size_[level]) return -1;
            const std::uint64_t rest = at(level, i) >> (i & 63);
            if (rest != 0) {
                i += std::countr_zero(rest);
                while (level-- > 0) i = i << 6 | std::countr_zero(at(level, i << 6));
                return i;
            }
            i = (i >> 6) + 1;
        }
        return -1;
    }

private:
    static constexpr int most = 11;  // levels, for any Index

    static std::uint64_t one(Index i) { return std::uint64_t{1} << (i & 63); }
    std::uint64_t& at(int level, Index i) { return words_[first_[level] + (i >> 6)]; }
    std::uint64_t at(int level, Index i) const { return words_[first_[level] + (i >> 6)]; }

    // Bit i of a level is set if word i of the level below is not 0. The last level is a single
    // word.
    Index lay_out(Index size) {
        Index words = 0;
        do {
            first_[levels_] = words;
            size_[levels_++] = size;
            size = (size + 63) >> 6;
            words += size;
        } while (size > 1);
        return words;
    }

    int levels_ = 0;
    Index first_[most] = {};  // words
    Index size_[most] = {};   // bits
    Buffer<std::uint64_t> words_;
};

}  // namespace meiro
