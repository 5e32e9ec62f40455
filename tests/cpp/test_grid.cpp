// Passages to the drawn grid and back.
#include <doctest/doctest.h>

#include <algorithm>

#include "support.hpp"
#include "transform/grid.hpp"

using namespace meiro;

namespace {

struct GridCase {
    Shape shape;
    Bytes mask, open;
    bool masked;
    Wrap wrap;

    Bytes grid() const {
        Bytes out(at(shape.grid().size()), 9);
        Control control;
        expand(open.data(), shape, masked ? mask.data() : nullptr, 0, shape.grid().rows, out.data(),
               control);
        return out;
    }
};

std::vector<GridCase> grid_cases() {
    std::vector<GridCase> out;
    for (const Shape shape : shapes)
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            for (const Wrap wrap : wraps_of(shape)) {
                const Bytes mask = some_mask(shape, seed);
                out.push_back(
                    {shape, mask, some_passages(shape, mask, seed, wrap), seed != 0, wrap});
            }
        }
    return out;
}

// What stands at a site, by the definition.
std::uint8_t site(const GridCase& w, Index row, Index col) {
    const Shape grid = w.shape.grid();
    if (row % 2 == 0 && col % 2 == 0) return wall_site;
    if (!w.wrap.rows && (row == 0 || row == grid.rows - 1)) return wall_site;
    if (!w.wrap.cols && (col == 0 || col == grid.cols - 1)) return wall_site;
    if (row == 0 || col == 0)
        return site(w, row == 0 ? grid.rows - 1 : row, col == 0 ? grid.cols - 1 : col);
    const Index cell = w.shape.id({(row - 1) / 2, (col - 1) / 2});
    if (row % 2 == 1 && col % 2 == 1) return w.mask[at(cell)] != 0 ? road_site : wall_site;
    const Direction d = row % 2 == 1 ? Direction::east : Direction::south;
    return (w.open[at(cell)] & bit(d)) != 0 ? road_site : wall_site;
}

struct Back {
    Contracted result;
    Bytes open, mask;
};
Back contracted(Shape shape, const Bytes& grid, Wrap wrap = {}) {
    Back back{{}, Bytes(at(shape.size()), 9), Bytes(at(shape.size()), 9)};
    Control control;
    back.result = contract(grid.data(), shape, wrap, back.open.data(), back.mask.data(), control);
    return back;
}

}  // namespace

TEST_CASE("every site is what the definition says") {
    for (const GridCase& w : grid_cases()) {
        const Bytes grid = w.grid();
        for (Index r = 0; r < w.shape.grid().rows; ++r)
            for (Index c = 0; c < w.shape.grid().cols; ++c)
                REQUIRE(grid[at(r * w.shape.grid().cols + c)] == site(w, r, c));
    }
}

TEST_CASE("rows alone are the rows of the whole") {
    for (const GridCase& w : grid_cases()) {
        const Bytes whole = w.grid();
        const Index width = w.shape.grid().cols;
        for (Index first = 0; first < w.shape.grid().rows; ++first) {
            const Index last = std::min(first + 3, w.shape.grid().rows);
            Bytes rows(at((last - first) * width), 9);
            Control control;
            expand(w.open.data(), w.shape, w.masked ? w.mask.data() : nullptr, first, last,
                   rows.data(), control);
            REQUIRE(std::equal(rows.begin(), rows.end(), whole.begin() + first * width));
        }
    }
}

TEST_CASE("without free posts, a post is road if the four sites beside it are") {
    for (const GridCase& w : grid_cases()) {
        const Shape g = w.shape.grid();
        Bytes all = w.grid(), out(all.size(), 9);
        Control control;
        const Mask mask = w.masked ? w.mask.data() : nullptr;
        expand(w.open.data(), w.shape, mask, 0, g.rows, out.data(), control, false);
        for (Index r = 0; r < g.rows; r += 2)
            for (Index c = 0; c < g.cols; c += 2) {
                if (!w.wrap.rows && (r == 0 || r == g.rows - 1)) continue;
                if (!w.wrap.cols && (c == 0 || c == g.cols - 1)) continue;
                const Index north = r > 0 ? r - 1 : g.rows - 2, south = r + 1 < g.rows ? r + 1 : 1;
                const Index west = c > 0 ? c - 1 : g.cols - 2, east = c + 1 < g.cols ? c + 1 : 1;
                all[at(r * g.cols + c)] =
                    site(w, north, c) | site(w, south, c) | site(w, r, west) | site(w, r, east);
            }
        REQUIRE(out == all);
        const Back back = contracted(w.shape, out, w.wrap);
        REQUIRE(back.result.fault == GridFault::none);
        REQUIRE(back.open == w.open);
    }
}

