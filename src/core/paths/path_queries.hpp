// Queries about shortest paths over an Adjacency: best moves, the number and the list of shortest
// paths, bottlenecks, the diameter. Sites passed to them must exist.
#pragma once

#include <bit>
#include <span>
#include <stdexcept>
#include <utility>

#include "../adjacency.hpp"
#include "../buffer.hpp"
#include "../control.hpp"

namespace meiro {

// The moves towards the nearest goal. The mark of a site: in the low four bits the directions of
// all moves that lead one step nearer; above them 1 + the distance modulo 3, 0 if that is unknown.
struct Descent {
    static constexpr unsigned moves = 0x0f, level = 0x30, on_path = 0x40, awaited = 0x80;

    Buffer<std::uint8_t> marks;
    Index length = -1;        // from the start, if given and connected; else -1
    Index last = 0, far = 0;  // a farthest site reached, and its distance

    // The descending moves of `at`, as a byte of the Adjacency.
    unsigned down(const Adjacency& adjacency, Index at) const {
        return (marks[at] & moves) * 0x11u & adjacency.open()[at] & adjacency.moves();
    }
};

// The first of some moves, N before E, S and W. A symmetric adjacency always has one.
inline unsigned first_move(unsigned moves) {
    if (moves == 0) throw std::invalid_argument("the adjacency is not symmetric");
    const auto d = static_cast<unsigned>(std::countr_zero((moves | moves >> 4) & 15u));
    return (moves >> d & 1) != 0 ? d : d + 4;
}

// Floods from the goals, until all sites as near as `start` are reached; all sites if it is -1.
// Takes an Adjacency without diagonals. Scratch: a byte per site, and two levels.
Descent descend(const Adjacency& adjacency, std::span<const Index> goals, Index start,
                Control& control);

// The best moves of each site, as bits: of directions, or with diagonals of moves, where a diagonal
// step costs exactly the square root of 2. 0 at goals and unreachable sites.
Buffer<std::uint8_t> policy(const Adjacency& adjacency, std::span<const Index> goals,
                            Control& control);
Buffer<std::uint8_t> octile_policy(const Adjacency& adjacency, std::span<const Index> goals,
                                   Control& control);

// The number of paths that descend from `start` to a goal, in limbs of 64 bits, the lowest first.
// Afterwards the marks are 1 on sites of these paths, 0 elsewhere. Scratch: an id per site (touched
// only on these paths), and two levels of numbers of the width that the level needs.
Buffer<std::uint64_t> count_paths(const Adjacency& adjacency, Descent& descent, Index start,
                                  Control& control);

// All shortest paths, one after the other, in the order of their directions: N, E, S, W.
class PathList {
public:
    PathList(Descent&& descent, Index start)
        : descent_(std::move(descent)),
          steps_(descent_.length > 0 ? descent_.length : 0),
          at_(start) {}
    // Moves to the first, or the next, path; false at the end.
    bool next(const Adjacency& adjacency, Control& control);
    const Buffer<std::uint8_t>& steps() const { return steps_; }

private:
    Descent descent_;
    Buffer<std::uint8_t> steps_;  // the move of each
    Index at_;                    // their end
    bool begun_ = false, ended_ = false;
};

// The places that every path from `start` to any of the goals passes, in order, without the ends.
// Scratch: a byte and an id per site, and two levels.
struct Bottlenecks {
    Buffer<Index> places;  // the first `count` of it
    Index count = -1;      // -1: no path
};
Bottlenecks bottlenecks(const Adjacency& adjacency, std::span<const Index> goals, Index start,
                        Control& control);

// The longest of the shortest paths between any two sites.
struct Longest {
    Buffer<std::uint8_t> steps;   // the move of each
    Index start = -1, goal = -1;  // -1 if no site has a move
    Index length = 0, at_most = 0;
};
Longest longest_path(const Adjacency& adjacency, bool exact, Control& control);

}  // namespace meiro
