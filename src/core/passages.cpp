#include "passages.hpp"

#include <algorithm>

#include "border.hpp"
#include "buffer.hpp"

namespace meiro {

unsigned Passages::existing(Mask mask, Index cell) const {
    if (!exists(mask, cell)) return 0;
    const auto [row, col] = shape_.cell(cell);
    const auto has = [&](bool inside, Direction d) {
        return inside && exists(mask, beyond(shape_, cell, d)) ? bit(d) : 0;
    };
    return has(wrap_.rows || row > 0, Direction::north) |
           has(wrap_.cols || col + 1 < shape_.cols, Direction::east) |
           has(wrap_.rows || row + 1 < shape_.rows, Direction::south) |
           has(wrap_.cols || col > 0, Direction::west);
}

void Passages::begin(Mask mask, Control& control, int threads) const {
    const auto [rows, cols] = shape_;
    if (mask != nullptr) {
        begin_rows(mask, 0, 1, control);
        if (rows > 2) begin_rows(mask, 1, rows - 1, control);
        if (rows > 1) begin_rows(mask, rows - 1, rows, control);
        return;
    }
    polled_fill(bytes_, size(), 0xf0, control, threads);
    each_opposite(shape_, control,
                  [bytes = bytes_, wrap = wrap_](Index one, Index other, Direction d) {
                      if (wraps_over(wrap, d)) return;
                      bytes[one] &= taken(d);
                      bytes[other] &= taken(opposite(d));
                  });
}

// The rows [first, last): one in the border, or all others, which are alike. As if rows followed
// each other in a single one; the ends of them are put right afterwards.
void Passages::begin_rows(Mask mask, Index first, Index last, Control& control) const {
    const auto [rows, cols] = shape_;
    const Index begin = first * cols, size = (last - first) * cols;
    const std::uint8_t* const own = mask + begin;
    const std::uint8_t *above = own, *below = own;
    std::uint8_t north = 0, south = 0;
    if (first > 0 || wrap_.rows) {
        above = mask + (first > 0 ? begin : rows * cols) - cols;
        north = bits::north << 4;
    }
    if (last < rows || wrap_.rows) {
        below = mask + (last < rows ? begin + cols : 0);
        south = bits::south << 4;
    }
    std::uint8_t* const bytes = bytes_ + begin;
    // In bytes, of which compilers take 16 at a time.
    const auto if_exists = [](std::uint8_t cell, std::uint8_t bits) -> std::uint8_t {
        return cell != 0 ? bits : 0;
    };
    by_pieces(size, control, [&](Index from, Index to) {
        const Index end = std::min(to, size - 1);
        for (Index i = std::max<Index>(from, 1); i < end; ++i) {
            const std::uint8_t free = if_exists(above[i], north) | if_exists(below[i], south) |
                                      if_exists(own[i + 1], bits::east << 4) |
                                      if_exists(own[i - 1], bits::west << 4);
            bytes[i] = if_exists(own[i], free);
        }
    });
    const auto at_end = [&](Index row, Index col) {
        const Index cell = row * shape_.cols + col;
        bytes_[cell] = static_cast<std::uint8_t>(existing(mask, cell) << 4);
    };
    at_end(first, 0);
    at_end(last - 1, cols - 1);
    for (Index row = first + 1; row < last; ++row, control.poll()) {
        if (wrap_.cols) {
            at_end(row - 1, cols - 1);
            at_end(row, 0);
        } else {
            std::uint8_t* const start = bytes_ + row * cols;
            start[-1] &= taken(Direction::east);
            start[0] &= taken(Direction::west);
        }
    }
}

void Passages::finish(Control& control, int threads) const {
    by_pieces(size(), control, threads, [&](Index first, Index last) {
        // The ends in locals: a byte that is written could be one of the view's own.
        std::uint8_t* const end = bytes_ + last;
        for (std::uint8_t* p = bytes_ + first; p != end; ++p) *p &= 15;
    });
}

Index Passages::first_fault(Mask mask, Control& control, int threads) const {
    const auto [rows, cols] = shape_;
    const auto wrong = [&](Index r, Index c) {
        const Index id = r * shape_.cols + c;
        const unsigned open = bytes_[id];
        if ((open & ~existing(mask, id)) != 0) return true;
        for (const Direction d : directions)
            if ((open & bit(d)) != 0 && (bytes_[beyond(shape_, id, d)] & bit(opposite(d))) == 0)
                return true;
        return false;
    };
    // Is a piece of a row sound? Without branches, as nearly every piece is. A cell is compared
    // with its neighbours to the west and north; at the border no bit may lead across it, or if
    // periodic the bit on the opposite side must be equal.
    const auto sound = [&](Index r, Index from, Index to) {
        const std::uint8_t* row = bytes_ + r * shape_.cols;
        const unsigned west = row[0] >> 3 & 1, east = row[shape_.cols - 1] >> 1 & 1;
        unsigned bad = 0;
        if (from == 0) bad |= wrap_.cols ? west ^ east : west;
        if (to == shape_.cols) bad |= wrap_.cols ? west ^ east : east;
        const std::uint8_t* first = bytes_;
        const std::uint8_t* last = bytes_ + (shape_.rows - 1) * shape_.cols;
        std::uint8_t seen = 0;
        for (Index c = from; c < to; ++c) seen |= static_cast<std::uint8_t>(row[c] & 0xf0);
        if (mask != nullptr)
            for (Index c = from, first_of_row = r * shape_.cols; c < to; ++c)
                seen |= static_cast<std::uint8_t>(mask[first_of_row + c] != 0 ? 0 : row[c]);
        for (Index c = std::max<Index>(from, 1); c < to; ++c)
            seen |= static_cast<std::uint8_t>((row[c - 1] >> 1 ^ row[c] >> 3) & 1);
        if (wrap_.rows && (row == first || row == last))
            for (Index c = from; c < to; ++c)
                seen |= static_cast<std::uint8_t>((first[c] ^ last[c] >> 2) & 1);
        else if (r == 0)
            for (Index c = from; c < to; ++c)
                seen |= static_cast<std::uint8_t>(row[c] & bits::north);
        if (r > 0)
            for (Index c = from; c < to; ++c)
                seen |= static_cast<std::uint8_t>((row[c] ^ row[c - shape_.cols] >> 2) & 1);
        if (r + 1 == shape_.rows && !wrap_.rows)
            for (Index c = from; c < to; ++c)
                seen |= static_cast<std::uint8_t>(row[c] & bits::south);
        return (bad | seen) == 0;
    };
    const RowBands bands(rows, threads);
    NearBuffer<Index, 16> memory(bands.count);
    Index* const faults = memory.data();
    parallel(control, threads, bands.count, [&, cols = cols](Index band, Control& worker) {
        Index fault = -1;
        for (Index r = bands.begin(band); r < bands.end(band) && fault < 0; ++r)
            by_pieces(cols, worker, [&, r = r](Index from, Index to) {
                if (fault >= 0 || sound(r, from, to)) return;
                // A mismatch belongs to both cells: that of the cell above or before may be found
                // here.
                for (Index row = std::max<Index>(r - 1, 0); row <= r && fault < 0; ++row)
                    for (Index c = std::max<Index>(from - 1, 0); c < to && fault < 0; ++c)
                        if (wrong(row, c)) fault = row * shape_.cols + c;
            });
        faults[band] = fault;
    });
    for (Index band = 0; band < bands.count; ++band)
        if (faults[band] >= 0) return faults[band];
    return -1;
}

Index count_mask(Mask mask, Index size, Control& control) {
    if (mask == nullptr) return size;
    Index cells = 0;
    by_each(size, control, [&](Index i) { cells += mask[i] != 0 ? 1 : 0; });
    return cells;
}

Index cell_of_mask(Mask mask, Index k, Control& control) {
    if (mask == nullptr) return k;
    for (Index cell = 0;; ++cell, control.poll())
        if (mask[cell] != 0 && k-- == 0) return cell;
}

}  // namespace meiro
