#include "leaf_peeling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "../gathered.hpp"

namespace meiro {
namespace {

constexpr Index band = Index{1} << 13;

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
Index LeafPeeling<Id>::peel_from(Index begin, Index end, Index root, Index to, Control& control) {
    const auto step = step_;
    std::uint8_t* const left = left_.data();
    std::uint8_t* const towards = towards_.data();
    Id* const order = order_.data();
    // Piece by piece: the leaves of a piece are queued, without a branch on the kind of a cell,
    // then the queue is emptied. The peeled cells stay at its front.
    Index off = to, head = to, tail = to;
    for (Index first = begin; first < end; first += band) {
        const Index last = std::min(first + band, end);
        control.poll((last - first) / 2);
        for (Index at = first; at < last; ++at) {
            order[tail] = static_cast<Id>(at);
            tail += is_single(left[at]) & static_cast<unsigned>(at != root);
        }
        while (head < tail) {
            const Index part = std::min(tail, head + band);
            control.poll(part - head);
            for (; head < part; ++head) {
                const auto at = static_cast<Index>(order[head]);
                const unsigned moves = left[at];
                if (moves == 0) [[unlikely]]  // the other one of the last two is gone
                    continue;
                const auto move = static_cast<unsigned>(std::countr_zero(moves));
                const Index next = at + step[move];
                const unsigned rest = left[next] & without_reverse[move];
                left[at] = 0;
                left[next] = static_cast<std::uint8_t>(rest);
                towards[at] = static_cast<std::uint8_t>(move);
                order[off++] = static_cast<Id>(at);
                order[tail] = static_cast<Id>(next);
                tail += is_single(rest) & static_cast<unsigned>(next != root);
            }
        }
    }
    return off;
}

template <class Id>
void LeafPeeling<Id>::peel(const Adjacency& adjacency, Index root, Control& control, int threads) {
    const Index size = adjacency.size(), cols = adjacency.shape().cols;
    const std::uint8_t* const open = adjacency.open();
    step_ = adjacency.offsets();
    std::uint8_t* const left = left_.data();
    std::uint8_t* const towards = towards_.data();
    polled_copy(open, size, left, control, threads);
    polled_fill(towards, size, nowhere, control, threads);
    weighed_ = false;
    threads_ = threads;
    bands_.clear();
    bands_.push(0);
    // Wide bands: what crosses their borders is peeled, and folded, by one thread.
    const Index rows = adjacency.shape().rows;
    const RowBands bands(rows, threads, std::max<Index>(16, (rows - 1) / threads + 1));
    if (bands.count == 1) {
        count_ = peel_from(0, size, root, 0, control);
        return;
    }
    const auto each_edge = [&](auto body) {
        for (Index b = 0; b < bands.count; ++b) {
            body(bands.begin(b) * cols);
            if (bands.begin(b) + 1 < bands.end(b)) body((bands.end(b) - 1) * cols);
            control.poll(cols);
        }
    };
    // All eight bits: four are no moves at least, so none of these cells becomes a leaf.
    each_edge(
        [&](Index first) { std::fill(left + first, left + first + cols, std::uint8_t{0xff}); });
    Buffer<Index> ends(bands.count);
    parallel(control, threads, bands.count, [&](Index b, Control& worker) {
        const Index first = bands.begin(b) * cols;
        ends[b] = peel_from(first, bands.end(b) * cols, root, first, worker);
    });
    each_edge([&](Index first) {
        for (Index i = first; i < first + cols; ++i) left[i] &= open[i];
    });
    count_ = 0;
    for (Index b = 0; b < bands.count; ++b) {  // one after the other at the front of order_
        const Index first = bands.begin(b) * cols, peeled = ends[b] - first;
        Id* const order = order_.data();
        polled_copy(order + first, peeled, order + count_, control);
        count_ += peeled;
        bands_.push(count_);
    }
    each_edge([&](Index first) { count_ = peel_from(first, first + cols, root, count_, control); });
}

template <class Id>
template <class Total, class Body>
Total LeafPeeling<Id>::fold_part(Index begin, Index end, Body body, Control& control) {
    const auto step = step_;
    const std::uint8_t* const towards = towards_.data();
    const Id* const order = order_.data();
    Total total{};
    for (Index first = begin; first < end; first += fold_chunk) {
        const Index last = std::min(first + fold_chunk, end);
        control.poll(last - first);
        for (Index i = first; i < last; ++i) {
            const auto at = static_cast<Index>(order[i]);
            body(total, at, at + step[towards[at]]);
        }
    }
    return total;
}

template <class Id>
template <class Total, class Body>
Total LeafPeeling<Id>::fold(Control& control, Body body) {
    auto all = gathered<Total>(control, threads_, bands_.size() - 1,
                               [&](Index b, Total& own, Control& worker) {
                                   own = fold_part<Total>(bands_[b], bands_[b + 1], body, worker);
                               });
    all.merge(fold_part<Total>(bands_.top(), count_, body, control));
    return all;
}

template <class Id>
void LeafPeeling<Id>::weigh(Control& control) {
    if (weighed_) return;
    if (size_.size() == 0) size_ = Buffer<Id>(left_.size());
    polled_fill(size_.data(), size_.size(), 1, control, threads_);
    Id* const size = size_.data();
    struct Nothing {
        void merge(Nothing) {}
    };
    fold<Nothing>(control, [=](Nothing&, Index at, Index to) { size[to] += size[at]; });
    weighed_ = true;
}

template <class Id>
Index LeafPeeling<Id>::diameter(Control& control) {
    if (depth_.size() == 0) depth_ = Buffer<Id>(left_.size());
    polled_fill(depth_.data(), depth_.size(), 0, control, threads_);
    Id* const depth = depth_.data();
    struct Longest {
        Id steps = 0;
        void merge(Longest other) { steps = std::max(steps, other.steps); }
    };
    const auto longest = fold<Longest>(control, [=](Longest& found, Index at, Index to) {
        const Id below = depth[at] + 1, others = depth[to];
        found.merge({static_cast<Id>(below + others)});
        depth[to] = std::max(below, others);
    });
    return static_cast<Index>(longest.steps);
}

template <class Id>
WideSum LeafPeeling<Id>::wiener_index(Index cells, Control& control) {
    weigh(control);
    const auto n = static_cast<std::uint64_t>(cells);
    const Id* const size = size_.data();
    return fold<WideSum>(
        control, [=](WideSum& sum, Index at, Index) { sum.add(multiply(size[at], n - size[at])); });
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
