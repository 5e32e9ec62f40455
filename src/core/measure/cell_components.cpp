// Connected components of sites and of cells: label() and label_cells().
//
// First `labels` is a forest over the places, in which a parent comes before its children; then
// each root gets its number. Time: nearly linear. Scratch: none. A passage is visited from its
// south or east end; passages across the border come last.
#include <algorithm>

#include "../border.hpp"
#include "../disjoint_set.hpp"
#include "components.hpp"

namespace meiro {
namespace {

// joined(at, other, way): is a place joined to the one on its `way`, north or west?
template <class T, class Exists, class Joined>
Index label_places(Shape shape, Wrap wrap, T* labels, Control& control, Exists exists,
                   Joined joined) {
    const auto join = [&](Index one, Index other, unsigned way) {
        if (!joined(one, other, way)) return;
        const T a = find_root(labels, static_cast<T>(one));
        const T b = find_root(labels, static_cast<T>(other));
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
                const bool before = c > 0 && joined(at, at - 1, bits::west);
                labels[at] = static_cast<T>(at);
                if (before) labels[at] = find_root(labels, static_cast<T>(at - 1));
                if (r > 0) join(at, at - cols, bits::north);
            }
        }
    each_opposite(shape, control, [&](Index one, Index other, Direction d) {
        if (wraps_over(wrap, d)) join(one, other, bit(d));
    });
    // In the same order, so a parent already has its number.
    Index count = 0;
    by_each(shape.size(), control, [&](Index at) {
        if (!exists(at))
            labels[at] = 0;
        else if (labels[at] == at)
            labels[at] = static_cast<T>(++count);
        else
            labels[at] = labels[labels[at]];
    });
    return count;
}

}  // namespace

template <class T>
Index label(const std::uint8_t* sites, Shape shape, Wrap wrap, std::uint8_t kind, T* labels,
            Control& control) {
    const auto exists = [=](Index at) { return sites[at] == kind; };
    return label_places(shape, wrap, labels, control, exists, [=](Index at, Index other, unsigned) {
        return exists(at) && exists(other);
    });
}

template <class T>
Index label_cells(const std::uint8_t* passages, Shape shape, Wrap wrap, Mask mask, T* labels,
                  Control& control) {
    return label_places(
        shape, wrap, labels, control, [=](Index at) { return mask == nullptr || mask[at] != 0; },
        [=](Index at, Index, unsigned way) { return (passages[at] & way) != 0; });
}

template Index label(const std::uint8_t*, Shape, Wrap, std::uint8_t, std::int32_t*, Control&);
template Index label(const std::uint8_t*, Shape, Wrap, std::uint8_t, std::int64_t*, Control&);
template Index label_cells(const std::uint8_t*, Shape, Wrap, Mask, std::int32_t*, Control&);
template Index label_cells(const std::uint8_t*, Shape, Wrap, Mask, std::int64_t*, Control&);

}  // namespace meiro
