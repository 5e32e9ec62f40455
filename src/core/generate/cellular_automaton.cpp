// Life-like cellular automata: a word holds 64 sites, and the eight neighbours of all of them are
// summed at once, one bit of the sum at a time.
//
// Site (r, c) is bit c + 1 of row r + 1 of the words: a border one site wide holds the values
// outside, so that no site is a special case. Rows follow one another, so the words beside the last
// of a row are those of the next one; they reach border sites only, which are set anew after each
// generation. Time: a few operations a word and generation. Scratch: three arrays of words.
#include "cellular_automaton.hpp"

#include <array>
#include <cmath>

#include "../buffer.hpp"

namespace meiro {
namespace {

using Word = std::uint64_t;
constexpr Index piece_of_words = Index{1} << 14;

struct Bits {
    Word sum, carry;
};
Bits add(Word a, Word b, Word c) {
    return {a ^ b ^ c, (a & b) | ((a ^ b) & c)};
}

class LifeLike {
public:
    LifeLike(const AutomatonRule& rule, Shape shape, Control& control)
        : rule_(rule), shape_(shape), control_(control) {}

    // Zeros, with a word before the first row and one behind the last.
    Buffer<Word> words() const { return Buffer<Word>((shape_.rows + 2) * width_ + 2, true); }

    void pack(const std::uint8_t* sites, Buffer<Word>& words) {
        each_row(words, [&](Word* row, Index r, Index first, Index last) {
            const std::uint8_t* const from = sites + r * shape_.cols;
            for (Index c = first; c < last; ++c) row[(c + 1) / 64] |= Word{from[c]} << (c + 1) % 64;
        });
        close(words);
    }
    void unpack(Buffer<Word>& words, std::uint8_t* sites) {
        each_row(words, [&](const Word* row, Index r, Index first, Index last) {
            std::uint8_t* const to = sites + r * shape_.cols;
            for (Index c = first; c < last; ++c)
                to[c] = static_cast<std::uint8_t>(row[(c + 1) / 64] >> (c + 1) % 64 & 1);
        });
    }
    void advance(const Buffer<Word>& now, Buffer<Word>& after) {
        const Word* const from = now.data() + 1 + width_;
        Word* const to = after.data() + 1 + width_;
        by_words(shape_.rows * width_, [&](Index first, Index last) {
            const Index width = width_;
            std::array<Word, 9> born, survives;  // all bits of a word alike
            for (unsigned n = 0; n <= 8; ++n) {
                born[n] = Word{0} - (rule_.born >> n & 1);
                survives[n] = Word{0} - (rule_.survives >> n & 1);
            }
            for (Index i = first; i < last; ++i) {
                const Word at = from[i];
                const std::array<Word, 4> sum = neighbours(from + i, width);
                Word found = 0;
                for (unsigned n = 0; n <= 8; ++n) {
                    Word these = (born[n] & ~at) | (survives[n] & at);
                    for (unsigned b = 0; b < 4; ++b) these &= (n >> b & 1) != 0 ? sum[b] : ~sum[b];
                    found |= these;
                }
                to[i] = found;
            }
        });
        close(after);
    }
    bool equal(const Buffer<Word>& a, const Buffer<Word>& b) {
        bool same = true;
        by_words(a.size(), [&](Index first, Index last) {
            same = same && std::equal(a.data() + first, a.data() + last, b.data() + first);
        });
        return same;
    }

private:
    template <class Body>
    void by_words(Index count, Body body) {
        for (Index first = 0; first < count; first += piece_of_words) {
            const Index last = std::min(first + piece_of_words, count);
            body(first, last);
            control_.poll(16 * (last - first));
        }
    }
    // body(row, its number, first, last) for columns first .. last - 1.
    template <class Body>
    void each_row(Buffer<Word>& words, Body body) {
        for (Index r = 0; r < shape_.rows; ++r)
            by_pieces(shape_.cols, control_, [&](Index first, Index last) {
                body(row_of(words, r), r, first, last);
                control_.poll(last - first);
            });
    }
    Word* row_of(Buffer<Word>& words, Index r) const { return words.data() + 1 + (r + 1) * width_; }
    static void put(Word* row, Index bit, bool value) {
        row[bit / 64] = (row[bit / 64] & ~(Word{1} << bit % 64)) | Word{value} << bit % 64;
    }
    static bool get(const Word* row, Index bit) { return (row[bit / 64] >> bit % 64 & 1) != 0; }

