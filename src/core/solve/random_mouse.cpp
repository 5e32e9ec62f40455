// Random mouse: straight through corridors, a uniformly random move at every junction.
//   W. D. Pullen, Think Labyrinth: maze algorithms. https://www.astrolog.org/labyrnth/algrithm.htm
//   A random walk without memory arrives within 2 passages * sites steps on average:
//   R. Aleliunas et al., FOCS 1979, 218. doi:10.1109/SFCS.1979.34
//
// The mouse remembers only the move it came by: it takes each other open move with equal
// probability, and turns back only in a dead end. The first step may be any move. It reaches the
// goal almost surely, but in unbounded time: after max_steps it gives up, by default the square of
// the number of sites, at most 10^8. A flood checks first that the goal is reachable. Scratch: a
// byte per site, a byte per step, and that of bfs.
#include <bit>

#include "solvers.hpp"
#include "walker.hpp"

namespace meiro {
namespace {

constexpr Index usual_most = 100'000'000;

class Mouse {
public:
    explicit Mouse(const Search& search)
        : open_(search.adjacency.open()),
          moves_(search.adjacency.moves()),
          offsets_(search.adjacency.offsets()),
          draw_(search.seed, Purpose::solve) {}

    Step operator()(Index at) {
        const unsigned byte = open_[at] & moves_;
        unsigned moves = byte & without_reverse[came_by_];
        clause = 2;
        if (moves == 0) {  // a dead end: turn back
            moves = byte;
            clause = 3;
        }
        if (moves == 0) return no_step;
        if ((moves & (moves - 1)) == 0) {
            came_by_ = static_cast<unsigned>(std::countr_zero(moves));
        } else {
            clause = 4;
            came_by_ = move_towards(static_cast<unsigned>(draw_.pick(directions_in(moves))), moves);
        }
        return {came_by_, offsets_[came_by_]};
    }

    std::string_view reason = "it has taken all the steps it may (max_steps)";
    unsigned clause = 2;  // 2: the only way on; 3: back from a dead end; 4: drawn

private:
    const std::uint8_t* open_;
    unsigned moves_;
    std::array<Index, 8> offsets_;
    Random draw_;
    unsigned came_by_ = from_nowhere;
};

// Is a goal reachable? Reports the whole progress of this solver.
bool is_reachable(const Search& search) {
    const SolveOptions plain;
    Search asked{search.adjacency, search.start, search.goals, search.seed, plain, search.control};
    NoTrace silent;
    return bfs(asked, silent).found;
}

}  // namespace

template <Recorder R>
SearchResult random_mouse(Search& search, R& record) {
    const Index size = search.adjacency.size(), asked = search.options.max_steps;
    const Index usual = size < 10'000 ? size * size : usual_most;
    const Index most = !is_reachable(search) ? 0 : asked >= 0 ? asked : usual;
    return walk_by(search, Mouse(search), most, record, false);
}

template SearchResult random_mouse(Search&, NoTrace&);
template SearchResult random_mouse(Search&, Trace&);

}  // namespace meiro
