// The transforms of each maze of a batch, on several threads. Maze i becomes what the transform
// makes of it alone, with replicate i of the seed.
#pragma once

#include <algorithm>
#include <span>

#include "../batch.hpp"
#include "../paths/double_sweep.hpp"
#include "seams.hpp"
#include "transforms.hpp"

namespace meiro {

// body(maze, i, control) for each maze, as lay_out() lays it out in `out`, where it stays. A batch
// of unsound passages stays in memory, as one such maze does. `steps`: about how many steps of
// Control::poll a maze takes.
template <class Body>
void transform_each(const Batch& batch, std::uint8_t* out, Index steps, Control& control,
                    int threads, Body body) {
    const Index size = batch.shape.size();
    const int each = batch.threads_of_each(threads);
    each_of_dozens(batch.n, size, control, threads, [&](Index i, Control& worker) {
        worker.expect(size, steps);
        worker.poll(size / 8 + 1);
        const Passages maze(out + i * size, batch.shape, batch.wrap);
        lay_out(maze, batch.maze(i), batch.mask_of(i), worker, each);
        body(maze, i, worker);
        maze.finish(worker, each);
        worker.finish();
    });
}

// counts: the walls between existing cells of each maze.
void count_walls_of_each(const Batch& batch, Index* counts, Control& control, int threads);

// Two cells of each maze: `out` is n times (first, second). A maze of one cell has it twice.
void random_cells_of_each(const Batch& batch, const Seed& seed, Index* out, Control& control,
                          int threads);

// Two of some border sites for a maze: the numbers of sites whose cells exist, `beside` being the
// cell beside each. Maze i gets them by replicate i of the seed.
enum class SitePair : std::uint8_t { corners, random, farthest };
struct SitePairFault {
    static constexpr Index too_few = -1;  // then the second is the number of sites that there are
    static constexpr Index no_path = -2;
};
template <class Maze>
void site_pair(const Maze& maze, Mask mask, std::span<const Index> beside, SitePair how,
               const Seed& seed, Index i, Index* out, Control& control);

}  // namespace meiro
