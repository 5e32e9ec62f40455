// A maze peeled leaf by leaf, and what is folded over the order of the leaves: every cell comes
// before the one it hangs on, so that sizes and depths of branches are one loop each.
//
// A leaf is a cell with one passage left. It is taken off, and so is the next if it has become a
// leaf; the root never is. What cannot be peeled tells whether the maze is a tree: as many cells
// come off as there are passages if there are no loops, all but the root if it is one tree.
//
//   Wiener index, the sum of all distances: every passage parts s cells from n - s, and lies on
//   s (n - s) ways. H. Wiener, J. Am. Chem. Soc. 69 (1947) 17. doi:10.1021/ja01193a005; on trees
//   B. Mohar, T. Pisanski, J. Math. Chem. 2 (1988) 267. doi:10.1007/BF01167206
//   Random walk: to cross a passage for the first time, from a side of s cells, takes 2 s - 1 steps
//   on average. D. Aldous, J. A. Fill, Reversible Markov Chains and Random Walks on Graphs, ch. 5.
//
// Time: about 4 ns a cell to peel, 1 to 2 for a fold. Scratch: 2 bytes a cell and an Id for each of
// order, sizes and depths that is used. The same LeafPeeling serves one maze after the other.
#pragma once

#include "../adjacency.hpp"
#include "../buffer.hpp"
#include "../random.hpp"

namespace meiro {

// A sum that needs more than 64 bits: that of all distances reaches n^3 / 6.
struct WideSum {
    std::uint64_t high = 0, low = 0;
    void add(Product p) {
        low += p.low;
        high += p.high + (low < p.low ? 1 : 0);
    }
    double value() const;  // the nearest
};

// Cells of a fold between two polls.
inline constexpr Index fold_chunk = Index{1} << 13;

inline constexpr std::uint8_t nowhere = 9;  // not peeled

// 1 where one move is left, else 0: without a branch.
constexpr unsigned is_single(unsigned moves) {
    return static_cast<unsigned>(moves != 0) & static_cast<unsigned>((moves & (moves - 1)) == 0);
}

template <class Id>
class LeafPeeling {
public:
    explicit LeafPeeling(Index size = 0) : left_(size), towards_(size), order_(size + 1) {}

    // Sound passages; the root exists.
    void peel(const Adjacency& adjacency, Index root, Control& control);
    Index peeled() const { return count_; }
    // The move from each cell to the one that it hangs on, or `nowhere`.
    const std::uint8_t* towards() const { return towards_.data(); }
    std::uint8_t* towards() { return towards_.data(); }

    // Of a tree of `cells` cells, after peel().
    Index diameter(Control& control);
    WideSum wiener_index(Index cells, Control& control);
    // Steps of a random walk from `start` until it is at the root, on average.
    WideSum absorption_time(Index start, Control& control);

private:
    // body(cell, the one it hangs on), leaves first.
    template <class Body>
    void each_leaf(Control& control, Body body);
    // How many cells hang on each, with itself.
    void weigh(Control& control);

    std::array<Index, 8> step_{};
    Buffer<std::uint8_t> left_, towards_;  // the moves that are left
    Buffer<Id> order_, size_, depth_;
    Index count_ = 0;
    bool weighed_ = false;
};

extern template class LeafPeeling<std::uint32_t>;
extern template class LeafPeeling<std::uint64_t>;

}  // namespace meiro
