// Arbitrary bytes as the passages of a maze: found sound or not as a plain rule says, and if sound,
// counted, drawn, turned, transformed and measured as plain rules say.
#include <cmath>
#include <cstddef>
#include <deque>
#include <numeric>

#include "fuzz.hpp"
#include "measure/components.hpp"
#include "measure/measures.hpp"
#include "transform/grid.hpp"
#include "transform/seams.hpp"
#include "transform/square_symmetry.hpp"
#include "transform/thick_grid.hpp"
#include "transform/transforms.hpp"

namespace meiro {
namespace {

struct Maze {
    Shape shape;
    Wrap wrap;
    Bytes mask, open;

    // body(neighbour) for each open direction.
    template <class Body>
    void each(Index cell, Body body) const {
        for (const Direction d : directions)
            if ((open[at(cell)] & bit(d)) != 0) body(plain_neighbour(shape, wrap, cell, d));
    }
    std::vector<Index> labels() const {
        return plain_components(
            shape.size(), [&](Index i) { return exists(mask, i); },
            [&](Index i, auto body) { each(i, body); });
    }
    Index parts() const {
        return count_of(plain_components(
            shape.size(), [&](Index i) { return exists(mask, i); },
            [&](Index i, auto body) {
                for (const Direction d : directions)
                    if (const Index to = plain_neighbour(shape, wrap, i, d); to >= 0) body(to);
            }));
    }
    Index cells() const { return mask.empty() ? shape.size() : std::ranges::count(mask, 1); }
    Index passages() const {
        Index degrees = 0;
        for (const std::uint8_t byte : open) degrees += std::popcount(byte);
        return degrees / 2;
    }
    Index loops() const { return passages() - cells() + count_of(labels()); }
    bool sound() const { return plain_sound(shape, wrap, mask, open); }
    std::vector<Index> distances(Index from) const {
        std::vector<Index> out(open.size(), -1);
        std::deque<Index> queue{from};
        out[at(from)] = 0;
        while (!queue.empty()) {
            const Index here = queue.front();
            queue.pop_front();
            each(here, [&](Index to) {
                if (out[at(to)] >= 0) return;
                out[at(to)] = out[at(here)] + 1;
                queue.push_back(to);
            });
        }
        return out;
    }
};

// Is every passage of `one` one of `other`?
bool within(const Bytes& one, const Bytes& other) {
    for (std::size_t i = 0; i < one.size(); ++i)
        if ((one[i] & ~other[i]) != 0) return false;
    return true;
}

Census census_of(const Maze& maze, Control& control) {
    return maze.wrap.any()
               ? census_of_periodic(maze.open.data(), maze.shape, maze.wrap, mask_of(maze.mask),
                                    control)
               : census_of_passages(maze.open.data(), maze.shape, mask_of(maze.mask), control);
}

void check_counts(const Maze& maze, Control& control) {
    const Census census = census_of(maze, control);
    const auto labels = maze.labels();
    MUST(census.regions == count_of(labels));
    MUST(census.loops == maze.loops());
    MUST(census.parts == maze.parts());
    std::vector<std::int32_t> got(labels.size());
    MUST(label_cells(maze.open.data(), maze.shape, maze.wrap, mask_of(maze.mask), got.data(),
                     control) == count_of(labels));
    for (std::size_t i = 0; i < got.size(); ++i) MUST(got[i] == labels[i] + 1);
}

void check_grids(const Maze& maze, Input& in, Control& control) {
    const Shape shape = maze.shape, grid = shape.grid();
    Bytes drawn(at(grid.size())), back(maze.open.size()), cells(maze.open.size());
    expand(maze.open.data(), shape, mask_of(maze.mask), 0, grid.rows, drawn.data(), control);
    const Contracted found =
        contract(drawn.data(), shape, maze.wrap, back.data(), cells.data(), control);
    MUST(found.fault == GridFault::none && found.full == (maze.cells() == shape.size()));
    MUST(back == maze.open && (maze.mask.empty() || cells == maze.mask));
    if (!maze.wrap.any()) {
        const Census one = census_of(maze, control);
        const Census other = census_of_walls(drawn.data(), grid, control);
        MUST(one.regions == other.regions && one.loops == other.loops &&
             one.islands == other.islands);
    }
    const Thickness wide{in.between(1, 40), in.between(1, 5)};
    const Index size = in.between(1, 9);
    const Bytes road(at(size), 7), wall(at(size), 9);
    const Inks inks{{road.data(), wall.data()}, size};
    const auto side = [&](Index sites) { return wide.begin(sites - 1) + wide.wall; };
    const Index height = side(grid.rows), width = side(grid.cols);
    MUST(wide.fits(height, shape.rows) && wide.fits(width, shape.cols));
    Bytes thick(at(height * width * size), 1), sites(at(height * width)), plain(drawn.size());
    const Index cut = in.between(0, grid.rows);
    for (const Index end : {cut, grid.rows})
        widen(maze.open.data(), shape, mask_of(maze.mask), wide, end == cut ? 0 : cut, end, inks,
              thick.data(), control);
    for (std::size_t i = 0; i < sites.size(); ++i) {
        for (Index k = 0; k < size; ++k)
            MUST(thick[i * at(size) + at(k)] == (thick[i * at(size)] == 7 ? 7 : 9));
        sites[i] = thick[i * at(size)] == 9 ? 1 : 0;
    }
    MUST(narrow(sites.data(), shape, wide, plain.data(), control).row == -1);
    MUST(plain == drawn);
    expand(maze.open.data(), shape, mask_of(maze.mask), 0, grid.rows, drawn.data(), control, false);
    widen(maze.open.data(), shape, mask_of(maze.mask), wide, 0, grid.rows, inks, thick.data(),
          control, false);
    for (std::size_t i = 0; i < sites.size(); ++i) sites[i] = thick[i * at(size)] == 9 ? 1 : 0;
    MUST(narrow(sites.data(), shape, wide, plain.data(), control).row == -1);
    MUST(plain == drawn);
    MUST(contract(drawn.data(), shape, maze.wrap, back.data(), cells.data(), control).fault ==
         GridFault::none);
    MUST(back == maze.open);
}

void check_symmetries(const Maze& maze, int threads, Control& control) {
    for (const unsigned k : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u}) {
        const Symmetry how{(k & 1) != 0, (k & 2) != 0, (k & 4) != 0};
        Maze image{how.of(maze.shape),
                   how.exchanged ? Wrap{maze.wrap.cols, maze.wrap.rows} : maze.wrap, maze.mask,
                   Bytes(maze.open.size())};
        turn(maze.open.data(), maze.shape, how, true, image.open.data(), threads, control);
        if (!maze.mask.empty())
            turn(maze.mask.data(), maze.shape, how, false, image.mask.data(), threads, control);
        MUST(image.sound());
        for (Index cell = 0; cell < maze.shape.size(); ++cell) {
            auto [row, col] = maze.shape.cell(cell);
            if (how.rows) row = maze.shape.rows - 1 - row;
            if (how.cols) col = maze.shape.cols - 1 - col;
            if (how.exchanged) std::swap(row, col);
            const Index to = image.shape.id({row, col});
            MUST(exists(maze.mask, cell) == exists(image.mask, to));
            MUST(std::popcount(maze.open[at(cell)]) == std::popcount(image.open[at(to)]));
        }
        MUST(count_of(image.labels()) == count_of(maze.labels()));
    }
}

// The maze after work(maze as lay_out() fills it).
template <class Work>
Maze transformed(const Maze& maze, Control& control, Work work) {
    Maze out{maze.shape, maze.wrap, maze.mask, Bytes(maze.open.size())};
    const Passages view(out.open.data(), out.shape, out.wrap);
    lay_out(view, maze.open.data(), mask_of(maze.mask), control);
    work(view, out);
    view.finish(control);
    return out;
}

void check_transforms(const Maze& maze, bool sound, Input& in, Control& control) {
    const Seed seed = in.seed();
    const Chance p{in.flag() ? std::uint64_t{Chance::certain} : Chance::certain / 2};
    const Index rounds = in.between(0, 20), more = in.byte();
    const std::vector<Index> kept{in.between(0, maze.shape.size() - 1)};
    const auto how = in.choice<MazeSymmetry>(3);
    const Maze same = transformed(maze, control, [](const Passages&, Maze&) {});
    const Maze braided = transformed(
        maze, control, [&](const Passages& view, Maze&) { braid(view, seed, p, control); });
    Index opened = 0;
    const Maze looped = transformed(maze, control, [&](const Passages& view, Maze&) {
        opened = std::min<Index>(more, count_walls(view, control));
        add_loops(view, seed, opened, control);
    });
    const Maze joined = transformed(
        maze, control, [&](const Passages& view, Maze&) { join_regions(view, seed, control); });
    const Maze tree = transformed(
        maze, control, [&](const Passages& view, Maze&) { remove_islands(view, seed, control); });
    Bytes left = maze.mask.empty() ? Bytes(maze.open.size(), 1) : maze.mask;
    Maze filled = transformed(maze, control, [&](const Passages& view, Maze&) {
        fill_dead_ends(view, left.data(), kept, rounds, control);
    });
    filled.mask = left;
    Maze mirrored{maze.shape, maze.wrap, Bytes(maze.open.size()), Bytes(maze.open.size())};
    const Passages view(mirrored.open.data(), maze.shape, maze.wrap);
    lay_out(view, maze.open.data(), mask_of(maze.mask), control);
    symmetric(view, maze.open.data(), mask_of(maze.mask), how, seed, mirrored.mask.data(), control);
    view.finish(control);
    Maze doubled{{2 * maze.shape.rows, 2 * maze.shape.cols},
                 {},
                 maze.mask.empty() ? Bytes{} : Bytes(4 * maze.open.size()),
                 Bytes(4 * maze.open.size())};
    if (!maze.wrap.any())
        unicursal(maze.open.data(), maze.shape, mask_of(maze.mask), doubled.open.data(),
                  maze.mask.empty() ? nullptr : doubled.mask.data(), control);
    if (!sound) return;
    MUST(same.open == maze.open);
    MUST(braided.sound() && within(maze.open, braided.open));
    MUST(looped.sound() && within(maze.open, looped.open));
    MUST(looped.passages() == maze.passages() + opened);
    MUST(joined.sound() && within(maze.open, joined.open));
    MUST(count_of(joined.labels()) == maze.parts() && joined.loops() == maze.loops());
    MUST(tree.sound() && within(tree.open, maze.open) && tree.loops() == 0);
    MUST(tree.labels() == maze.labels());
    MUST(filled.sound() && within(filled.open, maze.open) && filled.loops() == maze.loops());
    MUST(exists(filled.mask, kept[0]) == exists(maze.mask, kept[0]));
    MUST(mirrored.sound());
    const Symmetry mirror{how != MazeSymmetry::left_right, how != MazeSymmetry::top_bottom, false};
    Bytes image(mirrored.open.size());
    turn(mirrored.open.data(), maze.shape, mirror, true, image.data(), 1, control);
    MUST(image == mirrored.open);
    if (!maze.wrap.any() && maze.loops() == 0) {
        MUST(doubled.sound() && doubled.cells() == 4 * maze.cells());
        MUST(count_of(doubled.labels()) == count_of(maze.labels()));
    }
}

void check_measures(const Maze& maze, Input& in, Control& control) {
    const Index start = in.between(0, maze.shape.size() - 1);
    const Index goal = in.between(0, maze.shape.size() - 1);
    if (!exists(maze.mask, start) || !exists(maze.mask, goal)) return;
    std::vector<const MeasureFacts*> list;
    for (const MeasureFacts& facts : measures())
        if (in.byte() % 4 != 1) list.push_back(&facts);
    Measurer measurer(maze.shape, maze.wrap, list);
    measurer.measure(
        {maze.open.data(), maze.shape, maze.wrap, mask_of(maze.mask), maze.cells(), start, goal},
        control);
    const auto value = [&](std::string_view name, double expected) {
        const MeasureFacts* const one = measure_named(name);
        if (std::ranges::find(list, one) == list.end()) return;
        double got = 0;
        std::string_view reason;
        measurer.results({&one, 1}, 0, &got, &reason);
        MUST(std::isnan(expected) ? std::isnan(got) && !reason.empty()
                                  : std::abs(got - expected) <= 1e-12 * expected);
    };
    const auto degree = [&](int n) {
        return static_cast<double>(std::ranges::count_if(
                   maze.open, [n](std::uint8_t byte) { return std::popcount(byte) == n; })) -
               static_cast<double>(n == 0 ? maze.shape.size() - maze.cells() : 0);
    };
    const auto labels = maze.labels();
    value("cells", static_cast<double>(maze.cells()));
    value("passages", static_cast<double>(maze.passages()));
    value("isolated", degree(0));
    value("dead_ends", degree(1));
    value("corridors", degree(2));
    value("junctions", degree(3));
    value("crossroads", degree(4));
    value("regions", static_cast<double>(count_of(labels)));
    value("loops", static_cast<double>(maze.loops()));
    const Index steps = maze.distances(start)[at(goal)];
    value("solution_length", steps < 0 ? std::nan("") : static_cast<double>(steps));
    if (maze.loops() != 0 || count_of(labels) != 1) return;
    double far = 0, sum = 0;
    for (Index cell = 0; cell < maze.shape.size(); ++cell)
        if (exists(maze.mask, cell))
            for (const Index d : maze.distances(cell))
                if (d > 0)
                    far = std::max(far, static_cast<double>(d)), sum += static_cast<double>(d);
    value("diameter", far);
    value("wiener_index", sum / 2);
}

// A rectangle cut out, and doors opened in a line of walls.
void check_regions(const Maze& maze, Input& in, Control& control) {
    const Index row = in.between(0, maze.shape.rows - 1), col = in.between(0, maze.shape.cols - 1);
    Maze part{
        {in.between(1, maze.shape.rows - row), in.between(1, maze.shape.cols - col)}, {}, {}, {}};
    part.open = Bytes(at(part.shape.size()));
    for (Index r = 0; r < part.shape.rows; ++r)
        for (Index c = 0; c < part.shape.cols; ++c) {
            const unsigned out = (r == 0 ? bits::north : 0u) | (c == 0 ? bits::west : 0u) |
                                 (r + 1 == part.shape.rows ? bits::south : 0u) |
                                 (c + 1 == part.shape.cols ? bits::east : 0u);
            part.open[at(part.shape.id({r, c}))] =
                static_cast<std::uint8_t>(maze.open[at(maze.shape.id({row + r, col + c}))] & ~out);
        }
    MUST(part.sound());
    if (part.shape.cols < 2) return;
    Bytes closed = part.open;
    for (Index r = 0; r < part.shape.rows; ++r) {
        closed[at(r * part.shape.cols)] &= static_cast<std::uint8_t>(~bits::east);
        closed[at(r * part.shape.cols + 1)] &= static_cast<std::uint8_t>(~bits::west);
    }
    part.open = closed;
    const Index doors = in.between(0, part.shape.rows + 1);
    const Index found =
        open_doors(part.open.data(), part.shape, nullptr,
                   {0, part.shape.cols, part.shape.rows, Direction::east}, doors,
                   transform_random(in.seed(), TransformLane::symmetric_doors), control);
    MUST(found == part.shape.rows && part.sound());
    const Index before = Maze{part.shape, {}, {}, closed}.passages();
    MUST(part.passages() - before == (doors <= found ? doors : 0));
}

}  // namespace

void check(Input& in) {
    const Shape shape = in.shape();
    const Wrap wrap = in.wrap(shape);
    Maze maze{shape, wrap, in.mask(shape), {}};
    const std::uint8_t kind = in.byte();
    maze.open = in.bytes(shape.size());
    if (kind % 4 != 1) make_sound(shape, wrap, maze.mask, maze.open);
    if (kind % 4 == 2 && !in.empty()) maze.open[at(in.between(0, shape.size() - 1))] ^= in.byte();
    Control control;
    const bool sound = maze.sound();
    const Index fault =
        Passages(maze.open.data(), shape, wrap).first_fault(mask_of(maze.mask), control);
    MUST((fault == -1) == sound);
    check_transforms(maze, sound, in, control);
    if (!sound) {  // the rest of it is memory that must not be left
        census_of(maze, control);
        return;
    }
    check_counts(maze, control);
    check_grids(maze, in, control);
    check_symmetries(maze, 1 + static_cast<int>(kind % 2), control);
    check_measures(maze, in, control);
    check_regions(maze, in, control);
}

}  // namespace meiro
