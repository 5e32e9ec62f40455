// Prim's algorithm as most programs have it, without weights: the tree grows from `start` by a
// uniform member of its frontier.
//   J. Buck, Mazes for Programmers (2015), ch. 11; W. D. Pullen, Think Labyrinth,
//   astrolog.org/labyrnth/algrithm.htm
// prim_frontier_cell: a uniform cell of the frontier, the unvisited cells beside the tree, joins a
// uniform one of its neighbours in the tree. Law: prim_frontier_cell.
// prim_frontier_edge: a uniform wall between the tree and an unvisited cell is opened. Law:
// prim_frontier_edge. Here the frontier is a list of such walls. When a cell has joined the tree
// its other walls stay in the list; one that is drawn is rejected, and every wall remains equally
// likely. With a mask in several parts both go on from a uniform unvisited cell.
//
// Time: linear. Scratch: an id for each entry, at worst 4 bytes a cell, for the edges 8 (from 2^32
// cells on, for the edges from 2^30 on, twice as much); with a mask one id more for the parts.
//
// The byte of an unvisited cell has its neighbours in the tree in the low half, the others in the
// high half, so that no step looks at a neighbour to know what it is, and one word changes all
// four. The frontier lies all over the maze, so the next cells are drawn ahead
// (prefetched_draws.hpp). Measured at 4000 x 4000 against the yardstick's prim_frontier_cell: 3 to
// 4 times as fast by cells.
#include <algorithm>
#include <bit>

#include "../buffer.hpp"
#include "job.hpp"
#include "shared/margins.hpp"
#include "shared/prefetched_draws.hpp"
#include "shared/start_cell.hpp"

namespace meiro {
namespace {

// What becomes of the bytes of the four neighbours, one in a byte of a word each, when a cell whose
// free neighbours are `free` is joined to the one in direction d: what was free there is the tree.
constexpr auto make_changes() {
    std::array<std::array<std::uint32_t, 4>, 16> table{};
    for (unsigned free = 0; free < 16; ++free)
        for (unsigned joined = 0; joined < 4; ++joined)
            for (unsigned d = 0; d < 4; ++d) {
                const unsigned here = bit(opposite(static_cast<Direction>(d)));
                if ((free >> d & 1u) != 0)
                    table[free][joined] |= here * 17 << 8 * d;
                else if (d == joined)
                    table[free][joined] |= here << 8 * d;
            }
    return table;
}
constexpr auto changes = make_changes();

template <bool edges, class Id, class Topology, Recorder R>
class Frontier {
public:
    Frontier(Job& job, R& record, const Topology& maze, Inside inside)
        : job_(job), record_(record), maze_(maze), inside_(inside) {}

    void run() {
        for (Index at = first_cell(job_); at >= 0; at = unvisited_.take(random_)) {
            record_.on(Event::visit, maze_.cell(at));
            const unsigned free = maze_.free(at);
            maze_.bytes()[at] = 0;
            frontier_.reserve(4, most_);
            spread(at, free);
            job_.control.done(1);
            while (!frontier_.empty()) run_chunk();
        }
    }

private:
    // By how many entries a use makes the frontier longer, and a chunk with the last write past it.
    static constexpr Index growth = edges ? 3 : 2;
    static constexpr Index room = growth * (poll_chunk + DrawBatch::most) + 4;

    // A cell of the frontier, and by edges the direction of the tree.
    static Id entry(Index cell, Direction tree) {
        return static_cast<Id>(edges ? cell << 2 | static_cast<Index>(tree) : cell);
    }
    static Index cell_of(Id entry) { return static_cast<Index>(edges ? entry >> 2 : entry); }

    // The free neighbours of a cell that joined the tree are updated, and may join the frontier.
    void spread(Index at, unsigned free) {
        for (; free != 0; free &= free - 1) {
            const auto d = static_cast<Direction>(std::countr_zero(free));
            const Index to = maze_.next(at, d);
            std::uint8_t& byte = maze_.bytes()[to];
            frontier_.push_if(entry(to, opposite(d)), edges || (byte & 15) == 0);
            byte ^= static_cast<std::uint8_t>(bit(opposite(d)) * 17);
        }
    }

    void run_chunk() {
        frontier_.reserve(room, most_);
        std::uint8_t* const bytes = maze_.bytes();
        const Inside inside = inside_;
        const Index cols = inside.cols();
        Id* const list = frontier_.begin();
        Index size = frontier_.size();
        Index joined = 0;
        const auto join = [&](Index at, Direction d) {
            const unsigned free = bytes[at] >> 4;
            record_.on(Event::carve, maze_.cell(at), d);
            ++joined;
            bytes[at] = static_cast<std::uint8_t>(edges ? 17 * bit(d) : bit(d));
            if (inside(at)) [[likely]] {
                const std::uint32_t change = changes[free][static_cast<std::size_t>(d)];
                const auto see = [&](Index to, unsigned k) {
                    const std::uint8_t old = bytes[to];
                    list[size] = entry(to, opposite(static_cast<Direction>(k)));
                    size += free >> k & (edges || (old & 15) == 0 ? 1u : 0u);
                    bytes[to] = static_cast<std::uint8_t>(old ^ change >> 8 * k);
                };
                see(at - cols, 0);
                see(at + 1, 1);
                see(at + cols, 2);
                see(at - 1, 3);
            } else {
                bytes[maze_.next(at, d)] |= static_cast<std::uint8_t>(bit(opposite(d)));
                frontier_.resize(size);
                spread(at, free);
                size = frontier_.size();
            }
        };
        if constexpr (edges)
            use_drawn(
                poll_chunk, growth, random_, list, size,
                [&](Id item) {  // in the tree: its mark is below
                    const unsigned byte = bytes[cell_of(item)];
                    return (byte >> 4 & byte) != 0;
                },
                [&](Id item) { join(cell_of(item), static_cast<Direction>(item & 3)); });
        else
            prefetched_.run(
                poll_chunk, growth, 12, random_, list, [&] { return size; },
                [&](Draw draw) {
                    const Index at = cell_of(list[draw.place]);
                    list[draw.place] = list[--size];
                    join(at, pick_by(bytes[at] & 15, draw.digit));
                },
                [&](Id item) { prefetch_around(maze_, cell_of(item)); });
        frontier_.resize(size);
        job_.control.done(joined);
        job_.control.poll(4 * poll_chunk);
    }

    Job& job_;
    R& record_;
    const Topology maze_;
    const Inside inside_;
    Random random_{job_.seed};
    PrefetchedDraws prefetched_{};
    Unvisited<Id> unvisited_{job_};
    const Index most_ = (edges ? 2 : 1) * maze_.size() + 4;  // entries, with a write past them
    Stack<Id> frontier_{std::min(most_, room) + 1};
};

template <bool edges, Recorder R>
void grow(Job& whole, R& record) {
    constexpr Index narrow = Index{1} << (edges ? 30 : 32);
    with_margins(whole, [&](Job& job, Inside inside) {
        job.maze.begin(job.mask, job.control);
        with_ids_and_topology<R>(
            job.maze, job.maze.size() <= narrow,
            [&]<class Id, class Topology>(Id, const Topology& maze) {
                Frontier<edges, Id, Topology, R>(job, record, maze, inside).run();
            });
        if constexpr (edges) job.maze.finish(job.control);
    });
}

}  // namespace

const Runs<Job> prim_frontier_cell{grow<false>, grow<false>};
const Runs<Job> prim_frontier_edge{grow<true>, grow<true>};

}  // namespace meiro
