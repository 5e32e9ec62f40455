#include "elimination.hpp"

#include <algorithm>

namespace meiro {
namespace {

using Extent = Elimination::Extent;
using Limits = Elimination::Limits;
using Turns = std::span<const Elimination::Turn>;

constexpr Index easy_degree = 12, few_neighbours = 64;

// What was adjacent to an eliminated cell is an element: its cells are adjacent to each other. A
// row of `list_` has the elements of a cell, and then the neighbours that it has by edges of the
// graph.
class Eliminating {
public:
    Eliminating(const Graph& graph, Elimination& result, Extent extent, const Limits& limits,
                Control& control)
        : graph_(graph),
          result_(result),
          all_(extent == Extent::all),
          limits_(limits),
          control_(control),
          n_(graph_.cells()),
          alive_(n_),
          list_(graph_.slots()),
          elements_(n_, true),
          length_(n_),
          degree_(n_),
          head_(n_ + 1),
          next_(n_),
          previous_(n_),
          mark_(n_, true),
          beyond_(n_),
          counted_(n_, true),
          absorbed_(n_, true),
          kind_(n_, true) {}

    // False if it is beyond a limit.
    bool run(Turns turns) {
        begin(turns);
        while (least_ < n_ && !refused_) {
            const GraphId cell = head_[least_];
            if (cell < 0) {
                ++least_;
                control_.poll();
                continue;
            }
            if (!all_ &&
                (least_ > easy_degree || static_cast<double>(rows().size()) > limits_.entries))
                break;
            take_out(cell);
            eliminate(cell);
        }
        if (!refused_) leave();
        return !refused_;
    }

private:
    enum Kind : std::uint8_t { by_degree, early_if_few, early, hub, alone };  // Turn, and one more
    Stack<GraphId>& rows() { return result_.rows; }

    void begin(Turns turns) {
        polled_fill(head_.data(), head_.size(), -1, control_);
        for (Index cell = n_; cell-- > 0;) {
            const GraphId first = graph_.first()[cell], size = graph_.first()[cell + 1] - first;
            control_.poll(8 + size);
            std::copy_n(graph_.to() + first, size, list_.begin() + first);
            length_[cell] = size;
            degree_[cell] = std::min(size, static_cast<GraphId>(n_ - 1));
            result_.rank[cell] = -1;
            kind_[cell] = static_cast<Kind>(turns[static_cast<std::size_t>(cell)]);
            if (kind_[cell] != hub) put_in(static_cast<GraphId>(cell));
        }
    }

    GraphId key(GraphId cell) const {
        const bool few = degree_[cell] <= few_neighbours;
        return kind_[cell] == early || (kind_[cell] == early_if_few && few) ? 0 : degree_[cell];
    }
    void put_in(GraphId cell) {
        const GraphId at = key(cell);
        next_[cell] = head_[at];
        previous_[cell] = -1;
        if (head_[at] >= 0) previous_[head_[at]] = cell;
        head_[at] = cell;
        least_ = std::min<Index>(least_, at);
    }
    void take_out(GraphId cell) {
        if (next_[cell] >= 0) previous_[next_[cell]] = previous_[cell];
        if (previous_[cell] >= 0)
            next_[previous_[cell]] = next_[cell];
        else
            head_[key(cell)] = next_[cell];
    }

    // Pushes the neighbours that are left; marks them.
    void push_neighbours(GraphId cell, GraphId stamp) {
        const GraphId* const row = list_.begin() + graph_.first()[cell];
        mark_[cell] = stamp;
        const auto push = [&](GraphId one) {
            if (mark_[one] == stamp) return;
            mark_[one] = stamp;
            rows().push(one);
        };
        for (GraphId k = 0; k < elements_[cell]; ++k) {
            const GraphId element = row[k];
            if (absorbed_[element] != 0) continue;
            for (std::int64_t at = result_.first[element]; at < result_.first[element + 1]; ++at)
                push(rows()[at]);
            control_.poll(result_.entries_of(element));
        }
        for (GraphId k = elements_[cell]; k < length_[cell]; ++k) push(row[k]);
        control_.poll(8 + length_[cell]);
    }

    void eliminate(GraphId cell) {
        const auto rank = static_cast<GraphId>(result_.eliminated), stamp = rank + 1;
        const std::int64_t begin = rows().size();
        result_.first[rank] = begin;
        push_neighbours(cell, stamp);
        const Index size = rows().size() - begin;
        --alive_;
        if (size == 0) {  // the last of its component
            kind_[cell] = alone;
            left_.push(cell);
            return;
        }
        enrol(cell);
        const GraphId* const row = list_.begin() + graph_.first()[cell];
        for (GraphId k = 0; k < elements_[cell]; ++k) absorbed_[row[k]] = 1;
        weigh(size);
        for (std::int64_t at = begin; at < begin + size; ++at) count_beyond(rows()[at], stamp);
        for (std::int64_t at = begin; at < begin + size; ++at)
            update(rows()[at], rank, stamp, static_cast<GraphId>(size));
    }

    // How many cells of each element of a neighbour are not in the new one.
    void count_beyond(GraphId cell, GraphId stamp) {
        if (kind_[cell] == hub) return;
        const GraphId* const row = list_.begin() + graph_.first()[cell];
        for (GraphId k = 0; k < elements_[cell]; ++k) {
            const GraphId element = row[k];
            if (counted_[element] != stamp) {
                counted_[element] = stamp;
                beyond_[element] = static_cast<GraphId>(result_.entries_of(element));
            }
            --beyond_[element];
        }
        control_.poll(2 * elements_[cell]);
    }

