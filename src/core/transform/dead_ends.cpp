// Filling dead ends: "sparse" mazes, and in the end only the solution.
//   J. Buck, Theseus (2011), "sparsify!"; W. D. Pullen, Think Labyrinth, "dead end filler".
//
// A round closes and masks out every cell that has degree 1 at its beginning, except the kept ones.
// Of two such cells that have only each other, the one with the lower number stays: no component
// vanishes, and none is split. After enough rounds a component with loops is reduced to its loops,
// the paths between them, and the paths from them to kept cells; a tree is reduced to the paths
// between kept cells, or to its centre.
//
// Where all rounds are asked for, their order decides only which cell of a tree without kept cells
// is left: so the dead ends are filled one corridor after the other (solve/dead_end_filling.hpp),
// five times as fast and by several threads; rounds are made if a tree has vanished.
//
// Time: linear in the cells visited and filled. Invariant: the list holds all cells of degree 1
// that are not kept, and those of degree 0 that had degree 1. Each filled cell makes at most one
// new dead end, so the list of the next round overwrites the part of the current one that was read.
#include <bit>

#include "../solve/dead_end_filling.hpp"
#include "transforms.hpp"

namespace meiro {
namespace {

// In the high half of a byte: dead end of the next round; of the round after it; kept.
constexpr unsigned coming = 0x10, kept_mark = 0x80;

constexpr bool may_be_filled(unsigned byte) {
    return is_dead_end(byte) && (byte & kept_mark) == 0;
}

template <class Id, class Topology>
void fill(const Topology& maze, std::uint8_t* mask_out, Index rounds, Control& control) {
    std::uint8_t* const bytes = maze.bytes();
    Index left = 0;
    by_each(maze.size(), control, [&](Index i) { left += may_be_filled(bytes[i]) ? 1 : 0; });
    Buffer<Id> ends(left + 1);
    Id* out = ends.data();
    by_each(maze.size(), control, [&](Index i) {
        *out = static_cast<Id>(i);
        out += may_be_filled(bytes[i]) ? 1 : 0;
    });
    for (Index round = 0; round < rounds && left > 0; ++round) {
        const auto next = static_cast<std::uint8_t>(coming << (round & 1));
        Index more = 0;
        for (Index first = 0; first < left; first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, left);
            for (Index k = first; k < last; ++k) {
                const auto cell = static_cast<Index>(ends[k]);
                const unsigned open = bytes[cell] & 15u;
                if (open == 0) continue;  // its neighbour was filled, too
                const auto d = static_cast<Direction>(std::countr_zero(open));
                const Index other = maze.next(cell, d);
                const unsigned other_byte = bytes[other];
                if (may_be_filled(other_byte) && (other_byte & next) == 0 && cell < other) continue;
                bytes[cell] = mask_out[cell] = 0;
                bytes[other] &= static_cast<std::uint8_t>(~bit(opposite(d)));
                if (may_be_filled(bytes[other])) {
                    bytes[other] |= next;
                    ends[more++] = static_cast<Id>(other);
                }
            }
            control.poll(4 * (last - first));
        }
        left = more;
    }
}

// All rounds at once. False, and the maze as it was, if of some tree nothing would be left.
bool fill_all(const Passages& maze, std::uint8_t* mask_out, std::span<const Index> kept,
              Control& control, int threads) {
    std::uint8_t* const bytes = maze.bytes();
    Buffer<std::uint8_t> moves(maze.wrap().any() ? maze.size() : 0), ways_left(maze.size());
    const Adjacency adjacency =
        adjacency_of_passages(bytes, maze.shape(), maze.wrap(), moves.data(), control);
    const std::uint8_t* const open = adjacency.open();
    std::uint8_t* const left = ways_left.data();
    polled_copy(open, maze.size(), left, control, threads);
    for (const Index cell : kept)
        if (cell >= 0) left[cell] = 0xff;
    if (fill_dead_ends(adjacency, left, control, threads).trees > 0) return false;
    const auto step = adjacency.offsets();
    for (const Index cell : kept) {
        unsigned still = 0;
        for (unsigned d = 0; cell >= 0 && d < 8; ++d)
            if ((open[cell] >> d & 1) != 0 && left[cell + step[d]] != 0) still |= 1u << d;
        if (cell >= 0) bytes[cell] = static_cast<std::uint8_t>((still | still >> 4) & 15);
    }
    for (const Index cell : kept)
        if (cell >= 0) left[cell] = bytes[cell];
    by_each(maze.size(), control, threads, [&](Index i) {
        const bool filled = bytes[i] != 0 && left[i] == 0;
        mask_out[i] = filled ? 0 : mask_out[i];
        bytes[i] = static_cast<std::uint8_t>((left[i] | left[i] >> 4) & 15);
    });
    return true;
}

}  // namespace

void fill_dead_ends(const Passages& maze, std::uint8_t* mask_out, std::span<const Index> kept,
                    Index rounds, Control& control, int threads) {
    maze.finish(control, threads);  // clears the marks in the high half
    if (rounds >= maze.size() && fill_all(maze, mask_out, kept, control, threads)) return;
    for (const Index cell : kept)
        if (cell >= 0) maze.bytes()[cell] |= kept_mark;
    with_ids_below(maze.size(), [&](auto id) {
        with_topology(maze, [&](const auto& topology) {
            fill<decltype(id)>(topology, mask_out, rounds, control);
        });
    });
}

}  // namespace meiro
