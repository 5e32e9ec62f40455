#include "degree_counts.hpp"

#include <array>
#include <cstring>

#include "../buffer.hpp"

namespace meiro {
namespace {

// Sums over cells: odd degree, three, four passages, straight, open to the east, to the south.
using DegreeSums = std::array<Index, 6>;

// The sum of the eight bytes of a word.
Index across(std::uint64_t bytes) {
    constexpr std::uint64_t halves = 0x00ff00ff00ff00ffu, ones = 0x0001000100010001u;
    return static_cast<Index>(((bytes & halves) + (bytes >> 8 & halves)) * ones >> 48);
}

std::uint64_t load_eight(const std::uint8_t* bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

// The most that counters of half a byte, and of a byte, can add up.
constexpr Index words_a_part = 15, parts_a_block = 8;
constexpr Index part_cells = 16 * words_a_part;

// Counts 16 * words cells. Two cells share a byte: one of the first half of the part, one of the
// second.
void add_parts(const std::uint8_t* bytes, Index words, Index parts, DegreeSums& sums) {
    constexpr std::uint64_t ones = each(0x11), low = each(0x0f);
    std::array<std::uint64_t, 6> total{};
    for (Index part = 0; part < parts; ++part, bytes += 16 * words) {
        std::uint64_t odd = 0, three = 0, four = 0, straight = 0, east = 0, south = 0;
        for (Index i = 0; i < words; ++i) {
            const std::uint64_t x = load_eight(bytes + 8 * i) | load_eight(bytes + 8 * (words + i))
                                                                    << 4;
            const std::uint64_t both = x & x >> 2, one = x ^ x >> 2;  // bit 0: n, s; bit 1: e, w
            const std::uint64_t uneven = (one ^ one >> 1) & ones;
            odd += uneven;
            three += uneven & (both | both >> 1);
            four += both & both >> 1 & ones;
            straight += (both ^ both >> 1) & ones & ~uneven;
            east += x >> 1 & ones;
            south += x >> 2 & ones;
        }
        const std::uint64_t found[] = {odd, three, four, straight, east, south};
        for (std::size_t k = 0; k < 6; ++k) total[k] += (found[k] & low) + (found[k] >> 4 & low);
    }
    for (std::size_t k = 0; k < 6; ++k) sums[k] += across(total[k]);
}

}  // namespace

CellCounts count_cells(const std::uint8_t* passages, Index size, Index cells, Control& control,
                       int threads) {
    constexpr Index share = Index{1} << 20;
    const Index pieces = (size + share - 1) / share;
    NearBuffer<DegreeSums, 16> memory(pieces);
    DegreeSums* const each = memory.data();
    by_pieces(size, control, threads, [&](Index first, Index last) {
        DegreeSums& sums = each[first / share];
        sums = {};
        while (last - first >= part_cells) {
            const Index parts = std::min(parts_a_block, (last - first) / part_cells);
            add_parts(passages + first, words_a_part, parts, sums);
            first += parts * part_cells;
        }
        const Index words = (last - first) / 16;
        if (words > 0) add_parts(passages + first, words, 1, sums);
        first += 16 * words;
        std::array<std::uint8_t, 16> rest{};
        std::memcpy(rest.data(), passages + first, static_cast<std::size_t>(last - first));
        if (first < last) add_parts(rest.data(), 1, 1, sums);
    });
    DegreeSums all{};
    for (Index piece = 0; piece < pieces; ++piece)
        for (std::size_t k = 0; k < all.size(); ++k) all[k] += each[piece][k];
    const auto [odd, three, four, straight, east, south] = all;
    CellCounts found;
    found.cells = cells;
    found.horizontal = east;
    found.vertical = south;
    found.dead_ends = odd - three;
    found.junctions = three;
    found.crossroads = four;
    found.corridors = found.passages() - (found.dead_ends + 3 * three) / 2 - 2 * four;
    found.isolated = cells - found.dead_ends - found.corridors - three - four;
    found.straights = straight;
    return found;
}

void add_positions(const std::uint8_t* passages, Mask mask, Index size, unsigned set, Index* counts,
                   Control& control) {
    std::array<std::uint8_t, 16> is{};
    for (unsigned byte = 0; byte < 16; ++byte)
        is[byte] = static_cast<std::uint8_t>(set >> byte & 1);
    const bool looked_at = mask != nullptr && is[0] != 0;  // masked-out cells have byte 0
    by_pieces(size, control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) counts[i] += is[passages[i] & 15];
        for (Index i = first; looked_at && i < last; ++i) counts[i] -= mask[i] == 0 ? 1 : 0;
    });
}

}  // namespace meiro
