// std::sort with polls: ranges of more than 32 items are partitioned first, without a branch that
// cannot be predicted. In place, n log n steps on distinct items (less must be a total order); a
// pivot is never the least item of its range, so both parts are shorter than the range.
#pragma once

#include <algorithm>

#include "control.hpp"

namespace meiro {

template <class T, class Less>
void polled_sort(T* first, T* last, Less less, Control& control) {
    while (last - first > 32) {
        // The median of three items at positions that patterns in the input are unlikely to match.
        const Index third = (last - first) / 3;
        const auto place =
            static_cast<Index>(static_cast<std::uint64_t>(last - first) * 0x9e3779b97f4a7c15u %
                               static_cast<std::uint64_t>(third));
        T a = first[place], b = first[third + place];
        const T c = first[2 * third + place];
        if (less(b, a)) std::swap(a, b);
        const T pivot = less(c, a) ? a : less(b, c) ? b : c;
        T* middle = first;  // items before it are less than the pivot
        for (T* item = first; item != last;) {
            T* const stop = item + std::min<Index>(poll_chunk, last - item);
            for (; item != stop; ++item) {
                const T moved = *item;
                *item = *middle;
                *middle = moved;
                middle += less(moved, pivot) ? 1 : 0;
            }
            control.poll(poll_chunk);
        }
        if (middle - first < last - middle) {
            polled_sort(first, middle, less, control);
            first = middle;
        } else {
            polled_sort(middle, last, less, control);
            last = middle;
        }
    }
    std::sort(first, last, less);
    control.poll((last - first) * 4);
}

}  // namespace meiro
