// dijkstra and a_star: expand the site with the least cost so far, plus the estimate to the goal.
//   dijkstra: E. W. Dijkstra, Numer. Math. 1 (1959) 269. doi:10.1007/BF01386390
//   a_star: P. E. Hart, N. J. Nilsson, B. Raphael, A formal basis for the heuristic determination
//   of minimum cost paths, IEEE Trans. Syst. Sci. Cybern. 4 (1968) 100.
//   doi:10.1109/TSSC.1968.300136
//
// A step costs the weight of the site it enters (1 without weights), times sqrt(2) if it is
// diagonal. a_star adds a lower bound on the remaining cost (heuristic.hpp). The bound is
// consistent, so the cost of a site is final when the site leaves the heap. Scratch: a byte and a
// double per site, and one heap item each time that a site becomes cheaper: once in most mazes, at
// worst once for every move into the site.
//
// Where every step costs 1, a_star needs no heap: its sums grow by 0, 1 or 2 per step, so three
// stacks are enough, and the cost of a site is its sum minus the estimate. Among equal sums the
// newest site is expanded first, so across open ground the search runs straight at the goal.
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>
#include <type_traits>

#include "bfs_levels.hpp"
#include "heap.hpp"
#include "heuristic.hpp"
#include "solvers.hpp"

namespace meiro {
namespace {

// In `reached`: the cost of the site may still fall, and the site is on the heap.
constexpr unsigned open_mark = 0x40;

// The row and column that a move leads to.
struct MoveOffsets {
    std::array<Index, 8> site, row, col;
    explicit MoveOffsets(const Adjacency& adjacency) : site(adjacency.offsets()) {
        const auto [rows, cols] = adjacency.shape();
        if (adjacency.high_bits() == HighBits::diagonals) {
            row = {-1, 0, 1, 0, -1, 1, 1, -1};
            col = {0, 1, 0, -1, 1, 1, -1, -1};
        } else {
            row = {-1, 0, 1, 0, rows - 1, 0, 1 - rows, 0};
            col = {0, 1, 0, -1, 0, 1 - cols, 0, cols - 1};
        }
    }
};

// The cost of a step.
struct Costs {
    const double* weights;
    std::array<double, 8> length;
    double least = 1;  // the least weight

