// Shared by kruskal, prim and boruvka, which make the same maze, the minimum spanning tree. Weights
// from the seed: tile by tile. While traced, or with weights=: the plain form of each algorithm,
// which may be slower and handles every lattice.
#pragma once

#include <bit>
#include <compare>

#include "../../buffer.hpp"
#include "../job.hpp"
#include "weights.hpp"

namespace meiro {

// With weights from the seed, not traced: tiles.cpp.
void minimum_tree(Job& job);
// The minimum spanning forest of some passages, which are not those of `maze`. Progress is told.
void minimum_forest(const Passages& maze, const std::uint8_t* passages, const Seed& seed,
                    Control& control, int threads);

template <class Id>
struct WeighedWall {
    std::uint64_t weight;
    Id wall;
    friend auto operator<=>(const WeighedWall&, const WeighedWall&) = default;
};

// weights=: an Item is a wall id, and its weight is looked up.
template <class Id>
class GivenWeights {
public:
    using Item = Id;
    explicit GivenWeights(const Job& job) : weights_(job.options.weights) {}

    Item item(Index wall) const { return static_cast<Id>(wall); }
    static Item none() { return static_cast<Id>(~Id{0}); }
    static Index wall(Item item) { return static_cast<Index>(item); }
    bool lighter(Item a, Item b) const {
        const std::uint64_t p = weight(wall(a)), q = weight(wall(b));
        return p != q ? p < q : a < b;
    }
    // Doubles as words in the same order; a NaN is above (or, negative, below) all others. -0 is 0.
    std::uint64_t weight(Index wall) const {
        const auto bits =
            std::bit_cast<std::uint64_t>(weights_[static_cast<std::size_t>(wall)] + 0.0);
        return bits >> 63 != 0 ? ~bits : bits | std::uint64_t{1} << 63;
    }

private:
    std::span<const double> weights_;
};

// Weights from the seed: drawing one again is slow, so an Item keeps it.
template <class Id>
class DrawnWeights {
public:
    using Item = WeighedWall<Id>;
    explicit DrawnWeights(const Job& job)
        : shape_(job.maze.shape()), wrap_(job.maze.wrap()), weights_(job.seed, job.options.bias) {}

    std::uint64_t weight(Index id) const {
        const Wall wall = wall_of(shape_, id, wrap_);
        return weights_.at(shape_.cell(wall.cell), wall.south);
    }
    Item item(Index id) const { return {weight(id), static_cast<Id>(id)}; }
    static Item none() { return {~std::uint64_t{0}, static_cast<Id>(~Id{0})}; }
    static Index wall(Item item) { return static_cast<Index>(item.wall); }
    static bool lighter(Item a, Item b) { return a < b; }

private:
    Shape shape_;
    Wrap wrap_;
    BiasedWeights weights_;
};

// body(Id{}): ids of walls, two per cell, and one more for "none".
template <Recorder R, class Body>
void with_wall_ids(const Job& job, Body body) {
    with_ids<R>(job.maze.size() < Index{1} << 31, body);
}

// Makes the maze, in the plain form where required.
template <template <class Id, class W, class R> class Plain, Recorder R>
void minimum_tree(Job& job, R& record) {
    with_wall_ids<R>(job, [&](auto id) {
        using Id = decltype(id);
        if (!job.options.weights.empty())
            Plain<Id, GivenWeights<Id>, R>(job, record).run();
        else if constexpr (std::is_same_v<R, NoTrace>)
            minimum_tree(job);
        else
            Plain<Id, DrawnWeights<Id>, R>(job, record).run();
    });
}

}  // namespace meiro
