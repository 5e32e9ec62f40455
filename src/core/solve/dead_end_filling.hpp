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
// filled sites have no moves, and no move leads into one.
template <Recorder R>
Buffer<std::uint8_t> without_dead_ends(Search& search, SearchResult& result, R& record);

// A shortest path over the remaining sites, those with `left` != 0.
template <Recorder R>
SearchResult search_in(Search& search, Buffer<std::uint8_t>&& left, SearchResult&& begun,
                       R& record) {
    Search inside{adjacency_subset(search.adjacency, left.data()),
                  search.start,
                  search.goals,
                  search.seed,
                  search.options,
                  search.control};
    SearchResult result = bfs_from(inside, std::move(begun), record);
    std::uint8_t* const remains = left.data();
    by_each(left.size(), search.control, search.threads,
            [=](Index i) { remains[i] = remains[i] != 0 ? 1 : 0; });
    remains[search.start] = 1;
    for (const Index goal : search.goals) remains[goal] = 1;
    result.remains = std::move(left);
    return result;
}

// If the start is a goal, there is nothing to search: only the start remains.
template <Recorder R>
SearchResult stay(Search& search, SearchResult&& begun, R& record) {
    SearchResult result = bfs_from(search, std::move(begun), record);
    result.remains = Buffer<std::uint8_t>(search.adjacency.size(), true);
    result.remains[search.start] = 1;
    return result;
}

}  // namespace meiro
