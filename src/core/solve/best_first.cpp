// dijkstra and a_star: expand the state with the least cost so far, plus the estimate to the goal
// (cheapest.hpp has the papers).
//
// Where every step of squares costs 1, a_star needs no heap: its sums grow by 0, 1 or 2 per step,
// so three stacks are enough, and the cost of a site is its sum minus the estimate. Among equal
// sums the newest site is expanded first, so across open ground the search runs straight at the
// goal.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <tuple>

#include "../graph/paths/graph_paths.hpp"
#include "bfs_levels.hpp"
#include "cheapest.hpp"
#include "solvers.hpp"

namespace meiro {
namespace {

// Lower bounds on the distance to the nearest goal, as if there were no walls.
//
// One table per axis: rows[r] is the distance from row r to the nearest row with a goal, across the
// border if the maze is periodic. So many goals cost no more than one, and the bound never falls by
// more than the cost of a step: it is consistent.
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
        by_each(n, control, [&](Index i) { side[i] = n; });
        for (const Index g : goals) side[coordinate(g)] = 0;
        // A cylinder is treated as a torus: the bound is weaker, but still valid.
        for (int pass = 0; pass < (periodic ? 2 : 1); ++pass) {
            if (periodic) side[0] = std::min(side[0], side[n - 1] + 1);
            by_each(n - 1, control,
                    [&](Index i) { side[i + 1] = std::min(side[i + 1], side[i] + 1); });
            if (periodic) side[n - 1] = std::min(side[n - 1], side[0] + 1);
            by_pieces(n - 1, control, [&](Index first, Index last) {
                for (Index i = n - 2 - first; i > n - 2 - last; --i)
                    side[i] = std::min(side[i], side[i + 1] + 1);
            });
        }
    }
    Buffer<Index> rows_, cols_;
};

// The least weight; 1 without weights, 0 if all are infinite.
double least_of(std::span<const double> weights, Control& control) {
    if (weights.empty()) return 1;
    double least = impassable;
    by_each(static_cast<Index>(weights.size()), control,
            [&](Index i) { least = std::min(least, weights[static_cast<std::size_t>(i)]); });
    return least == impassable ? 0 : least;
}

// The least cost of the straightest way over open ground, times the least weight.
class OverSquares {
public:
    explicit OverSquares(const Search& search)
        : heuristic_(search.adjacency, search.goals, search.control),
          cols_(search.adjacency.shape().cols),
          diagonal_(search.adjacency.high_bits() == HighBits::diagonals) {
        least_ = least_of(search.options.weights, search.control);
    }
    template <class C>
    Rest<C> operator()(Index site) const {
        const Index row = site / cols_, col = site - row * cols_;
        const auto down = static_cast<double>(heuristic_.rows()[row]);
        const auto right = static_cast<double>(heuristic_.cols()[col]);
        if (!diagonal_) return {C{least_ * (down + right)}, down + right};
        const auto [less, more] = std::minmax(down, right);
        if constexpr (std::is_same_v<C, OctileCost>)
            return {{least_ * (more - less), least_ * less}, more};
        else
            return {{least_ * (more + (std::numbers::sqrt2 - 1) * less)}, more};
    }

private:
    Heuristic heuristic_;
    Index cols_;
    bool diagonal_;
    double least_ = 1;
};