    Costs(const Adjacency& adjacency, std::span<const double> given, Control& control)
        : weights(given.empty() ? nullptr : given.data()) {
        length.fill(1);
        if (adjacency.high_bits() == HighBits::diagonals)
            for (std::size_t d = 4; d < 8; ++d) length[d] = std::numbers::sqrt2;
        if (weights == nullptr) return;
        least = std::numeric_limits<double>::infinity();
        by_pieces(static_cast<Index>(given.size()), control, [&](Index first, Index last) {
            for (Index i = first; i < last; ++i) least = std::min(least, weights[i]);
        });
    }
    double of(Index to, unsigned move) const {
        return weights == nullptr ? length[move] : weights[to] * length[move];
    }
};

// Of two equal sums, the one with the smaller estimate comes first.
struct Sum {
    double all, rest;
    friend bool operator<(const Sum& a, const Sum& b) {
        return a.all < b.all || (a.all == b.all && a.rest < b.rest);
    }
};
template <class Key>
struct Item {
    Key key;
    std::uint64_t place;  // the site, and the move it was reached by in the low four bits
};

template <bool guided, Recorder R>
SearchResult by_heap(Search& search, R& record) {
    using Key = std::conditional_t<guided, Sum, double>;
    const Adjacency adjacency = search.adjacency;
    const Shape shape = adjacency.shape();
    const MoveOffsets offsets(adjacency);
    const std::uint8_t* const open = adjacency.open();
    const unsigned moves = adjacency.moves();
    const Costs costs(adjacency, search.options.weights, search.control);
    std::optional<Heuristic> heuristic;
    if constexpr (guided) heuristic.emplace(adjacency, search.goals, search.control);
    const bool diagonal = adjacency.high_bits() == HighBits::diagonals;
    SearchResult result = at_start(search, record);
    if (result.found) return finished(search, std::move(result), record, 0);
    std::uint8_t* const reached = result.reached.data();
    Index* const order = search.options.order ? result.order.data() : nullptr;
    Buffer<double> cost(shape.size());
    Heap<Item<Key>> heap;
    Index explored = 0;

    const auto rest = [&](Index site) {
        const Index row = site / shape.cols, col = site - row * shape.cols;
        return costs.least * (diagonal ? heuristic->octile(row, col)
                                       : static_cast<double>(heuristic->steps(row, col)));
    };
    const auto push = [&](Index site, unsigned move, double so_far) {
        cost[site] = so_far;
        const auto place = static_cast<std::uint64_t>(site) << 4 | move;
        if constexpr (guided) {
            const double more = rest(site);
            heap.push({{so_far + more, more}, place});
        } else {
            heap.push({so_far, place});
        }
    };
    reached[search.start] = open_mark;
    push(search.start, from_nowhere, 0);
    while (!heap.empty() && result.goal < 0) {
        search.control.poll(poll_chunk);
        const Index counted = explored;
        for (Index i = 0; i < poll_chunk / 8 && !heap.empty(); ++i) {
            const Item<Key> item = heap.pop();
            const auto at = static_cast<Index>(item.place >> 4);
            if ((reached[at] & open_mark) == 0) continue;  // an outdated item
            const unsigned by = item.place & 15;
            const bool arrived = (reached[at] & goal_mark) != 0;
            reached[at] = static_cast<std::uint8_t>(by + 1);
            if (order != nullptr) order[at] = explored;
            if (explored++ > 0) record.on(Event::visit, shape.cell(at), adjacency.direction_of(by));
            if (arrived) {
                result.goal = at;
                break;
            }
            const double cost_at = cost[at];
            for (unsigned left = open[at] & moves; left != 0; left &= left - 1) {
                const auto d = static_cast<unsigned>(std::countr_zero(left));
                const Index to = at + offsets.site[d];
                const unsigned before = reached[to];
                const double cost_to = cost_at + costs.of(to, d);
                if ((before & open_mark) != 0) {
                    if (!(cost_to < cost[to])) continue;
                } else if ((before & reached_mask) != 0) {
                    continue;
                }
                reached[to] = static_cast<std::uint8_t>((before & goal_mark) | open_mark);
                push(to, d, cost_to);
            }
        }
        search.control.done(explored - counted);
    }
    result.explored = explored;
    by_pieces(heap.size(), search.control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) {  // still open: seen, not reached
            std::uint8_t& mark = reached[static_cast<Index>(heap.begin()[i].place >> 4)];
            if ((mark & open_mark) != 0) mark = 0;
        }
    });
    return finished(search, std::move(result), record);
}

// Of each row or column, the moves along that axis by which the sum of cost and estimate stays the
// same, and those by which it grows by 1; by the others it grows by 2.
struct MovesBySum {
    Buffer<std::uint8_t> same, one;

    MovesBySum(const Buffer<Index>& steps, const std::array<Index, 8>& offsets, Control& control)
        : same(steps.size(), true), one(steps.size(), true) {
        for (Index at = 0; at < steps.size(); ++at, control.poll(8))
            for (unsigned d = 0; d < 8; ++d) {
                const Index to = at + offsets[d];
                if (offsets[d] == 0 || to < 0 || to >= steps.size()) continue;
                const Index more = 1 + steps[to] - steps[at];
                if (more < 2) (more == 0 ? same : one)[at] |= static_cast<std::uint8_t>(1u << d);
            }
    }
};

