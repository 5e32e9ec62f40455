// Recursive division: begin with one open chamber; a chamber with both sides at least `room` long
// is cut in two across its longer side (a fair coin if it is square) by a wall at a uniform place
// with a gap at a uniform place. room = 2 leaves corridors one cell wide: a perfect maze.
//   W. D. Pullen, Think Labyrinth (astrolog.org/labyrnth/algrithm.htm); J. Buck, Mazes for
//   Programmers (2015), ch. 12. Law: recursive_division.
//
// Time: linear, since nearly all walls are short. Scratch: 10 KiB; of two large chambers the larger
// one is deferred, so never more than log2(cells) are.
//
// Why it is fast: the cost is not the walls but unpredictable branches. A chamber of up to 64 x 64
// cells is divided in a tile of its own, where a wall is one word of bits whatever its length and
// direction, and breadth first, so that no chamber waits for the draw of the one before it: the
// loop has no branch but its end. A cut is one draw of 32 bits. The bits become bytes eight at a
// time. Measured, ns per cell at 4000 x 4000: textbook form 15.5; depth first with walls in bytes,
// chambers of up to 3 x 3 cells from a table, 11.2; breadth first with walls in bits 5.4. Then a
// cut by shifts, without exchanging rows and columns before and after it: 0.83 times the time; the
// longer side found without a branch, which std::max had become: 0.80 times that; by signs instead
// of comparisons, and bytes by three tables instead of four: 0.91 times that.
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "../border.hpp"
#include "job.hpp"

namespace meiro {
namespace {

constexpr int side = 64;  // of a tile: bits of a word

struct Chamber {
    Index row, col, height, width;  // the first cell, and how many
    Index cells() const { return height * width; }
};

// The same within a tile, in the bytes of a word: a cut across its rows or its columns is the same
// code, with other shifts.
class SmallChamber {
public:
    // cppcheck-suppress uninitMemberVar ; room for many, each written before it is read
    SmallChamber() = default;
    SmallChamber(std::uint32_t height, std::uint32_t width) : word_(height << 16 | width << 24) {}
    std::uint32_t row() const { return word_ & 255; }
    std::uint32_t col() const { return word_ >> 8 & 255; }
    std::uint32_t height() const { return word_ >> 16 & 255; }
    std::uint32_t width() const { return word_ >> 24; }
    // The first row, or the first column if `turn` is 8.
    std::uint32_t first(std::uint32_t turn) const { return word_ >> turn & 255; }
    // The part that is left of its `all` rows, or columns, after the first ones are cut off; and
    // those.
    SmallChamber without(std::uint32_t before, std::uint32_t turn) const {
        const std::uint32_t shifted = before << turn;
        return SmallChamber(word_ + shifted - (shifted << 16));
    }
    SmallChamber only(std::uint32_t before, std::uint32_t all, std::uint32_t turn) const {
        return SmallChamber(word_ - ((all - before) << turn << 16));
    }

private:
    explicit SmallChamber(std::uint32_t word) : word_(word) {}
    std::uint32_t word_;
};

// Walls within a tile. A bit is a wall south of a cell, a word a row of them; or a wall east of a
// cell, a word a column of them.
class WallTile {
public:
    // A wall of `length` cells after `line`, starting at `from`, with a gap; `turn` is 8 if it is
    // one after a column.
    void wall(std::uint32_t turn, unsigned line, unsigned from, unsigned length, unsigned gap) {
        const std::uint64_t whole = ~std::uint64_t{0} >> (side - length);
        walls_[line + turn * 8] |= (whole ^ std::uint64_t{1} << gap) << (from & 63);
    }
    // Writes the tile into the bytes of the cells, which so far only have walls around the tile.
    void write(std::uint8_t* bytes, Index cols, unsigned height, unsigned width) {
        transpose(height, width);
        std::uint64_t above = 0;
        for (unsigned row = 0; row < height; ++row, bytes += cols) {
            const std::uint64_t below = walls_[row], sides = walls_[side + row] << 1;
            const auto strip = [&](unsigned col, std::size_t size) {
                const std::uint64_t shut = word(north[above >> col & 255]) |
                                           word(north[below >> col & 255]) << 2 |
                                           word(beside[sides >> col & 511]);
                std::uint64_t open = 0;
                std::memcpy(&open, bytes + col, size);
                open &= ~shut;
                std::memcpy(bytes + col, &open, size);
            };
            if (width < 8) {
                strip(0, width);
            } else {
                for (unsigned col = 0; col < width - 8; col += 8) strip(col, 8);
                strip(width - 8, 8);  // some of them a second time
            }
            above = below;
        }
    }

private:
    // Transposes the walls east of a column of cells to those of a row of cells.
    void transpose(unsigned height, unsigned width) {
        std::uint64_t* const words = walls_ + side;
        if (height <= 4) {
            std::uint64_t rows[4] = {};
            for (unsigned col = 0; col < width; ++col)
                for (unsigned row = 0; row < 4; ++row) rows[row] |= (words[col] >> row & 1) << col;
            std::copy_n(rows, height, words);
            return;
        }
        // H. S. Warren, Hacker's Delight (2013), 7-3.
        const unsigned n = std::bit_ceil(std::max(height, width));
        for (unsigned half = n / 2; half != 0; half /= 2) {
            const std::uint64_t low = ~std::uint64_t{0} / ((std::uint64_t{1} << half) + 1);
            for (unsigned from = 0; from < n; from += 2 * half)
                for (unsigned k = from; k < from + half; ++k) {
                    const std::uint64_t swap = (words[k] >> half ^ words[k + half]) & low;
                    words[k] ^= swap << half;
                    words[k + half] ^= swap;
                }
        }
    }
    using Eight = std::array<std::uint8_t, 8>;
    static std::uint64_t word(const Eight& bytes) {
        std::uint64_t word;
        std::memcpy(&word, bytes.data(), 8);
        return word;
    }
    // Eight bits as walls to the north of eight cells, the first bit in the first byte.
    static constexpr auto north = [] {
        std::array<Eight, 256> table{};
        for (unsigned bits = 0; bits < 256; ++bits)
            for (unsigned i = 0; i < 8; ++i) table[bits][i] = bits >> i & 1;
        return table;
    }();
    // Nine bits as walls to the west and to the east.
    static constexpr auto beside = [] {
        std::array<Eight, 512> table{};
        for (unsigned bits = 0; bits < 512; ++bits)
            for (unsigned i = 0; i < 8; ++i)
                table[bits][i] =
                    static_cast<std::uint8_t>((bits >> i & 1) << 3 | (bits >> (i + 1) & 1) << 1);
        return table;
    }();

