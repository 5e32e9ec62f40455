// Solving many mazes of one shape, each from a start to a goal.
#pragma once

#include <span>

#include "../adjacency.hpp"
#include "../control.hpp"

namespace meiro {

struct ManyMazes {
    const std::uint8_t* passages;  // n mazes, one after the other
    Index n;
    Shape shape;
    Wrap wrap;
    std::span<const Index> starts, goals;  // one per maze; a start of -1 is no cell
};

// Steps of the shortest paths, -1 where no path leads to the goal. `came`, unless null: n * cells
// zeros, which receive the moves that path_of_each() needs.
void lengths_of_each(const ManyMazes& many, Index* lengths, std::uint8_t* came, Control& control,
                     int threads);

// The paths, each `places` pairs (row, col); pairs after the goal are -1.
void path_of_each(const ManyMazes& many, const Index* lengths, const std::uint8_t* came,
                  Index places, std::int32_t* paths, Control& control, int threads);

}  // namespace meiro
