// Random mouse: on through passages, and at every junction a way at random.
//   W. D. Pullen, Think Labyrinth: maze algorithms. https://www.astrolog.org/labyrnth/algrithm.htm
//   Walks with no memory at all find a way too, in 2 passages * sites steps on average at most:
//   R. Aleliunas et al., FOCS 1979, 218. doi:10.1109/SFCS.1979.34
//
// The mouse remembers only the way it came by: of all others that are open it takes each with equal
// chance, and turns back only in a dead end. Its first step may be any. It comes to the goal almost
// surely, but nobody knows when: after max_steps it gives up, by default the square of the number
// of sites, at most 10^8. So that it does not walk for nothing, a flood first asks whether there is
// a way. Scratch: a byte a site and a byte a step, and what bfs takes.
#include <bit>

#include "solvers.hpp"
#include "walker.hpp"

namespace meiro {
namespace {

constexpr Index usual_most = 100'000'000;

class Mouse {
public:
    explicit Mouse(const Search& search)
        : open_(search.links.open()),
          ways_(search.links.ways()),
          moves_(search.links.moves()),
          draw_(search.seed, Purpose::solve) {}

    Step operator()(Index at) {
        const unsigned byte = open_[at] & ways_;
        unsigned ways = byte & onward[came_by_];
        if (ways == 0) ways = byte;  // a dead end: back
        if (ways == 0) return no_step;
        if ((ways & (ways - 1)) == 0)
            came_by_ = static_cast<unsigned>(std::countr_zero(ways));
        else
            came_by_ = way_towards(static_cast<unsigned>(draw_.pick(directions_in(ways))), ways);
        return {came_by_, moves_[came_by_]};
    }

    std::string_view reason = "it has taken all the steps it may (max_steps)";

private:
    const std::uint8_t* open_;
    unsigned ways_;
    std::array<Index, 8> moves_;
    Random draw_;
    unsigned came_by_ = from_nowhere;
};

// Whether there is a way at all. Tells all the progress that can be told.
bool any_way(const Search& search) {
    const SolveOptions plain;
    Search asked{search.links, search.start, search.goals, search.seed, plain, search.control};
    NoTrace silent;
    return bfs(asked, silent).found;
}

}  // namespace

template <Recorder R>
Found random_mouse(Search& search, R& record) {
    const Index size = search.links.size(), asked = search.options.max_steps;
    const Index usual = size < 10'000 ? size * size : usual_most;
    const Index most = !any_way(search) ? 0 : asked >= 0 ? asked : usual;
    return walk_by(search, Mouse(search), most, record, false);
}

template Found random_mouse(Search&, NoTrace&);
template Found random_mouse(Search&, Trace&);

}  // namespace meiro
