// What an algorithm asks of a maze, whatever its cells are.
//
// Most algorithms need neither rows and columns nor a drawing: they ask how many places there are,
// which moves are open at one, where a move leads and where it came from. They are templates over
// Places, which two forms model, each question a few instructions:
//
//              SquarePlaces, of an Adjacency    GraphPlaces, of an OpenGraph
//   a place    a site                           a cell
//   a move     0 .. 7, as in adjacency.hpp      a slot of the cell that it leaves
//   an edge    the move                         the edge of the slot; paths consist of edges
//
// A form is a view of a few words: a loop keeps a copy in registers, since stores of bytes may
// alias anything whose address is known. Of an entry of a level (solve/bfs_levels.hpp) a form knows
// the place and, if it can, the move that reached it. What is hot, and what is about directions,
// has a text for squares of its own.
#pragma once

#include <concepts>
#include <limits>

#include "adjacency.hpp"
#include "graph/open_graph.hpp"

namespace meiro {

// The entries of a level from one on that are expanded between two polls, about `most` steps; the
// most neighbours that they have, and their steps.
struct LevelPart {
    Index end, neighbours, steps;
};

template <class P>
concept Places = requires(const P& places, Index at, typename P::Move move,
                          const typename P::Entry* entries, typename P::Entry entry) {
    { places.size() } -> std::same_as<Index>;
    { *places.moves(at).begin() } -> std::same_as<typename P::Move>;  // the open ones, in order
    { places.to(at, move) } -> std::same_as<Index>;                   // of a move from `at`
    { places.from(at, move) } -> std::same_as<Index>;                 // of a move that led to `at`
    { places.back(move) } -> std::same_as<typename P::Move>;          // along the same passage
    { places.edge(move) } -> std::same_as<typename P::Edge>;
    { P::entry(at, move) } -> std::same_as<typename P::Entry>;
    { P::place(entry) } -> std::same_as<Index>;
    // The open moves on from an entry, maybe without the one back.
    { *places.moves_on(entry).begin() } -> std::same_as<typename P::Move>;
    { places.part(entries, at, at, at) } -> std::same_as<LevelPart>;
};

// An entry of a level: the site, and in the low four bits the move that reached it.
inline constexpr int move_bits = 4;

inline bool fits_32_bits(const Adjacency& adjacency) {
    return adjacency.size() <= std::numeric_limits<std::uint32_t>::max() >> move_bits;
}

// The order of neighbours, unless the caller asked for another one.
inline const OrderedNeighbours& default_neighbours(const Adjacency& adjacency) {
    static constexpr OrderedNeighbours flat(directions, 0x0f), round(directions, 0xff);
    return adjacency.moves() == 0x0f ? flat : round;
}

// Most ways go straight on: what the site some moves ahead needs is prefetched. It may lie beyond
// the border.
inline void fetch_ahead(const std::uint8_t* open, const std::uint8_t* marks, Index at, Index step) {
    constexpr Index moves = 4;
    prefetch(open, at + moves * step);
    prefetch(marks, at + moves * step);
}

// Id is wide enough for a site and a move.
template <class Id>
class SquarePlaces {
public:
    using Move = unsigned;
    using Edge = std::uint8_t;
    using Entry = Id;

    [[gnu::always_inline]] explicit SquarePlaces(const Adjacency& adjacency)
        : SquarePlaces(adjacency, default_neighbours(adjacency)) {}
    [[gnu::always_inline]] SquarePlaces(const Adjacency& adjacency, const OrderedNeighbours& order)
        : size_(adjacency.size()),
          step_(adjacency.offsets()),
          open_(adjacency.open()),
          neighbours_(&order) {}

    // Moves as OrderedNeighbours packs them.
    struct Moves {
        struct End {};
        struct Iterator {
            std::uint64_t left;
            Move operator*() const { return static_cast<Move>(left & 15); }
            Iterator& operator++() {
                left >>= 4;
                return *this;
            }
            bool operator!=(End) const { return **this != no_move; }
        };
        std::uint64_t packed;
        Iterator begin() const { return {packed}; }
        End end() const { return {}; }
    };

