// Where agents walk: where each action leads, on squares or on a graph.
//
//               SquareGround                     GraphGround
//   a level     a byte a cell, its directions    a byte an edge, 1 where it is open
//   actions     north, east, south, west         the sides of a cell, in their order
//   a name      row and column                   coordinates, or the number of the cell
//
// A ground is a view of a few words: a loop keeps a copy in registers.
#pragma once

#include <variant>

#include "../graph/graph_job.hpp"
#include "../lattice.hpp"
#include "../paths/locks.hpp"

namespace meiro {

inline constexpr Index no_cell = -1;

class SquareGround {
public:
    explicit SquareGround(Shape shape) : shape_(shape) {}

    Shape shape() const { return shape_; }
    Index cells() const { return shape_.size(); }
    Index level_size() const { return shape_.size(); }
    // NOLINTBEGIN(readability-convert-member-functions-to-static): methods, as of a graph.
    Index actions() const { return 4; }
    Index axes() const { return 2; }
    // NOLINTEND(readability-convert-member-functions-to-static)
    // The cell to which an action leads; no_cell at a wall.
    Index to(const std::uint8_t* level, Index cell, Index action) const {
        const auto d = static_cast<std::size_t>(action);
        return (level[cell] >> d & 1u) != 0 ? cell + step_[d] : no_cell;
    }
    // How many steps straight on are open.
    Index sight(const std::uint8_t* level, Index cell, Index action) const {
        const Index step = step_[static_cast<std::size_t>(action)];
        const std::uint8_t* at = level + cell;
        const unsigned bit = 1u << action;
        Index open = 0;
        for (; (*at & bit) != 0; at += step) ++open;
        return open;
    }
    // Opens or closes a door.
    static void set(std::uint8_t* level, const Lock& door, bool open) {
        const unsigned there = 1u << door.edge, back = 1u << (door.edge ^ 2);
        level[door.before] = static_cast<std::uint8_t>(open ? level[door.before] | there
                                                            : level[door.before] & ~there);
        level[door.behind] = static_cast<std::uint8_t>(open ? level[door.behind] | back
                                                            : level[door.behind] & ~back);
    }
    void name(Index cell, std::int32_t* to) const {
        const Cell at = shape_.cell(cell);
        to[0] = static_cast<std::int32_t>(at.row);
        to[1] = static_cast<std::int32_t>(at.col);
    }

private:
    Shape shape_;
    std::array<Index, 4> step_ = steps(shape_.cols);
};

// The sides of cell i are sides[first[i]] .. sides[first[i + 1] - 1]: edges of the cell that are no
// self loops, or -1. `names` has `axes` numbers a cell; null: a cell is named by its number.
struct GraphSides {
    const Index* first;
    const GraphId* sides;
    Index most;  // of a cell
    const std::int32_t* names;
    Index axes;
};

class GraphGround {
public:
    GraphGround(const Graph& graph, const GraphHints& hints, const GraphSides& sides)
        : cells_(graph.cells()),
          edges_(graph.edges()),
          ends_(graph.ends()),
          straight_(hints.straight),
          of_(sides) {}

    Index cells() const { return cells_; }
    Index level_size() const { return edges_; }
    Index actions() const { return of_.most; }
    Index to(const std::uint8_t* level, Index cell, Index action) const {
        const Index edge = open_edge(level, cell, action);
        if (edge < 0) return no_cell;
        return ends_[2 * edge] == cell ? ends_[2 * edge + 1] : ends_[2 * edge];
    }
    // Where the lattice does not know what straight on is, one step.
    Index sight(const std::uint8_t* level, Index cell, Index action) const {
        const Index edge = open_edge(level, cell, action);
        if (edge < 0) return 0;
        const Index first = 2 * edge + (ends_[2 * edge] != cell ? 1 : 0);
        Index open = 1, step = first;
        for (; straight_ != nullptr && open < cells_; ++open) {
            step = straight_[step];
            if (step < 0 || step == first || level[step / 2] == 0) break;
        }
        return open;
    }
    static void set(std::uint8_t* level, const Lock& door, bool open) {
        level[door.edge] = open ? 1 : 0;
    }
    Index axes() const { return of_.names == nullptr ? 1 : of_.axes; }
    void name(Index cell, std::int32_t* to) const {
        if (of_.names == nullptr)
            *to = static_cast<std::int32_t>(cell);
        else
            std::copy_n(of_.names + cell * of_.axes, of_.axes, to);
    }

private:
    Index open_edge(const std::uint8_t* level, Index cell, Index action) const {
        const Index at = of_.first[cell] + action;
        if (at >= of_.first[cell + 1]) return -1;
        const Index edge = of_.sides[at];
        return edge >= 0 && level[edge] != 0 ? edge : -1;
    }

    Index cells_, edges_;
    const GraphId *ends_, *straight_;
    GraphSides of_;
};

using Ground = std::variant<SquareGround, GraphGround>;

}  // namespace meiro
