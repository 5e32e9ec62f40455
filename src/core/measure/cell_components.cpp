// Connected components of the cells: label_cells.
//
// As label() does for sites, see components.cpp: first `labels` is a forest over the cells, in
// which a parent comes before its children; then each root gets its number. Time: nearly linear.
// Scratch: none. A passage is visited from its south or east end; passages across the border come
// last.
#include <algorithm>

#include "components.hpp"

namespace meiro {

template <class T>
Index label_cells(const std::uint8_t* passages, Shape shape, Wrap wrap, Mask mask, T* labels,
                  Control& control) {
    const auto root = [=](Index cell) {
        auto at = static_cast<T>(cell);
        while (labels[at] != at) {
            labels[at] = labels[labels[at]];
            at = labels[at];
        }
        return at;
    };
    const auto join = [&](Index one, Index other) {
        const T a = root(one), b = root(other);
        labels[std::max(a, b)] = std::min(a, b);
    };
    const auto [rows, cols] = shape;
    constexpr Index piece = Control::stride / 4;
    for (Index r = 0; r < rows; ++r)
        for (Index begin = 0; begin < cols; begin += piece) {
            const Index end = std::min(begin + piece, cols);
            control.poll(4 * (end - begin));
            for (Index c = begin; c < end; ++c) {
                const Index at = r * cols + c;
                labels[at] = static_cast<T>(at);
                if (c > 0 && (passages[at] & bits::west) != 0) labels[at] = root(at - 1);
                if (r > 0 && (passages[at] & bits::north) != 0) join(at, at - cols);
            }
        }
    for (Index r = 0; wrap.cols && r < rows; ++r) {
        control.poll(4);
        if ((passages[r * cols] & bits::west) != 0) join(r * cols, r * cols + cols - 1);
    }
    for (Index c = 0; wrap.rows && c < cols; ++c) {
        control.poll(4);
        if ((passages[c] & bits::north) != 0) join(c, (rows - 1) * cols + c);
    }
    // In the same order, so a parent already has its number.
    Index count = 0;
    by_pieces(shape.size(), control, [&](Index first, Index last) {
        for (Index at = first; at < last; ++at)
            if (mask != nullptr && mask[at] == 0)
                labels[at] = 0;
            else if (labels[at] == at)
                labels[at] = static_cast<T>(++count);
            else
                labels[at] = labels[labels[at]];
    });
    return count;
}

template Index label_cells(const std::uint8_t*, Shape, Wrap, Mask, std::int32_t*, Control&);
template Index label_cells(const std::uint8_t*, Shape, Wrap, Mask, std::int64_t*, Control&);

}  // namespace meiro
