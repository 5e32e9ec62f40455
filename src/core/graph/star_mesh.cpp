#include "star_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace meiro {
namespace {

constexpr double much_heavier = 64;

}  // namespace

// Whose turn comes early: a cell at which walks are trapped, as one edge is much heavier than all
// others, while it has few neighbours; and of two that are trapped at the edge between them one
// always, if that is not too much in all.
class StarMesh::Traps {
public:
    Traps(const StarMesh& mesh, Control& control)
        : mesh_(mesh), control_(control), most_(8 * mesh.graph_.slots() + (1 << 20)) {}

    Elimination::Turn turn_of(Index cell) {
        const Graph& graph = mesh_.graph_;
        control_.poll(graph.degree(cell));
        const Index edge = trap(cell);
        if (edge < 0) return Elimination::Turn::by_degree;
        const Index other = graph.other_end(edge, cell), size = graph.degree(cell);
        control_.poll(graph.degree(other));
        const bool first = std::pair(graph.degree(other), other) >= std::pair(size, cell);
        if (!first || size * size > most_ || trap(other) != edge)
            return Elimination::Turn::early_if_few;
        most_ -= size * size;
        return Elimination::Turn::early;
    }

private:
    // The edge at which a walk stays for long when it is at the cell, or -1.
    Index trap(Index cell) const {
        const Graph& graph = mesh_.graph_;
        double sum = 0, most = 0;
        Index edge = -1;
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot) {
            const double weight = mesh_.weight(graph.via()[slot]);
            sum += weight;
            if (weight <= most) continue;
            most = weight;
            edge = graph.via()[slot];
        }
        return sum <= most * (1 + 1 / much_heavier) ? edge : -1;
    }

    const StarMesh& mesh_;
    Control& control_;
    Index most_;  // squares of degrees that may still come first
};

StarMesh::StarMesh(const Graph& graph, std::span<const double> weights, Extent extent,
                   Control& control)
    : graph_(graph), given_(weights), shift_(shift(control)), order_(order(extent, control)) {
    if (!feasible()) return;
    add_up(control);
    list_rows(control);
    leave_rest(control);
}

// The greatest is made about 2^960: the sum of all is finite.
int StarMesh::shift(Control& control) const {
    double least = 1, most = 1;
    bool first = true;
    for (Index edge = 0; edge < graph_.edges(); ++edge) {
        control.poll();
        if (graph_.ends()[2 * edge] == graph_.ends()[2 * edge + 1]) continue;
        const double weight = given_[static_cast<std::size_t>(edge)];
        least = first ? weight : std::min(least, weight);
        most = first ? weight : std::max(most, weight);
        first = false;
    }
    if (!(least > 0) || !std::isfinite(most))
        throw std::invalid_argument("weights must be positive and finite");
    const int shift = 960 - std::ilogb(most);
    if (std::ilogb(least) + shift < -900) {
        std::array<char, 120> text{};
        std::snprintf(text.data(), text.size(),
                      "weights from %g to %g are too unequal: at most 1e550 times as large", least,
                      most);
        throw std::invalid_argument(text.data());
    }
    return shift;
}

Elimination StarMesh::order(Extent extent, Control& control) const {
    Buffer<Elimination::Turn> turns(cells(), true);
    Traps traps(*this, control);
    for (Index cell = cells(); cell-- > 0; control.poll()) {
        if (Elimination::has_many_neighbours(graph_, cell))
            turns[cell] = Elimination::Turn::last;
        else if (extent == Extent::easy_cells)
            turns[cell] = traps.turn_of(cell);
    }
    return {graph_,
            extent,
            {.expected = 0x1p36, .entries = 0x1p26},
            {turns.begin(), turns.end()},
            control};
}

double StarMesh::weight(Index edge) const {
    return std::ldexp(given_[static_cast<std::size_t>(edge)], shift_);
}

