// Uniform draws from a list that grows and shrinks, made ahead so that the memory they refer to can
// be prefetched. Positions are drawn below a bound that the list cannot exceed until they are used;
// one past the end at that time is rejected, so each is exactly uniform over the list at its turn.
// A rejected prefetch costs time only.
//
// A word gives a position and a digit, or two of each: draws from one word, exact as in random.hpp.
#pragma once

#include <algorithm>

#include "../../buffer.hpp"
#include "../../passages.hpp"
#include "../../random.hpp"

namespace meiro {

// Is the cell in a row with rows above and below, on a lattice that is not periodic? Then all four
// adjacent bytes exist, and writes to those across the border change nothing.
class Inside {
public:
    explicit Inside(const Passages& maze)
        : cols_(maze.shape().cols),
          size_(maze.wrap().any() || maze.shape().rows < 3
                    ? 0
                    : static_cast<std::uint64_t>(maze.size() - 2 * cols_)) {}
    bool operator()(Index cell) const { return static_cast<std::uint64_t>(cell - cols_) < size_; }

private:
    Index cols_;
    std::uint64_t size_;
};

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
        Random words = random;
        const auto take = [&](std::uint64_t word, Draw& to) {
            const Product p = multiply(word, range), q = multiply(p.low, digits);
            to = {static_cast<Index>(p.high), static_cast<unsigned>(q.high)};
            return q.low;
        };
        Index k = 0;
        if (both < std::uint64_t{1} << 24) {
            for (; k + 1 < draws; k += 2) {
                std::uint64_t rest = take(take(words(), draw[k]), draw[k + 1]);
                if (rest < both * both) [[unlikely]]
                    for (const std::uint64_t threshold = (0 - both * both) % (both * both);
                         rest < threshold;)
                        rest = take(take(words(), draw[k]), draw[k + 1]);
            }
        }
        for (; k < draws; ++k) {
            std::uint64_t rest = take(words(), draw[k]);
            if (rest < both) [[unlikely]]
                for (const std::uint64_t threshold = (0 - both) % both; rest < threshold;)
                    rest = take(words(), draw[k]);
        }
        random = words;
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
            for (const Draw& draw : next->draw) prefetch(list + draw.place);
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

}  // namespace meiro
