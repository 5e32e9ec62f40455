// Dead ends are filled: "sparse" mazes, and the way alone.
//   J. Buck, Theseus (2011), "sparsify!"; W. D. Pullen, Think Labyrinth, "dead end filler".
//
// A round closes every cell of degree 1 that there is at its beginning, but those that are kept; it
// then is out of the mask. Of two that have only each other the one with the lesser number stays:
// no region is ever lost, and none is parted. What is left after enough rounds: of a region with
// loops these, the ways between them, and from them to the kept cells; of a tree the ways between
// the kept cells, or its middle.
//
// Time: linear in what is looked at and filled. Invariant: the list holds all cells of degree 1
// that are not kept, and those of degree 0 that have been of degree 1. Each filled cell makes at
// most one new dead end, so the list of the next round overwrites the read part of this one's.
#include <bit>

#include "transforms.hpp"

namespace meiro {
namespace {

// In the high half of a byte: a dead end of the next round, and of the one after that; kept.
constexpr unsigned coming = 0x10, kept_mark = 0x80;

constexpr bool may_be_filled(unsigned byte) {
    return is_dead_end(byte) && (byte & kept_mark) == 0;
}

template <class Id, class Topology>
void fill(const Topology& maze, std::uint8_t* mask_out, Index rounds, Control& control) {
    std::uint8_t* const bytes = maze.bytes();
    Index left = 0;
    by_pieces(maze.size(), control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) left += may_be_filled(bytes[i]) ? 1 : 0;
    });
    Buffer<Id> ends(left + 1);
    Id* out = ends.data();
    by_pieces(maze.size(), control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) {
            *out = static_cast<Id>(i);
            out += may_be_filled(bytes[i]) ? 1 : 0;
        }
    });
    for (Index round = 0; round < rounds && left > 0; ++round) {
        const auto next = static_cast<std::uint8_t>(coming << (round & 1));
        Index more = 0;
        for (Index first = 0; first < left; first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, left);
            for (Index k = first; k < last; ++k) {
                const auto cell = static_cast<Index>(ends[k]);
                const unsigned open = bytes[cell] & 15u;
                if (open == 0) continue;  // the one beside it was filled, too
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

}  // namespace

void fill_dead_ends(const Passages& maze, std::uint8_t* mask_out, std::span<const Index> kept,
                    Index rounds, Control& control) {
    maze.finish(control);  // the high half is for marks
    for (const Index cell : kept) maze.bytes()[cell] |= kept_mark;
    with_ids_below(maze.size(), [&](auto id) {
        with_topology(maze, [&](const auto& topology) {
            fill<decltype(id)>(topology, mask_out, rounds, control);
        });
    });
}

}  // namespace meiro
