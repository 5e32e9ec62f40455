#include "double_sweep_many.hpp"

#include <algorithm>

#include "../solve/bfs_levels.hpp"
#include "path_queries.hpp"

namespace meiro {
namespace {

// Invariant: a cell that a flood reached has its tag; before tags repeat, all are cleared.
template <class Id>
void count(const Adjacency& adjacency, const std::uint8_t* among, Index least, Index* counts,
           Control& control) {
    Buffer<std::uint8_t> tags(adjacency.size(), true);
    Levels<Id> levels;
    const SquarePlaces<Id> places(adjacency);
    std::uint8_t* const tag_of = tags.data();
    std::uint8_t tag = 0;
    for (Index source = 0; source < adjacency.size(); ++source) {
        control.poll();
        counts[source] = 0;
        if (among[source] == 0) continue;
        if (++tag == 0) {
            by_pieces(adjacency.size(), control, [&](Index first, Index last) {
                std::fill(tag_of + first, tag_of + last, 0);
            });
            tag = 1;
        }
        tag_of[source] = tag;
        levels.clear();
        levels.start(source);
        levels.advance();
        Index far = 0;
        for (Index steps = 1; levels.size() > 0; ++steps) {
            const unsigned counted = steps >= least ? 1 : 0;
            levels.spread(places, control, [&](Index to, unsigned) {
                if (tag_of[to] == tag) return false;
                tag_of[to] = tag;
                far += among[to] & counted;
                return true;
            });
            levels.advance();
        }
        counts[source] = far;
    }
}

}  // namespace

void count_far(const Adjacency& adjacency, const std::uint8_t* among, Index least, Index* counts,
               Control& control) {
    if (fits_32_bits(adjacency))
        count<std::uint32_t>(adjacency, among, least, counts, control);
    else
        count<Index>(adjacency, among, least, counts, control);
}

}  // namespace meiro