// The conductances of all columns: those of the graph, and cell by cell those of the meshes.
void StarMesh::add_up(Control& control) {
    conductances_ = Buffer<double>(order_.rows.size(), true);
    double* const all = conductances_.data();
    const GraphId* const ranks = order_.rows.begin();
    for (Index edge = 0; edge < graph_.edges(); ++edge) {
        control.poll(16);
        const GraphId* const ends = graph_.ends() + 2 * edge;
        if (ends[0] == ends[1]) continue;
        const auto [one, other] = std::minmax(order_.rank[ends[0]], order_.rank[ends[1]]);
        all[std::lower_bound(ranks + order_.first[one], ranks + order_.first[one + 1], other) -
            ranks] += weight(edge);
    }
    sums_ = Buffer<double>(order_.eliminated);
    for (Index rank = 0; rank < order_.eliminated; ++rank) {
        const GraphId* const own_ranks = ranks + order_.first[rank];
        const double* const own = all + order_.first[rank];
        const Index size = order_.entries_of(rank);
        double sum = 0;
        for (Index a = 0; a < size; ++a) sum += own[a];
        sums_[rank] = sum;
        control.poll(4 + size);
        if (sum <= 0) continue;  // hubs of different components
        for (Index a = 0; a < size; ++a) {
            const double share = own[a] / sum;
            const GraphId row = own_ranks[a];
            const GraphId* at = ranks + order_.first[row];
            double* to = all + order_.first[row];
            const Index its = order_.entries_of(row);
            // Its later neighbours are among those of the row, in the same order.
            if (its == size - a - 1) {
                for (Index b = a + 1; b < size; ++b) *to++ += share * own[b];
            } else {
                for (Index b = a + 1; b < size; ++b) {
                    while (*at != own_ranks[b]) {
                        ++at;
                        ++to;
                    }
                    *to += share * own[b];
                }
            }
            control.poll(2 + its / 2);
        }
    }
}

void StarMesh::list_rows(Control& control) {
    const Index n = graph_.cells(), places = order_.first[order_.eliminated];
    row_first_ = Buffer<std::int64_t>(n + 1, true);
    row_ranks_ = Buffer<GraphId>(places);
    row_places_ = Buffer<std::uint32_t>(places);
    by_each(places, control, [&](Index place) { ++row_first_[order_.rows[place]]; });
    std::int64_t sum = 0;
    for (Index rank = 0; rank <= n; ++rank, control.poll())
        sum += std::exchange(row_first_[rank], sum);
    for (Index rank = 0; rank < order_.eliminated; ++rank) {
        for (Index place = order_.first[rank]; place < order_.first[rank + 1]; ++place) {
            const std::int64_t at = row_first_[order_.rows[place]]++;
            row_ranks_[at] = static_cast<GraphId>(rank);
            row_places_[at] = static_cast<std::uint32_t>(place);
        }
        control.poll(4 + 2 * order_.entries_of(rank));
    }
    for (Index rank = n; rank > 0; --rank, control.poll()) row_first_[rank] = row_first_[rank - 1];
    row_first_[0] = 0;
}

void StarMesh::leave_rest(Control& control) {
    const Index begin = order_.first[order_.eliminated];
    Index edges = 0;
    Buffer<GraphId> ends(2 * (order_.rows.size() - begin));
    rest_weights_ = Buffer<double>(order_.rows.size() - begin);
    for (Index rank = order_.eliminated; rank < graph_.cells(); ++rank) {
        for (Index place = order_.first[rank]; place < order_.first[rank + 1]; ++place) {
            if (!(conductances_[place] > 0)) continue;
            ends[2 * edges] = static_cast<GraphId>(rank - order_.eliminated);
            ends[2 * edges + 1] = static_cast<GraphId>(order_.rows[place] - order_.eliminated);
            rest_weights_[edges++] = conductances_[place];
        }
        control.poll(1 + order_.entries_of(rank));
    }
    rest_ = std::make_unique<const Graph>(graph_.cells() - order_.eliminated, ends.data(), edges,
                                          control);
}

// A tree that points to the roots. `mesh_` of a rank is the mesh that its edge is of, or none.
class StarMesh::Lift {
public:
    Lift(const StarMesh& all, std::uint8_t* open, const Random& random, Control& control)
        : all_(all),
          open_(open),
          random_(random),
          control_(control),
          parent_(all.graph_.cells()),
          mesh_(all.graph_.cells()),
          next_(all.graph_.cells()),
          head_(all.order_.eliminated) {
        polled_fill(parent_.data(), parent_.size(), none, control);
        polled_fill(mesh_.data(), parent_.size(), none, control);
        polled_fill(head_.data(), head_.size(), none, control);
    }

    // Points the tree of what is left to the first cell of each component.
    void begin(const std::uint8_t* tree) {
        const Graph& rest = *all_.rest_;
        const auto base = static_cast<GraphId>(all_.order_.eliminated);
        Stack<GraphId> waiting(16);
        for (const GraphId root : rest.roots()) {
            waiting.push(root);
            while (!waiting.empty()) {
                const GraphId cell = waiting.pop();
                control_.poll(4 + 2 * rest.degree(cell));
                for (GraphId slot = rest.first()[cell]; slot < rest.first()[cell + 1]; ++slot) {
                    const GraphId to = rest.to()[slot];
                    if (tree[rest.via()[slot]] == 0 || parent_[base + cell] == base + to) continue;
                    point(base + to, base + cell);
                    waiting.push(to);
                }
            }
        }
    }

