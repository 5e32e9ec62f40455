// The walls of a perfect maze that is not periodic, as arrows from post to post: a tree whose root
// is the outer wall. Closing a passage closes a cycle of walls, and these are the walls between the
// two parts of the maze: one of them is opened in time linear in the length of the cycle.
//
// Post p is the south-east corner of cell p. Those in the last column and the last row belong to
// the outer wall, and so do the bytes before the first: a step to the west of the first column ends
// in the row before. With a mask there are rims, walls beside no cell, which always stand. Posts
// that rims join to the outer wall belong to the root; other rims have arrows like walls.
// Scratch: a byte per post, and an id for each of a cycle; at first an id for each post.
#pragma once

#include <array>

#include "transforms.hpp"

namespace meiro {

template <class Id>
class WallTree {
public:
    WallTree(const Passages& maze, Control& control) : maze_(maze), control_(control) {
        polled_fill(bytes_.data(), bytes_.size(), root, control);
        const auto [rows, cols] = maze.shape();
        if (rows > 1 && cols > 1) plant(rows - 1, cols - 1);
    }

    // Closes a passage, opens a uniform wall of the cycle that it closes, perhaps the same, and
    // returns that wall. Walls are numbered as in regions.hpp.
    Index exchange(Index passage, Random& random) {
        const Index end = passage >> 1;
        const Direction d = (passage & 1) != 0 ? Direction::west : Direction::north;
        climb(end, end + step(d));
        Index walls = 1;
        for (const auto& path : paths_)
            by_each(path.size(), control_, [&](Index i) {
                std::uint8_t& post = posts_[path[i]];
                post &= static_cast<std::uint8_t>(~(seen[0] | seen[1]));
                walls += (post & rim) == 0 ? 1 : 0;
            });
        const Index drawn = random.below(walls);
        if (drawn == 0) return passage;
        const auto [k, place] = find(drawn, walls);
        const Edge opened = edge(paths_[k][place], direction(posts_[paths_[k][place]]));
        turn_round(paths_[k], place, k == 0 ? d : opposite(d));
        maze_.open(opened.cell, opened.side);
        const Edge closed = edge(end, d);
        const Index beyond = maze_.next(closed.cell, closed.side);
        maze_.bytes()[closed.cell] &= static_cast<std::uint8_t>(~bit(closed.side));
        maze_.bytes()[beyond] &= static_cast<std::uint8_t>(~bit(opposite(closed.side)));
        return 2 * opened.cell + (opened.side == Direction::south ? 1 : 0);
    }

private:
    // A post: the direction of its arrow; is that a rim? is it the root, not planted yet, seen from
    // one end or the other?
    static constexpr unsigned rim = 4, root = 8, bare = 16;
    static constexpr std::array<unsigned, 2> seen{32, 64};
    static Direction direction(unsigned post) { return static_cast<Direction>(post & 3u); }
    Index step(Direction d) const { return step_[static_cast<std::size_t>(d)]; }

    // The wall that leads away from a post, as a side of a cell.
    struct Edge {
        Index cell;
        Direction side;
    };
    Edge edge(Index post, Direction d) const {
        const bool on = d == Direction::east || d == Direction::south;
        const bool across = d == Direction::east || d == Direction::west;
        return {on ? post + step(d) : post, across ? Direction::south : Direction::east};
    }