    // South of the rows, then east of the columns.
    std::uint64_t walls_[2 * side] = {};
};

template <Recorder R>
class Division {
public:
    Division(Job& job, R& record)
        : job_(job), record_(record), maze_(job.maze), random_(job.seed), room_(job.options.room) {}

    void run() {
        open_all();
        Chamber waiting[64];
        int count = 0;
        Chamber chamber{0, 0, maze_.shape().rows, maze_.shape().cols};
        for (;;) {
            const bool fits = chamber.height <= side && chamber.width <= side;
            if (!fits && !small(chamber)) {
                Chamber rest = cut(chamber);
                if (rest.cells() < chamber.cells()) std::swap(chamber, rest);
                waiting[count++] = rest;
                continue;
            }
            if (!small(chamber)) finish(chamber);
            job_.control.done(chamber.cells());
            job_.control.poll(std::min<Index>(chamber.cells(), side * side));
            if (count == 0) return;
            chamber = waiting[--count];
        }
    }

private:
    void open_all() {
        std::uint8_t* const bytes = maze_.bytes();
        polled_fill(bytes, maze_.size(), 15, job_.control);
        each_opposite(maze_.shape(), job_.control, [=](Index one, Index other, Direction d) {
            bytes[one] &= static_cast<std::uint8_t>(~bit(d));
            bytes[other] &= static_cast<std::uint8_t>(~bit(opposite(d)));
        });
    }

    bool small(const Chamber& chamber) const {
        return std::min(chamber.height, chamber.width) < room_;
    }

    // Divides a chamber too large for a tile.
    Chamber cut(Chamber& chamber) {
        const auto [row, col, height, width] = chamber;
        const bool across = height > width || (height == width && random_.coin());
        const Index length = across ? width : height;
        const Index before = 1 + random_.below((across ? height : width) - 1);
        const Index gap = random_.below(length);
        Chamber rest = chamber;
        (across ? chamber.height : chamber.width) = before;
        (across ? rest.row : rest.col) += before;
        (across ? rest.height : rest.width) -= before;

        const Index cols = maze_.shape().cols;
        const Index step = across ? 1 : cols, over = across ? cols : 1;
        const unsigned near_side = across ? bits::south : bits::east,
                       far_side = across ? bits::north : bits::west;
        std::uint8_t* const wall = maze_.bytes() + rest.row * cols + rest.col;
        by_each(length, job_.control, [&](Index k) {
            wall[k * step - over] &= static_cast<std::uint8_t>(~near_side);
            wall[k * step] &= static_cast<std::uint8_t>(~far_side);
        });
        wall[gap * step - over] |= static_cast<std::uint8_t>(near_side);
        wall[gap * step] |= static_cast<std::uint8_t>(far_side);
        job_.control.poll(length * 16);  // along a vertical wall, every cell is a cache miss
        emit_wall(across, rest, length, gap);
        return rest;
    }

