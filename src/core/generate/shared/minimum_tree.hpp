// Shared by kruskal, prim and boruvka, which make the same maze, the minimum spanning tree. Weights
// from the seed: tile by tile. While traced, or with weights=: the plain form of each algorithm,
// which may be slower and handles every lattice.
#pragma once

#include "../job.hpp"
#include "spanning_forest.hpp"
#include "weights.hpp"

namespace meiro {

// With weights from the seed, not traced: tiles.cpp.
void minimum_tree(Job& job);
// The minimum spanning forest of some passages, which are not those of `maze`. Progress is told.
void minimum_forest(const Passages& maze, const std::uint8_t* passages, const Seed& seed,
                    Control& control, int threads);

// weights=: an Item is a wall id, and its weight is looked up.
template <class Id>
class GivenWeights {
public:
    using Item = Id;
    explicit GivenWeights(const Job& job) : weights_(job.options.weights) {}

    Item item(Index wall) const { return static_cast<Id>(wall); }
    static Item none() { return static_cast<Id>(~Id{0}); }
    static Index edge(Item item) { return static_cast<Index>(item); }
    bool lighter(Item a, Item b) const {
        const std::uint64_t p = weight(edge(a)), q = weight(edge(b));
        return p != q ? p < q : a < b;
    }
    std::uint64_t weight(Index wall) const {
        return word_of(weights_[static_cast<std::size_t>(wall)]);
    }

private:
    std::span<const double> weights_;
};

// Weights from the seed.
template <class Id>
class DrawnWeights : public KeptWeights<Id> {
public:
    explicit DrawnWeights(const Job& job)
        : shape_(job.maze.shape()), wrap_(job.maze.wrap()), weights_(job.seed, job.options.bias) {}

    std::uint64_t weight(Index id) const {
        const Wall wall = wall_of(shape_, id, wrap_);
        return weights_.at(shape_.cell(wall.cell), wall.south);
    }
    Weighed<Id> item(Index id) const { return {weight(id), static_cast<Id>(id)}; }

private:
    Shape shape_;
    Wrap wrap_;
    BiasedWeights weights_;
};

// The walls of a maze, as spanning_forest.hpp has edges.
template <class IdOfWall, Recorder R>
class Walls {
public:
    using Id = IdOfWall;
    struct Edge {
        Id one, other;
        Direction towards;
    };

    // All are closed at first; finish() when done.
    Walls(Job& job, R& record) : job_(job), record_(record) { maze_.begin(job.mask, job.control); }
    void finish() { maze_.finish(job_.control); }

    Index cells() const { return maze_.size(); }
    Index size() const { return wall_count(maze_.shape(), maze_.wrap()); }
    // k cells of a tree have met at most 3 k + 1 of the 2 n walls, and k - 1 of these are removed:
    // no more wait than this.
    Index most_met() const { return cells() + cells() / 3 + 4; }
    bool has(Index cell) const { return job_.exists(cell); }
    Edge edge(Index number) const {
        const Wall wall = wall_of(maze_.shape(), number, maze_.wrap());
        const Direction towards = wall.towards();
        return {static_cast<Id>(wall.cell), static_cast<Id>(maze_.next(wall.cell, towards)),
                towards};
    }
    bool exists(Edge edge) const { return (maze_.free(at(edge.one)) & bit(edge.towards)) != 0; }
    bool is_open(Edge edge) const { return (maze_.bytes()[edge.one] & bit(edge.towards)) != 0; }
    // body(number, beyond) for the walls of a cell.
    template <class Body>
    void each_beside(Index cell, Body body) const {
        for (const Direction d : directions) {
            if ((maze_.free(cell) & bit(d)) == 0) continue;
            const bool before = d == Direction::north || d == Direction::west;
            const Index beyond = maze_.next(cell, d);
            const Wall wall{before ? beyond : cell, d == Direction::north || d == Direction::south};
            body(wall_id(maze_.shape(), wall, maze_.wrap()), beyond);
        }
    }
    void visit(Index cell) {
        job_.control.done(1);
        record_.on(Event::visit, maze_.cell(cell));
    }
    void open(Edge edge, bool back = false) {
        maze_.open(at(edge.one), edge.towards);
        job_.control.done(1);
        record_.on(Event::carve, maze_.cell(at(back ? edge.other : edge.one)),
                   back ? opposite(edge.towards) : edge.towards);
    }
    void keep(Edge edge) { record_.on(Event::keep, maze_.cell(at(edge.one)), edge.towards); }

private:
    static Index at(Id cell) { return static_cast<Index>(cell); }
    Job& job_;
    R& record_;
    const PeriodicPassages maze_{job_.maze};
};

// body(Id{}): ids of walls, two per cell, and one more for "none".
template <Recorder R, class Body>
void with_wall_ids(const Job& job, Body body) {
    with_ids<R>(job.maze.size() < Index{1} << 31, body);
}

// Makes the maze; plain(walls, weights) in the plain form, where that is required.
template <Recorder R, class Plain>
void minimum_tree(Job& job, R& record, Plain plain) {
    with_wall_ids<R>(job, [&]<class Id>(Id) {
        const auto made = [&](const auto& weights) {
            Walls<Id, R> walls(job, record);
            plain(walls, weights);
            walls.finish();
        };
        if (!job.options.weights.empty())
            made(GivenWeights<Id>(job));
        else if constexpr (std::is_same_v<R, NoTrace>)
            minimum_tree(job);
        else
            made(DrawnWeights<Id>(job));
    });
}

}  // namespace meiro
