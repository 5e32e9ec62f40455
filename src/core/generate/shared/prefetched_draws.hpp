// Places of a list that grows and shrinks, drawn ahead, so that memory can be asked for what stands
// there before it is wanted. They are drawn below a bound that the list stays under until they are
// used; one that is past its end by then is rejected, so that each is uniform over the list as it
// is at its turn, exactly, and what was asked for in vain costs time only.
//
// A word gives a place and a digit, or two of each: draws from one word, exact as in random.hpp.
#pragma once

#include <algorithm>

#include "../../passages.hpp"
#include "../../random.hpp"

namespace meiro {

inline void prefetch([[maybe_unused]] const void* place) {
#if defined(__GNUC__)
    __builtin_prefetch(place, 1);
#endif
}

// Is a cell in a row that has others above and below, on a lattice that does not wrap? Then all
// four bytes around it are there, and those over the rim are not changed by what is written to
// them.
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

// The three rows that a step around a cell touches.
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

    // Uniform places below `bound` and digits below `digits`.
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

// use(draw) again and again while the list is not empty. It makes the list, of size(), at most
// `growth` longer and at most 1 shorter. prefetch_place(place) comes some uses before, without a
// promise.
class PrefetchedDraws {
public:
    // About `uses` times.
    template <class Size, class Use, class Prefetch>
    void run(Index uses, Index growth, unsigned digits, Random& random, Size size, Use use,
             Prefetch prefetch_place) {
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
            for (Index k = 0; k < DrawBatch::most; ++k) {
                prefetch_place(next->draw[k].place);
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
    int current_ = 0;  // which of the two comes first
};

}  // namespace meiro
