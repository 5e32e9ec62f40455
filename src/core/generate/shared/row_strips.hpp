// Mazes whose rows can be made in any order: binary_tree, sidewinder, percolation.
//
// A rule decides two walls of each cell, one along the row and one across; the other two belong to
// neighbours. So a rule fills rows of *own* bytes, and one pass combines them to passages, a few
// instructions for 16 cells: own, the own of the next cell in the row, and the own of the cell
// above or below. With own walls to the north and west:
//
//       N
//     W o .      E is the W of the next cell,
//       .        S is the N of the cell below
//
// The lane of a cell's random numbers is the number of its strip: as many whole rows as have 256
// cells, or one row. Small mazes would otherwise waste most of each block of random words.
//
// Scratch: two rows, on the stack if that is enough. Rows are made about 16,000 cells at a time, in
// the L1 cache, and the strip that the next rows need is kept.
#pragma once

#include <algorithm>
#include <bit>
#include <cstring>

#include "../../buffer.hpp"
#include "../job.hpp"
#include "../window/window.hpp"

namespace meiro::rows {

inline constexpr Index strip_cells = 256, band_cells = Index{1} << 14;

// Eight bytes, the low end first on every machine.
inline void put(std::uint8_t* out, std::uint64_t word) {
    if constexpr (std::endian::native == std::endian::little)
        std::memcpy(out, &word, sizeof word);
    else
        for (int i = 0; i < 8; ++i) out[i] = static_cast<std::uint8_t>(word >> 8 * i);
}

// Exchanges bits 8 i + j and 8 j + i of a word.
constexpr std::uint64_t transposed(std::uint64_t x) {
    std::uint64_t t = (x ^ x >> 7) & 0x00aa00aa00aa00aau;
    x ^= t ^ t << 7;
    t = (x ^ x >> 14) & 0x0000cccc0000ccccu;
    x ^= t ^ t << 14;
    t = (x ^ x >> 28) & 0x00000000f0f0f0f0u;
    return x ^ t ^ t << 28;
}

// 64 cells with own directions A and B: cell 8 k + j has bits 8 j + k, so that one shift and one
// mask spread eight of them at a time.
template <unsigned A, unsigned B>
void put_cells(std::uint8_t* own, std::uint64_t a, std::uint64_t b) {
    for (int k = 0; k < 8; ++k) put(own + 8 * k, (a >> k & each(1)) * A | (b >> k & each(1)) * B);
}

// The passages of a cell by its own bits and those of two neighbours: the cell before it in the
// row, or after it, and the one above it, or below it.
constexpr std::uint8_t joined(unsigned own, unsigned side, unsigned next, bool before, bool above) {
    const unsigned third = before ? (side & bits::east) << 2 : (side & bits::west) >> 2;
    const unsigned fourth = above ? (next & bits::south) >> 2 : (next & bits::north) << 2;
    return static_cast<std::uint8_t>(own | third | fourth);
}

// The rows of a rule: a strip, or the existing part of the last one. A window wants some cells of
// it: [from, to), counted from the first cell of the strip.
struct Strip {
    std::uint64_t lane;
    Index first, rows, cols;
    std::uint8_t* own;  // of cell `from`; up to 63 bytes past the end may be written
    Index from, to;     // if not all, up to `window_pad` bytes before and past them
    bool has(Index row) const { return row >= first && row < first + rows; }

    // body(own byte) for the cells of a column.
    template <class Body>
    void column(Index col, Body body) const {
        Index i = col - from;
        if (i < 0) i = (i % cols + cols) % cols;
        std::uint8_t* const cells = own;  // what body writes might be one of the members
        for (const Index step = cols, end = to - from; i < end; i += step) body(cells[i]);
    }
    // body(first byte, size) for the cells of a row, piece by piece.
    template <class Body>
    void row(Index r, Control& control, Body body) const {
        const Index begin = std::max(from, (r - first) * cols);
        const Index end = std::min(to, (r - first + 1) * cols);
        if (has(r) && begin < end)
            by_pieces(end - begin, control,
                      [&](Index a, Index b) { body(own + (begin - from) + a, b - a); });
    }
};

inline constexpr Index window_pad = 256;

// A rule whose type does not matter, and the two members of RowStrips that depend on it.
struct AnyRule {
    void (*fill)(const void* rule, const Strip&, Control&);
    const void* rule;
    bool above, before;
};
void rows_window(const Window& window, const AnyRule& rule);

// A Rule has its two own directions, `across` (north or south) and `along` (east or west).
// fill(strip, control) makes their bits; none cross the border, unless the lattice is periodic.
// emit(record, row, own, open, control) records the carved walls of a row.
template <class Rule>
class RowStrips {
public:
    RowStrips(const Job& job, const Rule& rule, Control& control)
        : maze_(job.maze), masked_(job.mask != nullptr), rule_(rule), control_(control) {
        const auto [rows, cols] = maze_.shape();
        if (rows * cols > strip_cells) {
            strip_ = std::max<Index>(1, strip_cells / cols);
            strips_ = (rows - 1) / strip_ + 1;
            band_ = std::max<Index>(1, band_cells / (strip_ * cols));
        }  // else one strip: batches of small mazes would notice the divisions
        own_ = scratch_.data() + 1;
        own_[-1] = 0;  // no wall is open before the first cell
    }

    Index strips() const { return strips_; }

