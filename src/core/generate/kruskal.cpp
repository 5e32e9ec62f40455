// Kruskal's algorithm: walls from the lightest on are opened when they part two regions. Also
// "clustering", after the numbers that its regions carry: joined regions take the smaller one,
// which is that of their first cell.
//   J. B. Kruskal, On the shortest spanning subtree of a graph and the traveling salesman problem,
//   Proc. AMS 7 (1956) 48. doi:10.1090/S0002-9939-1956-0078686-7
// Law: random_mst. Weights: weights.hpp, or `weights=`; `order=` gives the order itself.
//
// A tree of least weight is unique where no two walls weigh the same, so it matters only which
// walls are lighter than which: the maze is made tile by tile in the cache (tiles.hpp says why that
// is exact). What is watched, or follows given weights or a given order, is the plain form below.
// Time: n log n of a tile, hence linear; plain, n log n. Scratch: 2 bytes a cell and 0.5 MiB a
// thread; 4 (8 from 2^31 cells on) with order=, 12 (24) with weights=, and 36 (40) while watched.
#include <bit>

#include "../disjoint_set.hpp"
#include "../polled_sort.hpp"
#include "generators.hpp"
#include "tiles.hpp"
#include "weights.hpp"

namespace meiro {
namespace {

// Looks at walls one after the other; the regions are those of the cells.
template <class Id, Recorder R>
class Opener {
public:
    Opener(Job& job, R& record) : job_(job), record_(record), regions_(job.maze.size()) {
        by_pieces(job.maze.size(), job.control, [&](Index first, Index last) {
            std::fill(job.maze.bytes() + first, job.maze.bytes() + last, std::uint8_t{0});
        });
        regions_.reset(job.maze.size(), job.control);
    }
    void look(Index id) {
        job_.control.poll(16);  // walls come from anywhere: the memory is slow
        const Wall wall = wall_of(job_.maze.shape(), id);
        const Direction towards = wall.south ? Direction::south : Direction::east;
        const Index beyond = wall.cell + job_.maze.step(towards);
        if (job_.mask != nullptr && (job_.mask[wall.cell] == 0 || job_.mask[beyond] == 0)) return;
        const bool opens = regions_.join(static_cast<Id>(wall.cell), static_cast<Id>(beyond));
        if (opens) job_.maze.open(wall.cell, towards);
        job_.control.done(opens ? 1 : 0);
        record_.on(opens ? Event::carve : Event::keep, job_.maze.cell(wall.cell), towards);
    }

private:
    Job& job_;
    R& record_;
    DisjointSet<Id> regions_;
};

// Doubles in their order as words; a NaN is above (or, negative, below) all others. -0 is 0.
std::uint64_t ordered(double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x + 0.0);
    return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
}

template <class Id, Recorder R>
void in_order(Job& job, R& record) {
    Opener<Id, R> opener(job, record);
    for (const Index id : job.options.order) opener.look(id);
}

template <class Id, Recorder R>
void by_given_weights(Job& job, R& record) {
    const std::span<const double> weights = job.options.weights;
    Buffer<Id> walls(job.maze.shape().walls());
    for (Index id = 0; id < walls.size(); ++id) {
        walls[id] = static_cast<Id>(id);
        job.control.poll();
    }
    const auto lighter = [&](Id a, Id b) {
        const std::uint64_t p = ordered(weights[a]), q = ordered(weights[b]);
        return p != q ? p < q : a < b;
    };
    polled_sort(walls.begin(), walls.end(), lighter, job.control);
    Opener<Id, R> opener(job, record);
    for (const Id id : walls) opener.look(static_cast<Index>(id));
}

template <class Id, Recorder R>
void plain(Job& job, R& record) {
    struct Weighed {
        std::uint64_t weight;
        Id wall;
    };
    const Shape shape = job.maze.shape();
    const Weights weights(job.seed);
    Buffer<Weighed> walls(shape.walls());
    for (Index id = 0; id < walls.size(); ++id) {
        const Wall wall = wall_of(shape, id);
        walls[id] = {weights.at(shape.cell(wall.cell), wall.south), static_cast<Id>(id)};
        job.control.poll(4);
    }
    const auto lighter = [](const Weighed& a, const Weighed& b) {
        return a.weight != b.weight ? a.weight < b.weight : a.wall < b.wall;
    };
    polled_sort(walls.begin(), walls.end(), lighter, job.control);
    Opener<Id, R> opener(job, record);
    for (const Weighed& w : walls) opener.look(static_cast<Index>(w.wall));
}

template <class Id, Recorder R>
void choose(Job& job, R& record) {
    if (!job.options.order.empty())
        in_order<Id>(job, record);
    else if (!job.options.weights.empty())
        by_given_weights<Id>(job, record);
    else if constexpr (std::is_same_v<R, NoTrace>)
        tiles::tree<Id>(job.maze, job.mask, Weights(job.seed), job.control, job.threads);
    else
        plain<Id>(job, record);
}

}  // namespace

template <Recorder R>
void kruskal(Job& job, R& record) {
    // Ids are of walls: two a cell.
    if (job.maze.size() <= Index{1} << 31)
        choose<std::uint32_t>(job, record);
    else
        choose<Index>(job, record);
}

template void kruskal(Job&, NoTrace&);
template void kruskal(Job&, Trace&);

}  // namespace meiro
