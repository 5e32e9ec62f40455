// Eller's algorithm, one row after another: what stands between two rows is two bytes a column.
#pragma once

#include "../buffer.hpp"
#include "../control.hpp"
#include "../passages.hpp"
#include "../random.hpp"
#include "../trace/events.hpp"

namespace meiro {

// The coins of one row, 64 columns at a time: a set bit says that a wall is put. Drawn ones come
// from the lane that has the number of the row, so rows that are made alone are the rows of a whole
// maze. Given ones are read from one byte a wall: cols - 1 on the right, cols below, or null for
// none.
class EllerCoins {
public:
    static constexpr Index columns = 64;
    struct Walls {
        std::uint64_t right, lower;
    };
    EllerCoins(const Seed& seed, Index row)
        : lane_(seed, Purpose::generate, static_cast<std::uint64_t>(row)) {}
    EllerCoins(const std::uint8_t* right, const std::uint8_t* lower, Index cols)
        : lane_(Seed{}), right_(right), lower_(lower), cols_(cols) {}

    // Of the columns 64 * at .. 64 * at + 63; asked for in order.
    Walls operator()(Index at);

private:
    Random lane_;
    Block words_{};
    const std::uint8_t* right_ = nullptr;
    const std::uint8_t* lower_ = nullptr;
    Index cols_ = 0;  // 0: drawn
};

// The sets of the cells of a row, and the row that follows from them.
//
// Sets never cross: of four columns a < b < c < d it cannot be that a and c are one set and b and d
// another. So two bits a column say it all, as brackets do: has the set an earlier column, has it a
// later one? Two neighbours are one set exactly if the left has a later and the right an earlier
// one.
class EllerRow {
public:
    enum Bit : std::uint8_t { earlier = 1, later = 2, road_above = 4 };

    explicit EllerRow(Index cols);

    // Writes the passages of the next row, and goes on to the sets below it.
    void next(EllerCoins coins, std::uint8_t* out, Control& control);
    // Writes the passages of the last row. The sets are of no use after that.
    void last(EllerCoins coins, std::uint8_t* out, Control& control);

    // The state, one byte of `Bit`s a column. put() says whether the sets are sound, and leaves the
    // row as it was if they are not.
    Index cols() const { return cols_; }
    void get(std::uint8_t* state) const;
    bool put(const std::uint8_t* state);

private:
    enum class Pass { middle, join, close };  // a row; the last row's coins; its walls between sets
    // A set that has columns to both sides of where we are.
    struct Arc {
        std::uint64_t first,
            last;            // of its columns so far that stay; first == none if there is none
        std::uint64_t same;  // 1: the arc around this one belongs to the same set by now
    };
    struct Link {
        std::uint8_t back;   // 1: the set has an earlier column, 2: there is a road above
        std::uint8_t ahead;  // 1: the set has a later column
    };
    template <Pass pass>
    void walk(EllerCoins& coins, std::uint8_t* out, Control& control);

    Index cols_;
    Buffer<Link> links_;  // columns count from 1; writes to 0 are never read
    Buffer<Arc> arcs_;    // arcs_[0] is a set without columns
};

// The maze of given walls, (rows, cols - 1) on the right and (rows, cols) below, to be watched.
void watch_eller(const std::uint8_t* right, const std::uint8_t* lower, const Passages& maze,
                 Control& control, Trace& record);

}  // namespace meiro
