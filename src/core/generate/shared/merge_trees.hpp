// Joins trees that fill a lattice: walls between different trees are visited in random order, by
// their weights as in kruskal.cpp, and opened if they still separate two trees.
//   V. Osipov, P. Sanders, J. Singler, The filter-Kruskal minimum spanning tree algorithm, ALENEX
//   2009, 52. doi:10.1137/1.9781611972894.5
// The heavier half is sorted only after the lighter one was visited, without the walls that
// separate nothing any more, which are most of them. Scratch: 8 bytes (16 from 2^31 cells on) per
// wall between two trees, and an id per tree.
#pragma once

#include <algorithm>

#include "../../buffer.hpp"
#include "../../disjoint_set.hpp"
#include "../../registry.hpp"
#include "../../trace/events.hpp"
#include "weights.hpp"

namespace meiro {

// Shrinks by pieces, as the system takes a while to take touched memory back.
template <class T>
void shorten(Buffer<T>& buffer, Index size, Control& control) {
    constexpr Index piece = (Index{1} << 22) / static_cast<Index>(sizeof(T));
    while (buffer.size() - size > piece) {
        buffer.grow(buffer.size() - piece);
        control.poll(Control::stride / 2);
    }
    buffer.grow(size);
}

// The walls between different trees, the lightest first.
template <class Id, class Topology, Recorder R>
class Merger {
public:
    Merger(Job& job, R& record, const Topology& maze, const Buffer<Id>& labels, Index trees)
        : job_(job),
          record_(record),
          maze_(maze),
          labels_(labels),
          weights_(job.seed),
          joined_(trees) {
        joined_.reset(trees, job.control);
    }

    void run() {
        Index count = 0;
        each([&](const Random&, Index, Index, unsigned) { ++count; });
        walls_ = Buffer<Between>(count);
        Between* next = walls_.begin();
        each([&](const Random& words, Index cell, Index col, unsigned south) {
            const std::uint64_t weight = words.at(2 * static_cast<std::uint64_t>(col) + south);
            *next++ = {static_cast<Id>(weight >> (64 - bits)),
                       static_cast<Id>(2 * static_cast<std::uint64_t>(cell) + south)};
        });
        open(walls_.begin(), walls_.end(), 0, Index{1} << bits);
        shorten(walls_, 0, job_.control);
    }

private:
    struct Between {
        Id light;  // the high bits of the weight
        Id wall;   // 2 * the cell before it + is it to the south?
        Index cell() const { return static_cast<Index>(wall >> 1); }
        Direction towards() const { return (wall & 1) != 0 ? Direction::south : Direction::east; }
    };
    static constexpr int bits = sizeof(Id) == 4 ? 32 : 62;

    // found(words of the row, cell, column, is it the wall to the south?) for each wall between two
    // trees.
    template <class OnFound>
    void each(const OnFound& found) const {
        const auto [rows, cols] = maze_.shape();
        const auto [over_south, over_east] = maze_.wrap();
        for (Index row = 0; row < rows; ++row) {
            const Random words = weights_.row(row);
            const bool south = row + 1 < rows || over_south;
            for (Index from = 0; from < cols; from += poll_chunk) {
                const Index to = std::min(cols, from + poll_chunk);
                for (Index col = from; col < to; ++col) {
                    const Index cell = row * cols + col;
                    if (!job_.exists(cell)) continue;
                    if ((col + 1 < cols || over_east) && part_two(cell, Direction::east))
                        found(words, cell, col, 0);
                    if (south && part_two(cell, Direction::south)) found(words, cell, col, 1);
                }
                job_.control.poll(4 * (to - from));
            }
        }
    }
    bool part_two(Index cell, Direction d) const {
        const Index to = maze_.next(cell, d);
        return job_.exists(to) && labels_[cell] != labels_[to];
    }

    // The walls of [first, last), whose weights are in [low, low + width).
    void open(Between* first, Between* last, Index low, Index width) {
        if (last - first <= poll_chunk || width == 1) {
            std::sort(first, last, [&](Between a, Between b) {
                return a.light != b.light ? a.light < b.light : lighter(a, b);
            });
            for (const Between* wall = first; wall != last; ++wall) {
                const Id a = label(*wall, 0), b = label(*wall, 1);
                const bool opens = joined_.join(a, b);
                if (opens) maze_.open(wall->cell(), wall->towards());
                record_.on(opens ? Event::carve : Event::keep, maze_.cell(wall->cell()),
                           wall->towards(), 1);
            }
            job_.control.poll(16 * (last - first) + 1);
            return;
        }
        const auto middle = static_cast<Id>(low + width / 2);
        Between* const heavy =
            partition_by(first, last, [&](const Between& wall) { return wall.light < middle; });
        open(first, heavy, low, width / 2);
        Between* const rest = partition_by(heavy, last, [&](const Between& wall) {
            if (joined_.find(label(wall, 0)) != joined_.find(label(wall, 1))) return true;
            record_.on(Event::keep, maze_.cell(wall.cell()), wall.towards(), 1);
            return false;
        });
        open(heavy, rest, low + width / 2, width - width / 2);
    }

    // Partitions: items with `first` true come first. Returns where the others begin.
    template <class First>
    Between* partition_by(Between* begin, Between* end, First first) {
        Between* others = begin;
        for (Between* wall = begin; wall != end;) {
            Between* const stop = wall + std::min<Index>(poll_chunk, end - wall);
            for (; wall != stop; ++wall) {
                const Between here = *wall;
                *wall = *others;
                *others = here;
                others += first(here) ? 1 : 0;
            }
            job_.control.poll(4 * poll_chunk);
        }
        return others;
    }

    Id label(const Between& wall, int side) const {
        return labels_[side == 0 ? wall.cell() : maze_.next(wall.cell(), wall.towards())];
    }
    // The order of walls with equal high bits.
    bool lighter(const Between& a, const Between& b) const {
        const auto weight = [&](const Between& w) {
            return weights_.at(maze_.cell(w.cell()), w.towards() == Direction::south);
        };
        const auto id = [&](const Between& w) {
            const Wall wall{w.cell(), w.towards() == Direction::south};
            return wall_id(maze_.shape(), wall, maze_.wrap());
        };
        const std::uint64_t p = weight(a), q = weight(b);
        return p != q ? p < q : id(a) < id(b);
    }

    Job& job_;
    R& record_;
    const Topology maze_;
    const Buffer<Id>& labels_;
    const Weights weights_;
    DisjointSet<Id> joined_;  // of trees
    Buffer<Between> walls_;
};

}  // namespace meiro
