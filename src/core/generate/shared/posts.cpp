#include "posts.hpp"

#include <cstring>

#include "../../huge_pages.hpp"

namespace meiro {
namespace {

// Bits that a shift carries into a neighbouring byte of a word are masked out, so the byte order
// does not matter.
std::uint64_t load(const std::uint8_t* bytes) {
    std::uint64_t word;
    std::memcpy(&word, bytes, sizeof word);
    return word;
}

// The open directions of the cells between four posts: there is a wall if either end has an arrow
// along it.
template <class Word>
Word open_between(Word nw, Word ne, Word sw, Word se, Word one) {
    return (~(nw >> 1 | ne >> 3) & one) | (~(ne >> 1 | se << 1) & one << 1) |
           (~(sw << 1 | se >> 1) & one << 2) | (~(nw << 1 | sw << 3) & one << 3);
}

}  // namespace

void passages_between(const std::uint8_t* above, const std::uint8_t* below, std::uint8_t* open,
                      Index cols) {
    Index c = 0;
    for (; c + 8 <= cols; c += 8) {
        const std::uint64_t word = open_between(load(above + c), load(above + c + 1),
                                                load(below + c), load(below + c + 1), each(1));
        std::memcpy(open + c, &word, sizeof word);
    }
    for (; c < cols; ++c)
        open[c] = static_cast<std::uint8_t>(
            open_between<unsigned>(above[c], above[c + 1], below[c], below[c + 1], 1));
}

void passages_of_rows(const std::uint8_t* posts, Index stride, Shape cells, std::uint8_t* open) {
    constexpr Index step = 16;
    const auto [rows, cols] = cells;
    const std::uint8_t* const end = open + rows * cols;
    // Rows of whole steps, as long as there is room: the next row is written over what is too much.
    const Index whole = (cols + step - 1) / step * step;
    for (; end - open >= whole; posts += stride, open += cols)
        for (Index c = 0; c < cols; c += step) {
            const std::uint8_t *const above = posts + c, *const below = above + stride;
            std::uint64_t words[step / 8];
            for (Index i = 0; i < step; i += 8)
                words[i / 8] = open_between(load(above + i), load(above + i + 1), load(below + i),
                                            load(below + i + 1), each(1));
            std::memcpy(open + c, words, sizeof words);
        }
    for (; open < end; posts += stride, open += cols)
        passages_between(posts, posts + stride, open, cols);
}

Posts::Posts(Shape cells, Control& control)
    : shape_{cells.rows + 1, cells.cols + 1}, bytes_(shape_.size() + 8) {
    prefer_huge_pages(bytes_);  // walls begin at random places
    const auto [rows, cols] = shape_;
    std::memset(bytes_.data() + shape_.size(), 0, 8);
    polled_fill(bytes_.data(), shape_.size(), 0, control);
    for (std::uint8_t* const row : {bytes_.data(), bytes_.data() + (rows - 1) * cols})
        polled_fill(row, cols, outer_row, control);
    for (Index row = 0; row < rows; ++row) {  // the corners belong to both walls
        bytes_[row * cols] |= outer_col;
        bytes_[row * cols + cols - 1] |= outer_col;
        control.poll();
    }
}

void Posts::write(const Passages& maze, Control& control) const {
    const auto [rows, cols] = maze.shape();
    for (Index row = 0; row < rows; ++row) {
        const std::uint8_t* const above = bytes_.data() + row * (cols + 1);
        const std::uint8_t* const below = above + cols + 1;
        std::uint8_t* const open = maze.bytes() + row * cols;
        by_pieces(cols, control, [&](Index first, Index last) {
            passages_between(above + first, below + first, open + first, last - first);
        });
    }
}

}  // namespace meiro
