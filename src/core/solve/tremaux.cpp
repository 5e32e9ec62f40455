// Tremaux: a piece of chalk marks each passage at both ends, whenever it is taken.
//   E. Lucas, Recreations mathematiques I (1882) 47, from a telling of Tremaux himself.
//   S. Even, Graph Algorithms, 2nd ed., Cambridge (2011), ch. 3. doi:10.1017/CBO9781139015165
//
// In a place not seen before: on by a passage without marks. In one seen before: back, if the
// passage come by has one mark; else on by one without marks, and if there is none by the one that
// has one mark. With several, the first in the order of directions, or a random one. No passage is
// taken more than twice, once each way; if the goal can be reached it is found, else the walk ends
// at the start. Then the passages with one mark are the path: that by which sites were first
// entered. Time: linear in the passages. Scratch: two bytes a site, and a byte a step (at most four
// a site). Invariant: both ends of a passage have as many marks.
#include "solvers.hpp"
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
          marks_(search.adjacency.size(), true),
          start_(search.start) {
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
        // Seen before, and come by a passage that has its first mark by now: back.
        const bool known = before != 0 || at == start_;
        const bool back = known && (behind_ & once & ~twice & open) != 0;
        const unsigned choice = back ? behind_ : none != 0 ? none : open & once & ~twice;
        if (choice == 0) return no_step;
        const auto d = random && (choice & (choice - 1)) != 0
                           ? static_cast<unsigned>(draw_.pick(choice))
                           : first_[choice];
        marks_[at] = static_cast<std::uint8_t>(marked(marks, 1u << d));
        behind_ = 1u << (d ^ 2u);
        const unsigned move = move_towards(d, byte);
        return {move, offsets_[move]};
    }

    std::string_view reason;  // none: it has looked at everything

private:
    // One mark more at the passage in direction `bit`, if any: low four bits one, high four two.
    static unsigned marked(unsigned marks, unsigned bit) {
        return marks | bit | (marks & bit) << 4;
    }

    const std::uint8_t* open_;
    unsigned moves_;
    std::array<Index, 8> offsets_;
    Random draw_;
    Buffer<std::uint8_t> marks_;
    Index start_;
    unsigned behind_ = 0;  // the direction come from, as a bit
    std::array<std::uint8_t, 16> first_ = [] {
        std::array<std::uint8_t, 16> none{};
        none.fill(no_move);
        return none;
    }();
};

}  // namespace

template <Recorder R>
SearchResult tremaux(Search& search, R& record) {
    // Twice through each passage. Bytes that have a move without its reverse end here as well.
    const Index bound = 4 * search.adjacency.size();
    return search.options.random ? walk_by(search, Chalk<true>(search), bound, record)
                                 : walk_by(search, Chalk<false>(search), bound, record);
}

template SearchResult tremaux(Search&, NoTrace&);
template SearchResult tremaux(Search&, Trace&);

}  // namespace meiro
