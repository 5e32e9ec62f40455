// Geometry: mazes cut and joined, and drawn with wide corridors.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>

#include "../core/transform/grid.hpp"
#include "../core/transform/seams.hpp"
#include "../core/transform/thick_grid.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

using RowCol = std::array<Index, 2>;

Random random_of(const SeedWords& seed, std::uint64_t lane) {
    return Random(seed_of(seed), Purpose::transform, lane);
}

// The seam between `size` cells, from `first` to the south, and their eastern neighbours; with
// `below`, between cells from `first` to the east and their southern neighbours.
Index open_seam(Bytes passages, const std::optional<Booleans>& exists, RowCol first, Index size,
                bool below, Index doors, const SeedWords& seed, std::uint64_t lane) {
    const Shape shape = shape_of(passages, "passages");
    const Mask mask = mask_of(exists, shape);
    const Index high = below ? 2 : size, wide = below ? size : 2;
    if (first[0] < 0 || first[1] < 0 || size < 0 || doors < 0 || high > shape.rows - first[0] ||
        wide > shape.cols - first[1])
        throw py::value_error("the seam is not inside");
    const Seam seam{shape.id({first[0], first[1]}), below ? 1 : shape.cols, size,
                    below ? Direction::south : Direction::east};
    std::uint8_t* const open = writable(passages);
    Index walls = 0;
    detached({}, [&](Control& control) {
        walls = open_doors(open, shape, mask, seam, doors, random_of(seed, lane), control);
    });
    return walls;
}

// The whole wide grid; road and wall are items of `out`, as bytes.
void widen_grid(const Bytes& passages, const std::optional<Booleans>& exists, RowCol wide,
                const std::string& road_item, const std::string& wall_item, py::array out,
                bool posts, int threads) {
    const Shape shape = shape_of(passages, "passages");
    const Mask mask = mask_of(exists, shape);
    const Thickness thickness{wide[0], wide[1]};
    const Shape sites = shape_of(out, "out");
    if (!thickness.fits(sites.rows, shape.rows) || !thickness.fits(sites.cols, shape.cols) ||
        (out.flags() & py::array::c_style) == 0)
        throw py::value_error("out must be the wide grid of the maze, C-contiguous");
    const Index size = out.itemsize();
    if (static_cast<Index>(road_item.size()) != size ||
        static_cast<Index>(wall_item.size()) != size)
        throw py::value_error("road and wall must be items of out");
    const auto bytes = [](const std::string& item) {
        return reinterpret_cast<const std::uint8_t*>(item.data());
    };
    const Inks inks{{bytes(road_item), bytes(wall_item)}, size};
    auto* const to = static_cast<std::uint8_t*>(out.mutable_data());
    const Index rows = shape.grid().rows;
    const Index sites_a_row = std::max<Index>(1, sites.size() / rows * size);
    const Index band = std::max<Index>(1, (Index{1} << 20) / sites_a_row);
    detached({}, [&](Control& control) {
        by_shares(rows, band, control, threads, [&](Index first, Index last, Control& own) {
            widen(passages.data(), shape, mask, thickness, first, last, inks, to, own, posts);
        });
    });
}

// (the plain grid, None), or with the first site that differs from its block.
py::tuple narrow_grid(const Bytes& sites, RowCol wide) {
    const Shape given = shape_of(sites, "sites");
    const Thickness thickness{wide[0], wide[1]};
    const auto cells = [&](Index side) {
        const auto [corridor, wall] = thickness;
        const bool sound = corridor > 0 && wall > 0 && corridor < side && wall < side;
        const Index n = sound ? (side - wall) / (corridor + wall) : 0;
        if (n < 1 || !thickness.fits(side, n)) throw py::value_error("this is no wide grid");
        return n;
    };
    const Shape shape{cells(given.rows), cells(given.cols)};
    Bytes grid({shape.grid().rows, shape.grid().cols});
    std::uint8_t* const to = writable(grid);
    Cell fault{-1, -1};
    detached(
        {}, [&](Control& control) { fault = narrow(sites.data(), shape, thickness, to, control); });
    if (fault.row < 0) return py::make_tuple(grid, py::none());
    return py::make_tuple(grid, py::make_tuple(fault.row, fault.col));
}

}  // namespace

void bind_geometry(py::module_& m) {
    def(m, "open_seam", &open_seam, "passages", "mask", "first", "size", "below", "doors", "seed",
        "lane");
    def(m, "widen", &widen_grid, "passages", "mask", "wide", "road", "wall", "out", "posts",
        "threads");
    def(m, "narrow", &narrow_grid, "sites", "wide");
}

}  // namespace meiro
