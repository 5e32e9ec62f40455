// std::sort with polls: ranges of more than 32 items are partitioned first, without a branch that
// cannot be predicted. In place, n log n steps on distinct items (less must be a total order); a
// pivot is never the least item of its range, so both parts are shorter than the range.
#pragma once

#include <algorithm>
#include <array>
#include <bit>

#include "control.hpp"

namespace meiro {

// Partitions without a branch, with polls of `cost` steps an item: those with first(item) come
// first. Returns where the others begin.
template <class T, class First>
T* polled_partition(T* begin, T* end, Index cost, Control& control, First first) {
    T* others = begin;
    for (T* item = begin; item != end;) {
        T* const stop = item + std::min<Index>(poll_chunk, end - item);
        for (; item != stop; ++item) {
            const T moved = *item;
            *item = *others;
            *others = moved;
            others += first(moved) ? 1 : 0;
        }
        control.poll(cost * poll_chunk);
    }
    return others;
}

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
        T* const middle = polled_partition(first, last, 1, control,
                                           [&](const T& item) { return less(item, pivot); });
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

// Where each group of items begins, and after the last one their end.
inline constexpr int most_group_bits = 8;
using GroupEnds = std::array<Index, (std::size_t{1} << most_group_bits) + 1>;

// Distributes items in place by group(item), below `groups` (American flag sort).
//   P. M. McIlroy, K. Bostic, M. D. McIlroy, Engineering radix sort, Computing Systems 6 (1993) 5.
template <class T, class Group>
GroupEnds distribute(T* first, T* last, std::size_t groups, Group group, Control& control) {
    GroupEnds ends, next;
    std::fill_n(ends.begin(), groups + 1, 0);
    for (T* item = first; item != last;) {
        T* const stop = item + std::min<Index>(poll_chunk, last - item);
        for (; item != stop; ++item) ++ends[group(*item) + 1];
        control.poll(poll_chunk / 4);
    }
    for (std::size_t g = 0; g < groups; ++g) {
        next[g] = ends[g];
        ends[g + 1] += ends[g];
    }
    for (std::size_t g = 0; g < groups; ++g)
        while (next[g] < ends[g + 1]) {
            T moved = first[next[g]];
            std::size_t to = group(moved);
            for (; to != g; to = group(moved)) {
                std::swap(moved, first[next[to]++]);
                control.poll();
            }
            first[next[g]++] = moved;
        }
    return ends;
}

// The same for numbers as good as uniform: key(item) is a uniform one below 2^bits, and less goes
// by it first. Items are distributed among groups of about 8 by the highest bits of their keys, at
// most 2^8 groups at once (2^10 and 2^12 were measured: slower).
template <class T, class Key, class Less>
void polled_sort_uniform(T* first, T* last, Key key, int bits, Less less, Control& control) {
    const int taken =
        std::min({most_group_bits, bits,
                  static_cast<int>(std::bit_width(static_cast<std::uint64_t>(last - first) / 8))});
    if (taken < 3) {
        polled_sort(first, last, less, control);
        return;
    }
    const int shift = bits - taken;
    const std::size_t groups = std::size_t{1} << taken;
    const GroupEnds ends = distribute(
        first, last, groups,
        [=](const T& item) { return static_cast<std::size_t>(key(item) >> shift) & (groups - 1); },
        control);
    for (std::size_t g = 0; g < groups; ++g)
        polled_sort_uniform(first + ends[g], first + ends[g + 1], key, shift, less, control);
}

}  // namespace meiro