    // The sum of the two neighbours in a row.
    static Bits beside(const Word* at) {
        const Word left = at[0] << 1 | at[-1] >> 63, right = at[0] >> 1 | at[1] << 63;
        return {left ^ right, left & right};
    }
    // The sum of the three sites.
    static Bits three(const Word* at) {
        const auto [odd, both] = beside(at);
        return {odd ^ at[0], both | (odd & at[0])};
    }
    // The bits of the sum of the eight neighbours.
    static std::array<Word, 4> neighbours(const Word* at, Index width) {
        const Bits above = three(at - width), own = beside(at), below = three(at + width);
        const Bits ones = add(above.sum, below.sum, own.sum);
        const Bits twos = add(above.carry, below.carry, own.carry);
        const Word carry = twos.sum & ones.carry;
        return {ones.sum, twos.sum ^ ones.carry, twos.carry ^ carry, twos.carry & carry};
    }
    // Sets the border, periodically or to the value outside, and clears the bits behind it.
    void close(Buffer<Word>& words) {
        const Index cols = shape_.cols;
        const Word rest = ~Word{0} >> (63 - (cols + 1) % 64);
        for (Index r = 0; r < shape_.rows; ++r) {
            Word* const row = row_of(words, r);
            put(row, 0, rule_.wrap.cols ? get(row, cols) : rule_.outside);
            put(row, cols + 1, rule_.wrap.cols ? get(row, 1) : rule_.outside);
            row[width_ - 1] &= rest;
            control_.poll(8);
        }
        for (const Index r : {Index{-1}, shape_.rows}) {
            Word* const row = row_of(words, r);
            const Word* const same = row_of(words, r < 0 ? shape_.rows - 1 : 0);
            const Word all = rule_.outside ? ~Word{0} : 0;
            by_words(width_, [&](Index first, Index last) {
                for (Index i = first; i < last; ++i) row[i] = rule_.wrap.rows ? same[i] : all;
            });
        }
    }

    AutomatonRule rule_;
    Shape shape_;
    Index width_ = (shape_.cols + 2 + 63) / 64;  // words of a row
    Control& control_;
};

}  // namespace

void random_walls(const Seed& seed, double p, Shape shape, std::uint8_t* sites, Control& control) {
    const auto below = static_cast<Word>(p < 1 ? std::ldexp(p, 64) : 0);
    for (Index r = 0; r < shape.rows; ++r) {
        Random random(seed, Purpose::generate, static_cast<std::uint64_t>(r));
        by_pieces(shape.cols, control, [&](Index first, Index last) {
            for (Index c = first; c < last; ++c)
                sites[r * shape.cols + c] = p >= 1 || random() < below ? 1 : 0;
            control.poll(2 * (last - first));
        });
    }
}

void run_automaton(const AutomatonRule& rule, Shape shape, std::uint8_t* sites, Index generations,
                   Control& control) {
    LifeLike life(rule, shape, control);
    Buffer<Word> before = life.words(), now = life.words(), after = life.words();
    life.pack(sites, before);
    life.pack(sites, now);
    for (Index left = generations; left > 0;) {
        life.advance(now, after);
        --left;
        const bool still = life.equal(after, now);
        if (life.equal(after, before)) left %= 2;  // of period 2 only the parity matters
        before.swap(now);
        now.swap(after);
        if (still) break;
    }
    life.unpack(now, sites);
}

}  // namespace meiro
