// Prim's algorithm ("true Prim" among maze programmers): one tree grows from the first cell, always
// through the lightest wall between it and the rest. With a mask the next component then grows from
// its own first cell.
//   V. Jarnik, O jistem problemu minimalnim, Prace moravske prirodovedecke spolecnosti 6 (1930) 57.
//   R. C. Prim, Shortest connection networks and some generalizations, Bell Syst. Tech. J. 36
//   (1957) 1389. doi:10.1002/j.1538-7305.1957.tb01515.x
// Law: random_mst. The maze is kruskal's for the seed, so it is made as that is, tile by tile
// (tiles.hpp). What is watched or follows weights= is the plain form below, with a binary heap of
// the walls that the tree has met.
// Time: linear; plain, n log n. Scratch: see tiles.hpp; 22 bytes a cell with weights= or while
// watched.
#include <functional>

#include "shared/minimum_tree.hpp"

namespace meiro {
namespace {

template <class Id, class W, Recorder R>
class Grown {
public:
    Grown(Job& job, R& record)
        : job_(job),
          record_(record),
          maze_(job.maze),
          weights_(job),
          heap_(maze_.size() + maze_.size() / 3 + 4) {}

    void run() {
        maze_.begin(job_.mask, job_.control);
        for (Index cell = 0; cell < maze_.size(); ++cell) {
            job_.control.poll();
            // A reached cell has a passage by now.
            if ((maze_.bytes()[cell] & 15) != 0) continue;
            if (job_.exists(cell)) grow(cell);
        }
        maze_.finish(job_.control);
    }

private:
    void grow(Index first) {
        record_.on(Event::visit, maze_.cell(first));
        enter(first);
        while (size_ > 0) {
            job_.control.poll(64);  // a pop from the heap, mostly cache misses
            const auto id = static_cast<Index>(heap_[0].wall);
            const Wall wall = wall_of(maze_.shape(), id, maze_.wrap());
            std::pop_heap(heap_.begin(), heap_.begin() + size_--, std::greater<>());
            // One side at least is in the tree; the other is not if it is still free.
            const Direction d = wall.towards();
            const Index beyond = maze_.next(wall.cell, d);
            if ((maze_.free(wall.cell) & bit(d)) != 0)
                open(wall.cell, d, beyond);
            else if ((maze_.free(beyond) & bit(opposite(d))) != 0)
                open(beyond, opposite(d), wall.cell);
            else
                record_.on(Event::keep, maze_.cell(wall.cell), d);
        }
    }
    void open(Index from, Direction d, Index to) {
        maze_.open(from, d);
        record_.on(Event::carve, maze_.cell(from), d);
        enter(to);
    }
    // Adds the walls between the cell and its unvisited neighbours.
    void enter(Index cell) {
        maze_.enter(cell);
        job_.control.done(1);
        for (const Direction d : directions) {
            if ((maze_.free(cell) & bit(d)) == 0) continue;
            const bool before = d == Direction::north || d == Direction::west;
            const Wall wall{before ? maze_.next(cell, d) : cell,
                            d == Direction::north || d == Direction::south};
            const Index id = wall_id(maze_.shape(), wall, maze_.wrap());
            heap_[size_++] = {weights_.weight(id), static_cast<Id>(id)};
            std::push_heap(heap_.begin(), heap_.begin() + size_, std::greater<>());
        }
    }

    Job& job_;
    R& record_;
    const PeriodicPassages maze_;
    const W weights_;
    // k cells of a tree have met at most 3 k + 1 of the 2 n walls, and k - 1 of these are removed:
    // the heap never holds more than 4 n / 3 + 2 walls.
    Buffer<WeighedWall<Id>> heap_;
    Index size_ = 0;
};

template <Recorder R>
void run_prim(Job& job, R& record) {
    minimum_tree<Grown>(job, record);
}

}  // namespace

const Runs<Job> prim{run_prim, run_prim};

}  // namespace meiro
