#include "endless.hpp"

#include <array>
#include <utility>

#include "../shared/row_strips.hpp"
#include "../shared/weights.hpp"
#include "forest.hpp"

namespace meiro::endless {
namespace {

// The words of a place, beside those of generate(): the first that `fits`.
template <class Fits>
std::uint64_t word_at(const Seed& seed, Index row, Index col, Fits fits) {
    for (std::uint64_t tries = std::uint64_t{1} << 32;; tries += std::uint64_t{1} << 32) {
        const Block words = called_philox(
            static_cast<std::uint64_t>(col), static_cast<std::uint64_t>(row), seed.replicate,
            static_cast<std::uint64_t>(Purpose::generate) + tries, seed.key[0], seed.key[1]);
        for (const std::uint64_t word : words)
            if (fits(word)) return word;
    }
}

// The coins of a row, in the order of binary_tree: one for each cell.
class Coins {
public:
    Coins(const Seed& seed, Index row)
        : random_(seed, Purpose::generate, static_cast<std::uint64_t>(row)) {}

    bool operator()(Index col) {
        if (col >> 8 != held_) {
            held_ = col >> 8;
            words_ = random_.block(static_cast<std::uint64_t>(held_));
        }
        const auto i = static_cast<unsigned>(col & 255);
        return (words_[i / 64] >> (8 * (i % 8) + i / 8 % 8) & 1) != 0;
    }

private:
    const Random random_;
    Index held_ = coordinate_end;  // none yet
    Block words_{};
};

// The rules write a row of bits, east and south, of the cells from (row, col) on.
struct PercolationRow {
    const Plane& plane;
    void operator()(Index row, Index col, Index n, std::uint8_t* out) const {
        const Random words = Weights(plane.seed).row(row);
        for (Index end = col + n; col < end;) {
            const Block four = words.block(weight_block(col));
            do {
                const std::size_t k = col % 2 != 0 ? 2 : 0;
                *out++ = static_cast<std::uint8_t>((plane.p(four[k]) ? bits::east : 0) |
                                                   (plane.p(four[k + 1]) ? bits::south : 0));
            } while (++col < end && col % 2 != 0);
        }
    }
};

struct BinaryTreeRow {
    const Plane& plane;
    void operator()(Index row, Index col, Index n, std::uint8_t* out) const {
        Coins here(plane.seed, row), below(plane.seed, row + 1);  // heads: north, tails: west
        for (const Index end = col + n; col < end; ++col)
            *out++ = static_cast<std::uint8_t>((here(col + 1) ? 0 : bits::east) |
                                               (below(col) ? bits::south : 0));
    }
};

struct SidewinderRow {
    const Plane& plane;
    void operator()(Index row, Index col, Index n, std::uint8_t* out) const {
        Coins here(plane.seed, row), below(plane.seed, row + 1);  // heads: the run ends
        for (Index i = 0; i < n; ++i) out[i] = here(col + i) ? 0 : bits::east;
        Index first = col;
        while (!below(first - 1)) --first;
        for (Index last = first; first < col + n; first = ++last) {
            while (!below(last)) ++last;
            const auto size = static_cast<std::uint64_t>(last - first + 1);
            const std::uint64_t word = word_at(plane.seed, row + 1, last, [&](std::uint64_t drawn) {
                return drawn * size >= (0 - size) % size;
            });
            const Index member = first + static_cast<Index>(multiply(word, size).high) - col;
            if (member >= 0 && member < n) out[member] |= bits::south;
        }
    }
};

// The poles of a row of posts, from west to east. Post (row, col) is the corner of cell (row, col)
// to the north-west.
class Poles {
public:
    // So that next() is the pole of post (row, col).
    Poles(const Seed& seed, Index row, Index col) : seed_(seed), row_(row), col_(col) {
        for (Index back = 1;; ++back) {
            const unsigned before = digit(col - back);
            if (before / 2 == 2) continue;  // 4, 5: east only if a pole lies in the west
            east_ = before < 4;
            while (--back > 0) step(digit(col - back));
            return;
        }
    }
    Direction next() { return step(digit(col_++)); }

private:
    Direction step(unsigned digit) {
        using enum Direction;
        const Direction fall = east_ ? (digit < 6 ? east : south)
                                     : (digit < 4   ? east
                                        : digit < 8 ? south
                                                    : west);
        east_ = fall == east;
        return fall;
    }
    // Of 0 .. 11, by sixteen to the word.
    unsigned digit(Index col) {
        if (col >> 4 != held_) {
            held_ = col >> 4;
            std::uint64_t word = word_at(seed_, row_, held_, [](std::uint64_t drawn) {
                return drawn * detail::twelves >= detail::unfair;
            });
            for (std::uint8_t& d : digits_) {
                const Product p = multiply(word, 12);
                word = p.low;
                d = static_cast<std::uint8_t>(p.high);
            }
        }
        return digits_[static_cast<std::size_t>(col & 15)];
    }

