// Arbitrary bytes as wall/road arrays: their components are those of plain floods, and what is read
// as a maze is drawn as it was.
#include "transform/grid.hpp"
#include "fuzz.hpp"
#include "measure/components.hpp"
#include "transform/thick_grid.hpp"

namespace meiro {
namespace {

void check_components(Shape shape, Wrap wrap, const Bytes& sites, Control& control) {
    // Opposite sides of the border of a periodic grid are the same sites.
    const auto same = [&](Index i) {
        auto [row, col] = shape.cell(i);
        if (wrap.rows && row == shape.rows - 1) row = 0;
        if (wrap.cols && col == shape.cols - 1) col = 0;
        return shape.id({row, col});
    };
    for (const std::uint8_t kind : {0, 1}) {
        std::vector<std::int32_t> labels(sites.size());
        const Index found = label(sites.data(), shape, wrap, kind, labels.data(), control);
        const auto expected = plain_components(
            shape.size(), [&](Index i) { return sites[at(i)] == kind; },
            [&](Index i, auto body) {
                for (const Direction d : directions)
                    if (const Index to = plain_neighbour(shape, {}, i, d); to >= 0) body(to);
                const auto [row, col] = shape.cell(i);
                for (const Index r : {row, row == 0 ? shape.rows - 1 : 0})
                    for (const Index c : {col, col == 0 ? shape.cols - 1 : 0})
                        if (same(shape.id({r, c})) == same(i)) body(shape.id({r, c}));
            });
        MUST(found == count_of(expected));
        for (std::size_t i = 0; i < labels.size(); ++i) MUST(labels[i] == expected[i] + 1);
    }
}

void check_census(Shape shape, const Bytes& sites, Control& control) {
    const Census census = census_of_walls(sites.data(), shape, control);
    const auto wall = [&](Index row, Index col) { return sites[at(shape.id({row, col}))] != 0; };
    const auto neighbours = [&](Index i, auto body) {
        for (const Direction d : directions)
            if (const Index to = plain_neighbour(shape, {}, i, d); to >= 0) body(to);
    };
    const auto walls =
        plain_components(shape.size(), [&](Index i) { return sites[at(i)] != 0; }, neighbours);
    const auto roads =
        plain_components(shape.size(), [&](Index i) { return sites[at(i)] == 0; }, neighbours);
    std::vector<bool> at_border(at(count_of(walls)));
    Index edges = 0, nodes = 0, blocks = 0, bare = 0;
    for (Index row = 0; row < shape.rows; ++row)
        for (Index col = 0; col < shape.cols; ++col) {
            const bool south = row + 1 < shape.rows, east = col + 1 < shape.cols;
            const bool inside = row > 0 && col > 0 && south && east;
            const Index i = shape.id({row, col});
            if (wall(row, col)) {
                if (!inside) at_border[at(walls[at(i)])] = true;
                bare += inside && !wall(row - 1, col) && !wall(row + 1, col) &&
                        !wall(row, col - 1) && !wall(row, col + 1);
                continue;
            }
            ++nodes;
            edges += (south && !wall(row + 1, col)) + (east && !wall(row, col + 1));
            blocks += south && east && !wall(row + 1, col) && !wall(row, col + 1) &&
                      !wall(row + 1, col + 1);
        }
    MUST(census.regions == count_of(roads));
    MUST(census.loops == edges - nodes + count_of(roads));
    MUST(census.islands == std::ranges::count(at_border, false));
    MUST(census.open_blocks == blocks);
    MUST(census.bare_posts == bare);
}

// Opposite sides of the border of a periodic grid are the same sites.
void join_sides(Shape sites, Wrap wrap, Bytes& grid) {
    for (Index i = 0; i < sites.size(); ++i) {
        const auto [row, col] = sites.cell(i);
        if (wrap.rows && row == sites.rows - 1) grid[at(i)] = grid[at(col)];
        if (wrap.cols && col == sites.cols - 1) grid[at(i)] = grid[at(i - col)];
    }
}

void check_maze(Shape shape, Wrap wrap, const Bytes& grid, Control& control) {
    Bytes passages(at(shape.size()), 99), mask(at(shape.size()), 99), drawn(grid.size());
    const Contracted found =
        contract(grid.data(), shape, wrap, passages.data(), mask.data(), control);
    const Shape sites = shape.grid();
    if (found.fault != GridFault::none) {
        MUST(found.site.row >= 0 && found.site.row < sites.rows);
        MUST(found.site.col >= 0 && found.site.col < sites.cols);
        const bool post = found.site.row % 2 == 0 && found.site.col % 2 == 0;
        MUST(found.fault == GridFault::seam || post == (found.fault == GridFault::post));
        return;
    }
    MUST(plain_sound(shape, wrap, mask, passages));
    expand(passages.data(), shape, mask.data(), 0, sites.rows, drawn.data(), control);
    for (Index i = 0; i < sites.size(); ++i) {
        const auto [row, col] = sites.cell(i);
        const bool rim = (!wrap.rows && (row == 0 || row == sites.rows - 1)) ||
                         (!wrap.cols && (col == 0 || col == sites.cols - 1));
        const bool post = row % 2 == 0 && col % 2 == 0;  // a free one may be road in an open room
        MUST(drawn[at(i)] == (rim || post ? 1 : grid[at(i)]));  // openings are no passages
    }
    MUST(found.full == (std::ranges::count(mask, 0) == 0));
}

// Blocks that are not all wall or all road are found.
void check_narrow(Input& in, Control& control) {
    const Shape shape = in.shape(4), grid = shape.grid();
    const Thickness wide{in.between(1, 5), in.between(1, 3)};
    const auto side = [&](Index n) { return wide.begin(n - 1) + wide.wall; };
    const Index height = side(grid.rows), width = side(grid.cols);
    Bytes plain(at(grid.size())), sites(at(height * width)), out(plain.size());
    for (std::uint8_t& site : plain) site = in.byte() & 1;
    for (Index row = 0; row < grid.rows; ++row)
        for (Index col = 0; col < grid.cols; ++col)
            for (Index i = 0; i < wide.size(row); ++i)
                for (Index k = 0; k < wide.size(col); ++k)
                    sites[at((wide.begin(row) + i) * width + wide.begin(col) + k)] =
                        plain[at(grid.id({row, col}))];
    MUST(narrow(sites.data(), shape, wide, out.data(), control).row == -1);
    MUST(out == plain);
    const Index changed = in.between(0, height * width - 1);
    sites[at(changed)] ^= 1;
    const Cell fault = narrow(sites.data(), shape, wide, out.data(), control);
    Bytes again(sites.size());
    for (Index row = 0; row < grid.rows; ++row)
        for (Index col = 0; col < grid.cols; ++col)
            for (Index i = 0; i < wide.size(row); ++i)
                for (Index k = 0; k < wide.size(col); ++k)
                    again[at((wide.begin(row) + i) * width + wide.begin(col) + k)] =
                        sites[at(wide.begin(row) * width + wide.begin(col))];
    MUST((fault.row == -1) == (again == sites));
}

}  // namespace

void check(Input& in) {
    Control control;
    const Shape shape = in.shape(8), sites = shape.grid();
    const Wrap wrap = in.wrap(shape);
    const std::uint8_t kind = in.byte();
    Bytes grid = in.bytes(sites.size());
    for (std::uint8_t& site : grid) site &= 1;
    if (kind % 4 != 0)  // nearer to a maze: posts are walls, cells are roads
        for (Index i = 0; i < sites.size(); ++i) {
            const auto [row, col] = sites.cell(i);
            if (row % 2 == 0 && col % 2 == 0) grid[at(i)] = 1;
            if (row % 2 == 1 && col % 2 == 1 && kind % 4 > 1) grid[at(i)] = 0;
        }
    if (kind % 4 == 3) join_sides(sites, wrap, grid);
    check_maze(shape, wrap, grid, control);
    join_sides(sites, wrap, grid);
    check_components(sites, wrap, grid, control);
    check_census(sites, grid, control);
    const Shape any{std::max<Index>(1, sites.rows - kind % 3), sites.cols - kind % 2};
    grid.resize(at(any.size()));
    check_components(any, {}, grid, control);
    check_census(any, grid, control);
    check_narrow(in, control);
}

}  // namespace meiro