// On a graph the straight line to the box around the goals (for one goal, to the goal), times the
// least cost and the fewest steps per length of any passage. A path to a goal is at least as long
// as that line, and costs at least that much a length, so this is a lower bound, whatever positions
// and weights are; without positions it is 0. It is made smaller by 1e-9 of itself, more than
// rounding adds. Floats decide only which path is found.
class StraightLine {
public:
    explicit StraightLine(const GraphSearch& search)
        : at_(search.options.positions.data()),
          axes_(static_cast<Index>(search.options.positions.size()) / search.graph.cells()) {
        if (axes_ == 0) return;
        for (Index k = 0; k < axes_; ++k) {
            low_[k] = std::numeric_limits<double>::infinity();
            high_[k] = -low_[k];
        }
        for (const Index goal : search.goals) {
            for (Index k = 0; k < axes_; ++k) {
                low_[k] = std::min(low_[k], at_[goal * axes_ + k]);
                high_[k] = std::max(high_[k], at_[goal * axes_ + k]);
            }
            search.control.poll(4);
        }
        cost_ = steps_ = std::numeric_limits<double>::infinity();
        const OpenGraph& graph = search.graph;
        const std::span<const double> weights = search.options.weights;
        for (Index cell = 0; cell < graph.cells(); ++cell) {
            for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot) {
                const double length = between(cell, graph.to()[slot]);
                if (!(length > 0)) continue;
                const auto edge = static_cast<std::size_t>(graph.via()[slot]);
                cost_ = std::min(cost_, (weights.empty() ? 1 : weights[edge]) / length);
                steps_ = std::min(steps_, 1 / length);
            }
            search.control.poll(2 + 16 * graph.degree(cell));
        }
        for (double* least : {&cost_, &steps_})
            *least = std::isfinite(*least) ? *least * (1 - 1e-9) : 0;
    }
    template <class C>
    Rest<C> operator()(Index cell) const {
        double sum = 0;
        for (Index k = 0; k < axes_; ++k) {
            const double x = at_[cell * axes_ + k];
            const double off = std::max(std::max(low_[k] - x, x - high_[k]), 0.0);
            sum += off * off;
        }
        const double line = std::sqrt(sum), cost = cost_ * line, steps = steps_ * line;
        return {{std::isfinite(cost) ? cost : 0}, std::isfinite(steps) ? steps : 0};
    }

private:
    double between(Index cell, Index other) const {
        double sum = 0;
        for (Index k = 0; k < axes_; ++k) {
            const double off = at_[cell * axes_ + k] - at_[other * axes_ + k];
            sum += off * off;
        }
        return std::sqrt(sum);
    }
    const double* at_;
    Index axes_;
    double low_[3]{}, high_[3]{}, cost_ = 0, steps_ = 0;
};

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
    const std::array<Index, 8> step = adjacency.offsets();
    const MoveOffsets offsets(shape);
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
                fetch_ahead(open, reached, at, step[d]);
                return {(at + step[d]) << move_bits | d, place.row + offsets.row[d]};
            };
            const auto push = [&](unsigned d, SiteInRow*& top) {
                *top = to(d);
                top += (reached[at + step[d]] & reached_mask) == 0 ? 1 : 0;
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

// Of squares, with the estimate or without.
template <bool guided, Recorder R>
SearchResult over_squares(Search& search, R& record, bool even = false) {
    const auto [adjacency, weights, turn_cost] =
        std::tuple(search.adjacency, search.options.weights, search.options.turn_cost);
    const bool diagonals = adjacency.high_bits() == HighBits::diagonals;
    const auto by = [&](const auto& states) {
        if constexpr (guided)
            return cheapest(search, states, OverSquares(search), record);
        else
            return cheapest(search, states, NoEstimate(), record);
    };
    if (turn_cost > 0)
        return by(SquareStates<OctileCost, true>(adjacency, weights, turn_cost, even));
    if (!weights.empty() && diagonals)
        return by(SquareStates<OctileCost, false>(adjacency, weights));
    if (!weights.empty() && (guided || least_of(weights, search.control) == 0))
        return by(SquareStates<PlainCost<true>, false>(adjacency, weights));
    return by(SquareStates<PlainCost<false>, false>(adjacency, weights));
}

// From the nearest source to every place.
template <class States>
void all_costs(const States states, std::span<const Index> sources, double* out, Control& control) {
    struct Item {
        double key;
        typename States::Entry entry;
    };
    polled_fill(out, states.size(), std::numeric_limits<double>::infinity(), control);
    Heap<Item> heap;
    for (const Index source : sources) {
        control.poll();
        if (out[source] == 0) continue;
        out[source] = 0;
        heap.push({0, states.start(source)});
    }
    while (!heap.empty()) {
        Index taken = 0, work = 0;
        while (work < poll_chunk && !heap.empty()) {
            const Item item = heap.pop();
            work += states.work(item.entry);
            if (item.key > out[states.state(item.entry)]) continue;
            ++taken;
            states.each_step(item.entry, [&](const auto& to) {
                const double cost = item.key + states.weight(to) * states.length(states.move(to));
                if (!(cost < out[states.state(to)])) return;
                out[states.state(to)] = cost;
                heap.push({cost, to});
            });
        }
        control.poll(2 * work);
        control.done(taken);
    }
}

// A. Neumaier, Z. Angew. Math. Mech. 54 (1974) 39
class CompensatedSum {
public:
    void add(double x) {
        const double next = sum_ + x;
        lost_ += sum_ >= x ? sum_ - next + x : x - next + sum_;
        sum_ = next;
    }
    double value() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }

private:
    double sum_ = 0, lost_ = 0;
};

}  // namespace

