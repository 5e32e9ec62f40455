// Joins trees that fill a lattice: walls between different trees are visited in random order, by
// their weights as in kruskal.cpp, and opened if they still separate two trees.
//   V. Osipov, P. Sanders, J. Singler, The filter-Kruskal minimum spanning tree algorithm, ALENEX
//   2009, 52. doi:10.1137/1.9781611972894.5
// The heavier half is sorted only after the lighter one was visited, without the walls that
// separate nothing any more, which are most of them.
//
// The trees are known by their passages. They are named row by row, so that near cells have near
// names; and of the walls between two trees only the lightest can open, so most of the others are
// left out as soon as they are met: at 100 cells a tree 41 of 100 cells have a wall between trees,
// and 4 remain.
//
// Scratch: a name a cell, the sets of names, and 8 bytes (16 from 2^31 cells on) per wall between
// two trees; of 32-bit names at worst 24 bytes a cell, if each cell is a tree.
#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>

#include "../../buffer.hpp"
#include "../../disjoint_set.hpp"
#include "../../polled_sort.hpp"
#include "../../trace/events.hpp"
#include "../job.hpp"
#include "shorten.hpp"
#include "weights.hpp"

namespace meiro {

// The walls between different trees, the lightest first.
template <class Id, class Topology, Recorder R>
class Merger {
public:
    // `trees` is not below the number of trees in components with more than one.
    Merger(Job& job, R& record, const Topology& maze, Index trees)
        : job_(job), record_(record), maze_(maze), trees_(trees) {}

    void run() {
        name();
        collect();
        open(walls_.begin(), walls_.end(), 0, Index{1} << light_bits);
        shorten(walls_, 0, job_.control);
        shorten(names_, 0, job_.control);
    }

private:
    struct Between {
        Id light;  // the high bits of the weight
        Id wall;   // 2 * the cell before it + is it to the south?
        Wall of() const { return {static_cast<Index>(wall >> 1), (wall & 1) != 0}; }
        Index cell() const { return of().cell; }
        Direction towards() const { return of().towards(); }
    };
    static constexpr int light_bits = sizeof(Id) == 4 ? 32 : 62;
    static constexpr Index piece = 256;  // columns

    // Names the cells of each tree alike. At first a cell has the name of the one to the west, or
    // else to the north, if there is a passage; passages to both join two names.
    void name() {
        const auto [rows, cols] = maze_.shape();
        names_ = Buffer<Id>(maze_.size());
        joined_ = DisjointSet<Id>(maze_.size());
        polled_fill(names_.data(), cols, 0, job_.control);  // read, and not used
        Id count = 0;
        for (Index row = 0; row < rows; ++row) {
            const std::uint8_t* const bytes = maze_.bytes() + row * cols;
            Id* const own = names_.data() + row * cols;
            const Id* const above = row > 0 ? own - cols : own;
            // Passages over the border come last.
            const unsigned known = row > 0 ? bits::north | bits::west : bits::west;
            Id last = 0;
            for (Index from = 0; from < cols; from += poll_chunk) {
                const Index to = std::min(cols, from + poll_chunk);
                for (Index col = from; col < to; ++col) {
                    const unsigned open = bytes[col] & (col > 0 ? known : known & bits::north);
                    joined_.put(count, count);
                    const Id other = select((open & bits::north) != 0, above[col], count);
                    last = select((open & bits::west) != 0, last, other);
                    count += open == 0 ? 1 : 0;
                    if (open == (bits::north | bits::west)) joined_.join(last, other);
                    own[col] = last;
                }
                job_.control.poll(2 * (to - from));
            }
            if ((bytes[0] & bits::west) != 0) joined_.join(own[0], own[cols - 1]);
        }
        const Id* const bottom = names_.data() + (rows - 1) * cols;
        by_each(cols, job_.control, [&](Index col) {
            if ((maze_.bytes()[col] & bits::north) != 0) joined_.join(names_[col], bottom[col]);
        });
        joined_.flatten(static_cast<Index>(count), job_.control);
        by_each(maze_.size(), job_.control,
                [&](Index cell) { names_[cell] = joined_.parent(names_[cell]); });
    }

    // A wall between two trees that was collected lately, and where.
    struct Lately {
        Id a = 0, b = 0;
        Index place = -1;
    };

    // Which walls of some cells in a row are between trees: a bit for the wall to the east and one
    // for that to the south. Compilers take several cells at a time.
    [[gnu::noinline]] static void mark(const Id* own, const Id* east, const Id* below, Index cells,
                                       std::uint8_t* marks) {
        for (Index k = 0; k < cells; ++k)
            marks[k] = static_cast<std::uint8_t>((own[k] != east[k] ? 1 : 0) |
                                                 (own[k] != below[k] ? 2 : 0));
    }

