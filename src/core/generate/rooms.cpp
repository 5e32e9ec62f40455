// Rooms and corridors, as in games.
//
//   1. `tries` times: a rectangle at a uniform place, with sides uniform in `sides` (cut to the
//      shape), becomes a room if it lies within the mask and overlaps no room.
//   2. `fill` makes perfect mazes of the remaining cells.
//   3. The walls between two regions (rooms, and connected corridors) are visited from the lightest
//      on, and become doors if they join two unconnected components; each other wall becomes a door
//      with probability `doors`.
//   4. dead_ends = remove: corridors are closed from their dead ends on; one passage stays if there
//      are rooms but no corridor leads anywhere.
//
//   B. Nystrom, Rooms and Mazes (2014), journal.stuffwithstuff.com; C. Beattie et al., DeepMind Lab
//   (2016), arXiv:1612.03801. No law: tests/reference/rooms.py is the rule.
//
// Streams: purpose `furnish`, lane 0 for the rooms, lane row + 1 for further doors (words 2 * col
// and 2 * col + 1: the walls to the east and to the south); weights.hpp for the order of the walls.
//
// Time: linear in cells and tries, except for sorting the walls around rooms. The lightest quarter
// of these joins nearly everything: of the rest only walls that still separate two components are
// sorted. Scratch: 2 bytes per cell and that of the fill; then 5 per cell and 8 per wall to be
// sorted (9 and 16 from 2^31 cells on): 6 in all by default; at worst, if all rooms are single
// cells, 27.
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "../disjoint_set.hpp"
#include "../polled_sort.hpp"
#include "generators.hpp"
#include "room_plan.hpp"
#include "shared/weights.hpp"

namespace meiro {
namespace {

// Eight bytes, the first one lowest on every machine. Compilers make it a load.
std::uint64_t eight(const std::uint8_t* bytes) {
    std::uint64_t word = 0;
    for (int k = 0; k < 8; ++k) word |= static_cast<std::uint64_t>(bytes[k]) << 8 * k;
    return word;
}

// The walls between two regions around some cells in a row, with the plan of the next cell and of
// the row below, or null, and does the row end there? A bit for the wall to the east and one for
// that to the south. Every other wall is within a room, or between connected corridors. Compilers
// take 16 cells at a time.
[[gnu::noinline]] void mark(const std::uint8_t* plan, const std::uint8_t* below, Index cells,
                            bool ends, std::uint8_t* marks) {
    const auto separates = [](unsigned a, unsigned b, unsigned towards) {
        const auto is = [](bool holds) { return static_cast<unsigned>(holds); };
        return is(((a | b) & RoomPlan<NoTrace>::outside) == 0) &
               is((a | b) != RoomPlan<NoTrace>::corridor) & is((a & towards) == 0);
    };
    const Index easts = ends ? cells - 1 : cells;
    for (Index k = 0; k < easts; ++k)
        marks[k] = static_cast<std::uint8_t>(separates(plan[k], plan[k + 1], bits::east));
    marks[easts] = 0;
    if (below == nullptr) return;
    for (Index k = 0; k < cells; ++k)
        marks[k] |= static_cast<std::uint8_t>(separates(plan[k], below[k], bits::south) << 1);
}

template <Recorder R>
class Furnishing {
public:
    Furnishing(Job& job, R& record)
        : job_(job), record_(record), maze_(job.maze), shape_(maze_.shape()), plan_(job, record) {}

    void run() {
        job_.control.done(plan_.rooms());
        fill();
        if (plan_.rooms() == 0) return;
        by_pieces(maze_.size(), job_.control, [&](Index first, Index last) {
            for (Index cell = first; cell < last; ++cell)
                maze_.bytes()[cell] |= static_cast<std::uint8_t>(plan_[cell] & 15);
        });
        with_ids<R>(maze_.size() <= Index{1} << 31,
                    [&]<class Id>(Id) { this->template join_regions<Id>(); });
        if (job_.options.doors.share != 0) more_doors();
        if (job_.options.dead_ends == DeadEnds::remove) remove_dead_ends();
    }

private:
    static constexpr std::uint8_t corridor = RoomPlan<R>::corridor, outside = RoomPlan<R>::outside;
    void fill() {
        if (plan_.corridors() == 0) {
            by_pieces(maze_.size(), job_.control, [&](Index first, Index last) {
                std::memset(maze_.bytes() + first, 0, static_cast<std::size_t>(last - first));
            });
            return;
        }
        // Without a room the fill is what it is alone, and with no mask some go another way.
        const bool furnished = plan_.rooms() > 0;
        Buffer<std::uint8_t> left(furnished ? maze_.size() : 0);
        by_pieces(left.size(), job_.control, [&](Index first, Index last) {
            for (Index cell = first; cell < last; ++cell) left[cell] = plan_[cell] == corridor;
        });
        const Options defaults;
        Job job{maze_,       furnished ? left.data() : job_.mask, job_.seed, defaults, job_.control,
                job_.threads};
        const Generator* const other = job_.options.fill;
        if (other == nullptr)
            backtracker(job, record_);
        else if constexpr (std::is_same_v<R, NoTrace>)
            other->run(job, record_);
        else
            other->trace(job, record_);
    }