    void finish(const Chamber& outer) {
        // A chamber that can be cut has 4 cells, and each that is made has 2.
        SmallChamber chambers[side * side / 2 + 1];
        chambers[0] = SmallChamber(static_cast<std::uint32_t>(outer.height),
                                   static_cast<std::uint32_t>(outer.width));
        WallTile tile;
        Random random = random_;
        const auto room = static_cast<std::uint32_t>(std::min<Index>(room_, side + 1));
        for (int next = 0, size = 1; next < size; ++next) {
            const SmallChamber chamber = chambers[next];
            const std::uint32_t height = chamber.height(), width = chamber.width();
            // Signs, not std::min: compilers make it a branch, which is unpredictable. A number
            // from -256 to 255 is -1 or 0 when it is shifted by 8.
            const int wider = static_cast<int>(width) - static_cast<int>(height);
            const auto less = static_cast<std::uint32_t>(wider & wider >> 8);
            const std::uint32_t all = width - less, length = height + less;
            const auto [coin, place, gap] = draw(random, all - 1, length);
            const int across = (wider - static_cast<int>(coin)) >> 8;  // -1 if it is
            const auto turn = static_cast<std::uint32_t>(8 + 8 * across);
            const std::uint32_t before = place + 1;
            tile.wall(turn, chamber.first(turn) + place, chamber.first(8 - turn), length, gap);
            const SmallChamber rest = chamber.without(before, turn);
            emit_wall(turn == 0,
                      {outer.row + rest.row(), outer.col + rest.col(), Index{rest.height()},
                       Index{rest.width()}},
                      length, gap);
            // The walls across a part are as long as before: at least `room`.
            chambers[size] = chamber.only(before, all, turn);
            size += before < room ? 0 : 1;
            chambers[size] = rest;
            size += all - before < room ? 0 : 1;
        }
        random_ = random;
        tile.write(maze_.bytes() + maze_.shape().id({outer.row, outer.col}), maze_.shape().cols,
                   static_cast<unsigned>(outer.height), static_cast<unsigned>(outer.width));
    }

    // Numbers below 2, `places` and `gaps` from one draw, exactly: see Random::digit.
    struct Drawn {
        std::uint32_t coin, place, gap;
    };
    static Drawn draw(Random& random, std::uint32_t places, std::uint32_t gaps) {
        constexpr std::uint32_t most = 2 * side * side;  // of the product of the three
        for (;;) {
            const std::uint64_t coin = std::uint64_t{random.bits(32)} * 2;
            const std::uint64_t place = (coin & 0xffffffffu) * places;
            const std::uint64_t gap = (place & 0xffffffffu) * gaps;
            const auto left = static_cast<std::uint32_t>(gap);
            if (left >= most || left >= (0 - 2 * places * gaps) % (2 * places * gaps)) [[likely]]
                return {static_cast<std::uint32_t>(coin >> 32),
                        static_cast<std::uint32_t>(place >> 32),
                        static_cast<std::uint32_t>(gap >> 32)};
        }
    }

    // The wall before `rest`, cell by cell.
    void emit_wall(bool across, const Chamber& rest, Index length, Index gap) {
        if constexpr (!std::is_same_v<R, NoTrace>)
            for (Index k = 0; k < length; ++k) {
                job_.control.poll();
                if (k == gap) continue;
                if (across)
                    record_.on(Event::close, Cell{rest.row - 1, rest.col + k}, Direction::south);
                else
                    record_.on(Event::close, Cell{rest.row + k, rest.col - 1}, Direction::east);
            }
    }

    Job& job_;
    R& record_;
    const Passages maze_;
    Random random_;
    const Index room_;
};

}  // namespace

constexpr Runs<Job> recursive_division =
    job_runs([](Job& job, auto& record) { Division(job, record).run(); });

}  // namespace meiro
