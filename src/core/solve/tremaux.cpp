// Tremaux: a walker marks each passage with chalk, at both ends, whenever it takes it.
//   E. Lucas, Recreations mathematiques I (1882) 47, from a telling of Tremaux himself.
//   S. Even, Graph Algorithms, 2nd ed., Cambridge (2011), ch. 3. doi:10.1017/CBO9781139015165
//
// The rule, at a site:
//
//   new site                                         take a passage without marks
//   known site, arrived by a passage with one mark   go back
//   otherwise                                        take a passage without marks,
//                                                    else the one with one mark
//
// Among several passages the first in the order of directions is taken, or a random one. Each
// passage is taken at most twice, once each way; a reachable goal is found, else the walk ends at
// the start. The passages with one mark then form the path, by which the sites were first entered.
// Time: linear in the passages. Scratch: two bytes per site, and a byte per step (at most four per
// site). Invariant: both ends of a passage have the same number of marks. On a graph these are
// counted once an edge, and a cell without an unmarked passage is left by the one by which it was
// first entered: a byte an edge, 9 bytes a cell, 4 a step; with rng= 4 more a slot.
#include "solvers.hpp"
#include "unused_slots.hpp"
#include "walker.hpp"

namespace meiro {
namespace {

template <bool random>
class Chalk {
public:
    explicit Chalk(const Search& search)
        : open_(search.adjacency.open()),
          moves_(search.adjacency.moves()),
          offsets_(search.adjacency.offsets()),
          draw_(search.seed, Purpose::solve),
          marks_(search.adjacency.size(), true) {
        for (unsigned open = 0; open < 16; ++open)
            for (const Direction d : search.options.directions)
                if (first_[open] == no_move && (open & bit(d)) != 0)
                    first_[open] = static_cast<std::uint8_t>(d);
    }

    Step operator()(Index at) {
        const unsigned byte = open_[at] & moves_, open = directions_in(byte);
        const unsigned before = marks_[at];
        const unsigned marks = marked(before, behind_);
        const unsigned once = marks & 15, twice = marks >> 4;
        const unsigned none = open & ~once;
        // A known site, entered by a passage with one mark: go back.
        const bool known = before != 0;
        const bool back = known && (behind_ & once & ~twice & open) != 0;
        const unsigned choice = back ? behind_ : none != 0 ? none : open & once & ~twice;
        if (choice == 0) return no_step;
        clause = back ? 2 : none != 0 ? 3 : 4;
        const auto d = random && (choice & (choice - 1)) != 0
                           ? static_cast<unsigned>(draw_.pick(choice))
                           : first_[choice];
        marks_[at] = static_cast<std::uint8_t>(marked(marks, 1u << d));
        behind_ = 1u << (d ^ 2u);
        const unsigned move = move_towards(d, byte);
        return {move, offsets_[move]};
    }

    std::string_view reason;  // empty: the walk covers the whole component
    unsigned clause = 3;      // 2: back; 3: by a passage without marks; 4: by one with one mark

private:
    // Adds a mark to the passage in direction `bit`, if any: low four bits one mark, high four two.
    static unsigned marked(unsigned marks, unsigned bit) {
        return marks | bit | (marks & bit) << 4;
    }

    const std::uint8_t* open_;
    unsigned moves_;
    std::array<Index, 8> offsets_;
    Random draw_;
    Buffer<std::uint8_t> marks_;
    unsigned behind_ = 0;  // the direction back, as a bit
    std::array<std::uint8_t, 16> first_ = [] {
        std::array<std::uint8_t, 16> none{};
        none.fill(no_move);
        return none;
    }();
};

template <bool random>
class GraphChalk {
public:
    explicit GraphChalk(const GraphSearch& search)
        : graph_(search.graph),
          unused_(search),
          marks_(search.graph.all().edges(), true),
          first_(search.graph.cells()),
          known_(search.graph.cells(), true) {}

    GraphStep operator()(Index at) {
        looked_at = 0;
        if (behind_ >= 0 && known_[at] != 0 && marks_[graph_.via()[behind_]] == 1) {
            clause = 2;  // a known cell, entered by a passage with one mark: back
            return take(graph_.slot_of(at, graph_.via()[behind_]));
        }
        if (known_[at] == 0) {
            known_[at] = 1;
            first_[at] = behind_;
        }
        while (unused_.any(at)) {
            const GraphId slot = unused_.take(at);
            ++looked_at;
            if (marks_[graph_.via()[slot]] != 0) continue;
            clause = 3;
            return take(slot);
        }
        if (first_[at] < 0) return {};
        clause = 4;
        return take(graph_.slot_of(at, graph_.via()[first_[at]]));
    }

    std::string_view reason;
    unsigned clause = 3;
    Index looked_at = 0;

private:
    GraphStep take(GraphId slot) {
        ++marks_[graph_.via()[slot]];
        behind_ = slot;
        return {slot, graph_.to()[slot]};
    }

    const OpenGraph& graph_;
    UnusedSlots<random> unused_;
    Buffer<std::uint8_t> marks_;
    Buffer<GraphId> first_;  // the slot by which a cell was first entered
    Buffer<std::uint8_t> known_;
    GraphId behind_ = -1;  // the slot taken last
};

template <bool random, Recorder R>
SearchResult walk(const Search& search, R& record) {
    // Each passage twice. The bound also ends the loop on bytes with one-way moves.
    return walk_by(search, Chalk<random>(search), 4 * search.adjacency.size(), record);
}
template <bool random, Recorder R>
GraphSearchResult walk(const GraphSearch& search, R& record) {
    return walk_by(search, GraphChalk<random>(search), search.graph.slots(), record);
}

}  // namespace

constexpr SolverRuns tremaux = on_squares_and_graphs([](auto& search, auto& record) {
    return search.options.random ? walk<true>(search, record) : walk<false>(search, record);
});

}  // namespace meiro
