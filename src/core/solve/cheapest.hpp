// A path of least cost, and among these one with the fewest steps: what dijkstra, a_star, and bfs
// where turns cost, have in common, on squares and on graphs.
//   dijkstra: E. W. Dijkstra, Numer. Math. 1 (1959) 269. doi:10.1007/BF01386390
//   a_star: P. E. Hart, N. J. Nilsson, B. Raphael, A formal basis for the heuristic determination
//   of minimum cost paths, IEEE Trans. Syst. Sci. Cybern. 4 (1968) 100.
//   doi:10.1109/TSSC.1968.300136
//
// On squares a step costs the weight of the site it enters, times sqrt(2) if it is diagonal; on a
// graph the weight of its edge; 1 without weights. What weighs infinity is never entered. A state
// is a place; where turns cost, a place with the move by which it was entered.
//
// Costs are compared first, steps only where costs are equal, and a_star has a lower bound of both.
// The bounds are consistent, so the label of a state is final when the state leaves the heap,
// but for rounding: a state whose label falls after it was expanded is expanded again. Straight and
// diagonal costs are summed apart, so that the order of steps does not make costs of integer
// weights differ.
//
// Scratch: a label a state, and a heap item each time that a label falls: once in most mazes, at
// worst once for every move into the state.
#pragma once

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

#include "../buffer.hpp"
#include "search.hpp"

namespace meiro {

// A 4-ary min-heap of items with a `key`. It is shallower than a binary heap, and the children of a
// node are adjacent in the cache.
template <class Item>
class Heap {
public:
    bool empty() const { return items_.empty(); }
    Index size() const { return items_.size(); }
    const Item* begin() const { return items_.begin(); }
    const Item* end() const { return items_.end(); }

    void push(const Item& item) {
        items_.push(item);
        Index at = items_.size() - 1;
        while (at > 0) {
            const Index up = (at - 1) / 4;
            if (!(item.key < items_[up].key)) break;
            items_[at] = items_[up];
            at = up;
        }
        items_[at] = item;
    }
    Item pop() {
        const Item top = items_[0];
        const Item last = items_.pop();
        const Index size = items_.size();
        Index at = 0;
        for (Index child; (child = 4 * at + 1) < size;) {
            const Index end = child + 4 < size ? child + 4 : size;
            Index least = child;
            for (Index i = child + 1; i < end; ++i)
                if (items_[i].key < items_[least].key) least = i;
            if (!(items_[least].key < last.key)) break;
            items_[at] = items_[least];
            at = least;
        }
        if (size > 0) items_[at] = last;
        return top;
    }

private:
    Stack<Item> items_;
};

// Whether states of equal cost leave the heap in the order of their steps: where no step is free,
// all that leads to a state costs less, so it is enough to compare steps when a label falls.
template <bool by_steps>
struct PlainCost {
    static constexpr bool in_order_of_steps = by_steps;
    double total = 0;

    void add(double weight, double length) { total += weight * length; }
    double sum() const { return total; }
    PlainCost operator+(const PlainCost& other) const { return {total + other.total}; }
};

struct OctileCost {
    static constexpr bool in_order_of_steps = true;
    double straight = 0, diagonal = 0;

    void add(double weight, double length) {
        const double along = length == 1 ? weight : 0;
        straight += along;
        diagonal += weight - along;
    }
    double sum() const { return straight + std::numbers::sqrt2 * diagonal; }
    OctileCost operator+(const OctileCost& other) const {
        return {straight + other.straight, diagonal + other.diagonal};
    }
};

// Lower bounds of what is left of a path.
template <class C>
struct Rest {
    C cost{};
    double steps = 0;
};

inline constexpr double impassable = std::numeric_limits<double>::infinity();

// The states of a search of squares, and its steps. With `turns` a step whose direction is not that
// of the step before costs more, and a state is a site and a direction.
template <class C, bool turns>
class SquareStates {
public:
    using Cost = C;
    using Entry = std::uint64_t;  // the state, and in the low four bits the move that reached it
    static constexpr bool are_places = !turns, reopens = false;
    static constexpr bool keeps = turns || !C::in_order_of_steps;

