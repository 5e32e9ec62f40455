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

#include "../disjoint_set.hpp"
#include "../polled_sort.hpp"
#include "../registry.hpp"
#include "job.hpp"
#include "room_plan.hpp"
#include "shared/weights.hpp"

namespace meiro {
namespace {

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
    for (Index k = 0; k < cells; ++k)
        marks[k] = static_cast<std::uint8_t>(separates(plan[k], plan[k + 1], bits::east));
    if (ends) marks[cells - 1] = 0;
    if (below == nullptr) return;
    for (Index k = 0; k < cells; ++k)
        marks[k] |= static_cast<std::uint8_t>(separates(plan[k], below[k], bits::south) << 1);
}

// How the cells of a row belong to regions of the cells before: is the one to the west in the same
// region (1), the one above (2), and both, where this is news (4): not around a square of one
// region. `begins`: the first cell has none to the west. Compilers take 16 cells at a time.
constexpr std::uint8_t joined_west = 1, joined_above = 2, joins = 4;
[[gnu::noinline]] void mark_joined(const std::uint8_t* plan, const std::uint8_t* above, Index cells,
                                   bool begins, std::uint8_t* marks) {
    // Is a cell connected to the one before, which has a bit towards it in a room?
    const auto joined = [](std::uint8_t cell, std::uint8_t before, Direction towards) {
        constexpr std::uint8_t corridor = RoomPlan<NoTrace>::corridor;
        const auto both = static_cast<std::uint8_t>(cell | before);
        return (both == corridor ? 1u : 0u) | (before >> static_cast<int>(towards) & 1u);
    };
    if (above == nullptr) {
        for (Index k = 0; k < cells; ++k)
            marks[k] = static_cast<std::uint8_t>(joined(plan[k], plan[k - 1], Direction::east));
        if (begins) marks[0] = 0;
        return;
    }
    for (Index k = 0; k < cells; ++k) {
        const unsigned west = joined(plan[k], plan[k - 1], Direction::east),
                       up = joined(plan[k], above[k], Direction::south),
                       square = joined(above[k], above[k - 1], Direction::east) &
                                joined(plan[k - 1], above[k - 1], Direction::south);
        marks[k] = static_cast<std::uint8_t>(west * joined_west | up * joined_above |
                                             (west & up & (square ^ 1)) * joins);
    }
    if (begins) marks[0] &= joined_above;
}

template <Recorder R>
class Furnishing {
public:
    Furnishing(Job& job, R& record) : job_(job), record_(record) {}

