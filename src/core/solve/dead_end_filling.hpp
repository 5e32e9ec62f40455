// Shared by the dead-end fillers: one event and one order number per filled site, then BFS over the
// remaining sites.
#pragma once

#include "solvers.hpp"

namespace meiro {

// Records every filled site. The caller marks it in `reached`.
template <Recorder R>
class Filling {
public:
    Filling(const Search& search, SearchResult& result, R& record)
        : Filling(search.adjacency.shape(), search.options.order ? result.order.data() : nullptr,
                  result.explored, record) {}
    Filling(Shape shape, Index* order, Index filled, R& record)
        : shape_(shape), order_(order), filled_(filled), record_(record) {}
    // clause: 0 a dead end, 1 a part behind a mouth, 2 a site that the start does not reach.
    void operator()(Index site, unsigned clause = 0) {
        if (order_ != nullptr) order_[site] = filled_;
        ++filled_;
        record_.on(Event::fill, shape_.cell(site), Direction::none, clause);
    }
    // The last site of a tree.
    void last(Index site) {
        ++trees_;
        (*this)(site);
    }
    // The number of sites recorded so far, and of trees of which none is left.
    Index explored() const { return filled_; }
    Index trees() const { return trees_; }

private:
    Shape shape_;
    Index* order_;
    Index filled_, trees_ = 0;
    R& record_;
};

// Fills dead ends in `left`, the moves of each site, until none is left: filled sites have no
// moves, and no move leads into one. Sites with all eight bits stay, and lose those that lead into
// filled ones. Threads share the rows; the result does not depend on them.
struct Filled {
    Index sites = 0, trees = 0;  // filled; trees of which no site is left
};
Filled fill_dead_ends(const Adjacency& adjacency, std::uint8_t* left, Control& control,
                      int threads);

// Fills dead ends until none is left, and marks them. Returns the remaining moves, a byte per site:
// filled sites have no moves, and no move leads into one. Of a graph 1 for the cells that have a
// passage and are not filled.
template <Recorder R>
Buffer<std::uint8_t> without_dead_ends(Search& search, SearchResult& result, R& record);
template <Recorder R>
Buffer<std::uint8_t> without_dead_ends(GraphSearch& search, GraphSearchResult& result, R& record);

// A shortest path over the places that are not filled. fill(result) marks those that are, and
// returns the bytes that are not 0 for what remains; start and goals remain always, and only the
// start if it is a goal.
template <AnySearch S, class Fill, Recorder R>
typename S::Result search_remaining(S& search, Fill fill, R& record) {
    typename S::Result result = at_start(search, record);
    const bool stays = result.found;
    auto remains = stays ? Buffer<std::uint8_t>(result.reached.size(), true) : fill(result);
    result = bfs_from(search, std::move(result), record);
    std::uint8_t* const left = remains.data();
    by_each(remains.size(), search.control, search.threads,
            [=](Index i) { left[i] = left[i] != 0 ? 1 : 0; });
    left[search.start] = 1;
    for (const Index goal : search.goals) left[goal] = stays ? left[goal] : 1;
    result.remains = std::move(remains);
    return result;
}

}  // namespace meiro
