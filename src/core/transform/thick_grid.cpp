// A cell and the wall to its east form one of four patterns, equal in all rows of sites of the
// cell: the first row of sites is composed of patterns, word by word, as the row of the plain grid
// says, in pieces that stay in the cache, and copied to the rows below. Time: linear in the sites.
// Scratch: a row of the plain grid, a piece, and the patterns.
#include "thick_grid.hpp"

#include <algorithm>
#include <cstring>

#include "../buffer.hpp"
#include "grid.hpp"

namespace meiro {
namespace {

constexpr Index piece_bytes = Index{1} << 13, word = sizeof(std::uint64_t);

constexpr Index whole_words(Index bytes) {
    return (bytes + word - 1) / word * word;
}

// patterns[q]: `corridor` sites (wall if q & 1), then `wall` sites (wall if q & 2).
class Patterns {
public:
    Patterns(Thickness wide, const Inks& inks, Control& control)
        : bytes_((wide.corridor + wide.wall) * inks.size), stride_(whole_words(bytes_)) {
        for (Index q = 0; q < 4; ++q) {
            std::uint8_t* out = patterns_.data() + q * stride_;
            for (Index i = 0; i < wide.corridor + wide.wall; ++i) {
                const Index ink = i < wide.corridor ? q & 1 : q >> 1;
                std::memcpy(out, inks.of[static_cast<std::size_t>(ink)],
                            static_cast<std::size_t>(inks.size));
                out += inks.size;
                control.poll();
            }
            std::fill(out, patterns_.data() + (q + 1) * stride_, std::uint8_t{0});
        }
    }
    // The number of cells whose patterns fit a piece, and their bytes.
    Index cells() const { return std::max<Index>(1, piece_bytes / bytes_); }
    Index bytes() const { return bytes_; }
    Index written_size() const { return cells() * bytes_ + word; }

    // Writes pattern(c), c = 0 .. cells - 1, one after the other; words may go past the end.
    template <class Pattern>
    void lay(Index cells, std::uint8_t* out, Pattern pattern) const {
        const std::uint8_t* const all = patterns_.data();
        const Index bytes = bytes_, stride = stride_;
        if (stride == word) {
            std::array<std::uint64_t, 4> words;
            std::memcpy(words.data(), all, sizeof words);
            for (Index c = 0; c < cells; ++c, out += bytes)
                std::memcpy(out, &words[pattern(c)], word);
            return;
        }
        for (Index c = 0; c < cells; ++c, out += bytes) {
            const std::uint8_t* const from = all + static_cast<Index>(pattern(c)) * stride;
            for (Index i = 0; i < stride; i += word) std::memcpy(out + i, from + i, word);
        }
    }
    // The wall to the west of a row: the second part of a pattern.
    const std::uint8_t* rim(Thickness wide, bool is_wall, Index size) const {
        return patterns_.data() + (is_wall ? 2 * stride_ : 0) + wide.corridor * size;
    }

private:
    Index bytes_, stride_;
    Buffer<std::uint8_t> patterns_{4 * stride_};
};

}  // namespace

void widen(const std::uint8_t* passages, Shape shape, Mask mask, Thickness wide, Index first,
           Index last, const Inks& inks, std::uint8_t* out, Control& control, bool posts) {
    const Patterns patterns(wide, inks, control);
    Buffer<std::uint8_t> near(patterns.written_size()), plain(shape.grid().cols);
    const Index width = (wide.begin(2 * shape.cols) + wide.wall) * inks.size;
    for (Index row = first; row < last; ++row) {
        std::uint8_t* to = out + wide.begin(row) * width;
        const auto copies = [&](const std::uint8_t* from, Index bytes) {
            for (Index i = 0; i < wide.size(row); ++i) {
                std::memcpy(to + i * width, from, static_cast<std::size_t>(bytes));
                control.poll(bytes / 16 + 1);
            }
            to += bytes;
        };
        expand(passages, shape, mask, row, row + 1, plain.data(), control, posts);
        copies(patterns.rim(wide, plain[0] == wall_site, inks.size), wide.wall * inks.size);
        for (Index c = 0; c < shape.cols; c += patterns.cells()) {
            const Index count = std::min(patterns.cells(), shape.cols - c);
            patterns.lay(count, near.data(), [sites = plain.data() + 1 + 2 * c](Index i) {
                return static_cast<unsigned>(sites[2 * i] | sites[2 * i + 1] << 1);
            });
            copies(near.data(), count * patterns.bytes());
        }
    }
}

Cell narrow(const std::uint8_t* sites, Shape shape, Thickness wide, std::uint8_t* grid,
            Control& control) {
    const auto [height, breadth] = shape.grid();
    const Index width = wide.begin(breadth - 1) + wide.wall;
    Cell fault{-1, -1};
    for (Index r = 0; r < height; ++r) {
        const std::uint8_t* const row = sites + wide.begin(r) * width;
        std::uint8_t* const thin = grid + r * breadth;
        for (Index c = 0; c < breadth; ++c) {
            const std::uint8_t* const block = row + wide.begin(c);
            thin[c] = block[0];
            for (Index i = 1; i < wide.size(c); ++i)
                if (block[i] != block[0]) return {wide.begin(r), wide.begin(c) + i};
            control.poll(wide.size(c));
        }
        for (Index i = 1; i < wide.size(r) && fault.row < 0; ++i)
            by_pieces(width, control, [&](Index first, Index last) {
                const std::uint8_t* const other = row + i * width;
                const auto bytes = static_cast<std::size_t>(last - first);
                if (fault.row >= 0 || std::memcmp(row + first, other + first, bytes) == 0) return;
                const auto* at = std::mismatch(row + first, row + last, other + first).first;
                fault = {wide.begin(r) + i, at - row};
            });
        if (fault.row >= 0) return fault;
    }
    return fault;
}

}  // namespace meiro