    // `even`: a diagonal step costs no more than a straight one.
    SquareStates(const Adjacency& adjacency, std::span<const double> weights, double turn_cost = 0,
                 bool even = false)
        : sites_(adjacency.size()),
          step_(adjacency.offsets()),
          open_(adjacency.open()),
          moves_(adjacency.moves()),
          weights_(weights.empty() ? nullptr : weights.data()),
          turn_cost_(turn_cost) {
        length_.fill(1);
        if (adjacency.high_bits() == HighBits::diagonals) {
            bits_ = 3;
            for (std::size_t d = 4; d < 8 && !even; ++d) length_[d] = std::numbers::sqrt2;
        }
    }
    Index size() const { return turns ? sites_ << bits_ : sites_; }
    Entry start(Index site) const { return entry(site, from_nowhere); }
    static unsigned move(Entry entry) { return static_cast<unsigned>(entry & 15); }
    static Index state(Entry entry) { return static_cast<Index>(entry >> move_bits); }
    Index place(Entry entry) const { return turns ? state(entry) >> bits_ : state(entry); }
    static bool before(Entry, Entry) { return false; }
    double length(unsigned move) const { return length_[move]; }

    // take(entry) for each step on from an entry; what it weighs is asked for only where needed.
    template <class Take>
    [[gnu::always_inline]] void each_step(Entry from, Take take) const {
        const Index at = place(from);
        for (unsigned left = open_[at] & moves_ & without_reverse[move(from)]; left != 0;
             left &= left - 1) {
            const auto d = static_cast<unsigned>(std::countr_zero(left));
            take(entry(at + step_[d], d));
        }
    }
    double weight(Entry to) const { return weights_ == nullptr ? 1 : weights_[place(to)]; }
    static Index work(Entry) { return 4; }
    // What a step costs beside its weight.
    double turn(Entry from, unsigned to) const {
        const unsigned by = move(from);
        return !turns || by == from_nowhere || heading(by) == heading(to) ? 0 : turn_cost_;
    }
    void keep_in(std::uint8_t* scratch) { came_ = scratch; }  // a byte a state
    // Keeps by which move a state was reached, with turns also that before; an item of the heap
    // knows its own move only.
    void keep(Entry to, Entry from) {
        if constexpr (keeps)
            came_[state(to)] = static_cast<std::uint8_t>(move(from) << move_bits | move(to));
    }
    Entry latest(Entry at) const {
        if constexpr (keeps && !turns) return (at & ~Entry{15}) | (came_[state(at)] & 15);
        return at;
    }
    // Marks the path to a goal, if states are more than places.
    void mark_path(Entry goal, std::uint8_t* reached, Control& control) const {
        if constexpr (turns)
            for (Entry at = goal; move(at) != from_nowhere; control.poll()) {
                const unsigned came = came_[state(at)], by = came & 15;
                const Index site = place(at);
                reached[site] = SquareMarks::of(by);
                at = entry(site - step_[by], came >> move_bits);
            }
    }

private:
    unsigned heading(unsigned move) const { return move & ((1u << bits_) - 1); }
    Entry entry(Index site, unsigned move) const {
        const Index state = turns ? site << bits_ | heading(move) : site;
        return static_cast<Entry>(state) << move_bits | move;
    }

    Index sites_;
    std::array<Index, 8> step_;
    std::array<double, 8> length_;
    const std::uint8_t* open_;
    unsigned moves_, bits_ = 2;
    const double* weights_;
    double turn_cost_;
    std::uint8_t* came_ = nullptr;
};

class GraphStates {
public:
    using Cost = PlainCost<true>;
    struct Entry {
        GraphId cell, slot, edge;
    };
    static constexpr bool are_places = true, reopens = true, keeps = false;

    GraphStates(const OpenGraph& graph, std::span<const double> weights)
        : graph_(graph), weights_(weights.empty() ? nullptr : weights.data()) {}
    Index size() const { return graph_.cells(); }
    static Entry start(Index cell) { return {static_cast<GraphId>(cell), GraphMarks::start, -1}; }
    static GraphId move(const Entry& entry) { return entry.slot; }
    static Index state(const Entry& entry) { return entry.cell; }
    static Index place(const Entry& entry) { return entry.cell; }
    static bool before(const Entry& one, const Entry& other) { return one.edge < other.edge; }
    static double length(GraphId) { return 1; }
    template <class Take>
    [[gnu::always_inline]] void each_step(const Entry& from, Take take) const {
        for (GraphId slot = graph_.first()[from.cell]; slot < graph_.first()[from.cell + 1]; ++slot)
            take(Entry{graph_.to()[slot], slot, graph_.via()[slot]});
    }
    double weight(const Entry& to) const { return weights_ == nullptr ? 1 : weights_[to.edge]; }
    Index work(const Entry& at) const { return 1 + graph_.degree(at.cell); }
    static double turn(const Entry&, GraphId) { return 0; }
    static void keep_in(std::uint8_t*) {}
    static void keep(const Entry&, const Entry&) {}
    static Entry latest(const Entry& entry) { return entry; }
    static void mark_path(const Entry&, const GraphId*, Control&) {}

private:
    const OpenGraph& graph_;
    const double* weights_;
};

// Numbers that are not negative are in the order of their bits, which compare faster.
inline std::uint64_t in_order(double number) {
    return std::bit_cast<std::uint64_t>(number);
}

// The order in the heap: the least cost of a path, its least steps, and then the least estimate of
// the rest, which runs straight at the goal across open ground.
template <class States, bool guided>
struct Rank {
    std::array<std::uint64_t, 1 + States::Cost::in_order_of_steps + guided> numbers;
    typename States::Entry entry;