    // The row of a neighbour: the new element instead of those that are part of it.
    void update(GraphId cell, GraphId rank, GraphId stamp, GraphId size) {
        if (kind_[cell] == hub) return;
        GraphId* const row = list_.begin() + graph_.first()[cell];
        control_.poll(8 + 2 * length_[cell]);
        take_out(cell);
        GraphId kept = 0;
        Index sum = size - 1;
        for (GraphId k = 0; k < elements_[cell]; ++k) {
            const GraphId element = row[k];
            if (absorbed_[element] == 0 && beyond_[element] == 0) absorbed_[element] = 1;
            if (absorbed_[element] != 0) continue;
            row[kept++] = element;
            sum += beyond_[element];
        }
        GraphId end = kept;
        for (GraphId k = elements_[cell]; k < length_[cell]; ++k)
            if (mark_[row[k]] != stamp) row[end++] = row[k];
        sum += end - kept;
        MEIRO_ASSERT(end < length_[cell]);
        row[end] = row[kept];
        row[kept] = rank;
        elements_[cell] = kept + 1;
        length_[cell] = end + 1;
        degree_[cell] =
            static_cast<GraphId>(std::min({alive_ - 1, Index{degree_[cell]} + size - 1, sum}));
        put_in(cell);
    }

    void enrol(GraphId cell) {
        result_.rank[cell] = static_cast<GraphId>(result_.eliminated);
        result_.cell[result_.eliminated++] = cell;
    }

    // What it takes in all: cells that are left have at least about as many neighbours.
    void weigh(Index size) {
        if (!all_) return;
        const auto d = static_cast<double>(size), left = static_cast<double>(alive_);
        const double more = std::max(0.0, left - d);
        updates_ += d * d / 2;
        result_.updates = updates_ + d * d * d / 6 + more * d * d / 2;
        result_.entries = static_cast<double>(rows().size()) + d * d / 2 + more * d;
        refused_ = updates_ > limits_.updates || result_.updates > limits_.expected ||
                   result_.entries > limits_.entries;
    }

    // Cells that are left get the last ranks, hubs the very last ones, and columns as well.
    void leave() {
        for (Index cell = 0; cell < n_; ++cell, control_.poll()) {
            if (result_.rank[cell] >= 0 || kind_[cell] == alone) continue;
            (kind_[cell] == hub ? hubs_ : left_).push(static_cast<GraphId>(cell));
        }
        alive_ = hubs_.size();
        if (all_)  // hubs are taken to be adjacent to each other
            for (Index k = 0; k + 1 < hubs_.size() && !refused_; ++k) {
                result_.first[result_.eliminated] = rows().size();
                enrol(hubs_[k]);
                --alive_;
                for (Index more = k + 1; more < hubs_.size(); ++more) rows().push(hubs_[more]);
                weigh(hubs_.size() - k - 1);
                control_.poll(hubs_.size());
            }
        if (refused_) return;
        Index rank = result_.eliminated;
        const auto give = [&](GraphId cell) {
            result_.rank[cell] = static_cast<GraphId>(rank);
            result_.cell[rank++] = cell;
        };
        for (const GraphId cell : left_) give(cell);
        for (Index k = hubs_.size() - alive_; k < hubs_.size(); ++k) give(hubs_[k]);
        MEIRO_ASSERT(rank == n_);
        columns_of_rest();
        result_.first[n_] = rows().size();
        for (Index at = 0; at < n_; ++at) {
            GraphId* const begin = rows().begin() + result_.first[at];
            GraphId* const end = rows().begin() + result_.first[at + 1];
            for (GraphId* one = begin; one != end; ++one) *one = result_.rank[*one];
            std::sort(begin, end);
            control_.poll(4 + 16 * (end - begin));
        }
    }

    void columns_of_rest() {
        for (Index rank = result_.eliminated; rank < n_; ++rank) {
            const std::int64_t begin = rows().size();
            result_.first[rank] = begin;
            const GraphId cell = result_.cell[rank];
            if (kind_[cell] == hub) {
                for (Index later = rank + 1; later < n_; ++later) rows().push(result_.cell[later]);
                control_.poll(n_ - rank);
                continue;
            }
            push_neighbours(cell, static_cast<GraphId>(rank + 1));
            GraphId* const end =
                std::remove_if(rows().begin() + begin, rows().end(),
                               [&](GraphId one) { return result_.rank[one] < rank; });
            rows().resize(end - rows().begin());
        }
    }

    const Graph& graph_;
    Elimination& result_;
    bool all_, refused_ = false;
    const Limits& limits_;
    Control& control_;
    Index n_, alive_, least_ = 0;
    double updates_ = 0;
    Buffer<GraphId> list_, elements_, length_;
    // Cells by their degrees, or upper bounds of these: doubly linked lists.
    Buffer<GraphId> degree_, head_, next_, previous_;
    Buffer<GraphId> mark_, beyond_, counted_;
    Buffer<std::uint8_t> absorbed_, kind_;
    Stack<GraphId> left_{16}, hubs_{16};
};

}  // namespace

Elimination::Elimination(const Graph& graph, Extent extent, const Limits& limits, Turns turns,
                         Control& control)
    : rank(graph.cells()), cell(graph.cells()), first(graph.cells() + 1), rows(graph.edges() + 16) {
    feasible = Eliminating(graph, *this, extent, limits, control).run(turns);
}

}  // namespace meiro