// The newest of the sites with the least sum is expanded. Where the sum stays the same it is the
// next one, and goes through no stack: its address is known early.
template <Recorder R>
SearchResult by_stacks(Search& search, R& record) {
    struct SiteInRow {
        Index site_and_move, row;
    };
    const Adjacency adjacency = search.adjacency;
    const Shape shape = adjacency.shape();
    const MoveOffsets offsets(adjacency);
    const std::uint8_t* const open = adjacency.open();
    const unsigned moves = adjacency.moves();
    const Heuristic heuristic(adjacency, search.goals, search.control);
    const MovesBySum in_row(heuristic.rows(), offsets.row, search.control);
    const MovesBySum in_col(heuristic.cols(), offsets.col, search.control);
    SearchResult result = at_start(search, record);
    if (result.found) return finished(search, std::move(result), record, 0);
    std::uint8_t* const reached = result.reached.data();
    Index* const order = search.options.order ? result.order.data() : nullptr;
    reached[search.start] = 0;
    Index explored = 0;

    constexpr Index chunk = 128;
    Stack<SiteInRow> stacks[3];  // the current sum, + 1, + 2
    SiteInRow next{search.start << move_bits | from_nowhere, search.start / shape.cols};
    Index sum = heuristic.steps(next.row, search.start % shape.cols);
    bool more_to_do = true;
    while (more_to_do) {
        for (Stack<SiteInRow>& stack : stacks) stack.reserve(8 * chunk);
        search.control.poll(chunk);
        SiteInRow* const begin = stacks[0].begin();
        SiteInRow *end = stacks[0].end(), *end_one = stacks[1].end(), *end_two = stacks[2].end();
        const Index before = explored;
        for (Index i = 0; i < chunk; ++i) {
            const SiteInRow place = next;
            const Index at = place.site_and_move >> move_bits;
            const auto by = static_cast<unsigned>(place.site_and_move & 15);
            unsigned left = 0, same = 0;
            const Index col = at - place.row * shape.cols;
            if (const unsigned was = reached[at]; (was & reached_mask) == 0) [[likely]] {
                reached[at] = static_cast<std::uint8_t>(by + 1);
                if (order != nullptr) order[at] = explored;
                if (explored++ > 0)
                    record.on(Event::visit, shape.cell(at), adjacency.direction_of(by));
                if (was != 0) [[unlikely]] {
                    result.goal = at;
                    more_to_do = false;
                    break;
                }
                left = open[at] & moves & without_reverse[by];
                same = left & (in_row.same[place.row] | in_col.same[col]);
                left ^= same;
            }
            const auto to = [&](unsigned d) -> SiteInRow {
                prefetch(open + at + far_ahead * offsets.site[d]);
                prefetch(reached + at + far_ahead * offsets.site[d]);
                return {(at + offsets.site[d]) << move_bits | d, place.row + offsets.row[d]};
            };
            const auto push = [&](unsigned d, SiteInRow*& top) {
                *top = to(d);
                top += (reached[at + offsets.site[d]] & reached_mask) == 0 ? 1 : 0;
            };
            if (const unsigned one = left & (in_row.one[place.row] | in_col.one[col]); one != 0)
                [[unlikely]] {
                left ^= one;
                for (unsigned rest = one; rest != 0; rest &= rest - 1)
                    push(static_cast<unsigned>(std::countr_zero(rest)), end_one);
            }
            for (; left != 0; left &= left - 1)
                push(static_cast<unsigned>(std::countr_zero(left)), end_two);
            for (; (same & (same - 1)) != 0; same &= same - 1)
                push(static_cast<unsigned>(std::countr_zero(same)), end);
            if (same != 0) {
                next = to(static_cast<unsigned>(std::countr_zero(same)));
            } else if (end != begin) {
                next = *--end;
            } else {
                more_to_do = false;
                break;
            }
        }
        search.control.done(explored - before);
        stacks[0].resize(end - begin);
        stacks[1].resize(end_one - stacks[1].begin());
        stacks[2].resize(end_two - stacks[2].begin());
        if (more_to_do || result.goal >= 0) continue;
        for (int k = 0; k < 2 && stacks[0].empty(); ++k) {
            ++sum;
            std::swap(stacks[0], stacks[1]);
            std::swap(stacks[1], stacks[2]);
        }
        more_to_do = !stacks[0].empty();
        if (more_to_do) next = stacks[0].pop();
    }
    result.explored = explored;
    return finished(search, std::move(result), record, sum);
}

}  // namespace

