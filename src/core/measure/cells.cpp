#include "cells.hpp"

#include <array>
#include <cstring>

namespace meiro {
namespace {

struct Sums {
    Index odd = 0, three = 0, four = 0, straight = 0, east = 0, south = 0;
};

// The sum of the eight bytes of a word.
Index across(std::uint64_t bytes) {
    constexpr std::uint64_t halves = 0x00ff00ff00ff00ffu, ones = 0x0001000100010001u;
    return static_cast<Index>(((bytes & halves) + (bytes >> 8 & halves)) * ones >> 48);
}

constexpr Index longest = 255;  // words that a counter of a byte can take

// Of at most `longest` words.
void add_words(const std::uint8_t* bytes, Index words, Sums& sums) {
    std::uint64_t odd = 0, three = 0, four = 0, straight = 0, east = 0, south = 0;
    for (Index i = 0; i < words; ++i) {
        std::uint64_t x;
        std::memcpy(&x, bytes + 8 * i, sizeof x);
        const std::uint64_t n = x & each(1), e = x >> 1 & each(1), s = x >> 2 & each(1),
                            w = x >> 3 & each(1);
        const std::uint64_t ns = n & s, ew = e & w, uneven = n ^ e ^ s ^ w;
        odd += uneven;
        three += uneven & (ns | ew);
        four += ns & ew;
        straight += (ns ^ ew) & ~uneven;
        east += e;
        south += s;
    }
    sums.odd += across(odd);
    sums.three += across(three);
    sums.four += across(four);
    sums.straight += across(straight);
    sums.east += across(east);
    sums.south += across(south);
}

}  // namespace

CellCounts count_cells(const std::uint8_t* passages, Index size, Index cells, Control& control) {
    Sums sums;
    by_pieces(size, control, [&](Index first, Index last) {
        for (; first + 8 <= last;) {
            const Index words = std::min(longest, (last - first) / 8);
            add_words(passages + first, words, sums);
            first += 8 * words;
        }
        std::array<std::uint8_t, 8> rest{};
        std::memcpy(rest.data(), passages + first, static_cast<std::size_t>(last - first));
        add_words(rest.data(), 1, sums);
    });
    CellCounts found;
    found.cells = cells;
    found.horizontal = sums.east;
    found.vertical = sums.south;
    found.dead_ends = sums.odd - sums.three;
    found.junctions = sums.three;
    found.crossroads = sums.four;
    found.corridors =
        found.passages() - (found.dead_ends + 3 * found.junctions) / 2 - 2 * found.crossroads;
    found.isolated = cells - found.dead_ends - found.corridors - found.junctions - found.crossroads;
    found.straights = sums.straight;
    return found;
}

void add_positions(const std::uint8_t* passages, Mask mask, Index size, unsigned set, Index* counts,
                   Control& control) {
    std::array<std::uint8_t, 16> is{};
    for (unsigned byte = 0; byte < 16; ++byte)
        is[byte] = static_cast<std::uint8_t>(set >> byte & 1);
    const bool looked_at = mask != nullptr && is[0] != 0;  // what does not exist has byte 0
    by_pieces(size, control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) counts[i] += is[passages[i] & 15];
        for (Index i = first; looked_at && i < last; ++i) counts[i] -= mask[i] == 0 ? 1 : 0;
    });
}

Index count_mask(Mask mask, Index size, Control& control) {
    if (mask == nullptr) return size;
    Index cells = 0;
    by_pieces(size, control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) cells += mask[i] != 0 ? 1 : 0;
    });
    return cells;
}

}  // namespace meiro