    // The walls between trees, in the order of their cells. Unless they are recorded, those that
    // are found to be heavier than another wall between the same trees are left out: they stay.
    void collect() {
        const auto [rows, cols] = maze_.shape();
        const auto [over_south, over_east] = maze_.wrap();
        // Not more: at most two walls for each cell, and all but one cell of a tree have a passage.
        walls_ = Buffer<Between>(maze_.size() + trees_);
        const Index size = std::min<Index>(4 * trees_, 1 << 14);
        lately_ =
            Buffer<Lately>(static_cast<Index>(std::bit_ceil(static_cast<std::uint64_t>(size))));
        std::fill(lately_.begin(), lately_.end(), Lately());
        for (Index row = 0; row < rows; ++row) {
            const Random weights = weights_.row(row);
            const Id* const own = names_.data() + row * cols;
            const Id* const below = row + 1 < rows ? own + cols : over_south ? names_.data() : own;
            for (Index from = 0; from < cols; from += piece) {
                const Index to = std::min(cols, from + piece);
                std::uint8_t marks[piece + 1];
                std::uint16_t pairs[piece / 2 + 1];
                const Index inner = std::min(to, cols - 1);
                mark(own + from, own + from + 1, below + from, inner - from, marks);
                if (to == cols)
                    mark(own + cols - 1, over_east ? own : own + cols - 1, below + cols - 1, 1,
                         marks + (cols - 1 - from));
                each_two_marked(marks, pairs, to - from, [&](Index k, unsigned left) {
                    const Block words = weights.block(weight_block(from + k));
                    for (; left != 0; left &= left - 1) {
                        const auto w = static_cast<unsigned>(std::countr_zero(left));
                        add({static_cast<Id>(words[w] >> (64 - light_bits)),
                             static_cast<Id>(2 * (row * cols + from + k) + w)});
                    }
                });
                job_.control.poll(4 * (to - from));
            }
        }
        shorten(walls_, count_, job_.control);
        lately_ = Buffer<Lately>();
    }

    void add(Between wall) {
        Id a = name(wall, 0), b = name(wall, 1);
        if (job_.mask != nullptr &&
            !(job_.exists(wall.cell()) && job_.exists(maze_.next(wall.cell(), wall.towards()))))
            return;
        if constexpr (std::is_same_v<R, NoTrace>) {
            if (a > b) std::swap(a, b);
            const auto hash =
                (static_cast<std::uint64_t>(a) * 0x9e3779b97f4a7c15u + b) * 0xd6e8feb86659fd93u;
            Lately& lately = lately_[static_cast<Index>(hash >> 40) & (lately_.size() - 1)];
            if (lately.place >= 0 && lately.a == a && lately.b == b) {
                Between& other = walls_[lately.place];
                if (before(wall, other)) other = wall;
                return;
            }
            lately = {a, b, count_};
        }
        walls_[count_++] = wall;
    }

    // The walls of [first, last), whose weights are in [low, low + width).
    void open(Between* first, Between* last, Index low, Index width) {
        if (last - first <= poll_chunk || width == 1) {
            std::sort(first, last, [&](Between a, Between b) { return before(a, b); });
            for (const Between* wall = first; wall != last; ++wall) {
                const Id a = name(*wall, 0), b = name(*wall, 1);
                const bool opens = joined_.join(a, b);
                if (opens) maze_.open(wall->cell(), wall->towards());
                record_.on(opens ? Event::carve : Event::keep, maze_.cell(wall->cell()),
                           wall->towards(), 1);
            }
            job_.control.poll(16 * (last - first) + 1);
            return;
        }
        const auto middle = static_cast<Id>(low + width / 2);
        Between* const heavy = polled_partition(
            first, last, 4, job_.control, [&](const Between& wall) { return wall.light < middle; });
        open(first, heavy, low, width / 2);
        Between* const rest =
            polled_partition(heavy, last, 4, job_.control, [&](const Between& wall) {
                if (joined_.find(name(wall, 0)) != joined_.find(name(wall, 1))) return true;
                record_.on(Event::keep, maze_.cell(wall.cell()), wall.towards(), 1);
                return false;
            });
        open(heavy, rest, low + width / 2, width - width / 2);
    }

    Id name(const Between& wall, int side) const {
        return names_[side == 0 ? wall.cell() : maze_.next(wall.cell(), wall.towards())];
    }
    bool before(const Between& a, const Between& b) const {
        if (a.light != b.light) return a.light < b.light;
        return is_lighter(weights_, maze_.shape(), maze_.wrap(), a.of(), b.of());
    }

    Job& job_;
    R& record_;
    const Topology maze_;
    Buffer<Id> names_;  // of the cells
    const Weights weights_{job_.seed};
    const Index trees_;
    DisjointSet<Id> joined_{0};  // of names
    Buffer<Between> walls_;
    Index count_ = 0;
    Buffer<Lately> lately_;
};

}  // namespace meiro
