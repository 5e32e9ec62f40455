// The longest of all shortest paths of a graph, by double sweeps and, if it has to be exact, iFUB:
// paths/longest_path.cpp has the paper and the proof.
// Time: two floods a tree, five a component with loops; exact: at worst one a cell.
// Scratch: 8 bytes a cell; exact: 4 more.
#include "graph_paths.hpp"

namespace meiro {
namespace {

// Floods of one component after the other, in the same arrays.
class Sweeps {
public:
    Sweeps(const OpenGraph& graph, Control& control)
        : graph_(graph), control_(control), distance_(graph.cells()), queue_(graph.cells()) {
        reset();
    }
    // No cell is seen: before a sweep in another component than the last one.
    void reset() {
        by_pieces(graph_.cells(), control_, [&](Index first, Index last) {
            std::fill(distance_.begin() + first, distance_.begin() + last, -1);
        });
    }
    bool seen(Index cell) const { return distance_[cell] >= 0; }

    // Floods the component of a cell: reached() cells, in the order of their distances.
    void run(Index from) {
        if (distance_[from] >= 0) forget();
        edges_ = 0;
        reached_ = 1;
        queue_[0] = static_cast<GraphId>(from);
        distance_[from] = 0;
        for (Index head = 0; head < reached_; ++head) {
            const Index cell = queue_[head];
            edges_ += graph_.degree(cell);
            control_.poll(4 + graph_.degree(cell));
            for (GraphId slot = graph_.first()[cell]; slot < graph_.first()[cell + 1]; ++slot) {
                const GraphId to = graph_.to()[slot];
                if (distance_[to] >= 0) continue;
                distance_[to] = distance_[cell] + 1;
                queue_[reached_++] = to;
            }
        }
    }
    Index reached() const { return reached_; }
    bool loops() const { return edges_ / 2 >= reached_; }
    Index last() const { return queue_[reached_ - 1]; }  // a farthest cell
    Index far() const { return distance_[last()]; }
    const GraphId* distance() const { return distance_.data(); }
    const GraphId* cells() const { return queue_.data(); }

private:
    void forget() {  // the last component, which is the one of the cell
        for (Index i = 0; i < reached_; ++i) {
            distance_[queue_[i]] = -1;
            control_.poll();
        }
    }
    const OpenGraph& graph_;
    Control& control_;
    Buffer<GraphId> distance_, queue_;
    Index reached_ = 0, edges_ = 0;
};

class FarthestCells {
public:
    FarthestCells(const OpenGraph& graph, bool exact, Control& control)
        : graph_(graph), exact_(exact), control_(control), sweeps_(graph, control) {}

    GraphLongest run() {
        for (Index cell = 0; cell < graph_.cells(); ++cell) {
            control_.poll();
            if (!sweeps_.seen(cell)) component(cell);
        }
        best_.at_most = exact_ ? best_.length : std::max(at_most_, best_.length);
        trace();
        return std::move(best_);
    }

private:
    void take(Index start) {  // of a sweep from there
        if (sweeps_.far() <= best_.length) return;
        best_.start = start;
        best_.goal = sweeps_.last();
        best_.length = sweeps_.far();
    }
    // A shortest step nearer to where the last sweep began, by the passage with the lowest number.
    GraphId nearer(Index cell) const {
        GraphId slot = graph_.first()[cell];
        while (sweeps_.distance()[graph_.to()[slot]] != sweeps_.distance()[cell] - 1) ++slot;
        return slot;
    }
    void component(Index cell) {
        sweeps_.run(cell);
        Index most = std::min(2 * sweeps_.far(), sweeps_.reached() - 1);
        if (most <= best_.length) return;
        const bool loops = sweeps_.loops();
        Index from = sweeps_.last(), middle = cell;
        for (int i = 0; i < (loops ? 2 : 1); ++i) {
            sweeps_.run(from);
            take(from);
            if (!loops) return;
            middle = sweeps_.last();
            for (Index left = sweeps_.far() / 2; left > 0; --left) {
                control_.poll(2 + graph_.degree(middle));
                middle = graph_.to()[nearer(middle)];
            }
            sweeps_.run(middle);
            most = std::min(most, 2 * sweeps_.far());
            from = sweeps_.last();
        }
        if (most > best_.length && exact_) refine(middle, most);
        at_most_ = std::max(at_most_, most);
    }
    // Sweeps from the cells farthest from the middle, the nearer ones later. Two cells farther
    // apart than 2 i are not both within i steps of it.
    void refine(Index middle, Index most) {
        sweeps_.run(middle);
        Stack<GraphId> order;
        for (Index i = 0; i < sweeps_.reached(); ++i) order.push(sweeps_.cells()[i]);
        Index radius = sweeps_.far();
        Buffer<GraphId> depth(order.size());
        for (Index i = 0; i < order.size(); ++i) {
            depth[i] = sweeps_.distance()[order[i]];
            control_.poll(2);
        }
        for (Index i = order.size() - 1; i > 0; --i) {
            radius = depth[i];
            if (best_.length >= std::min(2 * radius, most)) return;
            sweeps_.run(order[i]);
            take(order[i]);
        }
    }
    void trace() {
        best_.edges = Buffer<GraphId>(best_.length);
        sweeps_.reset();
        sweeps_.run(best_.goal);
        Index at = best_.start;
        for (Index i = 0; i < best_.length; ++i) {
            const GraphId slot = nearer(at);
            control_.poll(2 + graph_.degree(at));
            best_.edges[i] = graph_.via()[slot];
            at = graph_.to()[slot];
        }
    }

    const OpenGraph& graph_;
    bool exact_;
    Control& control_;
    Sweeps sweeps_;
    GraphLongest best_;
    Index at_most_ = 0;
};

}  // namespace

GraphLongest longest_path(const OpenGraph& graph, bool exact, Control& control) {
    return FarthestCells(graph, exact, control).run();
}

}  // namespace meiro