    // Makes the rows of strips [first, last).
    template <Recorder R>
    void make(Index first, Index last, R& record) {
        MEIRO_ASSERT(first >= 0 && last <= strips_);
        for (Index strip = first; strip < last; strip += band_)
            band(strip, std::min(strip + band_, last), record);
    }

private:
    static constexpr Index pads = 1 + 64;
    // Which row, and which end of a row, decides the other two walls of a cell.
    static constexpr bool above = Rule::across == Direction::south;
    static constexpr bool before = Rule::along == Direction::east;

    template <Recorder R>
    [[gnu::noinline]] void band(Index first, Index last, R& record) {
        const auto [rows, cols] = maze_.shape();
        const Index strip_size = strip_ * cols;
        const Index from = above ? first - 1 : first, to = above ? last : last + 1;
        for (Index strip = from; strip < to; ++strip) {
            std::uint8_t* const own = own_ + (strip - from) * strip_size;
            if (strip == held_)
                polled_copy(own_ + band_ * strip_size, strip_size, own, control_);
            else if (strip >= 0 && strip < strips_)
                fill(strip, own);
        }
        held_ = to - 1;
        const Index row = first * strip_, end = std::min(last * strip_, rows);
        std::uint8_t* const own = own_ + (above ? strip_size : 0);
        std::uint8_t* const behind = own + (end - row) * cols;
        if (above) {
            *behind = 0;
            if (first == 0) polled_fill(own - cols, cols, 0, control_);
        } else if (end == rows) {
            if (maze_.wrap().rows)
                fill(0, behind);
            else
                polled_fill(behind, cols, 0, control_);
        }
        std::uint8_t* const open = maze_.bytes() + row * cols;
        by_pieces((end - row) * cols, control_, [&, cols = cols](Index a, Index b) {
            if (masked_)
                join<true>(own + a, cols, open + a, b - a);
            else
                join<false>(own + a, cols, open + a, b - a);
        });
        if (maze_.wrap().cols) seam(open, end - row);
        if constexpr (!std::is_same_v<R, NoTrace>)
            for (Index r = row; r < end; ++r)
                rule_.emit(record, r, own + (r - row) * cols, open + (r - row) * cols, control_);
        control_.done((end - row) * cols);
    }

    // Combines own bits and those of the neighbours, for n cells. With a mask, begin() has set in
    // the high half which neighbours exist.
    template <bool Masked>
    static void join(const std::uint8_t* own, Index cols, std::uint8_t* out, Index n) {
        const std::uint8_t* const side = own + (before ? -1 : 1);
        const std::uint8_t* const next = own + (above ? -cols : cols);
        for (Index i = 0; i < n; ++i) {
            const unsigned all = joined(own[i], side[i], next[i], before, above);
            out[i] = static_cast<std::uint8_t>(Masked ? all & out[i] >> 4 : all);
        }
    }

    // Across the border between the first and last column; the byte before a row is another row's.
    void seam(std::uint8_t* open, Index rows) {
        const Index cols = maze_.shape().cols;
        for (Index r = 0; r < rows; ++r, open += cols) {
            *open = static_cast<std::uint8_t>((*open & 7u) | (open[cols - 1] & 2u) << 2);
            control_.poll();
        }
    }

    void fill(Index strip, std::uint8_t* own) {
        const auto [rows, cols] = maze_.shape();
        const Index row = strip * strip_;
        const Index height = std::min(strip_, rows - row);
        rule_.fill({static_cast<std::uint64_t>(strip), row, height, cols, own, 0, height * cols},
                   control_);
    }

    const Passages maze_;
    const bool masked_;
    const Rule& rule_;
    Control& control_;
    Index strip_ = maze_.shape().rows, strips_ = 1, band_ = 1;  // rows; strips
    Index held_ = -2;                                           // the last strip that was filled
    NearBuffer<std::uint8_t, 2 * band_cells + pads> scratch_{2 * maze_.shape().cols + pads};
    std::uint8_t* own_;
};

// The threads take bands of half a million cells, of large mazes four million: two threads that
// touch fresh memory in one huge page (2 MB) at the same time would both clear it, one of them in
// vain. Each fills the strip adjacent to its band again.
template <class Rule, Recorder R>
void make(Job& job, const Rule& rule, R& record) {
    if (job.mask != nullptr) job.maze.begin(job.mask, job.control);
    const auto [rows, cols] = job.maze.shape();
    if (job.threads <= 1 || !std::is_same_v<R, NoTrace>) {
        RowStrips<Rule> all(job, rule, job.control);
        all.make(0, all.strips(), record);
        return;
    }
    const Index strip = std::max<Index>(1, strip_cells / cols), strips = (rows - 1) / strip + 1;
    const bool large = rows * cols >= Index{job.threads} << 24;
    const Index share = std::max<Index>(1, (Index{1} << (large ? 22 : 19)) / (strip * cols));
    by_shares(strips, share, job.control, job.threads,
              [&](Index first, Index last, Control& worker) {
                  RowStrips<Rule>(job, rule, worker).make(first, last, record);
              });
}

// A window of the maze of a rule, see window.hpp.
template <class Rule>
void make_window(const Window& window, const Rule& rule) {
    rows_window(window, {[](const void* of, const Strip& strip, Control& control) {
                             static_cast<const Rule*>(of)->fill(strip, control);
                         },
                         &rule, Rule::across == Direction::south, Rule::along == Direction::east});
}

}  // namespace meiro::rows