    void bring_back(GraphId rank) {
        const GraphId to = head_[rank] == none ? neighbour(rank) : last_of_mesh(rank);
        for (GraphId one = head_[rank]; one != none;) {
            const GraphId next = next_[one];
            point(one, rank);
            one = next;
        }
        if (to != none) point(rank, to);
        control_.poll(8);
    }

private:
    static constexpr GraphId none = -1;
    struct Part {
        double upto;  // the sum of the conductances
        Index of;     // a mesh, or ~edge
    };

    GraphId neighbour(GraphId rank) {
        const double goal = random_.share() * all_.sums_[rank];
        if (all_.sums_[rank] <= 0) return none;
        GraphId found = none;
        double sum = 0;
        for (std::int64_t at = all_.order_.first[rank]; at < all_.order_.first[rank + 1]; ++at) {
            if (all_.conductances_[at] > 0) found = all_.order_.rows[at];
            sum += all_.conductances_[at];
            if (goal < sum) break;
        }
        control_.poll(all_.order_.entries_of(rank));
        return found;
    }

    // Where the last edge of the mesh leads on the way to the root, from the first of its cells:
    // that must not depend on where the edges lead.
    GraphId last_of_mesh(GraphId rank) {
        GraphId at = head_[rank];
        Index left = 0;
        for (GraphId one = at; one != none; one = next_[one], ++left) at = std::min(at, one);
        GraphId last = at;
        control_.poll(left);
        for (; left > 0 && at != none; at = parent_[at]) {
            control_.poll(4);
            if (mesh_[at] != rank) continue;
            last = at;
            --left;
        }
        return parent_[last];
    }

    // Points a rank to another, and draws which part of the conductance between them the edge is.
    void point(GraphId from, GraphId to) {
        parent_[from] = to;
        list_parts(from, to);
        const double goal = random_.share() * parts_.top().upto;
        const Part* part = parts_.begin();
        while (part + 1 != parts_.end() && goal >= part->upto) ++part;
        if (part->of < 0) {
            open_[~part->of] = 1;
            mesh_[from] = none;
        } else {
            const auto mesh = static_cast<GraphId>(part->of);
            mesh_[from] = mesh;
            next_[from] = std::exchange(head_[mesh], from);
        }
    }

    void list_parts(GraphId from, GraphId to) {
        const auto [one, other] = std::minmax(from, to);
        parts_.clear();
        double sum = 0;
        const auto add = [&](double part, Index of) {
            if (part > 0) parts_.push({sum += part, of});
        };
        const Graph& graph = all_.graph_;
        GraphId cell = all_.order_.cell[one], near = all_.order_.cell[other];
        if (graph.degree(near) < graph.degree(cell)) std::swap(cell, near);
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot)
            if (graph.to()[slot] == near) add(all_.weight(graph.via()[slot]), ~graph.via()[slot]);
        const GraphId* const ranks = all_.row_ranks_.begin();
        const GraphId *a = ranks + all_.row_first_[one], *b = ranks + all_.row_first_[other];
        const GraphId* const a_end = ranks + all_.row_first_[one + 1];
        const GraphId* const b_end = ranks + all_.row_first_[other + 1];
        Index steps = graph.degree(cell) + 8;
        for (; a != a_end && b != b_end; ++steps) {
            if (*a < *b) {
                a = not_below(a, a_end, *b);
            } else if (*b < *a) {
                b = not_below(b, b_end, *a);
            } else {
                const double share_of_one =
                    all_.conductances_[all_.row_places_[a - ranks]] / all_.sums_[*a];
                add(share_of_one * all_.conductances_[all_.row_places_[b - ranks]], *a);
                ++a;
                ++b;
            }
        }
        control_.poll(2 * steps);
    }

    // The first rank from `at` on that is not below another, found in ever longer steps.
    static const GraphId* not_below(const GraphId* at, const GraphId* end, GraphId rank) {
        Index step = 1;
        for (; end - at > step && at[step] < rank; step *= 2) at += step;
        return std::lower_bound(at, std::min(end, at + step + 1), rank);
    }

    const StarMesh& all_;
    std::uint8_t* open_;
    Random random_;
    Control& control_;
    Buffer<GraphId> parent_, mesh_;
    Buffer<GraphId> next_, head_;  // the ranks whose edges are of a mesh
    Stack<Part> parts_{64};
};

void StarMesh::lift(const std::uint8_t* rest_tree, std::uint8_t* open, const Random& random,
                    Control& control) const {
    Lift lift(*this, open, random, control);
    lift.begin(rest_tree);
    for (Index rank = order_.eliminated; rank-- > 0;) lift.bring_back(static_cast<GraphId>(rank));
}

}  // namespace meiro
