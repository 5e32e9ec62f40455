#include "place_tiles.hpp"

#include <algorithm>

#include "../huge_pages.hpp"

namespace meiro {
namespace {

// visit(tile, x, y) for each corner of each tile, in order.
template <class Visit>
void each_corner(const Tiles& tiles, Control& control, Visit visit) {
    for (Index tile = 0; tile < tiles.count; ++tile) {
        const Index form = tiles.kind == nullptr ? 0 : tiles.kind[tile];
        const Index begin = tiles.first[form], end = tiles.first[form + 1];
        for (Index i = begin; i < end; ++i)
            visit(tile, tiles.x[tile] + tiles.dx[i], tiles.y[tile] + tiles.dy[i]);
        control.poll(2 * (end - begin));
    }
}

}  // namespace

GridCorners grid_corners(const Tiles& tiles, Control& control) {
    GridCorners grid;
    by_each(tiles.kind == nullptr ? 0 : tiles.count, control,
            [&](Index tile) { grid.valid &= tiles.kind[tile] < tiles.forms; });
    if (!grid.valid) return grid;
    std::int64_t least = 0, right = 0, lowest = 0;
    each_corner(tiles, control, [&](Index, std::int64_t x, std::int64_t y) {
        least = std::min({least, x, y});
        right = std::max(right, x);
        lowest = std::max(lowest, y);
        ++grid.sides;
    });
    grid.valid = least >= 0;
    if (!grid.valid) return grid;
    grid.cols = right + 1;
    grid.number = Buffer<std::uint32_t>((lowest + 1) * grid.cols, true);
    prefer_huge_pages(grid.number);
    each_corner(tiles, control,
                [&](Index, std::int64_t x, std::int64_t y) { grid.number[y * grid.cols + x] = 1; });
    std::uint32_t before = 0;
    by_each(grid.number.size(), control, [&](Index i) {
        const std::uint32_t here = grid.number[i];
        grid.number[i] = before;
        before += here;
    });
    grid.count = before;
    return grid;
}

void place_tiles(const Tiles& tiles, const GridCorners& grid, double x_unit, double y_unit,
                 const PlacedTiles& out, Control& control) {
    std::int64_t* next = out.indices;
    std::int64_t* begin = out.indptr;
    Index begun = 0;  // tiles
    each_corner(tiles, control, [&](Index tile, std::int64_t x, std::int64_t y) {
        for (; begun <= tile; ++begun) *begin++ = next - out.indices;
        const std::int64_t number = grid.number[y * grid.cols + x];
        *next++ = number;
        out.corners[2 * number] = static_cast<double>(x) * x_unit;
        out.corners[2 * number + 1] = static_cast<double>(y) * y_unit;
    });
    for (; begun <= tiles.count; ++begun) *begin++ = next - out.indices;
}

}  // namespace meiro
