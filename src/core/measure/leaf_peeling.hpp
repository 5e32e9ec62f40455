// A maze peeled leaf by leaf, and folds over the order of the leaves: every cell comes before its
// parent, so sizes and depths of branches are one loop each.
//
// A leaf is a cell with one passage left. It is removed, then its neighbour if that has become a
// leaf; the root is never removed. In the tree
//
//   1 - 2 - 3
//       |           with root 3 the order is 1, 4, 2; the branch sizes are 1, 1, 3
//       4
//
// The number of cells that can be peeled tells whether the maze is a tree: it equals the number of
// passages if there are no loops, and is all cells but the root if it is one tree.
//
//   Wiener index, the sum of all distances: each passage parts s cells from n - s, and lies on
//   s (n - s) paths. H. Wiener, J. Am. Chem. Soc. 69 (1947) 17. doi:10.1021/ja01193a005; on trees
//   B. Mohar, T. Pisanski, J. Math. Chem. 2 (1988) 267. doi:10.1007/BF01167206
//   Random walk: to cross a passage for the first time, from a side of s cells, takes 2 s - 1 steps
//   on average. D. Aldous, J. A. Fill, Reversible Markov Chains and Random Walks on Graphs, ch. 5.
//
// Threads share bands of rows. While a band is peeled, its first and last row stay; then one thread
// peels on from there. Branches within a band are complete, so folds go through bands in the same
// way.
//
// Time: about 4 ns per cell to peel, 1 to 2 for a fold. Scratch: 2 bytes per cell, and an Id for
// each of order, sizes and depths that is used. One LeafPeeling serves many mazes, one after the
// other.
#pragma once

#include "../adjacency.hpp"
#include "../buffer.hpp"
#include "../random.hpp"

namespace meiro {

// A sum of more than 64 bits: the sum of all distances reaches n^3 / 6.
struct WideSum {
    std::uint64_t high = 0, low = 0;
    void add(Product p) {
        low += p.low;
        high += p.high + (low < p.low ? 1 : 0);
    }
    void merge(const WideSum& other) { add({other.high, other.low}); }
    double value() const;  // correctly rounded
};

// Cells of a fold between two polls.
inline constexpr Index fold_chunk = Index{1} << 13;

inline constexpr std::uint8_t nowhere = 9;  // not peeled

// 1 if a single move is left, else 0; without a branch.
constexpr unsigned is_single(unsigned moves) {
    return static_cast<unsigned>(moves != 0) & static_cast<unsigned>((moves & (moves - 1)) == 0);
}

template <class Id>
class LeafPeeling {
public:
    explicit LeafPeeling(Index size = 0) : left_(size), towards_(size), order_(size + 1) {}

    // Needs sound passages and an existing root.
    void peel(const Adjacency& adjacency, Index root, Control& control, int threads = 1);
    Index peeled() const { return count_; }
    // The move from each cell to its parent, or `nowhere`.
    std::uint8_t* towards() { return towards_.data(); }

    // Of a tree of `cells` cells, after peel().
    Index diameter(Control& control);
    WideSum wiener_index(Index cells, Control& control);
    // The expected steps of a random walk from `start` until it reaches the root.
    WideSum absorption_time(Index start, Control& control);

private:
    // Peels from the leaves in [begin, end); the cells are put into `order` from `to` on. Returns
    // where they end.
    [[gnu::noinline]] Index peel_from(Index begin, Index end, Index root, Index to,
                                      Control& control);
    // body(total, cell, its parent), leaves first: the sum of the totals of all bands.
    template <class Total, class Body>
    Total fold(Control& control, Body body);
    template <class Total, class Body>
    [[gnu::noinline]] Total fold_part(Index begin, Index end, Body body, Control& control);
    // The size of the branch of each cell, itself included.
    void weigh(Control& control);

    std::array<Index, 8> step_{};
    Buffer<std::uint8_t> left_, towards_;  // left_: the moves not removed yet
    Buffer<Id> order_, size_, depth_;
    Index count_ = 0;
    Stack<Index> bands_;  // where in order_ each band begins that was peeled by itself
    int threads_ = 1;
    bool weighed_ = false;
};

extern template class LeafPeeling<std::uint32_t>;
extern template class LeafPeeling<std::uint64_t>;

}  // namespace meiro
