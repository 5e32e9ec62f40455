// The longest of all shortest paths (the diameter): longest_path.
//   P. Crescenzi, R. Grossi, M. Habib, L. Lanzi, A. Marino, Theor. Comput. Sci. 514 (2013) 84.
//   doi:10.1016/j.tcs.2012.09.018
//
// Sweep from any site to a farthest one, and from there again: in a tree this is the longest path.
// In a component with loops the second sweep is repeated from the middle of the path found; twice
// the eccentricity of the middle is an upper bound. iFUB makes it exact: two sites farther apart
// than 2i are not both within i steps of the middle; so sweep from all sites of the farthest level,
// then of the next one inwards, until the path found is as long as the bound. Time: two sweeps per
// tree, five per component with loops; exact: often a few more, at worst one per site (an open
// torus). Scratch: two bytes per site and two levels, of graphs that of descend(); exact: an id
// per site more.
#include <algorithm>

#include "path_queries.hpp"
#include "tagged_sweeps.hpp"

namespace meiro {
namespace {

// A component of unknown diameter, which is at most `most`.
struct OpenComponent {
    Index middle, most;
};

template <Places P, class Maze>
class Farthest {
public:
    using Entry = typename P::Entry;

    Farthest(const P& places, const Maze& maze, Control& control)
        : places_(places), maze_(maze), control_(control), sweeps_(places, control) {
        if (on_graph<P>) best_.start = best_.goal = 0;
    }

    LongestBy<typename P::Edge> run(bool exact) {
        Stack<OpenComponent> open;
        const auto close = [&] {
            for (const OpenComponent& component : open) refine(component);
            open.clear();
        };
        by_each(places_.size(), control_, [&](Index place) {
            if (sweeps_.seen(place) || !has_moves(place)) return;
            bound_component(place, open);
            if (exact && on_graph<P>) close();
        });
        if (exact) close();
        best_.at_most = best_.length;
        for (const OpenComponent& component : open)
            best_.at_most = std::max(best_.at_most, component.most);
        if (best_.length > 0) trace();
        return std::move(best_);
    }

private:
    bool has_moves(Index place) const {
        const auto moves = places_.moves(place);
        return moves.begin() != moves.end();
    }
    void take(Index start, Index goal, Index length) {
        if (length <= best_.length) return;
        best_.start = start;
        best_.goal = goal;
        best_.length = length;
    }
    // The place half way back from a farthest one. Among several moves the path alternates
    // directions: across an open room it goes through the middle, not along the border.
    Index halfway(const Descent& across) {
        const auto step = maze_.offsets();
        Index at = across.last;
        unsigned d = 0;
        for (Index left = across.far / 2; left > 0; --left) {
            if (left % poll_chunk == 0) control_.poll(poll_chunk);
            const unsigned moves = across.down(maze_, at), turns = moves & ~(0x11u << (d & 3));
            d = first_move(turns != 0 ? turns : moves);
            at += step[d];
        }
        return at;
    }
    Index halfway(const GraphDescent& across) {
        Index at = across.last;
        for (Index left = across.far / 2; left > 0; --left)
            at = places_.to(at, first_down(places_, across, at, control_));
        return at;
    }
    // A lower bound, and an upper bound if that exceeds the best path so far.
    void bound_component(Index place, Stack<OpenComponent>& open) {
        const Swept any = sweeps_.run(place);
        if (std::min(2 * any.far, any.sites - 1) <= best_.length) return;
        if (!any.loops) {
            const Swept across = sweeps_.run(any.last);
            take(any.last, across.last, across.far);
            return;
        }
        Index most = std::min(2 * any.far, any.sites - 1), middle = place;
        Index from = any.last;
        for (int i = 0; i < 2; ++i) {
            const auto across = descend(maze_, {&from, 1}, -1, control_);
            take(from, across.last, across.far);
            middle = halfway(across);
            const Swept reach = sweeps_.run(middle);
            most = std::min(most, 2 * reach.far);
            from = reach.last;
        }
        if (most > best_.length) open.push({middle, most});
    }
    void refine(const OpenComponent& component) {
        if (component.most <= best_.length) return;
        Stack<Entry> order;
        Stack<Index> ends;  // ends of the levels
        sweeps_.run(component.middle, [&](const Levels<Entry>& level) {
            order.reserve(level.size());
            for (Index i = 0; i < level.size(); ++i)
                order.push_if(static_cast<Entry>(P::place(level.now()[i])), true);
            ends.push(order.size());
        });
        for (Index i = ends.size() - 1; i > 0 && best_.length < std::min(2 * i, component.most);
             --i) {
            const Index first = ends[i - 1], count = ends[i] - first;
            for (Index k = 0; k < count && best_.length < component.most; ++k) {
                const auto place = static_cast<Index>(order[first + nth(k, count, on_graph<P>)]);
                const Swept swept = sweeps_.run(place);
                take(place, swept.last, swept.far);
            }
        }
    }
    void trace() {
        const auto descent = descend(maze_, {&best_.goal, 1}, best_.start, control_);
        if (descent.length != best_.length)
            throw std::invalid_argument("the adjacency is not symmetric");
        best_.steps = Buffer<typename P::Edge>(best_.length);
        Index at = best_.start;
        for (Index i = 0; i < best_.length; ++i) {
            const auto move = first_down(places_, descent, at, control_);
            best_.steps[i] = places_.edge(move);
            at = places_.to(at, move);
        }
    }

    P places_;
    const Maze& maze_;
    Control& control_;
    TaggedSweeps<P> sweeps_;
    LongestBy<typename P::Edge> best_;
};

template <class Maze>
auto farthest_in(const Maze& maze, bool exact, Control& control) {
    return with_places(maze, [&]<class P>(const P& places) {
        return Farthest<P, Maze>(places, maze, control).run(exact);
    });
}

}  // namespace

Longest longest_path(const Adjacency& adjacency, bool exact, Control& control) {
    return farthest_in(adjacency, exact, control);
}

GraphLongest longest_path(const OpenGraph& graph, bool exact, Control& control) {
    return farthest_in(graph, exact, control);
}

}  // namespace meiro
