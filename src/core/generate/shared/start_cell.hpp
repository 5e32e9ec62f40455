// The first cell of an algorithm, and of each further component of the mask: one rule for all whose
// law depends on it. They begin at `start`, and continue at a uniform one of the cells left.
#pragma once

#include <algorithm>

#include "../../buffer.hpp"
#include "../job.hpp"

namespace meiro {

// The cell to begin from: the given one, a uniform one of the mask, or its first.
inline Index first_cell(const Job& job) {
    if (job.options.start >= 0) return job.options.start;
    Index skip = 0;
    if (job.options.start == Options::random_cell)
        skip = Random(job.seed, Purpose::begin)
                   .below(count_mask(job.mask, job.maze.size(), job.control));
    return cell_of_mask(job.mask, skip, job.control);
}

// Cells not visited yet, for masks with several components. An unvisited cell has no passage and a
// free neighbour; a cell without neighbours is complete from the start.
template <class Id>
class Unvisited {
public:
    explicit Unvisited(const Job& job)
        : maze_(job.maze), masked_(job.mask != nullptr), control_(job.control) {}

    // A uniform one, -1 if no cell is left, as without a mask. waits(cell): is it unvisited, with a
    // free neighbour? Cells are drawn until one waits; when most do not, those that do are
    // collected: if the first component was a small one, a list of all others would cost more than
    // the maze.
    template <class Waits>
    Index take(Random& random, const Waits& waits) {
        if (!masked_) return -1;
        if (!collected_) {
            for (Index left = most_draws; left > 0; --left, control_.poll()) {
                const Index cell = random.below(maze_.size());
                if (waits(cell)) return cell;
            }
            collect(waits);
        }
        while (!cells_.empty()) {
            const Index i = random.below(cells_.size());
            const auto cell = static_cast<Index>(cells_[i]);
            cells_[i] = cells_.top();
            cells_.pop();
            if (waits(cell)) return cell;
            control_.poll();
        }
        return -1;
    }
    Index take(Random& random) {
        return take(random, [this](Index cell) {
            const unsigned byte = maze_.bytes()[cell];
            return static_cast<unsigned>((byte & 15) == 0) & static_cast<unsigned>(byte != 0);
        });
    }

private:
    static constexpr Index most_draws = 64;

    template <class Waits>
    void collect(const Waits& waits) {
        collected_ = true;
        for (Index first = 0; first < maze_.size(); first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, maze_.size());
            control_.poll(last - first);
            cells_.reserve(poll_chunk);
            Id* to = cells_.end();
            for (Index cell = first; cell < last; ++cell) {  // without a branch
                *to = static_cast<Id>(cell);
                to += waits(cell) ? 1 : 0;
            }
            cells_.resize(to - cells_.begin());
        }
    }
    const Passages maze_;
    const bool masked_;
    Control& control_;
    Stack<Id> cells_{1};
    bool collected_ = false;
};

}  // namespace meiro
