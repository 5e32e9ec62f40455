// Eller's algorithm, row by row: the state between two rows is two bytes per column.
#pragma once

#include "../buffer.hpp"
#include "../control.hpp"
#include "../passages.hpp"
#include "../random.hpp"
#include "../trace/events.hpp"

namespace meiro {

// The coins of one row, 64 columns at a time: a set bit puts a wall. Drawn coins come from the lane
// with the number of the row, so rows made one by one equal the rows of a whole maze. Given coins
// are read from one byte per wall: cols - 1 on the right, cols below, or null for none.
class EllerCoins {
public:
    static constexpr Index columns = 64;
    struct Walls {
        std::uint64_t right, lower;
    };
    EllerCoins(const Seed& seed, Index row) : seed_(seed), row_(row) {}
    // The same, with the first block of random words of the row.
    EllerCoins(const Seed& seed, Index row, const Block& first)
        : seed_(seed), row_(row), words_(first), made_(2) {}
    EllerCoins(const std::uint8_t* right, const std::uint8_t* lower, Index cols)
        : right_(right), lower_(lower), cols_(cols) {}

    // The coins of columns 64 * at .. 64 * at + 63; to be asked for in order.
    Walls operator()(Index at);

private:
    Seed seed_;
    Index row_ = 0;
    Block words_{};  // of 128 columns
    Index made_ = 0;
    const std::uint8_t* right_ = nullptr;
    const std::uint8_t* lower_ = nullptr;
    Index cols_ = 0;  // 0: drawn
};

// The sets of the cells of a row, and the row that follows from them.
//
// Sets never cross: for columns a < b < c < d, a and c cannot be in one set and b and d in another.
// So two bits per column describe them, like brackets: does the set have an earlier column, a later
// one?
//
//   column    0 1 2 3 4      sets {0, 3}, {1, 2}, {4}
//   later     1 1 0 0 0
//   earlier   0 0 1 1 0
//             ( ( ) ) .
//
// Two adjacent columns are in one set if and only if the left has a later column and the right an
// earlier one.
class EllerRow {
public:
    enum Bit : std::uint8_t { earlier = 1, later = 2, road_above = 4 };

    explicit EllerRow(Index cols);

    // Writes the passages of the next row, and advances to the sets below it.
    void next(EllerCoins coins, std::uint8_t* out, Control& control);
    // Writes the passages of the last row. The sets are invalid afterwards.
    void last(EllerCoins coins, std::uint8_t* out, Control& control);
    // The same of row `row` of a maze, the last one or not, to be watched.
    void watch(const EllerCoins& coins, Index row, bool is_last, std::uint8_t* out,
               Control& control, Trace& record);

    // The state, one byte of `Bit`s per column. put() returns whether the sets are sound, and
    // changes nothing if they are not; one that is interrupted has to be repeated.
    Index cols() const { return cols_; }
    void get(std::uint8_t* state, Control& control) const;
    bool put(const std::uint8_t* state, Control& control);

private:
    enum class Pass { middle, join, close };  // a row; the last row's coins; its walls between sets
    // A set that has columns on both sides of the current one.
    struct Arc {
        // The first and last of its columns so far that stay; first == none without such a column.
        std::uint64_t first, last;
        // 1: the arc around this one belongs to the same set by now.
        std::uint64_t same;
    };
    struct Link {
        std::uint8_t back;   // 1: the set has an earlier column, 2: there is a road above
        std::uint8_t ahead;  // 1: the set has a later column
    };
    // Watched, a byte also says whether the cell and the one to its right are in one set: `equal`.
    static constexpr int equal_shift = 4, opened_shift = 5;
    template <Pass pass, bool watched = false>
    void walk(EllerCoins& coins, std::uint8_t* out, Control& control);

    Index cols_;
    Buffer<Link> links_;  // columns count from 1; writes to 0 are never read
    Buffer<Arc> arcs_;    // arcs_[0] is a set without columns
};

// The maze of given walls, (rows, cols - 1) on the right and (rows, cols) below, to be watched.
void watch_eller(const std::uint8_t* right, const std::uint8_t* lower, const Passages& maze,
                 Control& control, Trace& record);

}  // namespace meiro
