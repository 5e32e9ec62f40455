// The plain forms of kruskal, prim and boruvka, of squares and of graphs: for what is watched, or
// follows weights=.
//
// Edges E are those of a maze, by number: edge(number) tells the cells, `one` and `other`, and is
// what the rest takes: exists, is_open, open (told as carve) and keep (told, as it stays closed).
// Weights W of them, as words: an Item is what is compared, with the weight where it is slow to
// draw again. Of edges with one weight the earlier one is lighter, so that the order is total.
#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <functional>

#include "../../disjoint_set.hpp"
#include "../../polled_sort.hpp"

namespace meiro {

// Doubles as words in the same order; a NaN is above (or, negative, below) all others. -0 is 0.
inline std::uint64_t word_of(double weight) {
    const auto bits = std::bit_cast<std::uint64_t>(weight + 0.0);
    return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}

template <class Id>
struct Weighed {
    std::uint64_t weight;
    Id edge;
    friend auto operator<=>(const Weighed&, const Weighed&) = default;
};

// Weights that an Item keeps.
template <class Id>
struct KeptWeights {
    using Item = Weighed<Id>;
    static Item none() { return {~std::uint64_t{0}, static_cast<Id>(~Id{0})}; }
    static Index edge(Item item) { return static_cast<Index>(item.edge); }
    static bool lighter(Item a, Item b) { return a < b; }
};

// Opens the edges that join two components when their turn comes; number(item) is that of an edge.
template <class E, class Items, class Number>
void open_in_order(E& edges, const Items& items, Number number, Control& control) {
    using Id = typename E::Id;
    DisjointSet<Id> components(edges.cells());
    components.reset(edges.cells(), control);
    for (const auto& item : items) {
        control.poll(16);  // random access: cache misses
        const auto edge = edges.edge(number(item));
        if (!edges.exists(edge)) continue;
        if (components.join(edge.one, edge.other))
            edges.open(edge);
        else
            edges.keep(edge);
    }
}

// Kruskal's rule: the lightest edge comes first.
template <class E, class W>
void plain_kruskal(E& edges, const W& weights, Control& control) {
    using Item = typename W::Item;
    Buffer<Item> items(edges.size());
    for (Index number = 0; number < items.size(); ++number) {
        items[number] = weights.item(number);
        control.poll(4);
    }
    polled_sort(
        items.begin(), items.end(),
        [&](const Item& a, const Item& b) { return weights.lighter(a, b); }, control);
    open_in_order(edges, items, W::edge, control);
}

// Prim's rule: the tree of each component grows from its first cell, by the lightest edge that
// leaves it.
template <class E, class W>
class PlainPrim {
public:
    PlainPrim(E& edges, const W& weights, Control& control)
        : edges_(edges), weights_(weights), control_(control) {}

    void run() {
        for (Index cell = 0; cell < edges_.cells(); ++cell) {
            control_.poll();
            if (entered_[cell] == 0 && edges_.has(cell)) grow(cell);
        }
    }

private:
    void grow(Index first) {
        edges_.visit(first);
        enter(first);
        while (size_ > 0) {
            control_.poll(64);  // a pop from the heap, mostly cache misses
            const auto edge = edges_.edge(static_cast<Index>(heap_[0].edge));
            std::pop_heap(heap_.begin(), heap_.begin() + size_--, std::greater<>());
            // One side at least is in the tree.
            const bool back = entered_[edge.one] == 0;
            if (back || entered_[edge.other] == 0) {
                edges_.open(edge, back);
                enter(back ? edge.one : edge.other);
            } else {
                edges_.keep(edge);
            }
        }
    }
    // Adds the edges between the cell and its neighbours that were not entered.
    void enter(Index cell) {
        entered_[cell] = 1;
        edges_.each_beside(cell, [&](Index number, Index beyond) {
            control_.poll(8);
            if (entered_[beyond] != 0) return;
            heap_[size_++] = {weights_.weight(number), static_cast<Id>(number)};
            std::push_heap(heap_.begin(), heap_.begin() + size_, std::greater<>());
        });
    }

    using Id = typename E::Id;
    E& edges_;
    const W& weights_;
    Control& control_;
    Buffer<std::uint8_t> entered_{edges_.cells(), true};
    Buffer<Weighed<Id>> heap_{edges_.most_met()};
    Index size_ = 0;
};

// Boruvka's rule: rounds in which each component takes the lightest edge that leaves it.
template <class E, class W>
class PlainBoruvka {
public:
    PlainBoruvka(E& edges, const W& weights, Control& control)
        : edges_(edges), weights_(weights), control_(control) {}

    void run() {
        components_.reset(edges_.cells(), control_);
        for (Index number = 0; number < left_.size(); ++number) {
            left_[n_left_] = static_cast<Id>(number);
            n_left_ += edges_.exists(edges_.edge(number)) ? 1 : 0;
            control_.poll();
        }
        do choose();
        while (join());
    }

private:
    using Id = typename E::Id;
    using Item = typename W::Item;
    static bool exists(Item item) { return W::edge(item) != W::edge(W::none()); }

    // The lightest edge of each component. Edges within one are dropped.
    void choose() {
        polled_fill(best_.data(), best_.size(), W::none(), control_);
        Index kept = 0;
        for (Index k = 0; k < n_left_; ++k) {
            control_.poll(16);
            const auto edge = edges_.edge(static_cast<Index>(left_[k]));
            const Id a = components_.find(edge.one), b = components_.find(edge.other);
            if (a == b) {
                if (!edges_.is_open(edge)) edges_.keep(edge);
                continue;
            }
            const Item item = weights_.item(static_cast<Index>(left_[k]));
            left_[kept++] = left_[k];
            for (const Id component : {a, b})
                if (!exists(best_[component]) || weights_.lighter(item, best_[component]))
                    best_[component] = item;
        }
        n_left_ = kept;
    }
    // Opens the chosen edges; false if no component has chosen one. Two may have chosen the same.
    bool join() {
        bool any = false;
        for (const Item& item : best_) {
            control_.poll();
            if (!exists(item)) continue;
            const auto edge = edges_.edge(W::edge(item));
            if (!components_.join(edge.one, edge.other)) continue;
            edges_.open(edge);
            any = true;
        }
        return any;
    }

    E& edges_;
    const W& weights_;
    Control& control_;
    DisjointSet<Id> components_{edges_.cells()};
    Buffer<Id> left_{edges_.size()};  // the first `n_left_` may part two components
    Index n_left_ = 0;
    Buffer<Item> best_{edges_.cells()};  // by component
};

}  // namespace meiro