TEST_CASE("grid -> passages is the way back") {
    for (const GridCase& w : grid_cases()) {
        const Back back = contracted(w.shape, w.grid(), w.wrap);
        CHECK(back.result.fault == GridFault::none);
        CHECK(back.open == w.open);
        CHECK(back.mask == w.mask);
        CHECK(back.result.full == (std::ranges::count(w.mask, 0) == 0));
    }
}

TEST_CASE("where it wraps, a border site is as the one on the other side") {
    for (const GridCase& w : grid_cases()) {
        const Bytes sound = w.grid();
        const Shape g = w.shape.grid();
        const auto spoiled = [&](Index site) {
            Bytes grid = sound;
            grid[at(site)] ^= wall_site;
            return contracted(w.shape, grid, w.wrap).result;
        };
        for (Index c = 1; w.wrap.rows && c < g.cols; c += 2)
            for (const Index row : {Index{0}, g.rows - 1}) {
                const Contracted result = spoiled(row * g.cols + c);
                REQUIRE(result.fault == GridFault::seam);
                REQUIRE(result.site == Cell{0, c});
            }
        for (Index r = 1; w.wrap.cols && r < g.rows; r += 2)
            for (const Index col : {Index{0}, g.cols - 1}) {
                const Contracted result = spoiled(r * g.cols + col);
                REQUIRE(result.fault == GridFault::seam);
                REQUIRE(result.site == Cell{r, 0});
            }
    }
}

TEST_CASE("openings in the border are no matter") {
    for (const GridCase& w : grid_cases()) {
        if (w.wrap.any()) continue;
        Bytes grid = w.grid();
        const Shape g = w.shape.grid();
        for (Index c = 1; c < g.cols; c += 2) {
            grid[at(c)] = road_site;
            grid[at((g.rows - 1) * g.cols + c)] = road_site;
        }
        for (Index r = 1; r < g.rows; r += 2) {
            grid[at(r * g.cols)] = road_site;
            grid[at(r * g.cols + g.cols - 1)] = road_site;
        }
        if (std::ranges::count(w.mask, 0) != 0) continue;  // there a door may lead into a WALL cell
        const Back back = contracted(w.shape, grid);
        CHECK(back.result.fault == GridFault::none);
        CHECK(back.open == w.open);
    }
}

TEST_CASE("a road post that is not free is no maze grid, wherever it stands") {
    for (const GridCase& w : grid_cases()) {
        const Bytes sound = w.grid();
        const Shape g = w.shape.grid();
        Bytes bare(sound.size());
        Control control;
        expand(w.open.data(), w.shape, w.masked ? w.mask.data() : nullptr, 0, g.rows, bare.data(),
               control, false);
        for (Index r = 0; r < g.rows; r += 2)
            for (Index c = 0; c < g.cols; c += 2) {
                Bytes grid = sound;
                grid[at(r * g.cols + c)] = road_site;
                const Contracted result = contracted(w.shape, grid, w.wrap).result;
                const bool free = bare[at(r * g.cols + c)] == road_site;
                const bool first = (w.wrap.rows && r == 0) || (w.wrap.cols && c == 0);
                const bool last =
                    (w.wrap.rows && r == g.rows - 1) || (w.wrap.cols && c == g.cols - 1);
                if (free || last) {
                    REQUIRE(result.fault == (first || last ? GridFault::seam : GridFault::none));
                    continue;
                }
                REQUIRE(result.fault == GridFault::post);
                REQUIRE(result.site == Cell{r, c});
            }
    }
}

TEST_CASE("a door to a cell that is WALL is named") {
    const Shape shape{3, 3};
    const GridCase w{shape, Bytes(9, 1), some_passages(shape, Bytes(9, 1), 3), false, {}};
    const Index width = shape.grid().cols;
    for (const Direction d : directions) {
        Bytes grid(at(shape.grid().size()), wall_site);
        for (Index r = 0; r < 3; ++r)
            for (Index c = 0; c < 3; ++c) grid[at((2 * r + 1) * width + 2 * c + 1)] = road_site;
        grid[at(3 * width + 3)] = wall_site;  // the middle cell
        const Cell door{3 + row_step(d), 3 + col_step(d)};
        grid[at(door.row * width + door.col)] = road_site;
        const Contracted result = contracted(shape, grid).result;
        CHECK(result.fault == GridFault::door);
        CHECK(result.site == door);
    }
}
