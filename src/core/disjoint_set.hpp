// Disjoint sets over 0 .. size-1: union by index order, find with path halving.
//   R. E. Tarjan, J. van Leeuwen, J. ACM 31 (1984) 245. doi:10.1145/62.2160
// Nearly constant time per operation; sizeof(Id) bytes per item.
#pragma once

#include "buffer.hpp"
#include "control.hpp"

namespace meiro {

// The item that is its own parent, with path halving.
template <class Id>
Id find_root(Id* parent, Id x) {
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}

template <class Id>
class DisjointSet {
public:
    explicit DisjointSet(Index size) : parent_(size) {}

    // Makes every item of [first, last) a set of its own.
    void reset(Index first, Index last) {
        for (Index i = first; i < last; ++i) parent_[i] = static_cast<Id>(i);
    }
    // The same for 0 .. size-1, with polls, for sets as large as a maze.
    void reset(Index size, Control& control) {
        by_pieces(size, control, [&](Index first, Index last) { reset(first, last); });
    }

    // Makes x an item of the set that `root` represents, a number not above x: instead of reset().
    void put(Id x, Id root) { parent_[x] = root; }

    // Then parent(x) is find(x), until the next join(): parents have smaller numbers.
    void flatten(Index size, Control& control) {
        by_shares(size, Index{1} << 18, control, 1, [&](Index first, Index last, Control&) {
            for (Index i = first; i < last; ++i)
                parent_[i] = parent_[static_cast<Index>(parent_[i])];
            control.poll((last - first) / 2);
        });
    }

    // For work made ahead, so that several cache misses overlap.
    void prefetch(Id x) const { meiro::prefetch(parent_.data() + x); }
    Id parent(Id x) const { return parent_[x]; }

    Id find(Id x) { return find_root(parent_.data(), x); }

    // True if they were two sets; the smaller number stays the representative.
    bool join(Id a, Id b) {
        a = find(a);
        b = find(b);
        if (a == b) return false;
        if (b < a)
            parent_[a] = b;
        else
            parent_[b] = a;
        return true;
    }

private:
    Buffer<Id> parent_;
};

}  // namespace meiro