void costs(const Adjacency& adjacency, std::span<const double> weights,
           std::span<const Index> sources, double* out, Control& control) {
    all_costs(SquareStates<PlainCost<false>, false>(adjacency, weights), sources, out, control);
}
void costs(const OpenGraph& graph, std::span<const double> weights, std::span<const Index> sources,
           double* out, Control& control) {
    all_costs(GraphStates(graph, weights), sources, out, control);
}

template <AnySearch S>
double path_cost(const S& search, const typename S::Result& found) {
    if (!found.found) return std::numeric_limits<double>::infinity();
    constexpr bool squares = std::is_same_v<S, Search>;
    const std::span<const double> weights = search.options.weights;
    const double turn_cost = search.options.turn_cost;
    bool diagonals = false;
    if constexpr (squares) diagonals = search.adjacency.high_bits() == HighBits::diagonals;
    const Index length = found.steps.size();
    if (weights.empty() && turn_cost == 0 && !diagonals) return static_cast<double>(length);
    CompensatedSum straight, diagonal;
    const auto heading = [&](Index i) { return found.steps[i] & (diagonals ? 7 : 3); };
    Index at = search.start, turns = 0;
    for (Index i = 0; i < length; ++i) {
        const auto step = found.steps[i];
        at = search.maze().after(at, step);
        const auto item = static_cast<std::size_t>(squares ? at : static_cast<Index>(step));
        (diagonals && step >= 4 ? diagonal : straight).add(weights.empty() ? 1 : weights[item]);
        turns += i > 0 && heading(i) != heading(i - 1) ? 1 : 0;
        search.control.poll();
    }
    return straight.value() + std::numbers::sqrt2 * diagonal.value() +
           turn_cost * static_cast<double>(turns);
}

template double path_cost(const Search&, const SearchResult&);
template double path_cost(const GraphSearch&, const GraphSearchResult&);

constexpr SolverRuns a_star =
    on_squares_and_graphs([]<AnySearch S>(S& search, auto& record) -> typename S::Result {
        if constexpr (std::is_same_v<S, Search>) {
            const bool equal = search.options.weights.empty() && search.options.turn_cost == 0 &&
                               search.adjacency.high_bits() != HighBits::diagonals;
            return equal ? by_stacks(search, record) : over_squares<true>(search, record);
        } else {
            return cheapest(search, GraphStates(search.graph, search.options.weights),
                            StraightLine(search), record);
        }
    });

constexpr SolverRuns dijkstra =
    on_squares_and_graphs([]<AnySearch S>(S& search, auto& record) -> typename S::Result {
        if constexpr (std::is_same_v<S, Search>)
            return over_squares<false>(search, record);
        else
            return cheapest(search, GraphStates(search.graph, search.options.weights), NoEstimate(),
                            record);
    });

constexpr SolverRuns fewest_steps_and_turns = on_squares(
    [](Search& search, auto& record) { return over_squares<false>(search, record, true); });

}  // namespace meiro
