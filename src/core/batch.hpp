// Mazes of one shape, one after the other in memory, and work on each of them.
#pragma once

#include <algorithm>

#include "adjacency.hpp"
#include "buffer.hpp"
#include "control.hpp"
#include "lattice.hpp"

namespace meiro {

struct Batch {
    const std::uint8_t* passages;
    Index n;
    Shape shape;
    Wrap wrap;
    Mask mask;
    bool mask_each = false;         // the mask has a layer for each maze
    const Index* starts = nullptr;  // an existing cell of each maze
    const Index* goals = nullptr;

    const std::uint8_t* maze(Index i) const { return passages + i * shape.size(); }
    Mask mask_of(Index i) const { return mask_each ? mask + i * shape.size() : mask; }
    // Of so many threads, those that share each maze: all of them a single one.
    int threads_of_each(int threads) const { return n == 1 ? threads : 1; }
};

// body(first, last, control) over batches of small mazes, so that the shared counter and the
// allocation of scratch cost little.
template <class Body>
void by_dozens(Index n, Index cells, Control& control, int threads, Body body) {
    by_shares(n, std::max<Index>(1, (Index{1} << 14) / std::max<Index>(1, cells)), control, threads,
              body);
}

// body(i, control) for each maze of such batches.
template <class Body>
void each_of_dozens(Index n, Index cells, Control& control, int threads, Body body) {
    by_dozens(n, cells, control, threads, [&](Index first, Index last, Control& worker) {
        for (Index i = first; i < last; ++i) body(i, worker);
    });
}

// A copy of one maze after the other, to be searched: no other thread can change it. Scratch: a
// byte per cell, two if the mazes are periodic.
class MazeCopy {
public:
    explicit MazeCopy(const Batch& batch)
        : batch_(batch),
          maze_(batch.shape.size()),
          moves_(batch.wrap.any() ? batch.shape.size() : 0) {}

    Adjacency of(Index i, Control& control) {
        const std::uint8_t* const from = batch_.maze(i);
        polled_copy(from, batch_.shape.size(), maze_.data(), control);
        return adjacency_of_passages(maze_.data(), batch_.shape, batch_.wrap, moves_.data(),
                                     control);
    }

private:
    const Batch& batch_;
    Buffer<std::uint8_t> maze_, moves_;
};

// body(adjacency, i, control) for each maze, on threads.
template <class Body>
void search_each(const Batch& batch, Control& control, int threads, Body body) {
    const Index size = batch.shape.size();
    by_dozens(batch.n, size, control, threads, [&](Index first, Index last, Control& worker) {
        MazeCopy copy(batch);
        for (Index i = first; i < last; ++i) {
            worker.poll(size / 8 + 1);
            body(copy.of(i, worker), i, worker);
        }
    });
}

}  // namespace meiro
