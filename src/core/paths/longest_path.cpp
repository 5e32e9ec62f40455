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
// torus). Scratch: two bytes per site and two levels; exact: an id per site more. Invariant: all
// sites of a component have the tag of its last sweep.
#include <algorithm>
#include <stdexcept>

#include "../solve/bfs_levels.hpp"
#include "path_queries.hpp"

namespace meiro {
namespace {

struct Swept {
    Index last = 0;   // a farthest site
    Index far = 0;    // and its distance
    Index sites = 0;  // reached
    bool loops = false;
};

struct NoLook {
    template <class Id>
    void operator()(const Levels<Id>&) const {}
};

template <class Id>
class TaggedSweeps {
public:
    TaggedSweeps(const Adjacency& adjacency, Control& control)
        : adjacency_(adjacency), control_(control), tags_(adjacency.size(), true) {}

    bool seen(Index site) const { return tags_[site] != 0; }

    // Sweeps the component of `from`; calls look(levels) at each level.
    template <class Look = NoLook>
    Swept run(Index from, Look look = {}) {
        std::uint8_t* const tags = tags_.data();
        do tag_ = static_cast<std::uint8_t>(tag_ % 255 + 1);
        while (tag_ == tags[from]);
        const std::uint8_t tag = tag_;
        Swept swept;
        tags[from] = tag;
        levels_.clear();
        levels_.start(from);
        for (levels_.advance(); levels_.size() > 0; levels_.advance()) {
            look(levels_);
            swept.last = Levels<Id>::site(levels_.now()[0]);
            swept.sites += levels_.size();
            ++swept.far;
            bool loops = false;
            levels_.spread(SquarePlaces<Id>(adjacency_), control_, [&](Index to, unsigned) {
                if (tags[to] == tag) {
                    loops = true;
                    return false;
                }
                tags[to] = tag;
                return true;
            });
            swept.loops |= loops;
        }
        --swept.far;
        return swept;
    }

private:
    Adjacency adjacency_;
    Control& control_;
    Buffer<std::uint8_t> tags_;
    Levels<Id> levels_;
    std::uint8_t tag_ = 0;
};

// A component of unknown diameter, which is at most `most`.
struct OpenComponent {
    Index middle, most;
};

template <class Id>
class Farthest {
public:
    Farthest(const Adjacency& adjacency, Control& control)
        : adjacency_(adjacency), control_(control), sweeps_(adjacency, control) {}

    Longest run(bool exact) {
        Stack<OpenComponent> open;
        by_pieces(adjacency_.size(), control_, [&](Index first, Index last) {
            for (Index site = first; site < last; ++site)
                if ((adjacency_.open()[site] & adjacency_.moves()) != 0 && !sweeps_.seen(site))
                    bound_component(site, open);
        });
        best_.at_most = best_.length;
        for (const OpenComponent& component : open)
            if (exact)
                refine(component);
            else
                best_.at_most = std::max(best_.at_most, component.most);
        if (exact) best_.at_most = best_.length;
        if (best_.start >= 0) trace();
        return std::move(best_);
    }

private:
    void take(Index start, Index goal, Index length) {
        if (length <= best_.length) return;
        best_.start = start;
        best_.goal = goal;
        best_.length = length;
    }
    // The site half way back from a farthest one. Among several moves the path alternates
    // directions: across an open room it goes through the middle, not along the border.
    Index halfway(const Descent& across) {
        const auto step = adjacency_.offsets();
        Index at = across.last;
        unsigned d = 0;
        for (Index left = across.far / 2; left > 0; --left) {
            if (left % poll_chunk == 0) control_.poll(poll_chunk);
            const unsigned moves = across.down(adjacency_, at), turns = moves & ~(0x11u << (d & 3));
            d = first_move(turns != 0 ? turns : moves);
            at += step[d];
        }
        return at;
    }
    // A lower bound, and an upper bound if that exceeds the best path so far.
    void bound_component(Index site, Stack<OpenComponent>& open) {
        const Swept any = sweeps_.run(site);
        if (std::min(2 * any.far, any.sites - 1) <= best_.length) return;
        if (!any.loops) {
            const Swept across = sweeps_.run(any.last);
            take(any.last, across.last, across.far);
            return;
        }
        Index most = std::min(2 * any.far, any.sites - 1), middle = site;
        Index from = any.last;
        for (int i = 0; i < 2; ++i) {
            const Descent across = descend(adjacency_, {&from, 1}, -1, control_);
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
        Stack<Id> order;
        Stack<Index> ends;  // ends of the levels
        sweeps_.run(component.middle, [&](const Levels<Id>& level) {
            order.reserve(level.size());
            for (Index i = 0; i < level.size(); ++i)
                order.push_if(static_cast<Id>(Levels<Id>::site(level.now()[i])), true);
            ends.push(order.size());
        });
        for (Index i = ends.size() - 1; i > 0 && best_.length < std::min(2 * i, component.most);
             --i)
            for (Index k = ends[i - 1]; k < ends[i]; ++k) {
                const auto site = static_cast<Index>(order[k]);
                const Swept swept = sweeps_.run(site);
                take(site, swept.last, swept.far);
                if (best_.length >= component.most) break;
            }
    }
    void trace() {
        const auto step = adjacency_.offsets();
        const Descent descent = descend(adjacency_, {&best_.goal, 1}, best_.start, control_);
        if (descent.length != best_.length)
            throw std::invalid_argument("the adjacency is not symmetric");
        best_.steps = Buffer<std::uint8_t>(best_.length);
        Index at = best_.start;
        for (Index i = 0; i < best_.length; ++i) {
            if (i % poll_chunk == 0) control_.poll(poll_chunk);
            const unsigned d = first_move(descent.down(adjacency_, at));
            best_.steps[i] = static_cast<std::uint8_t>(d);
            at += step[d];
        }
    }

    Adjacency adjacency_;
    Control& control_;
    TaggedSweeps<Id> sweeps_;
    Longest best_;
};

}  // namespace

Longest longest_path(const Adjacency& adjacency, bool exact, Control& control) {
    return fits_32_bits(adjacency) ? Farthest<std::uint32_t>(adjacency, control).run(exact)
                                   : Farthest<Index>(adjacency, control).run(exact);
}

}  // namespace meiro