    // The words of a row: two a cell, for the walls to the east and to the south.
    class Words {
    public:
        explicit Words(const Random& row) : row_(row) {}
        std::uint64_t at(Index col, Direction towards) {
            if (col >> 1 != at_) {
                at_ = col >> 1;
                words_ = row_.block(static_cast<std::uint64_t>(at_));
            }
            return words_[(col & 1) * 2 + (towards == Direction::south ? 1 : 0)];
        }

    private:
        Random row_;
        Index at_ = -1;
        Block words_{};
    };

    // found(row, column, marks) for each eight cells with a wall between two regions, row by row.
    template <class Found>
    void between_regions(Found found) {
        constexpr Index piece = 4096;
        const auto [rows, cols] = shape_;
        Buffer<std::uint8_t> marks(std::min(piece, cols) + 8);
        for (Index row = 0; row < rows; ++row) {
            for (Index from = 0; from < cols; from += piece) {
                const Index to = std::min(from + piece, cols);
                const std::uint8_t* const plan = plan_.cells() + row * cols + from;
                const std::uint8_t* const below = row + 1 < rows ? plan + cols : nullptr;
                mark(plan, below, to - from, to == cols, marks.data());
                std::memset(marks.data() + (to - from), 0, 8);
                for (Index col = from; col < to; col += 8)
                    if (const std::uint64_t walls = eight(marks.data() + (col - from)); walls != 0)
                        found(row, col, walls);
                job_.control.poll((to - from) * 16);
            }
        }
    }

    // The same one by one: body(cell, direction, word), where word() is that of the wall in the
    // stream of(row).
    template <class Of, class Body>
    void each_between_regions(Of of, Body body) {
        Index last = -1;
        Words words(of(0));
        between_regions([&](Index row, Index first, std::uint64_t walls) {
            if (row != last) words = Words(of(row));
            last = row;
            for (; walls != 0; walls &= walls - 1) {
                const int at = std::countr_zero(walls);
                const Index col = first + at / 8;
                const Direction d = at % 8 != 0 ? Direction::south : Direction::east;
                body(row * shape_.cols + col, d, [&] { return words.at(col, d); });
            }
        });
    }

    void open(Index cell, Direction towards, unsigned clause) {
        maze_.open(cell, towards);
        record_.on(Event::carve, maze_.cell(cell), towards, clause);
    }

