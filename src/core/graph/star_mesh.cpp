#include "star_mesh.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

namespace meiro {
namespace {

constexpr Index easy_degree = 12, most_degree_of_a_trap = 64;
constexpr double much_heavier = 64;

}  // namespace

// The order of elimination and the columns. What was adjacent to an eliminated cell is an element:
// its cells are adjacent to each other. A row of `list_` has the elements of a cell, and then the
// neighbours that it has by edges of the graph.
class StarMesh::Order {
public:
    Order(StarMesh& mesh, Extent extent, Control& control)
        : mesh_(mesh),
          graph_(mesh.graph_),
          all_(extent == Extent::all),
          control_(control),
          n_(graph_.cells()),
          alive_(n_),
          cuts_(8 * graph_.slots() + (1 << 20)),
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

    // False if it would take too long, or too much memory.
    bool run() {
        begin();
        while (least_ < n_ && !refused_) {
            const GraphId cell = head_[least_];
            if (cell < 0) {
                ++least_;
                control_.poll();
                continue;
            }
            if (!all_ && (least_ > easy_degree || ranks().size() > places_at_once)) break;
            take_out(cell);
            eliminate(cell);
        }
        if (!refused_) leave();
        return !refused_;
    }

private:
    static constexpr Index places_at_once = Index{1} << 26;
    // A trapped cell comes first while it has few neighbours, one to be cut always.
    enum Kind : std::uint8_t { plain, trapped, cut, hub, alone };
    Stack<GraphId>& ranks() { return mesh_.ranks_; }

    void begin() {
        polled_fill(head_.data(), head_.size(), -1, control_);
        for (Index cell = n_; cell-- > 0;) {
            const GraphId first = graph_.first()[cell], size = graph_.first()[cell + 1] - first;
            control_.poll(8 + size);
            std::copy_n(graph_.to() + first, size, list_.begin() + first);
            length_[cell] = size;
            degree_[cell] = std::min(size, static_cast<GraphId>(n_ - 1));
            mesh_.rank_[cell] = -1;
            // A cell with so many neighbours would be looked at too often: it comes last.
            if (size > 16 && Index{size} * size > 100 * n_) {
                kind_[cell] = hub;
                continue;
            }
            if (!all_) find_trap(cell);
            put_in(static_cast<GraphId>(cell));
        }
    }

    // The edge at which a walk stays for long when it is at the cell, or -1.
    Index trap(Index cell) const {
        double sum = 0, most = 0;
        Index edge = -1;
        for (GraphId slot = graph_.first()[cell]; slot < graph_.first()[cell + 1]; ++slot) {
            const double weight = mesh_.weight(graph_.via()[slot]);
            sum += weight;
            if (weight <= most) continue;
            most = weight;
            edge = graph_.via()[slot];
        }
        return sum <= most * (1 + 1 / much_heavier) ? edge : -1;
    }

    // Where both cells of the edge are trapped at it, one of them is cut, if that is not too much
    // in all.
    void find_trap(Index cell) {
        const Index edge = trap(cell);
        if (edge < 0) return;
        kind_[cell] = trapped;
        const Index other = graph_.other_end(edge, cell), size = graph_.degree(cell);
        control_.poll(graph_.degree(other));
        if (std::pair(graph_.degree(other), other) < std::pair(size, cell)) return;  // that one
        if (size * size > cuts_ || trap(other) != edge) return;
        cuts_ -= size * size;
        kind_[cell] = cut;
    }

    GraphId key(GraphId cell) const {
        const bool few = degree_[cell] <= most_degree_of_a_trap;
        return kind_[cell] == cut || (kind_[cell] == trapped && few) ? 0 : degree_[cell];
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
            ranks().push(one);
        };
        for (GraphId k = 0; k < elements_[cell]; ++k) {
            const GraphId element = row[k];
            if (absorbed_[element] != 0) continue;
            for (std::int64_t at = mesh_.first_[element]; at < mesh_.first_[element + 1]; ++at)
                push(ranks()[at]);
            control_.poll(mesh_.first_[element + 1] - mesh_.first_[element]);
        }
        for (GraphId k = elements_[cell]; k < length_[cell]; ++k) push(row[k]);
        control_.poll(8 + length_[cell]);
    }

    void eliminate(GraphId cell) {
        const auto rank = static_cast<GraphId>(mesh_.eliminated_), stamp = rank + 1;
        const std::int64_t begin = ranks().size();
        mesh_.first_[rank] = begin;
        push_neighbours(cell, stamp);
        const Index size = ranks().size() - begin;
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
        for (std::int64_t at = begin; at < begin + size; ++at) count_beyond(ranks()[at], stamp);
        for (std::int64_t at = begin; at < begin + size; ++at)
            update(ranks()[at], rank, stamp, static_cast<GraphId>(size));
    }

