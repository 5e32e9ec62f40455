// The growing forest of choose = newest, the default, on a lattice that is not periodic. Of a tree
// only the newest cell and the way back from it to the root ever matter, and the way back is in the
// cells: each has the direction to the one that it was grown from. So there are no lists.
//
// Turns are taken at random places: what takes time are cache misses, one for each line of memory
// that a turn touches. So the cells are bytes in tiles of 8 x 8, a line each, with whether they are
// visited and no marks in their neighbours: a turn touches one and a half lines, all of them next
// to its cell. Cells that cannot grow never will again: a tree goes back at once to the first cell
// that can, and rests for the turns that this takes; without such a cell it is complete.
// Measured at 1000 x 1000 and 4000 x 4000, turns alone, ns a cell: lists 60 and 170; this 27
// and 36. Huge pages: at 16000 x 16000 50 instead of 62.
#pragma once

#include <bit>
#include <cstring>

#include "../buffer.hpp"
#include "../huge_pages.hpp"
#include "job.hpp"
#include "shared/shorten.hpp"
#include "shared/start_cell.hpp"
#include "shared/step_table.hpp"

namespace meiro {

// The cells while trees grow, within a frame that has no cells.
class CellTiles {
public:
    using Place = std::uint32_t;
    // Else the bit of the direction in which is the cell that it was grown from.
    static constexpr unsigned unvisited = 0, root = 16, no_cell = 32, state_bits = 63;
    static constexpr std::uint8_t spent = 64;  // a mark: left by its only free direction

    // Are places large enough?
    static bool hold(Shape shape) { return bytes(shape) < Index{1} << 32; }

    explicit CellTiles(const Job& job) : shape_(job.maze.shape()) {
        prefer_huge_pages(bytes_);
        polled_fill(bytes_.data(), bytes_.size(), no_cell, job.control);
        each(job.control, [&](Index cell, Place at) {
            if (job.exists(cell)) bytes_[at] = unvisited;
        });
        for (Index row = 0; row < side; ++row)
            for (Index col = 0; col < side; ++col) {
                auto& [north, east, south, west] = steps_[row * side + col];
                const Index down = row + 1 < side ? side : tile_row_ - (side - 1) * side;
                const Index up = row > 0 ? -side : (side - 1) * side - tile_row_;
                north = static_cast<Place>(up);
                south = static_cast<Place>(down);
                east = static_cast<Place>(col + 1 < side ? 1 : area - (side - 1));
                west = static_cast<Place>(col > 0 ? -1 : side - 1 - area);
            }
    }

    Place place(Cell cell) const { return in_column(cell.row) + in_row(cell.col); }
    Place next(Place at, Direction d) const {
        return at + steps_[at % area][static_cast<std::size_t>(d)];
    }
    unsigned state(Place at) const { return bytes_[at] & state_bits; }
    bool is_spent(Place at) const { return (bytes_[at] & spent) != 0; }
    unsigned free(Place at) const {
        const std::uint8_t* const bytes = bytes_.data();
        const auto [north, east, south, west] = steps_[at % area];
        return (bytes[at + north] == unvisited ? bits::north : 0) |
               (bytes[at + east] == unvisited ? bits::east : 0) |
               (bytes[at + south] == unvisited ? bits::south : 0) |
               (bytes[at + west] == unvisited ? bits::west : 0);
    }
    void mark_spent(Place at) { bytes_[at] |= spent; }
    void visit(Place at, unsigned state) { bytes_[at] = static_cast<std::uint8_t>(state); }
    void prefetch_around(Place at) const {
        const std::uint8_t* const bytes = bytes_.data();
        const auto [north, east, south, west] = steps_[at % area];
        prefetch(bytes + at);
        prefetch(bytes + (at + north));
        prefetch(bytes + (at + east));
        prefetch(bytes + (at + south));
        prefetch(bytes + (at + west));
    }

    // use(cell, place) for each cell of the lattice, row by row.
    template <class Use>
    void each(Control& control, const Use& use) const {
        by_bands(shape_, control, [&](Index first, Index last) {
            for (Index row = first; row < last; ++row)
                for (Index col = 0; col < shape_.cols; ++col)
                    use(row * shape_.cols + col, in_column(row) + in_row(col));
        });
    }

    // The passages of each cell: to the one that it was grown from, and to those grown from it.
    void open_passages(const Passages& maze, Control& control) const {
        const Index width = tiles(shape_.cols) * side;  // a row with its frame
        Buffer<std::uint8_t> memory(3 * width);
        std::uint8_t *above = memory.data(), *row = above + width, *below = row + width;
        copy_row(-1, above, control);
        copy_row(0, row, control);
        for (Index r = 0; r < shape_.rows; ++r) {
            copy_row(r + 1, below, control);
            by_pieces(shape_.cols, control, [&](Index first, Index last) {
                add_passages(above + 1 + first, row + 1 + first, below + 1 + first, last - first,
                             maze.bytes() + r * shape_.cols + first);
            });
            std::swap(above, row);
            std::swap(row, below);
        }
    }

