// Eight cells are handled as one word, the first cell in its lowest byte. The direction bits of all
// eight are permuted at once by delta swaps, which exchange bits one place apart, or two; every
// symmetry of the square is a combination of the two under its own masks. Mirrored left to right:
//
//   bits W S E N      1 0 0 1  ->  0 0 1 1      E and W are two places apart: one swap
//
//   H. S. Warren, Hacker's Delight, 2nd ed. (2013), 7-1 and 7-3
//
// Transposition works in tiles: a tile is read and transposed in the cache, 8 x 8 cells in eight
// words, and written by lines of 64 bytes, so every cache line of either array is fetched once. An
// axis read in reverse has a negative stride. Time: linear. Scratch: a tile.
#include "square_symmetry.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <functional>

namespace meiro {
namespace {

constexpr Index tile = 64;

constexpr std::uint64_t backwards(std::uint64_t word) {
    constexpr std::uint64_t bytes = 0x00ff00ff00ff00ffu, pairs = 0x0000ffff0000ffffu;
    word = (word & bytes) << 8 | (word >> 8 & bytes);
    word = (word & pairs) << 16 | (word >> 16 & pairs);
    return std::rotl(word, 32);
}

std::uint64_t load_in_order(const std::uint8_t* from) {
    std::uint64_t word;
    std::memcpy(&word, from, 8);
    return std::endian::native == std::endian::little ? word : backwards(word);
}

void store(std::uint8_t* to, std::uint64_t word) {
    if constexpr (std::endian::native != std::endian::little) word = backwards(word);
    std::memcpy(to, &word, 8);
}

// Permutes the directions of eight cells.
class Compass {
public:
    Compass(Symmetry how, bool passages) {
        if (!passages) return;
        // N and S are two places apart, E and W too. Transposition exchanges N with W and E with S:
        // a swap by one place, then by two; bits that were mirrored are one place further then.
        const unsigned mirrored = (how.rows ? 1u : 0u) | (how.cols ? 2u : 0u);
        if (!how.exchanged) {
            by_two_ = each(mirrored);
            return;
        }
        by_one_ = each(5);
        by_two_ = each(3 ^ ((how.rows ? 2u : 0u) | (how.cols ? 1u : 0u)));
    }
    std::uint64_t operator()(std::uint64_t word) const {
        const std::uint64_t one = (word >> 1 ^ word) & by_one_;
        word ^= one ^ one << 1;
        const std::uint64_t two = (word >> 2 ^ word) & by_two_;
        return word ^ two ^ two << 2;
    }
    std::uint8_t operator()(std::uint8_t cell) const {
        return static_cast<std::uint8_t>((*this)(std::uint64_t{cell}));
    }

private:
    std::uint64_t by_one_ = 0, by_two_ = 0;
};

// Cells [first, last) of a row of `cols` cells. A last word of less than eight cells overlaps the
// one before.
template <bool mirrored, class Turn>
void row(const std::uint8_t* from, Index cols, Index first, Index last, const Turn& compass,
         std::uint8_t* to) {
    if (last - first < 8) {
        for (Index c = first; c < last; ++c) to[c] = compass(from[mirrored ? cols - 1 - c : c]);
        return;
    }
    const auto word = [&](Index c) {
        const std::uint64_t cells = load_in_order(from + (mirrored ? cols - 8 - c : c));
        store(to + c, compass(mirrored ? backwards(cells) : cells));
    };
    Index c = first;
    for (; c + 8 <= last; c += 8) word(c);
    if (c < last) word(last - 8);
}

using Block = std::array<std::uint64_t, 8>;

// Transposes 8 x 8 bytes: exchanges byte j of word i with byte i of word j.
void exchange(Block& words) {
    const auto swap = [&](std::size_t apart, int shift, std::uint64_t mask) {
        for (std::size_t i = 0; i < 8; ++i) {
            if ((i & apart) != 0) continue;
            std::uint64_t &upper = words[i], &lower = words[i + apart];
            const std::uint64_t both = (upper >> shift ^ lower) & mask;
            lower ^= both;
            upper ^= both << shift;
        }
    };
    swap(4, 32, 0x00000000ffffffffu);
    swap(2, 16, 0x0000ffff0000ffffu);
    swap(1, 8, 0x00ff00ff00ff00ffu);
}

// A tile of `high` x `wide` cells; rows are `from_stride` apart in the source, `to_stride` in the
// target.
void exchange_tile(const std::uint8_t* from, Index from_stride, Index high, Index wide,
                   const Compass& compass, std::uint8_t* to, Index to_stride) {
    std::array<std::uint8_t, static_cast<std::size_t>(tile * tile)> near;
    const Index rows = high & ~Index{7}, cols = wide & ~Index{7};
    for (Index r = 0; r < rows; r += 8)
        for (Index c = 0; c < cols; c += 8) {
            Block words;
            const std::uint8_t* cells = from + r * from_stride + c;
            for (std::uint64_t& word : words) {
                word = compass(load_in_order(cells));
                cells += from_stride;
            }
            exchange(words);
            std::uint8_t* out = near.data() + c * tile + r;
            for (const std::uint64_t word : words) {
                store(out, word);
                out += tile;
            }
        }
    for (Index r = 0; r < high; ++r)
        for (Index c = r < rows ? cols : 0; c < wide; ++c)
            near[static_cast<std::size_t>(c * tile + r)] = compass(from[r * from_stride + c]);
    for (Index c = 0; c < wide; ++c)
        std::memcpy(to + c * to_stride, near.data() + c * tile, static_cast<std::size_t>(high));
}

// Rows and columns are not exchanged: the lines of all layers, in bands. The directions of short
// lines are turned in one go after all have been placed.
template <bool mirrored>
void turn_lines(const std::uint8_t* from, Index n, Shape shape, bool reversed,
                const Compass& compass, std::uint8_t* to, int threads, Control& control) {
    const auto [rows, cols] = shape;
    constexpr Index piece = Index{1} << 17;
    const bool short_lines = cols >= 8 && cols <= 64;
    const Index band = std::max<Index>(1, (short_lines ? piece / 8 : piece) / cols);
    const Index lines = n * rows;
    by_shares(lines, band, control, n == 1 ? 1 : threads,
              [&, rows = rows, cols = cols](Index begin, Index end, Control& worker) {
                  const Compass own = compass;
                  Index r = begin % rows;
                  for (Index i = begin; i < end; ++i) {
                      const Index line = reversed ? i + rows - 1 - 2 * r : i;
                      if (short_lines)
                          row<mirrored>(from + line * cols, cols, 0, cols, std::identity(),
                                        to + i * cols);
                      for (Index first = 0; first < cols && !short_lines; first += piece) {
                          const Index last = std::min(first + piece, cols);
                          row<mirrored>(from + line * cols, cols, first, last, own, to + i * cols);
                          if (cols > piece) worker.poll(piece / 16);
                      }
                      if (++r < rows) continue;
                      r = 0;
                      if (n > 1) worker.done(rows * cols);
                  }
                  if (short_lines) {
                      const Index first = begin * cols, size = (end - begin) * cols;
                      row<false>(to + first, size, 0, size & ~Index{7}, own, to + first);
                      for (Index k = size & ~Index{7}; k < size; ++k)
                          to[first + k] = own(to[first + k]);
                  }
                  worker.poll(piece / 16);
              });
}

// The bands of tiles [first, last) of a layer, rows and columns exchanged.
void turn_bands(const std::uint8_t* from, Shape shape, Symmetry how, const Compass& compass,
                Index first, Index last, std::uint8_t* to, Control& control) {
    const auto [rows, cols] = shape;
    const Index from_stride = how.rows ? -cols : cols, to_stride = how.cols ? -rows : rows;
    if (how.rows) from += (rows - 1) * cols;
    if (how.cols) to += (cols - 1) * rows;
    for (Index r = first * tile; r < std::min(last * tile, rows); r += tile)
        for (Index c = 0; c < cols; c += tile) {
            const Index high = std::min(tile, rows - r), wide = std::min(tile, cols - c);
            exchange_tile(from + r * from_stride + c, from_stride, high, wide, compass,
                          to + c * to_stride + r, to_stride);
            control.poll(high * wide);  // new memory: each line of a tile touches a page
        }
}

}  // namespace

void turn(const std::uint8_t* from, Shape shape, Symmetry how, bool passages, std::uint8_t* to,
          int threads, Control& control) {
    turn_each(from, 1, shape, how, passages, to, threads, control);
}

void turn_each(const std::uint8_t* from, Index n, Shape shape, Symmetry how, bool passages,
               std::uint8_t* to, int threads, Control& control) {
    const Index size = shape.size();
    const Compass compass(how, passages);
    if (n == 0) return;
    const bool thin = shape.rows == 1 || shape.cols == 1;
    const bool backwards = shape.rows == 1 ? how.cols : how.rows;
    if (thin || (how.rows && how.cols && !how.exchanged)) {  // the same bytes, or these in reverse
        const auto lines = backwards ? turn_lines<true> : turn_lines<false>;
        lines(from, n, {1, size}, false, compass, to, threads, control);
    } else if (!how.exchanged) {
        const auto lines = how.cols ? turn_lines<true> : turn_lines<false>;
        lines(from, n, shape, how.rows, compass, to, threads, control);
    } else {
        const Index bands = (shape.rows - 1) / tile + 1;
        if (n == 1) {
            parallel(control, threads, bands, [&](Index band, Control& worker) {
                turn_bands(from, shape, how, compass, band, band + 1, to, worker);
            });
            return;
        }
        by_shares(n, std::max<Index>(1, (Index{1} << 17) / size), control, threads,
                  [&](Index first, Index last, Control& worker) {
                      for (Index i = first; i < last; ++i) {
                          turn_bands(from + i * size, shape, how, compass, 0, bands, to + i * size,
                                     worker);
                          worker.done(size);
                      }
                  });
    }
}

}  // namespace meiro