    template <class Id>
    void join_regions() {
        DisjointSet<Id> regions(maze_.size());
        join_within(regions);
        struct DoorCandidate {
            Id weight;  // its highest bits
            Id wall;    // 2 * the cell before it + is it to the south?
            Index cell() const { return static_cast<Index>(wall >> 1); }
            bool south() const { return (wall & 1) != 0; }
        };
        const Weights weights(job_.seed);
        const auto weighed = [&](const DoorCandidate& w) {
            return weights.at(shape_.cell(w.cell()), w.south());
        };
        const auto id = [&](const DoorCandidate& w) {
            return wall_id(shape_, {w.cell(), w.south()});
        };
        const auto lighter = [&](const DoorCandidate& a, const DoorCandidate& b) {
            if (a.weight != b.weight) return a.weight < b.weight;
            const std::uint64_t p = weighed(a), q = weighed(b);
            return p != q ? p < q : id(a) < id(b);
        };
        const auto candidate = [&](std::uint64_t weight, Index cell, Index south) {
            return DoorCandidate{static_cast<Id>(weight >> (64 - 8 * sizeof(Id))),
                                 static_cast<Id>(2 * static_cast<std::uint64_t>(cell) + south)};
        };
        Stack<DoorCandidate> walls;
        between_regions([&](Index row, Index first, std::uint64_t marks) {
            walls.reserve(16);
            for (Index col = first; marks != 0; marks >>= 16, col += 2) {
                const Block words = weights.row(row).block(weight_block(col));
                for (Index k = 0; k < 4; ++k) {
                    const std::uint64_t word = words[k], marked = marks >> (k / 2 * 8 + k % 2) & 1;
                    walls.push_if(candidate(word, row * shape_.cols + col + k / 2, k % 2),
                                  (marked & static_cast<unsigned>(word >> 62 == 0)) != 0);
                }
            }
        });
        make_doors(walls, regions, lighter);
        walls.clear();
        regions.flatten(maze_.size(), job_.control);
        each_between_regions([&](Index row) { return weights.row(row); },
                             [&](Index cell, Direction d, auto word) {
                                 const auto one = static_cast<Id>(cell);
                                 const auto other = static_cast<Id>(cell + maze_.step(d));
                                 if (regions.parent(one) == regions.parent(other)) return;
                                 if (const std::uint64_t weight = word(); weight >> 62 != 0)
                                     walls.push(candidate(weight, cell, d == Direction::south));
                             });
        make_doors(walls, regions, lighter);
    }
    template <class Id, class Walls, class Lighter>
    void make_doors(Walls& walls, DisjointSet<Id>& regions, Lighter lighter) {
        polled_sort(walls.begin(), walls.end(), lighter, job_.control);
        constexpr Index ahead = 16;  // cache misses overlap
        const auto sides = [&](Index i) {
            const Index cell = walls[i].cell();
            return std::array{static_cast<Id>(cell),
                              static_cast<Id>(cell + (walls[i].south() ? shape_.cols : 1))};
        };
        for (Index k = 0; k < walls.size(); ++k) {
            if (k + ahead < walls.size())
                for (const Id cell : sides(k + ahead)) regions.prefetch(cell);
            const auto [cell, beyond] = sides(k);
            if (regions.join(cell, beyond))
                open(static_cast<Index>(cell),
                     walls[k].south() ? Direction::south : Direction::east, RoomClause::door);
            job_.control.poll(16);
        }
    }
    template <class Id>
    void join_within(DisjointSet<Id>& regions) {
        const auto [rows, cols] = shape_;
        const auto joined = [&](Index cell, Index before, unsigned side) {
            return (plan_[cell] | plan_[before]) == corridor || (plan_[cell] & side) != 0;
        };
        for (Index row = 0; row < rows; ++row) {
            Id region = 0;  // of the cell before
            by_pieces(cols, job_.control, [&, row = row, cols = cols](Index from, Index to) {
                for (Index col = from; col < to; ++col) {
                    if (col % 4096 == 0) job_.control.poll(4096 * 4);
                    const Index cell = row * cols + col;
                    const bool left = col > 0 && joined(cell, cell - 1, bits::west);
                    region = left ? region : static_cast<Id>(cell);
                    regions.put(static_cast<Id>(cell), region);
                    if (row == 0 || !joined(cell, cell - cols, bits::north)) continue;
                    // Around a square of one region: joined already.
                    if (left && joined(cell - cols, cell - cols - 1, bits::west) &&
                        joined(cell - 1, cell - cols - 1, bits::north))
                        continue;
                    const Id above = regions.find(static_cast<Id>(cell - cols));
                    regions.join(above, region);
                    region = std::min(above, region);
                }
            });
        }
    }

    void more_doors() {
        const auto row = [&](Index r) {
            return Random(job_.seed, Purpose::furnish, static_cast<std::uint64_t>(r) + 1);
        };
        each_between_regions(row, [&](Index cell, Direction d, auto word) {
            if ((maze_.bytes()[cell] & bit(d)) == 0 && job_.options.doors(word()))
                open(cell, d, RoomClause::further_door);
        });
    }

    void remove_dead_ends() {
        Index ends = 0;  // of passages, two each
        by_pieces(maze_.size(), job_.control, [&](Index first, Index last) {
            for (Index cell = first; cell < last; ++cell)
                ends += std::popcount(maze_.bytes()[cell]);
        });
        for (Index cell = 0; cell < maze_.size(); ++cell) {
            job_.control.poll();
            for (Index at = cell;
                 ends > 2 && plan_[at] == corridor && std::has_single_bit(maze_.bytes()[at]);) {
                const auto d = static_cast<Direction>(std::countr_zero(maze_.bytes()[at]));
                record_.on(Event::close, maze_.cell(at), d, RoomClause::dead_end);
                maze_.bytes()[at] = 0;
                at += maze_.step(d);
                maze_.bytes()[at] &= static_cast<std::uint8_t>(~bit(opposite(d)));
                ends -= 2;
                job_.control.poll();
            }
        }
    }

    Job& job_;
    R& record_;
    const Passages maze_;
    const Shape shape_;
    const RoomPlan<R> plan_;
};

}  // namespace

template <Recorder R>
void rooms(Job& job, R& record) {
    Furnishing<R>(job, record).run();
}

template void rooms(Job&, NoTrace&);
template void rooms(Job&, Trace&);

}  // namespace meiro
