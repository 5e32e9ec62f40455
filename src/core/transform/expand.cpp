#include "expand.hpp"

#include <bit>
#include <cstring>

namespace meiro {
namespace {

constexpr unsigned n = bit(Direction::north), e = bit(Direction::east), s = bit(Direction::south),
                   w = bit(Direction::west);

// The row of cells `open`, with the walls between them.
void cell_row(const std::uint8_t* open, const std::uint8_t* mask, Index cols, std::uint8_t* out) {
    *out++ = wall;
    if (mask == nullptr)
        for (Index c = 0; c < cols; ++c) {
            out[2 * c] = road;
            out[2 * c + 1] = static_cast<std::uint8_t>(((open[c] & e) >> 1) ^ wall);
        }
    else
        for (Index c = 0; c < cols; ++c) {
            out[2 * c] = static_cast<std::uint8_t>(mask[c] == 0 ? wall : road);
            out[2 * c + 1] = static_cast<std::uint8_t>(((open[c] & e) >> 1) ^ wall);
        }
}

// The row of posts under the row of cells `open`.
void post_row(const std::uint8_t* open, Index cols, std::uint8_t* out) {
    *out++ = wall;
    for (Index c = 0; c < cols; ++c) {
        out[2 * c] = static_cast<std::uint8_t>(((open[c] & s) >> 2) ^ wall);
        out[2 * c + 1] = wall;
    }
}

}  // namespace

void expand(const std::uint8_t* passages, Shape shape, Mask mask, Index first, Index last,
            std::uint8_t* out, Control& control) {
    const Index width = shape.grid().cols;
    for (Index row = first; row < last; ++row, out += width) {
        const std::uint8_t* open = passages + (row - 1) / 2 * shape.cols;
        if (row == 0)
            std::memset(out, wall, static_cast<std::size_t>(width));
        else if (row % 2 == 0)
            post_row(open, shape.cols, out);
        else
            cell_row(open, mask == nullptr ? nullptr : mask + (row - 1) / 2 * shape.cols, shape.cols,
                     out);
        control.poll(width / 8 + 1);
    }
}

Contracted contract(const std::uint8_t* grid, Shape shape, std::uint8_t* passages,
                    std::uint8_t* mask, Control& control) {
    const Index width = shape.grid().cols;
    Contracted result;
    for (Index r = 0; r <= shape.rows; ++r) {
        const std::uint8_t* posts = grid + 2 * r * width;
        for (Index c = 0; c <= shape.cols; ++c)
            if (posts[2 * c] == road) return {GridFault::post, {2 * r, 2 * c}, false};
        if (r == shape.rows) break;
        const std::uint8_t* cells = posts + width;
        const std::uint8_t* below = cells + width;
        for (Index c = 0; c < shape.cols; ++c) {
            const std::uint8_t* at = cells + 2 * c + 1;
            const bool here = *at == road;
            unsigned open = (r > 0 && posts[2 * c + 1] == road ? n : 0) |
                            (c + 1 < shape.cols && at[1] == road ? e : 0) |
                            (r + 1 < shape.rows && below[2 * c + 1] == road ? s : 0) |
                            (c > 0 && at[-1] == road ? w : 0);
            if (!here && open != 0) {
                const Index d = std::countr_zero(open);
                return {GridFault::door,
                        {2 * r + 1 + row_step(directions[static_cast<std::size_t>(d)]),
                         2 * c + 1 + col_step(directions[static_cast<std::size_t>(d)])},
                        false};
            }
            passages[r * shape.cols + c] = static_cast<std::uint8_t>(open);
            mask[r * shape.cols + c] = here ? 1 : 0;
            result.full = result.full && here;
        }
        control.poll(shape.cols + 1);
    }
    return result;
}

}  // namespace meiro