    Index size() const { return size_; }
    Moves moves(Index at) const { return {(*neighbours_)[open_[at]]}; }
    Moves moves_on(Entry entry) const {
        return {(*neighbours_)[open_[place(entry)] & without_reverse[entry & 15]]};
    }
    Index to(Index at, Move move) const { return at + step_[move]; }
    Index from(Index at, Move move) const { return at - step_[move]; }
    static Move back(Move move) { return move ^ 2u; }
    static Edge edge(Move move) { return static_cast<Edge>(move); }
    static Entry entry(Index at, Move move = from_nowhere) {
        return static_cast<Entry>(at << move_bits | move);
    }
    static Index place(Entry entry) { return static_cast<Index>(entry >> move_bits); }
    // Those open moves that are also in `some`, as a byte of the Adjacency.
    Moves moves_in(Index at, unsigned some) const { return {(*neighbours_)[open_[at] & some]}; }
    static LevelPart part(const Entry*, Index first, Index size, Index most = poll_chunk) {
        const Index end = std::min(first + most, size);
        return {end, 8 * (end - first), end - first};
    }
    void fetch_ahead(Index at, Move move, const std::uint8_t* marks) const {
        meiro::fetch_ahead(open_, marks, at, step_[move]);
    }

private:
    Index size_;
    std::array<Index, 8> step_;
    const std::uint8_t* open_;
    const OrderedNeighbours* neighbours_;
};

class GraphPlaces {
public:
    using Move = GraphId;
    using Edge = GraphId;
    using Entry = GraphId;

    [[gnu::always_inline]] explicit GraphPlaces(const OpenGraph& graph)
        : size_(graph.cells()),
          first_(graph.first()),
          to_(graph.to()),
          via_(graph.via()),
          ends_(graph.all().ends()) {}

    struct Moves {
        struct Iterator {
            Move slot;
            Move operator*() const { return slot; }
            Iterator& operator++() {
                ++slot;
                return *this;
            }
            bool operator!=(Iterator other) const { return slot != other.slot; }
        };
        Move first, last;
        Iterator begin() const { return {first}; }
        Iterator end() const { return {last}; }
    };

    Index size() const { return size_; }
    Moves moves(Index at) const { return {first_[at], first_[at + 1]}; }
    Moves moves_on(Entry entry) const { return moves(entry); }
    Index to(Index, Move move) const { return to_[move]; }
    Index from(Index at, Move move) const {
        const Index edge = via_[move];
        return ends_[2 * edge] == at ? ends_[2 * edge + 1] : ends_[2 * edge];
    }
    static Move back(Move move) { return move; }  // any slot of the edge
    Edge edge(Move move) const { return via_[move]; }
    static Entry entry(Index at, Move = -1) { return static_cast<Entry>(at); }
    static Index place(Entry entry) { return entry; }
    LevelPart part(const Entry* entries, Index first, Index size, Index most = poll_chunk) const {
        Index end = first, slots = 0;
        for (; end < size && slots + 4 * (end - first) < most; ++end)
            slots += first_[entries[end] + 1] - first_[entries[end]];
        return {end, slots, slots + 4 * (end - first)};
    }
    static void fetch_ahead(Index, Move, const GraphId*) {}

private:
    Index size_;
    const GraphId *first_, *to_, *via_, *ends_;
};

// body(places), with entries as narrow as may be.
template <class Body>
auto with_places(const Adjacency& adjacency, Body body) {
    return fits_32_bits(adjacency) ? body(SquarePlaces<std::uint32_t>(adjacency))
                                   : body(SquarePlaces<Index>(adjacency));
}
template <class Body>
auto with_places(const OpenGraph& graph, Body body) {
    return body(GraphPlaces(graph));
}

static_assert(Places<SquarePlaces<std::uint32_t>> && Places<SquarePlaces<Index>> &&
              Places<GraphPlaces>);

}  // namespace meiro