    const Seed& seed_;
    const Index row_;
    Index col_, held_ = coordinate_end;  // held: none yet
    bool east_ = false;                  // did the last one fall east?
    std::array<std::uint8_t, detail::digits_a_word> digits_{};
};

struct PoleTopplingRow {
    const Plane& plane;
    void operator()(Index row, Index col, Index n, std::uint8_t* out) const {
        Poles above(plane.seed, row, col + 1), below(plane.seed, row + 1, col);
        Direction beside = below.next();
        for (Index i = 0; i < n; ++i) {
            const Direction next = below.next();
            out[i] = static_cast<std::uint8_t>(
                (above.next() == Direction::south ? 0 : bits::east) |
                (beside == Direction::east || next == Direction::west ? 0 : bits::south));
            beside = next;
        }
    }
};

// The window, rectangle by rectangle, which the threads share. Each one has a further row above and
// a further column to its west.
template <class Row>
void by_rows(const Plane& plane, Cell first, Shape shape, std::uint8_t* out, Control& control,
             int threads) {
    constexpr Index side = 512;
    const Index across = (shape.cols - 1) / side + 1,
                count = ((shape.rows - 1) / side + 1) * across;
    parallel(control, threads, count, [&](Index k, Control& worker) {
        const Index row = k / across * side, col = k % across * side;
        const Shape part{std::min(side, shape.rows - row), std::min(side, shape.cols - col)};
        const Index width = part.cols + 1;
        Buffer<std::uint8_t> own((part.rows + 1) * width);
        for (Index r = 0; r <= part.rows; ++r)
            Row{plane}(first.row + row + r - 1, first.col + col - 1, width, own.data() + r * width);
        for (Index r = 0; r < part.rows; ++r) {
            const std::uint8_t* const here = own.data() + (r + 1) * width + 1;
            std::uint8_t* const to = out + (row + r) * shape.cols + col;
            for (Index c = 0; c < part.cols; ++c)
                to[c] = rows::joined(here[c], here[c - 1], here[c - width], true, true);
        }
        worker.poll(part.size());
        worker.done(part.size());
    });
}

void spanning_forest(const Plane& plane, Cell first, Shape shape, std::uint8_t* out,
                     Control& control, int threads) {
    forest(Field(plane.seed), first, shape, out, control, threads);
}

constexpr std::pair<std::string_view, Rule> rules[] = {
    {"kruskal", spanning_forest},
    {"percolation", by_rows<PercolationRow>},
    {"binary_tree", by_rows<BinaryTreeRow>},
    {"sidewinder", by_rows<SidewinderRow>},
    {"pole_toppling", by_rows<PoleTopplingRow>},
};

}  // namespace

Rule find_rule(std::string_view name) {
    for (const auto& [given, rule] : rules)
        if (given == name) return rule;
    return nullptr;
}

}  // namespace meiro::endless
