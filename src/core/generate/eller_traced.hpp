// Eller's rule in its textbook form, for traces: each set is a circular list of columns. A cell is
// visited where it starts a new set; walls that are put are closed, the others carved. The clause
// of an event is the bit of its wall and what the sets make of it.
#pragma once

#include <algorithm>

#include "eller.hpp"

namespace meiro {

template <class R, class Coins>
class EllerTraced {
public:
    // coins(row): the coins of a row.
    EllerTraced(const Passages& maze, Control& control, R& record, Coins coins)
        : maze_(maze), control_(control), record_(record), coins_(coins) {
        for (Index c = 0; c < cols_; ++c) {
            if (c % block == 0) control_.poll(block);
            next_[c] = prev_[c] = c;
            out()[c] = 0;
        }
    }

    void run() {
        const Index rows = maze_.shape().rows;
        for (row_ = 0; row_ < rows; ++row_) {
            sweep([&](Index c, EllerCoins::Walls) {
                if ((out()[c] & bit(Direction::north)) == 0)
                    emit(Event::visit, c, Direction::none, 0);
            });
            sweep([&](Index c, EllerCoins::Walls walls) { side(c, (walls.right & 1) != 0); });
            if (row_ + 1 < rows)
                sweep([&](Index c, EllerCoins::Walls walls) { below(c, (walls.lower & 1) != 0); });
            else
                sweep([&](Index c, EllerCoins::Walls) {
                    if (c + 1 < cols_ && next_[c] != c + 1) join(c, last_row);
                });
            control_.done(cols_);
        }
    }

private:
    static constexpr Index block = EllerCoins::columns;
    // Clauses: of close on the right, on the right in equal sets, and below; of carve likewise.
    static constexpr unsigned bit_one = 1, equal_zero = 2, equal_one = 3, below_one = 4;
    static constexpr unsigned bit_zero = 1, last_row = 2, below_zero = 3, last_of_set = 4;
    std::uint8_t* out() { return maze_.bytes() + row_ * cols_; }
    void emit(Event e, Index c, Direction d, unsigned clause) {
        record_.on(e, Cell{row_, c}, d, clause);
    }

    template <class Body>
    void sweep(Body body) {
        EllerCoins coins = coins_(row_);
        for (Index begin = 0; begin < cols_; begin += block) {
            EllerCoins::Walls walls = coins(begin / block);
            for (Index c = begin; c < std::min(cols_, begin + block); ++c) {
                body(c, walls);
                walls.right >>= 1;
                walls.lower >>= 1;
            }
            control_.poll(block);
        }
    }
    void side(Index c, bool wall) {
        if (c + 1 == cols_) return;
        const bool equal = next_[c] == c + 1;
        if (wall || equal)
            emit(Event::close, c, Direction::east,
                 !equal ? bit_one
                 : wall ? equal_one
                        : equal_zero);
        else
            join(c, bit_zero);
    }
    // The cell and the one to its right are not one set: behind c comes c + 1, and the two rings
    // are one ring.
    void join(Index c, unsigned clause) {
        const Index after = next_[c];
        const Index before = prev_[c + 1];
        next_[before] = after;
        prev_[after] = before;
        next_[c] = c + 1;
        prev_[c + 1] = c;
        out()[c] |= static_cast<std::uint8_t>(bit(Direction::east));
        out()[c + 1] |= static_cast<std::uint8_t>(bit(Direction::west));
        emit(Event::carve, c, Direction::east, clause);
    }
    void below(Index c, bool wall) {
        std::uint8_t& under = out()[c + cols_];
        under = 0;
        if (wall && next_[c] != c) {
            next_[prev_[c]] = next_[c];
            prev_[next_[c]] = prev_[c];
            next_[c] = prev_[c] = c;
            emit(Event::close, c, Direction::south, below_one);
            return;
        }
        out()[c] |= static_cast<std::uint8_t>(bit(Direction::south));
        under |= static_cast<std::uint8_t>(bit(Direction::north));
        emit(Event::carve, c, Direction::south, wall ? last_of_set : below_zero);
    }

    const Passages maze_;
    Control& control_;
    R& record_;
    Coins coins_;
    Index cols_ = maze_.shape().cols, row_ = 0;
    Buffer<Index> next_{cols_}, prev_{cols_};
};

}  // namespace meiro