    void run() {
        job_.control.done(plan_.rooms());
        fill();
        if (plan_.rooms() == 0) return;
        by_each(maze_.size(), job_.control, [to = maze_.bytes(), plan = plan_.cells()](Index cell) {
            to[cell] |= static_cast<std::uint8_t>(plan[cell] & 15);
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
            polled_fill(maze_.bytes(), maze_.size(), 0, job_.control);
            return;
        }
        // Without a room the fill is what it is alone, and with no mask some go another way.
        const bool furnished = plan_.rooms() > 0;
        Buffer<std::uint8_t> left(furnished ? maze_.size() : 0);
        by_each(left.size(), job_.control, [to = left.data(), plan = plan_.cells()](Index cell) {
            to[cell] = plan[cell] == corridor ? 1 : 0;
        });
        Options options;
        // A trace of rooms, whose doors are carved, cannot show the rest as built.
        if (furnished) options.walks = Walks::cells;
        Job job{maze_,       furnished ? left.data() : job_.mask, job_.seed, options, job_.control,
                job_.threads};
        const Generator* const other = job_.options.fill;
        if (other == nullptr)
            backtracker(job, record_);
        else
            other->run(job, record_);
    }

    // found(row, column, walls) for each two cells with a wall between two regions, row by row: a
    // bit for each wall, see each_two_marked().
    template <class Found>
    void between_regions(Found found) {
        constexpr Index piece = 4096;
        const auto [rows, cols] = shape_;
        Buffer<std::uint8_t> marks(std::min(piece, cols) + 1);
        Buffer<std::uint16_t> pairs(std::min(piece, cols) / 2 + 1);
        for (Index row = 0; row < rows; ++row) {
            for (Index from = 0; from < cols; from += piece) {
                const Index to = std::min(from + piece, cols);
                const std::uint8_t* const plan = plan_.cells() + row * cols + from;
                const std::uint8_t* const below = row + 1 < rows ? plan + cols : nullptr;
                mark(plan, below, to - from, to == cols, marks.data());
                each_two_marked(marks.data(), pairs.data(), to - from,
                                [&](Index k, unsigned walls) { found(row, from + k, walls); });
                job_.control.poll((to - from) * 16);
            }
        }
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
            Wall of() const { return {static_cast<Index>(wall >> 1), (wall & 1) != 0}; }
            Index cell() const { return of().cell; }
            bool south() const { return of().south; }
        };
        const Weights weights(job_.seed);
        const auto lighter = [&](const DoorCandidate& a, const DoorCandidate& b) {
            if (a.weight != b.weight) return a.weight < b.weight;
            return is_lighter(weights, shape_, {}, a.of(), b.of());
        };
        const auto candidate = [&](std::uint64_t weight, Index cell, Index south) {
            return DoorCandidate{static_cast<Id>(weight >> (64 - 8 * sizeof(Id))),
                                 static_cast<Id>(2 * static_cast<std::uint64_t>(cell) + south)};
        };
        Stack<DoorCandidate> walls;
        between_regions([&](Index row, Index col, unsigned marks) {
            walls.reserve(4);
            const Block words = weights.row(row).block(weight_block(col));
            for (Index k = 0; k < 4; ++k) {
                const std::uint64_t word = words[k];
                walls.push_if(candidate(word, row * shape_.cols + col + k / 2, k % 2),
                              (marks >> k & static_cast<unsigned>(word >> 62 == 0)) != 0);
            }
        });
        make_doors(walls, regions, lighter, 30);
        walls.clear();
        regions.flatten(maze_.size(), job_.control);
        const Index last = maze_.size() - 1;
        between_regions([&](Index row, Index col, unsigned marks) {
            const Index first = row * shape_.cols + col;
            const auto root = [&](Index cell) {
                return regions.parent(static_cast<Id>(std::min(cell, last)));
            };
            unsigned apart = 0;
            for (Index k = 0; k < 4; ++k)
                apart |= static_cast<unsigned>(root(first + k / 2) !=
                                               root(first + k / 2 + (k % 2 != 0 ? shape_.cols : 1)))
                         << k;
            if ((marks &= apart) == 0) return;
            const Block words = weights.row(row).block(weight_block(col));
            for (; marks != 0; marks &= marks - 1) {
                const int k = std::countr_zero(marks);
                if (words[k] >> 62 != 0) walls.push(candidate(words[k], first + k / 2, k % 2));
            }
        });
        make_doors(walls, regions, lighter, 32);
    }
    template <class Id, class Walls, class Lighter>
    void make_doors(Walls& walls, DisjointSet<Id>& regions, Lighter lighter, int bits) {
        polled_sort_uniform(
            walls.begin(), walls.end(),
            [](const auto& wall) { return wall.weight >> (8 * sizeof(Id) - 32); }, bits, lighter,
            job_.control);
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
        constexpr Index piece = 4096;
        Buffer<std::uint8_t> marks(std::min(piece, cols));
        regions.put(0, 0);
        for (Index row = 0; row < rows; ++row) {
            Id region = 0;  // of the cell before
            for (Index from = 0; from < cols; from += piece) {
                const Index count = std::min(piece, cols - from), first = row * cols + from;
                const std::uint8_t* const plan = plan_.cells() + first;
                mark_joined(plan, row > 0 ? plan - cols : nullptr, count, from == 0, marks.data());
                for (Index k = 0; k < count; ++k) {
                    const unsigned mark = marks[k];
                    const auto cell = static_cast<Id>(first + k);
                    const auto above = static_cast<Id>(row > 0 ? first + k - cols : 0);
                    const Id up = select((mark & joined_above) != 0, regions.parent(above), cell);
                    region = select((mark & joined_west) != 0, region, up);
                    regions.put(cell, region);
                    if ((mark & joins) != 0 && up != region) {
                        const Id one = regions.find(above), other = regions.find(region);
                        regions.join(one, other);
                        region = std::min(one, other);
                    }
                }
                job_.control.poll(count * 4);
            }
        }
    }

    void more_doors() {
        const auto row = [&](Index r) {
            return Random(job_.seed, Purpose::furnish, static_cast<std::uint64_t>(r) + 1);
        };
        between_regions([&](Index r, Index col, unsigned marks) {
            const Block words = row(r).block(weight_block(col));
            for (; marks != 0; marks &= marks - 1) {
                const int k = std::countr_zero(marks);
                const Wall wall{r * shape_.cols + col + k / 2, k % 2 != 0};
                if ((maze_.bytes()[wall.cell] & bit(wall.towards())) == 0 &&
                    job_.options.doors(words[k]))
                    open(wall.cell, wall.towards(), RoomClause::further_door);
            }
        });
    }

    void remove_dead_ends() {
        Index ends = 0;  // of passages, two each
        by_each(maze_.size(), job_.control,
                [&](Index cell) { ends += std::popcount(maze_.bytes()[cell]); });
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
    const Passages maze_ = job_.maze;
    const Shape shape_ = maze_.shape();
    const RoomPlan<R> plan_{job_, record_};
};

}  // namespace

constexpr Runs<Job> rooms =
    job_runs([]<Recorder R>(Job& job, R& record) { Furnishing<R>(job, record).run(); });

}  // namespace meiro
