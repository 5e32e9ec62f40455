// Many mazes of one shape, each from a start to a goal.
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
    std::span<const Index> starts, goals;  // one of each maze; a start may be -1, no cell
};

// Steps of the shortest paths, -1 where there is no way. `came`, if it is not null: n * cells
// zeros, in which what path_of_each() needs is left.
void lengths_of_each(const ManyMazes& many, Index* lengths, std::uint8_t* came, Control& control,
                     int threads);

// The paths, each of `places` pairs (row, col), of which those after the goal are -1.
void path_of_each(const ManyMazes& many, const Index* lengths, const std::uint8_t* came,
                  Index places, std::int32_t* paths, Control& control, int threads);

}  // namespace meiro
