#include "passages.hpp"

#include <cstring>

namespace meiro {
namespace {

constexpr unsigned n = bit(Direction::north), e = bit(Direction::east), s = bit(Direction::south),
                   w = bit(Direction::west);

// The neighbours of a cell that exist, as bits.
unsigned existing(Shape shape, Mask mask, Index row, Index col) {
    const Index id = row * shape.cols + col;
    if (mask != nullptr && mask[id] == 0) return 0;
    const auto there = [&](bool inside, Index neighbour) {
        return inside && (mask == nullptr || mask[neighbour] != 0);
    };
    return (there(row > 0, id - shape.cols) ? n : 0) | (there(col + 1 < shape.cols, id + 1) ? e : 0) |
           (there(row + 1 < shape.rows, id + shape.cols) ? s : 0) | (there(col > 0, id - 1) ? w : 0);
}

}  // namespace

void Passages::begin(Mask mask, Control& control) const {
    const auto [rows, cols] = shape_;
    by_bands(shape_, control, [&, rows = rows, cols = cols](Index first, Index last) {
        if (mask != nullptr) {
            for (Index r = first; r < last; ++r)
                for (Index c = 0; c < cols; ++c)
                    bytes_[r * cols + c] =
                        static_cast<std::uint8_t>(existing(shape_, mask, r, c) << 4);
            return;
        }
        std::memset(bytes_ + first * cols, 0xf0, static_cast<std::size_t>((last - first) * cols));
        for (Index r = first; r < last; ++r) {
            bytes_[r * cols] &= static_cast<std::uint8_t>(~(w << 4));
            bytes_[r * cols + cols - 1] &= static_cast<std::uint8_t>(~(e << 4));
        }
        if (first == 0)
            for (Index c = 0; c < cols; ++c) bytes_[c] &= static_cast<std::uint8_t>(~(n << 4));
        if (last == rows)
            for (Index c = 0; c < cols; ++c)
                bytes_[(rows - 1) * cols + c] &= static_cast<std::uint8_t>(~(s << 4));
    });
}

void Passages::finish(Control& control) const {
    by_bands(shape_, control, [&](Index first, Index last) {
        std::uint8_t* const end = bytes_ + last * shape_.cols;
        for (std::uint8_t* p = bytes_ + first * shape_.cols; p != end; ++p) *p &= 15;
    });
}

Index Passages::first_fault(Mask mask, Control& control) const {
    const auto [rows, cols] = shape_;
    Index fault = -1;
    by_bands(shape_, control, [&, rows = rows, cols = cols](Index first, Index last) {
        if (fault >= 0) return;
        const auto wrong = [&](Index r, Index c) {
            const Index id = r * cols + c;
            const unsigned open = bytes_[id];
            if ((open & ~existing(shape_, mask, r, c)) != 0) return true;
            for (const Direction d : directions)
                if ((open & bit(d)) != 0 && (bytes_[id + step(d)] & bit(opposite(d))) == 0)
                    return true;
            return false;
        };
        for (Index r = first; r < last; ++r) {
            // A quick pass without branches first: nearly every row is sound.
            const std::uint8_t* row = bytes_ + r * cols;
            unsigned bad = mask != nullptr ? 1u : 0u;
            bad |= (row[0] & w) | (row[cols - 1] & e) | (r == 0 ? row[0] & n : 0u);
            std::uint8_t seen = 0;
            for (Index c = 0; c < cols; ++c) seen |= static_cast<std::uint8_t>(row[c] & 0xf0);
            for (Index c = 0; c + 1 < cols; ++c)
                seen |= static_cast<std::uint8_t>((row[c] >> 1 ^ row[c + 1] >> 3) & 1);
            if (r == 0)
                for (Index c = 0; c < cols; ++c) seen |= static_cast<std::uint8_t>(row[c] & n);
            if (r + 1 < rows)
                for (Index c = 0; c < cols; ++c)
                    seen |= static_cast<std::uint8_t>((row[c] >> 2 ^ row[c + cols]) & 1);
            else
                for (Index c = 0; c < cols; ++c) seen |= static_cast<std::uint8_t>(row[c] & s);
            if (r > 0)
                for (Index c = 0; c < cols; ++c)
                    seen |= static_cast<std::uint8_t>((row[c] ^ row[c - cols] >> 2) & 1);
            if ((bad | seen) == 0) continue;
            for (Index c = 0; c < cols; ++c)
                if (wrong(r, c)) {
                    fault = r * cols + c;
                    return;
                }
        }
    });
    return fault;
}

}  // namespace meiro
