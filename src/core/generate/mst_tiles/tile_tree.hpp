// The minimum spanning tree of a tile by rounds of O. Boruvka's algorithm (1926), see tiles.hpp:
// components take their lightest wall, all at once, and those that it joins become one. Nothing is
// sorted, and no loop has a branch that is often mispredicted.
//
// Not a template: the weights are given by their high bits, and equal ones are told apart by a
// function, which is rarely called.
#pragma once

#include <cstdint>

#include "../../buffer.hpp"
#include "tiling.hpp"

namespace meiro::tiles {

constexpr std::int32_t absent = 0x7fffffff;  // the wall does not exist, or not in this tile

// The walls of a tile are numbered by their cells, first those to the east, then those to the
// south: in the order of the wall ids.
struct WallNumbers {
    Index cols = 0, cells = 0;

    struct Ends {
        Index a, b;
        unsigned south;  // 1, or 0: to the east
    };
    Ends ends(Index wall) const {  // half of the branches would be mispredicted
        const Index south = -static_cast<Index>(wall >= cells);  // all ones or 0
        const Index a = wall - (cells & south);
        return {a, a + 1 + ((cols - 1) & south), static_cast<unsigned>(south) & 1};
    }
};

// Is the one wall lighter than the other, whose weight has the same high bits?
struct TieRule {
    const void* weights;
    bool (*lighter)(const void* weights, Index one, Index other);
};

// Numbers of components, each that of its root, or of walls.
using Numbers = Stack<std::uint16_t>;

class TileTree {
public:
    explicit TileTree(Shape largest);

    // Begins a tile: the weights of its walls, with one that is absent before the first. In the
    // first round each cell that does not touch opens its lightest wall.
    void begin(const Tile& tile, const std::int32_t* weights, TieRule ties);
    // Opens the final walls with weights in [from, below), the lighter ones being settled.
    void open_final(std::int32_t from, std::int32_t below);
    // Takes critical walls of that range: false if there are no more. Their sides have roots.
    bool take_critical();
    const Numbers& taken() const { return taken_; }
    Index root(Index cell) const {
        while (parent_[cell] != cell) cell = parent_[cell];
        return cell;
    }
    // Makes one component of each region: of heavier walls it does not matter which names of a
    // region they have.
    void merge();

    WallNumbers walls() const { return walls_; }
    const std::uint8_t* passages() const { return open_.data(); }

private:
    // A wall, and the components that it separates.
    struct Between {
        std::uint16_t wall, a, b;
    };
    static constexpr std::uint64_t none = ~std::uint64_t{0};

    void mark(const Tile& tile);
    void take_lightest();
    void open_ways(const std::uint8_t* way);
    void find_between(std::int32_t from, std::int32_t below);
    void renew();
    void find_lightest(const Between* walls, Index size, const Numbers& others);
    void forget(const Numbers& roots);
    void take(const Between* walls, std::uint16_t* parent);

    const Shape largest_;
    const Index most_cells_ = largest_.size();
    WallNumbers walls_;
    const std::int32_t* weights_ = nullptr;
    TieRule ties_{};
    Index most_ = 2 * most_cells_;             // walls between components, of each kind
    Buffer<Between> between_{2 * most_};       // first all, then those between two that touch
    Index size_ = 0, critical_ = 0;            // of the two
    Buffer<std::int32_t> rim_{largest_.cols};  // all absent: what the first row has in the north
    Buffer<std::uint64_t> best_{
        most_cells_};  // of a component: weight and place of a wall, or none
    Buffer<std::uint16_t> parent_{most_cells_},
        region_{most_cells_};  // of cells; of touching components
    Buffer<std::uint8_t> open_{most_cells_}, touches_{most_cells_};
    Buffer<std::uint8_t> ways_{most_cells_ + 2 * largest_.cols};
    // Components that do not touch, and those that do.
    Numbers inner_{most_cells_}, outer_{2 * (largest_.rows + largest_.cols)};
    Numbers takers_{most_cells_}, taken_{most_cells_ + 1}, nobody_{0};
};

}  // namespace meiro::tiles
