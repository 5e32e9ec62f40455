#include "leaf_peeling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace meiro {
namespace {

constexpr Index band = Index{1} << 13;

template <class Id>
void fill(Buffer<Id>& buffer, Index size, Id value, Control& control) {
    if (buffer.size() == 0) buffer = Buffer<Id>(size);
    Id* const to = buffer.data();
    by_pieces(size, control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) to[i] = value;
    });
}

}  // namespace

double WideSum::value() const {
    if (high == 0) return static_cast<double>(low);
    // The top 64 bits; the last of them stands for all below, so there is a single rounding.
    const int up = std::countl_zero(high), down = 64 - up;
    const std::uint64_t top = up == 0 ? high : high << up | low >> down;
    const std::uint64_t rest = up == 0 ? low : low << up;
    return std::ldexp(static_cast<double>(top | (rest != 0 ? 1u : 0u)), down);
}

template <class Id>
void LeafPeeling<Id>::peel(const Adjacency& adjacency, Index root, Control& control) {
    const Index size = adjacency.size();
    const std::uint8_t* const open = adjacency.open();
    const auto step = step_ = adjacency.offsets();
    std::uint8_t* const left = left_.data();
    std::uint8_t* const towards = towards_.data();
    Id* const order = order_.data();
    by_pieces(size, control, [&](Index first, Index last) {
        const auto bytes = static_cast<std::size_t>(last - first);
        std::memcpy(left + first, open + first, bytes);
        std::memset(towards + first, nowhere, bytes);
    });
    weighed_ = false;
    // Band by band: the leaves of a band are queued, without a branch on the kind of a cell, then
    // the queue is emptied. The peeled cells stay at its front.
    Index off = 0, head = 0, end = 0;
    for (Index first = 0; first < size; first += band) {
        const Index last = std::min(first + band, size);
        control.poll((last - first) / 2);
        for (Index at = first; at < last; ++at) {
            order[end] = static_cast<Id>(at);
            end += is_single(left[at]) & static_cast<unsigned>(at != root);
        }
        while (head < end) {
            const Index part = std::min(end, head + band);
            control.poll(part - head);
            for (; head < part; ++head) {
                const auto at = static_cast<Index>(order[head]);
                const unsigned moves = left[at];
                if (moves == 0) [[unlikely]]  // the other one of the last two is gone
                    continue;
                const auto move = static_cast<unsigned>(std::countr_zero(moves));
                const Index to = at + step[move];
                const unsigned rest = left[to] & without_reverse[move];
                left[at] = 0;
                left[to] = static_cast<std::uint8_t>(rest);
                towards[at] = static_cast<std::uint8_t>(move);
                order[off++] = static_cast<Id>(at);
                order[end] = static_cast<Id>(to);
                end += is_single(rest) & static_cast<unsigned>(to != root);
            }
        }
    }
    count_ = off;
}

template <class Id>
template <class Body>
void LeafPeeling<Id>::each_leaf(Control& control, Body body) {
    const auto step = step_;
    const std::uint8_t* const towards = towards_.data();
    const Id* const order = order_.data();
    for (Index first = 0; first < count_; first += fold_chunk) {
        const Index last = std::min(first + fold_chunk, count_);
        control.poll(last - first);
        for (Index i = first; i < last; ++i) {
            const auto at = static_cast<Index>(order[i]);
            body(at, at + step[towards[at]]);
        }
    }
}

template <class Id>
void LeafPeeling<Id>::weigh(Control& control) {
    if (weighed_) return;
    fill(size_, left_.size(), Id{1}, control);
    Id* const size = size_.data();
    each_leaf(control, [=](Index at, Index to) { size[to] += size[at]; });
    weighed_ = true;
}

template <class Id>
Index LeafPeeling<Id>::diameter(Control& control) {
    fill(depth_, left_.size(), Id{0}, control);
    Id* const depth = depth_.data();
    Id longest = 0;
    each_leaf(control, [=, &longest](Index at, Index to) {
        const Id below = depth[at] + 1, others = depth[to];
        longest = std::max<Id>(longest, below + others);
        depth[to] = std::max(below, others);
    });
    return static_cast<Index>(longest);
}

template <class Id>
WideSum LeafPeeling<Id>::wiener_index(Index cells, Control& control) {
    weigh(control);
    const auto n = static_cast<std::uint64_t>(cells);
    const Id* const size = size_.data();
    WideSum sum;
    each_leaf(control, [=, &sum](Index at, Index) { sum.add(multiply(size[at], n - size[at])); });
    return sum;
}

template <class Id>
WideSum LeafPeeling<Id>::absorption_time(Index start, Control& control) {
    weigh(control);
    WideSum sum;
    for (Index at = start, steps = 0; towards_[at] != nowhere; at += step_[towards_[at]]) {
        if (++steps % fold_chunk == 0) control.poll(fold_chunk);
        sum.add({0, 2 * std::uint64_t{size_[at]} - 1});
    }
    return sum;
}

template class LeafPeeling<std::uint32_t>;
template class LeafPeeling<std::uint64_t>;

}  // namespace meiro
