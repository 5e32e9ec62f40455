// Questions about the paths of a maze, over an Adjacency: which moves are best, how many shortest
// paths there are and which, what must be passed, how far two places can be apart. Sites that are
// handed over are sites that exist.
#pragma once

#include <bit>
#include <span>
#include <stdexcept>
#include <utility>

#include "../adjacency.hpp"
#include "../buffer.hpp"
#include "../control.hpp"

namespace meiro {

// The moves down to the nearest of the goals. A site's mark: in the low four bits the directions of
// all moves that lead one step nearer; above them 1 + how far it is modulo 3, 0 if that is unknown.
struct Descent {
    static constexpr unsigned moves = 0x0f, level = 0x30, on_path = 0x40, awaited = 0x80;

    Buffer<std::uint8_t> marks;
    Index length = -1;        // from the start, if one is given and there is a way
    Index last = 0, far = 0;  // of what was reached a site that is farthest, and how far it is

    // The moves of `at` that lead down, as Adjacency has them.
    unsigned down(const Adjacency& adjacency, Index at) const {
        return (marks[at] & moves) * 0x11u & adjacency.open()[at] & adjacency.moves();
    }
};

// Of some moves the first, N before E, S and W. There is one, if the adjacency is symmetric.
inline unsigned first_move(unsigned moves) {
    if (moves == 0) throw std::invalid_argument("the adjacency is not symmetric");
    const auto d = static_cast<unsigned>(std::countr_zero((moves | moves >> 4) & 15u));
    return (moves >> d & 1) != 0 ? d : d + 4;
}

// Floods from the goals, until `start` is reached and all that is as near; everything if it is -1.
// Steps are those of an Adjacency without diagonals. Scratch: a byte a site, and two levels.
Descent descend(const Adjacency& adjacency, std::span<const Index> goals, Index start,
                Control& control);

// The bits of all best moves of each site: of its direction, or with diagonals of its move, where a
// diagonal step costs the square root of 2, exactly. 0 at goals, and where there is no way.
Buffer<std::uint8_t> policy(const Adjacency& adjacency, std::span<const Index> goals,
                            Control& control);
Buffer<std::uint8_t> octile_policy(const Adjacency& adjacency, std::span<const Index> goals,
                                   Control& control);

// How many paths lead down from `start` to a goal, in limbs of 64 bits, the lowest first. Then the
// marks are 1 on the sites that are on one of them, 0 elsewhere. Scratch: an id a site (touched
// only where they go), and two levels of numbers, as wide as those of the level need.
Buffer<std::uint64_t> count_paths(const Adjacency& adjacency, Descent& descent, Index start,
                                  Control& control);

// All shortest paths, one after the other, in the order of their directions: N, E, S, W.
class PathList {
public:
    PathList(Descent&& descent, Index start)
        : descent_(std::move(descent)),
          steps_(descent_.length > 0 ? descent_.length : 0),
          at_(start) {}
    // Goes on to the first, or to the next; false if there is none.
    bool next(const Adjacency& adjacency, Control& control);
    const Buffer<std::uint8_t>& steps() const { return steps_; }

private:
    Descent descent_;
    Buffer<std::uint8_t> steps_;  // the move of each
    Index at_;                    // where they lead
    bool begun_ = false, ended_ = false;
};

// The sites that every path from `start` to any of the goals passes, in order, without the ends: of
// each its row and column. Scratch: a byte and an id a site, and two levels.
struct Bottlenecks {
    Buffer<Index> places;
    Index count = -1;  // -1: there is no way
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
