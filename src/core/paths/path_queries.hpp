// Queries about shortest paths, in squares (an Adjacency) and in the open edges of a graph: best
// moves, the number and the list of shortest paths, bottlenecks, the diameter. Places passed to
// them must exist. Parallel passages of a graph make different paths.
#pragma once

#include <bit>
#include <span>
#include <stdexcept>

#include "../adjacency.hpp"
#include "../buffer.hpp"
#include "../control.hpp"
#include "../topology.hpp"

namespace meiro {

// The ways down to the nearest goal: what those of squares and of a graph have in common.
struct WaysDown {
    static constexpr unsigned on_path = 0x40, awaited = 0x80;

    Buffer<std::uint8_t> marks;
    Index length = -1;        // from the start, if given and connected; else -1
    Index last = 0, far = 0;  // a farthest place reached, and its distance
};

// The mark of a site: in the low four bits the directions of all moves that lead one step nearer;
// above them 1 + the distance modulo 3, 0 if that is unknown.
struct Descent : WaysDown {
    using Step = std::uint8_t;  // a move, as a path keeps it
    static constexpr unsigned moves = 0x0f, level = 0x30;

    // The descending moves of `at`, as a byte of the Adjacency.
    unsigned down(const Adjacency& adjacency, Index at) const {
        return (marks[at] & moves) * 0x11u & adjacency.open()[at] & adjacency.moves();
    }
    // Moves of `at`: those descend that lead to a place that is nearer().
    auto some_moves(const auto& places, Index at) const {
        return places.moves_in(at, (marks[at] & moves) * 0x11u);
    }
    static bool nearer(Index, Index) { return true; }
};

// All marks are 0.
struct GraphDescent : WaysDown {
    using Step = GraphId;  // a slot

    Buffer<GraphId> away;  // the distance, -1 if that is unknown

    static auto some_moves(const GraphPlaces& places, Index at) { return places.moves(at); }
    bool nearer(Index to, Index than) const { return away[to] == away[than] - 1; }
};

// The first of some moves, N before E, S and W. A symmetric adjacency always has one.
inline unsigned first_move(unsigned moves) {
    if (moves == 0) throw std::invalid_argument("the adjacency is not symmetric");
    const auto d = static_cast<unsigned>(std::countr_zero((moves | moves >> 4) & 15u));
    return (moves >> d & 1) != 0 ? d : d + 4;
}

// Floods from the goals. In squares until all sites as near as `start` are reached, all if it is
// -1; not with diagonals. Scratch: a byte per site, and two levels; in a graph 13 bytes a cell.
Descent descend(const Adjacency& adjacency, std::span<const Index> goals, Index start,
                Control& control);
GraphDescent descend(const OpenGraph& graph, std::span<const Index> goals, Index start,
                     Control& control);

// The first move down from a place. A symmetric adjacency always has one.
template <Places P, class Descent>
typename P::Move first_down(const P& places, const Descent& descent, Index at, Control& control) {
    for (const auto move : descent.some_moves(places, at)) {
        control.poll();
        if (descent.nearer(places.to(at, move), at)) return move;
    }
    throw std::invalid_argument("the adjacency is not symmetric");
}

template <class Maze>
using DescentOf = decltype(descend(std::declval<const Maze&>(), std::span<const Index>(), Index{},
                                   std::declval<Control&>()));

// The best moves of each site, as bits: of directions, or with diagonals of moves, where a diagonal
// step costs exactly the square root of 2. 0 at goals and unreachable sites.
Buffer<std::uint8_t> policy(const Adjacency& adjacency, std::span<const Index> goals,
                            Control& control);
Buffer<std::uint8_t> octile_policy(const Adjacency& adjacency, std::span<const Index> goals,
                                   Control& control);

// How far each site is from a wall: the distance from its centre to the nearest edge of a wall,
// squared, in half sites; 0 on walls, the largest Index if there is no wall. What is outside is no
// wall.
void clearance(const std::uint8_t* walls, Shape shape, Wrap wrap, Index* out, Control& control);

// The number of paths that descend from `start` to a goal, in limbs of 64 bits, the lowest first.
// Afterwards the marks are 1 on places of these paths, 0 elsewhere. Scratch: an id per place
// (touched only on these paths), and two levels of numbers of the width that the level needs.
template <class Maze>
Buffer<std::uint64_t> count_paths(const Maze& maze, DescentOf<Maze>& descent, Index start,
                                  Control& control);

// All shortest paths, one after the other, in the order of their moves: in squares N, E, S, W.
template <class Descent>
class PathList {
public:
    using Step = typename Descent::Step;

    PathList(Descent&& descent, Index start)
        : descent_(std::move(descent)),
          steps_(descent_.length > 0 ? descent_.length : 0),
          at_(start) {}
    // Moves to the first, or the next, path; false at the end.
    template <class Maze>
    bool next(const Maze& maze, Control& control);
    const Buffer<Step>& steps() const { return steps_; }

private:
    Descent descent_;
    Buffer<Step> steps_;
    Index at_;  // their end
    bool begun_ = false, ended_ = false;
};

// The places that every path from `start` to any of the goals passes, in order, without the ends.
// Scratch: a byte and an id per place, two levels, and that of descend().
struct Bottlenecks {
    Buffer<Index> places;  // the first `count` of it
    Index count = -1;      // -1: no path
};
template <class Maze>
Bottlenecks bottlenecks(const Maze& maze, std::span<const Index> goals, Index start,
                        Control& control);

// The longest of the shortest paths between any two places. Its steps are moves, or edges.
template <class Edge>
struct LongestBy {
    Buffer<Edge> steps;
    Index start = -1, goal = -1;  // -1 if no site has a move; of a graph 0
    Index length = 0, at_most = 0;
};
using Longest = LongestBy<std::uint8_t>;
using GraphLongest = LongestBy<GraphId>;
Longest longest_path(const Adjacency& adjacency, bool exact, Control& control);
GraphLongest longest_path(const OpenGraph& graph, bool exact, Control& control);

}  // namespace meiro
