// Lower bounds on the distance to the nearest goal, as if there were no walls.
//
// One table per axis: rows[r] is the distance from row r to the nearest row with a goal, across the
// border if the maze is periodic. So many goals cost no more than one, and the bound never falls by
// more than the cost of a step: it is consistent.
#pragma once

#include <algorithm>
#include <span>

#include "../adjacency.hpp"
#include "../buffer.hpp"

namespace meiro {

class Heuristic {
public:
    Heuristic(const Adjacency& adjacency, std::span<const Index> goals, Control& control)
        : rows_(adjacency.shape().rows), cols_(adjacency.shape().cols) {
        const bool periodic = adjacency.high_bits() == HighBits::periodic;
        fill(rows_, periodic, goals, control, [&](Index g) { return g / adjacency.shape().cols; });
        fill(cols_, periodic, goals, control, [&](Index g) { return g % adjacency.shape().cols; });
    }
    Index steps(Index row, Index col) const { return rows_[row] + cols_[col]; }
    const Buffer<Index>& rows() const { return rows_; }
    const Buffer<Index>& cols() const { return cols_; }

private:
    template <class Coordinate>
    static void fill(Buffer<Index>& side, bool periodic, std::span<const Index> goals,
                     Control& control, Coordinate coordinate) {
        const Index n = side.size();
        by_pieces(n, control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) side[i] = n;
        });
        for (const Index g : goals) side[coordinate(g)] = 0;
        // A cylinder is treated as a torus: the bound is weaker, but still valid.
        for (int pass = 0; pass < (periodic ? 2 : 1); ++pass) {
            if (periodic) side[0] = std::min(side[0], side[n - 1] + 1);
            by_pieces(n - 1, control, [&](Index first, Index last) {
                for (Index i = first; i < last; ++i)
                    side[i + 1] = std::min(side[i + 1], side[i] + 1);
            });
            if (periodic) side[n - 1] = std::min(side[n - 1], side[0] + 1);
            by_pieces(n - 1, control, [&](Index first, Index last) {
                for (Index i = n - 2 - first; i > n - 2 - last; --i)
                    side[i] = std::min(side[i], side[i + 1] + 1);
            });
        }
    }
    Buffer<Index> rows_, cols_;
};

}  // namespace meiro