    [[gnu::always_inline]] friend bool operator<(const Rank& a, const Rank& b) {
        for (std::size_t i = 0; i < a.numbers.size(); ++i)
            if (a.numbers[i] != b.numbers[i]) return a.numbers[i] < b.numbers[i];
        return States::before(a.entry, b.entry);
    }
};

struct NoEstimate {};

template <AnySearch S, class States, class Estimate, Recorder R>
typename S::Result cheapest(S& search, const States& given, const Estimate& estimate, R& record) {
    constexpr bool guided = !std::is_same_v<Estimate, NoEstimate>;
    using Entry = typename States::Entry;
    using Cost = typename States::Cost;
    struct Label {
        Cost cost;
        Index steps;  // and 1 more; 0: not reached; negative: the state was expanded
    };
    struct Item {
        Rank<States, guided> key;
    };
    typename S::Result result = at_start(search, record);
    if (result.found) return finished(search, std::move(result), record);
    const auto places = search.places();
    Reach reach(search, places, result, record);
    auto* const reached = result.reached.data();
    Buffer<Label> buffer(given.size(), true);
    Label* const labels = buffer.data();
    Buffer<std::uint8_t> scratch(States::keeps ? given.size() : 0);
    States states = given;  // a local, which stores into labels cannot change
    states.keep_in(scratch.data());
    Heap<Item> heap;

    const auto push = [&](const Entry& entry, const Label& label) {
        labels[states.state(entry)] = label;
        const auto steps = static_cast<double>(label.steps - 1);
        Item item;
        auto number = item.key.numbers.begin();
        if constexpr (guided) {
            const Rest<Cost> rest = estimate.template operator()<Cost>(states.place(entry));
            *number++ = in_order((label.cost + rest.cost).sum());
            if constexpr (Cost::in_order_of_steps) *number++ = in_order(steps + rest.steps);
            *number = in_order(rest.cost.sum());
        } else {
            *number++ = in_order(label.cost.sum());
            if constexpr (Cost::in_order_of_steps) *number = in_order(steps);
        }
        item.key.entry = entry;
        heap.push(item);
    };
    states.keep(states.start(search.start), states.start(search.start));
    push(states.start(search.start), {{}, 1});
    while (!heap.empty() && result.goal < 0) {
        const Index counted = reach.explored();
        Index work = 0;
        while (work < poll_chunk && !heap.empty()) {
            const Entry at = states.latest(heap.pop().key.entry);
            work += states.work(at);
            const Label label = labels[states.state(at)];
            if (label.steps < 0) continue;  // an outdated item
            labels[states.state(at)].steps = -label.steps;
            const Index place = states.place(at);
            if (reach.is_free(place)) {
                if (reach(place, states.move(at))) {
                    result.goal = place;
                    states.mark_path(at, reached, search.control);
                    break;
                }
            } else if (States::are_places && place != search.start) {
                reached[place] = S::Marks::of(states.move(at));  // its label fell by rounding
            }
            states.each_step(at, [&](const Entry& to) {
                Label& old = labels[states.state(to)];
                if (old.steps < 0 && !States::reopens) return;
                const double weight = states.weight(to);
                if (weight == impassable) return;
                const auto move = states.move(to);
                Label next{label.cost, label.steps + 1};
                next.cost.add(weight, states.length(move));
                if constexpr (!States::are_places) next.cost.add(states.turn(at, move), 1);
                const double cost = next.cost.sum(), before = old.cost.sum();
                if (old.steps != 0 && !(cost < before)) {
                    if (cost > before || next.steps >= std::abs(old.steps)) return;
                    if constexpr (!Cost::in_order_of_steps) {  // its item stays where it is
                        states.keep(to, at);
                        old.steps = next.steps;
                        return;
                    }
                }
                states.keep(to, at);
                push(to, next);
            });
        }
        search.control.poll(2 * work);
        search.control.done(reach.explored() - counted);
    }
    result.explored = reach.explored();
    return finished(search, std::move(result), record);
}

}  // namespace meiro
