// Random mouse: straight through corridors, a uniformly random move at every junction.
//   W. D. Pullen, Think Labyrinth: maze algorithms. https://www.astrolog.org/labyrnth/algrithm.htm
//   A random walk without memory arrives within 2 passages * sites steps on average:
//   R. Aleliunas et al., FOCS 1979, 218. doi:10.1109/SFCS.1979.34
//
// The mouse remembers only the passage it came by: it takes each other open one with equal
// probability, and turns back only in a dead end. The first step may be any. It reaches the goal
// almost surely, but in unbounded time: after max_steps it gives up, by default the square of the
// number of places, at most 10^8. A flood checks first that the goal is reachable. Scratch: a byte
// per site and step, on a graph 4, and that of bfs.
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

class GraphMouse {
public:
    explicit GraphMouse(const GraphSearch& search)
        : graph_(search.graph), draw_(search.seed, Purpose::solve) {}

    GraphStep operator()(Index at) {
        const GraphId first = graph_.first()[at];
        const Index degree = graph_.degree(at);
        if (degree == 0) return {};
        clause = degree > 2 || came_by_ < 0 ? 4 : degree == 1 ? 3 : 2;
        GraphId slot = first;
        if (degree > 1) do
                slot = first + static_cast<GraphId>(draw_.below(degree));
            while (graph_.via()[slot] == came_by_);
        came_by_ = graph_.via()[slot];
        return {slot, graph_.to()[slot]};
    }

    std::string_view reason = "it has taken all the steps it may (max_steps)";
    unsigned clause = 2;

private:
    const OpenGraph& graph_;
    Random draw_;
    GraphId came_by_ = -1;
};

// Is a goal reachable? Reports the whole progress of this solver.
template <AnySearch S>
bool is_reachable(const S& search) {
    const SolveOptions plain;
    S asked{search.maze(), search.start, search.goals, search.seed, plain, search.control};
    NoTrace silent;
    return bfs(asked, silent).found;
}

}  // namespace

constexpr SolverRuns random_mouse =
    on_squares_and_graphs([]<AnySearch S>(S& search, auto& record) -> typename S::Result {
        const Index size = search.places().size(), asked = search.options.max_steps;
        const Index usual = size < 10'000 ? size * size : usual_most;
        const Index most = !is_reachable(search) ? 0 : asked >= 0 ? asked : usual;
        using Rule = std::conditional_t<std::is_same_v<S, Search>, Mouse, GraphMouse>;
        return walk_by(search, Rule(search), most, record, false);
    });

}  // namespace meiro
