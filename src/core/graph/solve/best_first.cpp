// dijkstra and a_star on graphs: expand the cell with the least cost so far, plus the estimate to
// the goal (solve/best_first.cpp has the papers).
//
// A passage costs its weight, 1 without weights. The estimate of a_star is the straight-line
// distance to the box around the goals (for one goal, to the goal), times the least cost per length
// of any passage. A path to a goal is at least as long as that distance, and costs at least that
// much a length, so the estimate is admissible, whatever positions and weights are; without
// positions it is 0. It is made smaller by 1e-9 of itself, more than rounding adds; and a cell that
// becomes cheaper after it was expanded is expanded again, so that rounding never costs the
// shortest path. Floats decide only which path is found.
//
// Time: O(m log m). Scratch: 12 bytes a cell, and a heap item each time that a cell becomes
// cheaper.
#include <cmath>
#include <limits>

#include "../../solve/heap.hpp"
#include "../paths/graph_paths.hpp"
#include "graph_solvers.hpp"

namespace meiro {
namespace {

class NoEstimate {
public:
    double operator()(Index) const { return 0; }
};

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
        least_ = std::numeric_limits<double>::infinity();
        const OpenGraph& graph = search.graph;
        for (Index cell = 0; cell < graph.cells(); ++cell) {
            for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot) {
                const double length = between(cell, graph.to()[slot]);
                const double cost =
                    search.options.weights.empty()
                        ? 1
                        : search.options.weights[static_cast<std::size_t>(graph.via()[slot])];
                if (length > 0) least_ = std::min(least_, cost / length);
            }
            search.control.poll(2 + 16 * graph.degree(cell));
        }
        if (!std::isfinite(least_)) least_ = 0;
        least_ *= 1 - 1e-9;
    }
    double operator()(Index cell) const {
        double sum = 0;
        for (Index k = 0; k < axes_; ++k) {
            const double x = at_[cell * axes_ + k];
            const double off = std::max(std::max(low_[k] - x, x - high_[k]), 0.0);
            sum += off * off;
        }
        const double estimate = least_ * std::sqrt(sum);
        return std::isfinite(estimate) ? estimate : 0;
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
    double low_[3]{}, high_[3]{}, least_ = 0;
};

struct Cheapest {
    // Of two equal sums, the one with the smaller estimate comes first, then the lower edge.
    struct Key {
        double sum, rest;
        GraphId edge;
        friend bool operator<(const Key& a, const Key& b) {
            if (a.sum != b.sum) return a.sum < b.sum;
            return a.rest != b.rest ? a.rest < b.rest : a.edge < b.edge;
        }
    };
    Key key;
    double cost;
    GraphId cell, slot;
};

template <class Estimate, Recorder R>
GraphSearchResult by_heap(GraphSearch& search, const Estimate& estimate, R& record) {
    const OpenGraph& graph = search.graph;
    const std::span<const double> weights = search.options.weights;
    GraphSearchResult result = at_start(search, record);
    if (result.goal >= 0) return finished(search, std::move(result), record);
    const GraphPlaces places = search.places();
    Reach reach(search, places, result, record);
    Buffer<double> cost(graph.cells());
    by_pieces(graph.cells(), search.control, [&](Index first, Index last) {
        std::fill(cost.begin() + first, cost.begin() + last,
                  std::numeric_limits<double>::infinity());
    });
    Heap<Cheapest> heap;
    cost[search.start] = 0;
    const double begin = estimate(search.start);
    heap.push({{begin, begin, -1}, 0, static_cast<GraphId>(search.start), GraphMarks::start});
    while (!heap.empty() && result.goal < 0) {
        const Cheapest item = heap.pop();
        const Index at = item.cell;
        search.control.poll(64 + 32 * graph.degree(at));
        if (item.cost > cost[at]) continue;  // it became cheaper since
        if (reach.is_free(at)) {
            search.control.done(1);
            if (reach(at, item.slot)) {
                result.goal = at;
                break;
            }
        } else if (at != search.start) {
            result.reached[at] = item.slot;
        }
        for (GraphId slot = graph.first()[at]; slot < graph.first()[at + 1]; ++slot) {
            const GraphId to = graph.to()[slot], edge = graph.via()[slot];
            const double so_far = std::min(  // a sum that is too large still counts as reached
                item.cost + (weights.empty() ? 1 : weights[static_cast<std::size_t>(edge)]),
                std::numeric_limits<double>::max());
            if (!(so_far < cost[to])) continue;
            cost[to] = so_far;
            const double rest = estimate(to);
            heap.push({{so_far + rest, rest, edge}, so_far, to, slot});
        }
    }
    result.explored = reach.explored();
    return finished(search, std::move(result), record);
}

}  // namespace

template <Recorder R>
GraphSearchResult dijkstra(GraphSearch& search, R& record) {
    return by_heap(search, NoEstimate(), record);
}

template <Recorder R>
GraphSearchResult a_star(GraphSearch& search, R& record) {
    return by_heap(search, StraightLine(search), record);
}

void costs(const OpenGraph& graph, std::span<const double> weights, std::span<const Index> sources,
           double* out, Control& control) {
    struct Item {
        double key;
        GraphId cell;
    };
    by_pieces(graph.cells(), control, [&](Index first, Index last) {
        std::fill(out + first, out + last, std::numeric_limits<double>::infinity());
    });
    Heap<Item> heap;
    for (const Index source : sources) {
        control.poll();
        if (out[source] == 0) continue;
        out[source] = 0;
        heap.push({0, static_cast<GraphId>(source)});
    }
    while (!heap.empty()) {
        const Item item = heap.pop();
        control.poll(16 + 8 * graph.degree(item.cell));
        if (item.key > out[item.cell]) continue;
        control.done(1);
        for (GraphId slot = graph.first()[item.cell]; slot < graph.first()[item.cell + 1]; ++slot) {
            const GraphId to = graph.to()[slot];
            const double cost = item.key + weights[static_cast<std::size_t>(graph.via()[slot])];
            if (!(cost < out[to])) continue;
            out[to] = cost;
            heap.push({cost, to});
        }
    }
}

double path_cost(const GraphSearch& search, const GraphSearchResult& found) {
    if (!found.found) return std::numeric_limits<double>::infinity();
    if (search.options.weights.empty()) return static_cast<double>(found.steps.size());
    double sum = 0, lost = 0;  // compensated sum: A. Neumaier, Z. Angew. Math. Mech. 54 (1974) 39
    for (const GraphId edge : found.steps) {
        const double cost = search.options.weights[static_cast<std::size_t>(edge)];
        const double next = sum + cost;
        lost += sum >= cost ? sum - next + cost : cost - next + sum;
        sum = next;
        search.control.poll();
    }
    return std::isfinite(sum) ? sum + lost : sum;
}

template GraphSearchResult dijkstra(GraphSearch&, NoTrace&);
template GraphSearchResult dijkstra(GraphSearch&, Trace&);
template GraphSearchResult a_star(GraphSearch&, NoTrace&);
template GraphSearchResult a_star(GraphSearch&, Trace&);

}  // namespace meiro