    void give_back(Control& control) { shorten(bytes_, 0, control); }

private:
    static constexpr Index side = 8, area = side * side;
    static constexpr Index tiles(Index cells) { return (cells + 2 + side - 1) / side; }
    static constexpr Index bytes(Shape shape) {
        return tiles(shape.rows) * tiles(shape.cols) * area;
    }
    // A row with its frame, from the tiles.
    void copy_row(Index row, std::uint8_t* out, Control& control) const {
        const std::uint8_t* const bytes = bytes_.data() + in_column(row);
        by_pieces(tiles(shape_.cols) * side, control, [&](Index first, Index last) {
            for (Index col = first; col < last; col += side)
                std::memcpy(out + col, bytes + col / side * area, side);
        });
    }
    [[gnu::noinline]] static void add_passages(const std::uint8_t* above, const std::uint8_t* row,
                                               const std::uint8_t* below, Index n,
                                               std::uint8_t* open) {
        for (Index i = 0; i < n; ++i)
            open[i] = static_cast<std::uint8_t>(
                open[i] | (row[i] & 15) | (row[i - 1] & bits::east) << 2 |
                (row[i + 1] & bits::west) >> 2 | (above[i] & bits::south) >> 2 |
                (below[i] & bits::north) << 2);
    }
    Place in_column(Index row) const {
        return static_cast<Place>((row + 1) / side * tile_row_ + (row + 1) % side * side);
    }
    static Place in_row(Index col) {
        return static_cast<Place>((col + 1) / side * area + (col + 1) % side);
    }

    Shape shape_;
    Index tile_row_ = tiles(shape_.cols) * area;  // bytes of a row of tiles
    Buffer<std::uint8_t> bytes_{bytes(shape_)};
    std::array<std::array<Place, 4>, area> steps_{};
};

template <class Id>
class NewestForest {
public:
    NewestForest(Job& job, Random& random) : job_(job), random_(random) {}

    // From different cells, in the order of their turns.
    void grow(Buffer<Id> seeds) {
        Buffer<Tree> trees(seeds.size() + ahead);  // those that are not complete, in order
        for (Index k = 0; k < seeds.size(); ++k) {
            trees[k] = plant(static_cast<Index>(seeds[k]));
            job_.control.poll(4);
        }
        std::fill(trees.end() - ahead, trees.end(), trees[0]);  // any place, to be prefetched
        const Index count = seeds.size();
        shorten(seeds, 0, job_.control);
        rounds(trees, count);
        if (job_.mask != nullptr) {
            Unvisited<Id> rest(job_);
            const auto waits = [&](Index cell) {
                const CellTiles::Place at = cells_.place(job_.maze.cell(cell));
                return cells_.state(at) == CellTiles::unvisited && cells_.free(at) != 0;
            };
            for (Index at; (at = rest.take(random_, waits)) >= 0;) {
                trees[0] = plant(at);
                rounds(trees, 1);
            }
        }
        cells_.open_passages(job_.maze, job_.control);
        cells_.give_back(job_.control);
    }

private:
    struct Tree {
        CellTiles::Place at;    // its newest cell that can grow, as far as is known
        CellTiles::Place rest;  // turns until it is there
    };
    static constexpr Index ahead = 32;  // turns

    static Direction grown_from(unsigned state) {
        return static_cast<Direction>(std::countr_zero(state));
    }

    Tree plant(Index cell) {
        const CellTiles::Place at = cells_.place(job_.maze.cell(cell));
        cells_.visit(at, CellTiles::root);
        job_.control.done(1);
        return {at, 0};
    }

    // Takes turns until all `count` trees are complete.
    void rounds(Buffer<Tree>& trees, Index count) {
        Digits digits = digits_;
        while (count > 0) {
            Tree* kept = trees.begin();
            for (Index first = 0; first < count; first += poll_chunk) {
                const Tree* const end = trees.begin() + std::min(count, first + poll_chunk);
                Index carved = 0;
                for (const Tree* tree = trees.begin() + first; tree != end; ++tree) {
                    if (tree[ahead].rest == 0) cells_.prefetch_around(tree[ahead].at);
                    if (tree->rest != 0) {
                        *kept++ = {tree->at, tree->rest - 1};
                        continue;
                    }
                    const CellTiles::Place at = tree->at;
                    const unsigned free = cells_.free(at);
                    if (free == 0) {
                        kept += go_back(at, *kept) ? 1 : 0;
                        continue;
                    }
                    const Direction d = pick_by(free, digits.next(random_));
                    const CellTiles::Place to = cells_.next(at, d);
                    if ((free & (free - 1)) == 0) cells_.mark_spent(at);
                    cells_.visit(to, bit(opposite(d)));
                    *kept++ = {to, 0};
                    ++carved;
                }
                job_.control.done(carved);
                job_.control.poll(8 * (end - trees.begin() - first));
            }
            count = kept - trees.begin();
        }
        digits_ = digits;
    }

    // Goes back from a cell that cannot grow, a turn for each cell. False if no other can.
    bool go_back(CellTiles::Place at, Tree& tree) {
        for (CellTiles::Place turns = 0;; ++turns) {
            const unsigned state = cells_.state(at);
            if (state == CellTiles::root) return false;
            at = cells_.next(at, grown_from(state));
            if (!cells_.is_spent(at) && cells_.free(at) != 0) {
                tree = {at, turns};
                return true;
            }
            if (turns % poll_chunk == poll_chunk - 1) job_.control.poll(2 * poll_chunk);
        }
    }

    Job& job_;
    Random& random_;
    CellTiles cells_{job_};
    Digits digits_;
};

}  // namespace meiro
