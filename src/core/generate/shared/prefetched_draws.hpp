// Uniform draws from a list that grows and shrinks, made ahead so that the memory they refer to can
// be prefetched. Positions are drawn below a bound that the list cannot exceed until they are used;
// one past the end at that time is rejected, so each is exactly uniform over the list at its turn.
// A rejected prefetch costs time only.
//
// A word gives a position and a digit, or two of each: draws from one word, exact as in random.hpp.
#pragma once

#include <algorithm>
#include <type_traits>
#include <utility>

#include "../../buffer.hpp"
#include "../../passages.hpp"
#include "../../random.hpp"

namespace meiro {

// Prefetches the three rows that a step from a cell touches.
inline void prefetch_around(const Passages& maze, Index cell) {
    const std::uint8_t* const bytes = maze.bytes();
    const Index cols = maze.shape().cols;
    prefetch(bytes + std::max<Index>(cell - cols, 0));
    prefetch(bytes + cell);
    prefetch(bytes + std::min(cell + cols, maze.size() - 1));
}

struct Draw {
    Index place;
    unsigned digit;
};

struct DrawBatch {
    static constexpr Index most = 32;

    Index count = 0;
    Draw draw[most];

    // Uniform positions below `bound` and digits below `digits`.
    void fill(Index draws, Index bound, unsigned digits, Random& random) {
        const auto range = static_cast<std::uint64_t>(bound);
        const std::uint64_t both = range * digits;
        count = draws;
        const auto take = [&](std::uint64_t word, Draw& to) {
            const Product p = multiply(word, range), q = multiply(p.low, digits);
            to = {static_cast<Index>(p.high), static_cast<unsigned>(q.high)};
            return q.low;
        };
        Index k = 0;
        if (both < std::uint64_t{1} << 24) {
            for (; k + 1 < draws; k += 2) {
                std::uint64_t rest = take(take(random.word(), draw[k]), draw[k + 1]);
                if (rest < both * both) [[unlikely]]
                    for (const std::uint64_t threshold = (0 - both * both) % (both * both);
                         rest < threshold;)
                        rest = take(take(random.word(), draw[k]), draw[k + 1]);
            }
        }
        for (; k < draws; ++k) {
            std::uint64_t rest = take(random.word(), draw[k]);
            if (rest < both) [[unlikely]]
                for (const std::uint64_t threshold = (0 - both) % both; rest < threshold;)
                    rest = take(random.word(), draw[k]);
        }
    }
};

// Calls use(draw) until the list is empty. Each call may make the list, of size(), at most `growth`
// longer and at most 1 shorter. Of a long list the items are prefetched as soon as they are drawn,
// and prefetch_item(item) is called some uses ahead: both are mere hints, as they may change.
class PrefetchedDraws {
public:
    // About `uses` times.
    template <class Item, class Size, class Use, class Prefetch>
    void run(Index uses, Index growth, unsigned digits, Random& random, const Item* list, Size size,
             Use use, Prefetch prefetch_item) {
        constexpr Index long_list = 16 * DrawBatch::most;
        DrawBatch *now = batches_ + current_, *next = batches_ + 1 - current_;
        while (uses > 0 && size() > 0) {
            if (size() < long_list) {
                const Index draws = size() / 16 + 1;
                now->fill(draws, size() + growth * (draws - 1), digits, random);
                for (Index k = 0; k < draws; ++k)
                    if (now->draw[k].place < size()) use(now->draw[k]);
                now->count = 0;
                uses -= draws;
                continue;
            }
            const Index bound = size() + 2 * growth * DrawBatch::most;
            if (now->count == 0) now->fill(DrawBatch::most, bound, digits, random);
            next->fill(DrawBatch::most, bound, digits, random);
            for (const Draw& draw : next->draw) prefetch(list, draw.place);
            for (Index k = 0; k < DrawBatch::most; ++k) {
                if (const Index place = next->draw[k].place; place < size())
                    prefetch_item(list[place]);
                if (now->draw[k].place < size()) [[likely]]
                    use(now->draw[k]);
            }
            std::swap(now, next);
            current_ = 1 - current_;
            uses -= DrawBatch::most;
        }
    }

private:
    DrawBatch batches_[2];
    int current_ = 0;  // which of the two is first
};

// `n` uniform places below `bound` from one word: bound^n is far below 2^64.
template <int n>
void draw_together(Index bound, Random& random, Index* places) {
    const auto range = static_cast<std::uint64_t>(bound);
    std::uint64_t all = 1;
    for (int k = 0; k < n; ++k) all *= range;
    for (;;) {
        std::uint64_t rest = random.word();
        for (int k = 0; k < n; ++k) {
            const Product p = multiply(rest, range);
            places[k] = static_cast<Index>(p.high);
            rest = p.low;
        }
        if (rest >= all || rest >= (0 - all) % all) [[likely]]
            return;
    }
}

// Calls use(item) for uniform items of a list until it is empty, or after about `draws` draws. What
// is spent(item) is dropped when it is drawn: what has been used is spent, and stays so. Each call
// may add at most `growth` items at the end of the list, whose length is `size`.
//
// Several are drawn at once, and leave the list before the first is used. Each use is still of a
// uniform one of the items not spent: when it is its turn, those drawn before it are spent, each
// other one was drawn with the same probability, and so was each that uses have added since, as
// places past the end stand for the items to come. What is spent is sorted out ahead, without a
// branch that nothing can predict: so the memory of several items is waited for at once, and to
// prefetch it, and what is beside it, takes longer. Of a short list, a place further past the end
// than the uses before it can reach is dropped at once. (Without a branch for such places a short
// list takes longer: the next draws wait for its size, which a predicted branch does not.)
template <class Item, class Spent, class Use>
void use_drawn(Index draws, Index growth, Random& random, Item* list, Index& size, Spent spent,
               Use use) {
    constexpr Index most = 32, few = 4;
    Index drawn[most];
    const auto sort_out = [&]<Index count>(std::integral_constant<Index, count>) {
        Index kept = 0;
        for (Index k = 0; k < count; ++k) {
            const Index place = drawn[k];
            if (place < size) [[likely]] {
                const Item item = std::exchange(list[place], list[--size]);
                drawn[kept] = static_cast<Index>(item);
                kept += spent(item) ? 0 : 1;
            } else {
                drawn[kept] = ~(place - size);
                kept += count == most || place - size < growth * kept ? 1 : 0;
            }
        }
        return kept;
    };
    while (draws > 0 && size > 0) {
        const bool small = size < 16 * most;
        const Index count = small ? few : most;
        const Index bound = size + growth * (count - 1);
        if (small)
            draw_together<few>(bound, random, drawn);
        else if (bound < Index{1} << 13)
            for (Index k = 0; k < most; k += 4) draw_together<4>(bound, random, drawn + k);
        else if (bound < Index{1} << 26)
            for (Index k = 0; k < most; k += 2) draw_together<2>(bound, random, drawn + k);
        else
            for (Index& place : drawn) place = random.below(bound);
        const Index kept = small ? sort_out(std::integral_constant<Index, few>{})
                                 : sort_out(std::integral_constant<Index, most>{});
        const Index added = size;
        for (Index k = 0; k < kept; ++k) {
            Index item = drawn[k];
            if (item < 0) [[unlikely]] {
                if (added + ~item >= size) continue;
                item = static_cast<Index>(list[added + ~item]);
            }
            if (!spent(static_cast<Item>(item))) [[likely]]
                use(static_cast<Item>(item));
        }
        draws -= count;
    }
}

}  // namespace meiro