template <Recorder R>
SearchResult dijkstra(Search& search, R& record) {
    return by_heap<false>(search, record);
}

template <Recorder R>
SearchResult a_star(Search& search, R& record) {
    const bool even =
        search.options.weights.empty() && search.adjacency.high_bits() != HighBits::diagonals;
    return even ? by_stacks(search, record) : by_heap<true>(search, record);
}

void costs(const Adjacency& adjacency, std::span<const double> weights,
           std::span<const Index> sources, double* out, Control& control) {
    const auto step = adjacency.offsets();
    const std::uint8_t* const open = adjacency.open();
    const unsigned moves = adjacency.moves();
    const Costs each_step(adjacency, weights, control);
    by_pieces(adjacency.size(), control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) out[i] = std::numeric_limits<double>::infinity();
    });
    Heap<Item<double>> heap;
    for (const Index source : sources)
        if (out[source] != 0) {
            out[source] = 0;
            heap.push({0, static_cast<std::uint64_t>(source)});
        }
    while (!heap.empty()) {
        control.poll(poll_chunk);
        Index taken = 0;
        for (Index i = 0; i < poll_chunk / 8 && !heap.empty(); ++i) {
            const Item<double> item = heap.pop();
            const auto at = static_cast<Index>(item.place);
            if (item.key > out[at]) continue;
            ++taken;
            for (unsigned left = open[at] & moves; left != 0; left &= left - 1) {
                const auto d = static_cast<unsigned>(std::countr_zero(left));
                const Index to = at + step[d];
                const double cost_to = item.key + each_step.of(to, d);
                if (!(cost_to < out[to])) continue;
                out[to] = cost_to;
                heap.push({cost_to, static_cast<std::uint64_t>(to)});
            }
        }
        control.done(taken);
    }
}

double path_cost(const Search& search, const SearchResult& found) {
    if (!found.found) return std::numeric_limits<double>::infinity();
    const bool diagonals = search.adjacency.high_bits() == HighBits::diagonals;
    const auto step = search.adjacency.offsets();
    const std::span<const double> weights = search.options.weights;
    if (weights.empty() && !diagonals) return static_cast<double>(found.steps.size());
    Index diagonal = 0, at = search.start;
    double sum = 0, lost = 0;  // compensated sum: A. Neumaier, Z. Angew. Math. Mech. 54 (1974) 39
    by_pieces(found.steps.size(), search.control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) {
            const unsigned d = found.steps[i];
            const bool is_diagonal = diagonals && d >= 4;
            diagonal += is_diagonal ? 1 : 0;
            if (weights.empty()) continue;
            at += step[d];
            const double cost =
                weights[static_cast<std::size_t>(at)] * (is_diagonal ? std::numbers::sqrt2 : 1.0);
            const double next = sum + cost;
            lost += sum >= cost ? sum - next + cost : cost - next + sum;
            sum = next;
        }
    });
    if (weights.empty())
        return static_cast<double>(found.steps.size() - diagonal) +
               static_cast<double>(diagonal) * std::numbers::sqrt2;
    return std::isfinite(sum) ? sum + lost : sum;
}

template SearchResult dijkstra(Search&, NoTrace&);
template SearchResult dijkstra(Search&, Trace&);
template SearchResult a_star(Search&, NoTrace&);
template SearchResult a_star(Search&, Trace&);

}  // namespace meiro
