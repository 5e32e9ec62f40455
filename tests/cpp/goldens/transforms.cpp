// Every transform, on mazes with loops, whole, masked and periodic.
#include "transform/transforms.hpp"
#include "goldens.hpp"
#include "transform/grid.hpp"
#include "transform/seams.hpp"
#include "transform/square_symmetry.hpp"
#include "transform/thick_grid.hpp"

namespace meiro {
namespace {

constexpr Seed seed{{1, 2}, 3};
constexpr Shape shape{19, 26};

void check_lattice(Goldens& goldens, const Lattice& lattice) {
    const Bytes given = maze_of("percolation", shape, lattice);
    const Bytes mask = lattice.masked ? scattered_mask(shape) : Bytes(at(shape.size()), 1);
    const auto check = [&](const char* name, auto body) {
        goldens.check(key_of({"transform", name, lattice.name}), shape.size(), [&](Digest& digest) {
            Control control;
            Bytes out(given.size()), left = mask;
            const Passages maze(out.data(), shape, lattice.wrap);
            lay_out(maze, given.data(), mask.data(), control);
            body(maze, left, control);
            maze.finish(control);
            digest.each(out).each(left);
        });
    };
    check("braid", [](const Passages& maze, Bytes&, Control& control) {
        braid(maze, seed, Chance{Chance::certain}, control);
    });
    check("braid_half", [](const Passages& maze, Bytes&, Control& control) {
        braid(maze, seed, Chance{Chance::certain / 2}, control);
    });
    check("add_loops", [](const Passages& maze, Bytes&, Control& control) {
        add_loops(maze, seed, count_walls(maze, control) / 3, control);
    });
    check("join_regions", [](const Passages& maze, Bytes&, Control& control) {
        join_regions(maze, seed, control);
    });
    check("remove_islands", [](const Passages& maze, Bytes&, Control& control) {
        remove_islands(maze, seed, control);
    });
    check("fill_dead_ends", [](const Passages& maze, Bytes& left, Control& control) {
        const std::vector<Index> kept{50, 51};
        fill_dead_ends(maze, left.data(), kept, 2, control);
    });
    const auto check_tree = [&](const char* name, auto walk) {
        check(name, [&](const Passages& maze, Bytes&, Control& control) {
            remove_islands(maze, seed, control);
            join_regions(maze, seed, control);
            walk(maze, seed, 50, control);
        });
    };
    check_tree("origin_shift", &origin_shift);
    check_tree("perturb", &perturb);
    for (const auto& [name, how] : {std::pair{"symmetric_left_right", MazeSymmetry::left_right},
                                    std::pair{"symmetric_top_bottom", MazeSymmetry::top_bottom},
                                    std::pair{"symmetric_half_turn", MazeSymmetry::half_turn}})
        check(name, [&, how = how](const Passages& maze, Bytes& left, Control& control) {
            symmetric(maze, given.data(), mask.data(), how, seed, left.data(), control);
        });
    goldens.check(key_of({"transform/unicursal", lattice.name}), 4 * shape.size(),
                  [&](Digest& digest) {
                      Bytes out(4 * given.size()), left(out.size());
                      Control control;
                      unicursal(given.data(), shape, mask.data(), out.data(), left.data(), control);
                      digest.each(out).each(left);
                  });
    goldens.check(key_of({"transform/grid", lattice.name}), 4 * shape.size(), [&](Digest& digest) {
        const Shape grid = shape.grid();
        Bytes sites(at(grid.size())), back(given.size()), there(given.size());
        Control control;
        expand(given.data(), shape, mask.data(), 0, grid.rows, sites.data(), control);
        contract(sites.data(), shape, lattice.wrap, back.data(), there.data(), control);
        digest.each(sites).each(back).each(there);
    });
    if (lattice.masked || lattice.wrap.any()) return;
    goldens.check(key_of({"transform/partial_search", lattice.name}), shape.size(),
                  [&](Digest& digest) {
                      const Bytes none(given.size(), 0);
                      for (const SearchLimits limits :
                           {SearchLimits{-1, 200, 300, true}, SearchLimits{7, 999, 12, true},
                            SearchLimits{-1, 999, 300, false}}) {
                          Bytes out(given.size()), visited(given.size());
                          Control control;
                          const Passages maze(out.data(), shape);
                          lay_out(maze, none.data(), nullptr, control);
                          partial_search(maze, visited.data(), seed, limits, control);
                          maze.finish(control);
                          digest.each(out).each(visited);
                      }
                  });
}

}  // namespace

void check_transforms(Goldens& goldens) {
    for (const Lattice& lattice : lattices) check_lattice(goldens, lattice);
    const Bytes given = maze_of("wilson", shape);
    goldens.check_threads("transform/turn", 8 * shape.size(), [&](Digest& digest, int threads) {
        Control control;
        for (const bool rows : {false, true})
            for (const bool cols : {false, true})
                for (const bool exchanged : {false, true})
                    for (const bool passages : {false, true}) {
                        Bytes out(given.size());
                        turn(given.data(), shape, {rows, cols, exchanged}, passages, out.data(),
                             threads, control);
                        digest.each(out);
                    }
    });
    goldens.check("transform/widen", 50 * shape.size(), [&](Digest& digest) {
        const std::uint32_t road = 0x01020304, wall = 0xa0b0c0d0;
        for (const Thickness wide : {Thickness{1, 1}, {3, 2}, {8, 1}}) {
            const Index rows = wide.begin(2 * shape.rows + 1),
                        cols = wide.begin(2 * shape.cols + 1);
            for (const Index size : {1, 4}) {
                std::uint8_t inks[2][4];
                for (unsigned i = 0; i < 4; ++i) {
                    inks[0][i] = static_cast<std::uint8_t>(road >> 8 * i);
                    inks[1][i] = static_cast<std::uint8_t>(wall >> 8 * i);
                }
                Bytes out(at(rows * cols * size));
                Control control;
                widen(given.data(), shape, nullptr, wide, 0, shape.grid().rows,
                      {{inks[0], inks[1]}, size}, out.data(), control);
                digest.each(out);
            }
        }
    });
    goldens.check("transform/copy", shape.size(), [&](Digest& digest) {
        Bytes part(7 * 9), doors = given;
        Control control;
        for (Index r = 0; r < 7; ++r)
            for (Index c = 0; c < 9; ++c) {  // 7 x 9 cells from the 30th on, without ways out
                const unsigned out = (r == 0 ? bits::north : 0u) | (r == 6 ? bits::south : 0u) |
                                     (c == 0 ? bits::west : 0u) | (c == 8 ? bits::east : 0u);
                part[at(r * 9 + c)] =
                    static_cast<std::uint8_t>(given[at(30 + r * shape.cols + c)] & ~out);
            }
        digest.each(part);
        for (Index row = 0; row < shape.rows; ++row) {
            doors[at(shape.id({row, 12}))] &= static_cast<std::uint8_t>(~bits::east);
            doors[at(shape.id({row, 13}))] &= static_cast<std::uint8_t>(~bits::west);
        }
        digest << open_doors(doors.data(), shape, nullptr,
                             {12, shape.cols, shape.rows, Direction::east}, 4, Random(seed),
                             control);
        const Two two = two_of(1000, Random(seed, Purpose::transform));
        digest.each(doors) << two.first << two.second;
    });
}

}  // namespace meiro