    // How many cells of each element of a neighbour are not in the new one.
    void count_beyond(GraphId cell, GraphId stamp) {
        if (kind_[cell] == hub) return;
        const GraphId* const row = list_.begin() + graph_.first()[cell];
        for (GraphId k = 0; k < elements_[cell]; ++k) {
            const GraphId element = row[k];
            if (counted_[element] != stamp) {
                counted_[element] = stamp;
                beyond_[element] =
                    static_cast<GraphId>(mesh_.first_[element + 1] - mesh_.first_[element]);
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
        mesh_.rank_[cell] = static_cast<GraphId>(mesh_.eliminated_);
        mesh_.cell_[mesh_.eliminated_++] = cell;
    }

    // What it takes in all: cells that are left have at least about as many neighbours.
    void weigh(Index size) {
        if (!all_) return;
        const auto d = static_cast<double>(size), left = static_cast<double>(alive_);
        const double more = std::max(0.0, left - d);
        updates_ += d * d / 2;
        mesh_.updates_ = updates_ + d * d * d / 6 + more * d * d / 2;
        mesh_.places_ = static_cast<double>(ranks().size()) + d * d / 2 + more * d;
        refused_ = mesh_.updates_ > 0x1p36 || mesh_.places_ > static_cast<double>(places_at_once);
    }

    // Cells that are left get the last ranks, hubs the very last ones, and columns as well.
    void leave() {
        for (Index cell = 0; cell < n_; ++cell, control_.poll()) {
            if (mesh_.rank_[cell] >= 0 || kind_[cell] == alone) continue;
            (kind_[cell] == hub ? hubs_ : left_).push(static_cast<GraphId>(cell));
        }
        alive_ = hubs_.size();
        if (all_)  // hubs are taken to be adjacent to each other
            for (Index k = 0; k + 1 < hubs_.size() && !refused_; ++k) {
                mesh_.first_[mesh_.eliminated_] = ranks().size();
                enrol(hubs_[k]);
                --alive_;
                for (Index more = k + 1; more < hubs_.size(); ++more) ranks().push(hubs_[more]);
                weigh(hubs_.size() - k - 1);
                control_.poll(hubs_.size());
            }
        if (refused_) return;
        Index rank = mesh_.eliminated_;
        const auto give = [&](GraphId cell) {
            mesh_.rank_[cell] = static_cast<GraphId>(rank);
            mesh_.cell_[rank++] = cell;
        };
        for (const GraphId cell : left_) give(cell);
        for (Index k = hubs_.size() - alive_; k < hubs_.size(); ++k) give(hubs_[k]);
        MEIRO_ASSERT(rank == n_);
        columns_of_rest();
        mesh_.first_[n_] = ranks().size();
        for (Index at = 0; at < n_; ++at) {
            GraphId* const begin = ranks().begin() + mesh_.first_[at];
            GraphId* const end = ranks().begin() + mesh_.first_[at + 1];
            for (GraphId* one = begin; one != end; ++one) *one = mesh_.rank_[*one];
            std::sort(begin, end);
            control_.poll(4 + 16 * (end - begin));
        }
    }

    void columns_of_rest() {
        for (Index rank = mesh_.eliminated_; rank < n_; ++rank) {
            const std::int64_t begin = ranks().size();
            mesh_.first_[rank] = begin;
            const GraphId cell = mesh_.cell_[rank];
            if (kind_[cell] == hub) {
                for (Index later = rank + 1; later < n_; ++later) ranks().push(mesh_.cell_[later]);
                control_.poll(n_ - rank);
                continue;
            }
            push_neighbours(cell, static_cast<GraphId>(rank + 1));
            GraphId* const end =
                std::remove_if(ranks().begin() + begin, ranks().end(),
                               [&](GraphId one) { return mesh_.rank_[one] < rank; });
            ranks().resize(end - ranks().begin());
        }
    }

    StarMesh& mesh_;
    const Graph& graph_;
    bool all_, refused_ = false;
    Control& control_;
    Index n_, alive_, cuts_, least_ = 0;  // cuts_: squares of degrees that may still be cut
    double updates_ = 0;
    Buffer<GraphId> list_, elements_, length_;
    // Cells by their degrees, or upper bounds of these: doubly linked lists.
    Buffer<GraphId> degree_, head_, next_, previous_;
    Buffer<GraphId> mark_, beyond_, counted_;
    Buffer<std::uint8_t> absorbed_, kind_;
    Stack<GraphId> left_{16}, hubs_{16};
};

StarMesh::StarMesh(const Graph& graph, std::span<const double> weights, Extent extent,
                   Control& control)
    : graph_(graph),
      given_(weights),
      rank_(graph.cells()),
      cell_(graph.cells()),
      first_(graph.cells() + 1),
      ranks_(graph.edges() + 16) {
    scale(control);
    feasible_ = Order(*this, extent, control).run();
    if (!feasible_) return;
    add_up(control);
    list_rows(control);
    leave_rest(control);
}

// The greatest is made about 2^960: the sum of all is finite.
void StarMesh::scale(Control& control) {
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
    shift_ = 960 - std::ilogb(most);
    if (std::ilogb(least) + shift_ < -900) {
        std::array<char, 120> text{};
        std::snprintf(text.data(), text.size(),
                      "weights from %g to %g are too unequal: at most 1e550 times as large", least,
                      most);
        throw std::invalid_argument(text.data());
    }
}

double StarMesh::weight(Index edge) const {
    return std::ldexp(given_[static_cast<std::size_t>(edge)], shift_);
}

// The conductances of all columns: those of the graph, and cell by cell those of the meshes.
void StarMesh::add_up(Control& control) {
    conductances_ = Buffer<double>(ranks_.size(), true);
    double* const all = conductances_.data();
    const GraphId* const ranks = ranks_.begin();
    for (Index edge = 0; edge < graph_.edges(); ++edge) {
        control.poll(16);
        const GraphId* const ends = graph_.ends() + 2 * edge;
        if (ends[0] == ends[1]) continue;
        const auto [one, other] = std::minmax(rank_[ends[0]], rank_[ends[1]]);
        all[std::lower_bound(ranks + first_[one], ranks + first_[one + 1], other) - ranks] +=
            weight(edge);
    }
    sums_ = Buffer<double>(eliminated_);
    for (Index rank = 0; rank < eliminated_; ++rank) {
        const GraphId* const own_ranks = ranks + first_[rank];
        const double* const own = all + first_[rank];
        const Index size = first_[rank + 1] - first_[rank];
        double sum = 0;
        for (Index a = 0; a < size; ++a) sum += own[a];
        sums_[rank] = sum;
        control.poll(4 + size);
        if (sum <= 0) continue;  // hubs of different components
        for (Index a = 0; a < size; ++a) {
            const double share = own[a] / sum;
            const GraphId row = own_ranks[a];
            const GraphId* at = ranks + first_[row];
            double* to = all + first_[row];
            const Index its = first_[row + 1] - first_[row];
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
    const Index n = graph_.cells(), places = first_[eliminated_];
    row_first_ = Buffer<std::int64_t>(n + 1, true);
    row_ranks_ = Buffer<GraphId>(places);
    row_places_ = Buffer<std::uint32_t>(places);
    by_each(places, control, [&](Index place) { ++row_first_[ranks_[place]]; });
    std::int64_t sum = 0;
    for (Index rank = 0; rank <= n; ++rank, control.poll())
        sum += std::exchange(row_first_[rank], sum);
    for (Index rank = 0; rank < eliminated_; ++rank) {
        for (Index place = first_[rank]; place < first_[rank + 1]; ++place) {
            const std::int64_t at = row_first_[ranks_[place]]++;
            row_ranks_[at] = static_cast<GraphId>(rank);
            row_places_[at] = static_cast<std::uint32_t>(place);
        }
        control.poll(4 + 2 * (first_[rank + 1] - first_[rank]));
    }
    for (Index rank = n; rank > 0; --rank, control.poll()) row_first_[rank] = row_first_[rank - 1];
    row_first_[0] = 0;
}

void StarMesh::leave_rest(Control& control) {
    const Index begin = first_[eliminated_];
    Index edges = 0;
    Buffer<GraphId> ends(2 * (ranks_.size() - begin));
    rest_weights_ = Buffer<double>(ranks_.size() - begin);
    for (Index rank = eliminated_; rank < graph_.cells(); ++rank) {
        for (Index place = first_[rank]; place < first_[rank + 1]; ++place) {
            if (!(conductances_[place] > 0)) continue;
            ends[2 * edges] = static_cast<GraphId>(rank - eliminated_);
            ends[2 * edges + 1] = static_cast<GraphId>(ranks_[place] - eliminated_);
            rest_weights_[edges++] = conductances_[place];
        }
        control.poll(1 + first_[rank + 1] - first_[rank]);
    }
    rest_ =
        std::make_unique<const Graph>(graph_.cells() - eliminated_, ends.data(), edges, control);
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
          head_(all.eliminated_) {
        polled_fill(parent_.data(), parent_.size(), none, control);
        polled_fill(mesh_.data(), parent_.size(), none, control);
        polled_fill(head_.data(), head_.size(), none, control);
    }

    // Points the tree of what is left to the first cell of each component.
    void begin(const std::uint8_t* tree) {
        const Graph& rest = *all_.rest_;
        const auto base = static_cast<GraphId>(all_.eliminated_);
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
        for (std::int64_t at = all_.first_[rank]; at < all_.first_[rank + 1]; ++at) {
            if (all_.conductances_[at] > 0) found = all_.ranks_[at];
            sum += all_.conductances_[at];
            if (goal < sum) break;
        }
        control_.poll(all_.first_[rank + 1] - all_.first_[rank]);
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
        GraphId cell = all_.cell_[one], near = all_.cell_[other];
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
    for (Index rank = eliminated_; rank-- > 0;) lift.bring_back(static_cast<GraphId>(rank));
}

}  // namespace meiro
