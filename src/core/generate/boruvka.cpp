// Boruvka's algorithm: in every round each component takes the lightest wall on its border; all of
// these are opened, until nothing is left to join. The oldest algorithm for minimum spanning trees.
//   O. Boruvka, O jistem problemu minimalnim, Prace moravske prirodovedecke spolecnosti 3 (1926)
//   37. English: J. Nesetril, E. Milkova, H. Nesetrilova, Otakar Boruvka on minimum spanning tree
//   problem, Discrete Math. 233 (2001) 3. doi:10.1016/S0012-365X(00)00224-7
// Law: random_mst. The maze is kruskal's for the seed, so it is made as that is, tile by tile
// (tiles.hpp). What is watched or follows weights= is the plain form below.
// Time: linear; plain too, up to a small factor, as each round leaves a fraction of the regions and
// of the walls. Scratch: see tiles.hpp; 16 bytes a cell (32 from 2^31 cells on) with weights=, and
// 28 (40) while watched.
#include "../disjoint_set.hpp"
#include "shared/minimum_tree.hpp"

namespace meiro {
namespace {

template <class Id, class W, Recorder R>
class Rounds {
public:
    Rounds(Job& job, R& record)
        : job_(job),
          record_(record),
          maze_(job.maze),
          weights_(job),
          regions_(maze_.size()),
          walls_(wall_count(maze_.shape(), maze_.wrap())),
          best_(maze_.size()) {}

    void run() {
        polled_fill(maze_.bytes(), maze_.size(), 0, job_.control);
        regions_.reset(maze_.size(), job_.control);
        for (Index id = 0; id < walls_.size(); ++id) {
            walls_[left_] = static_cast<Id>(id);
            const auto [cell, beyond, d] = sides(id);
            left_ += job_.exists(cell) && job_.exists(beyond);
            job_.control.poll();
        }
        do choose();
        while (join());
    }

private:
    using Item = typename W::Item;
    static bool exists(Item item) { return W::wall(item) != W::wall(W::none()); }
    struct Sides {
        Index cell, beyond;
        Direction towards;
    };
    Sides sides(Index id) const {
        const Wall wall = wall_of(maze_.shape(), id, maze_.wrap());
        return {wall.cell, maze_.next(wall.cell, wall.towards()), wall.towards()};
    }

    // The lightest wall of each component. Walls within one are dropped.
    void choose() {
        by_each(maze_.size(), job_.control, [&](Index cell) { best_[cell] = W::none(); });
        Index kept = 0;
        for (Index k = 0; k < left_; ++k) {
            job_.control.poll(16);
            const auto id = static_cast<Index>(walls_[k]);
            const auto [cell, beyond, d] = sides(id);
            const Id a = regions_.find(static_cast<Id>(cell));
            const Id b = regions_.find(static_cast<Id>(beyond));
            if (a == b) {
                if ((maze_.bytes()[cell] & bit(d)) == 0)
                    record_.on(Event::keep, maze_.cell(cell), d);
                continue;
            }
            walls_[kept++] = walls_[k];
            const Item item = weights_.item(id);
            for (const Id region : {a, b})
                if (!exists(best_[region]) || weights_.lighter(item, best_[region]))
                    best_[region] = item;
        }
        left_ = kept;
    }
    // Opens the chosen walls; false if no component has chosen one. Two may have chosen the same.
    bool join() {
        bool any = false;
        for (Index region = 0; region < maze_.size(); ++region) {
            job_.control.poll();
            if (!exists(best_[region])) continue;
            const auto [cell, beyond, d] = sides(W::wall(best_[region]));
            if (!regions_.join(static_cast<Id>(cell), static_cast<Id>(beyond))) continue;
            maze_.open(cell, d);
            record_.on(Event::carve, maze_.cell(cell), d);
            job_.control.done(1);
            any = true;
        }
        return any;
    }

    Job& job_;
    R& record_;
    const PeriodicPassages maze_;
    const W weights_;
    DisjointSet<Id> regions_;
    Buffer<Id> walls_;  // the first `left_` may part two regions
    Index left_ = 0;
    Buffer<Item> best_;  // by region
};

template <Recorder R>
void run_boruvka(Job& job, R& record) {
    minimum_tree<Rounds>(job, record);
}

}  // namespace

const Runs<Job> boruvka{run_boruvka, run_boruvka};

}  // namespace meiro