    // Gives the inner posts their arrows, breadth first from the outer wall; before, by rims alone,
    // those that belong to it.
    void plant(Index rows, Index cols) {
        const Index stride = cols + 1;
        for (Index row = 0; row < rows; ++row)
            polled_fill(posts_ + row * stride, cols, bare | root, control_);
        struct Side {  // the inner posts beside a side of the outer wall
            Index first, step, posts;
            Direction towards;
        };
        const std::array<Side, 4> beside{{{0, 1, cols, Direction::north},
                                          {cols - 1, stride, rows, Direction::east},
                                          {(rows - 1) * stride, 1, cols, Direction::south},
                                          {0, stride, rows, Direction::west}}};
        Buffer<Id> queue(rows * cols + 1);
        Index size = 0;
        for (const bool rims : {true, false}) {
            const unsigned walls = rims ? 0 : 1;
            const auto reach = [&](Index post, Direction d) {
                // Without a branch, as walls are unpredictable.
                const Edge to = edge(post, d);
                const unsigned was = posts_[post], byte = maze_.bytes()[to.cell];
                const auto side = static_cast<unsigned>(to.side);
                const unsigned beside_none = ~byte >> (4 + side) & 1u;
                const unsigned taken = was / bare & (~byte >> side & 1u) & (beside_none | walls);
                const unsigned arrow = rims ? root : static_cast<unsigned>(d) | beside_none * rim;
                posts_[post] = static_cast<std::uint8_t>(taken != 0 ? arrow : was);
                queue[size] = static_cast<Id>(post);
                size += static_cast<Index>(taken);
            };
            for (const auto& side : beside)
                for (Index k = 0, post = side.first; k < side.posts; ++k, post += side.step) {
                    reach(post, side.towards);
                    control_.poll(4);
                }
            for (Index head = 0; head < size; ++head, control_.poll(4))
                for (const Direction d : directions)
                    reach(static_cast<Index>(queue[head]) + step(d), opposite(d));
        }
    }

    // The arrows from two posts to where they meet, or to the root; a step from each in turn.
    void climb(Index one, Index other) {
        std::array<Index, 2> at{one, other};
        for (auto& path : paths_) path.clear();
        while ((posts_[at[0]] & posts_[at[1]] & root) == 0) {
            for (std::size_t k = 0; k < 2; ++k) {
                const unsigned post = posts_[at[k]];
                if ((post & root) != 0) continue;
                if ((post & seen[1 - k]) != 0) {
                    cut(paths_[1 - k], at[k]);
                    return;
                }
                posts_[at[k]] = static_cast<std::uint8_t>(post | seen[k]);
                paths_[k].push(static_cast<Id>(at[k]));
                at[k] += step(direction(post));
            }
            control_.poll();
        }
    }
    // Removes the end of a path, from a post on.
    void cut(Stack<Id>& path, Index from) {
        for (Index post = -1; post != from; control_.poll()) {
            post = static_cast<Index>(path.pop());
            posts_[post] &= static_cast<std::uint8_t>(~(seen[0] | seen[1]));
        }
    }

    // The path and the place in it of a wall of the cycle; 0 is the passage.
    struct Place {
        std::size_t path;
        Index place;
    };
    Place find(Index drawn, Index walls) {
        const Index first = paths_[0].size();
        Index place = drawn - 1;
        if (walls != 1 + first + paths_[1].size())
            for (place = -1; drawn > 0; control_.poll()) {
                ++place;
                const Id post = place < first ? paths_[0][place] : paths_[1][place - first];
                drawn -= (posts_[post] & rim) == 0 ? 1 : 0;
            }
        return place < first ? Place{0, place} : Place{1, place - first};
    }

    // The arrows of a path up to a place change their ends; its first post gets one in direction d.
    void turn_round(const Stack<Id>& path, Index place, Direction d) {
        for (; place > 0; --place, control_.poll())
            posts_[path[place]] = static_cast<std::uint8_t>(posts_[path[place - 1]] ^ 2u);
        posts_[path[0]] = static_cast<std::uint8_t>(d);
    }

    const Passages maze_;
    Control& control_;
    const std::array<Index, 4> step_ = steps(maze_.shape().cols);
    Buffer<std::uint8_t> bytes_{maze_.size() + maze_.shape().cols + 1};
    std::uint8_t* const posts_ = bytes_.data() + maze_.shape().cols + 1;
    std::array<Stack<Id>, 2> paths_;  // posts
};

}  // namespace meiro
