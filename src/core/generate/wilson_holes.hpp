// What Wilson's walks between posts need to know of a mask, and of a cylinder.
//
// The planar dual of the cells has a vertex for each post amid four cells, and one for each hole:
// for all posts around missing cells of which each touches another one, across a corner too. The
// outside is a hole, with the border; on a cylinder each of the two borders is one, unless missing
// cells join them. The first of them is the root of the walks. (On a torus the dual is no planar
// one, so there the walls of a maze are no tree.)
//
//   +---+---+---+---+        x  a missing cell
//   |       |   |   |        h  posts of a hole, which is a single vertex: its walk leaves by a
//   +   h---h   o   +           uniform one of the eight walls "*" around it
//   |   | x |       |        o  a post by itself
//   +   h---h---h   +
//   |       | x |   |
//   +   o   h---h   +
//
// A cylinder whose columns are joined has the posts of its first column once more behind the last
// one, and one whose rows are joined those of its last row before the first one, and of the first
// row after the last one: there walks only pass (`seam`).
//
// Scratch: 4 bytes a post for the number of its hole, 4 for each wall around a hole, 12 for a hole.
// Most holes of scattered cells are lone ones, of a single cell that touches no other. For even
// walks that are not traced the bytes of its four posts have all of it; at 1500 x 1500, 3 % of the
// cells missing, that takes 0.7 times as long.
#pragma once

#include <cstring>

#include "../disjoint_set.hpp"
#include "job.hpp"
#include "shared/posts.hpp"

namespace meiro {

// A whole rectangle has not `any`, and its walks are compiled without all that concerns them.
template <class Id, bool any>
class Holes {
public:
    // In the byte of a post, beside Posts::standing: it belongs to a hole with a number; it stands
    // for another one, across the seam. The posts of a hole stand as soon as one does.
    static constexpr unsigned hole = any ? 0x40 : 0, seam = any ? 0x20 : 0;
    // It belongs to a lone hole. The low half of the first post of it is the wall by which a walk
    // left the hole last; that of the others tells which of the four they are.
    static constexpr unsigned lone = any ? 0x10 : 0;

    // The posts of a maze, with those beyond the seam.
    static Shape shape(const Passages& maze) {
        return {maze.shape().rows + (maze.wrap().rows ? 1 : 0), maze.shape().cols};
    }
    static bool narrow(const Passages& maze) {
        return (maze.shape().rows + 2) * (maze.shape().cols + 1) < Index{1} << 30;
    }

    Holes(const Job& job, Posts& posts, bool with_lone)
        : shape_(job.maze.shape()),
          wrap_(job.maze.wrap()),
          byte_(posts.bytes()),
          step_(posts.steps()),
          sets_(any ? posts.shape().size() : 0) {
        if constexpr (any) {
            add_borders(job.control);
            if (job.mask != nullptr) add_missing_cells(job.mask, with_lone, job.control);
            number_holes(posts.shape().size(), job.control);
            list_walls(posts.shape().size(), job.control);
        }
    }

    bool is_hole(Index post) const { return (byte_[post] & (hole | lone)) != 0; }
    bool is_numbered(Index post) const { return (byte_[post] & hole) != 0; }
    Index number(Index post) const {
        return static_cast<Index>(sets_.parent(static_cast<Id>(post)));
    }
    Index holes() const { return chosen_.size(); }
    // Are two posts one vertex?
    bool same(Index a, Index b) const {
        return a == b || (is_numbered(a) && is_numbered(b) && number(a) == number(b));
    }
    // Of a wall around a hole.
    Index post(Index wall) const { return static_cast<Index>(walls_[wall] >> 2); }
    unsigned direction(Index wall) const { return static_cast<unsigned>(walls_[wall] & 3); }
    Index walls() const { return walls_.size(); }
    // Where the walls of a hole begin that lead north or south, and those that lead east or west.
    Index vertical(Index number) const { return static_cast<Index>(first_[2 * number]); }
    Index horizontal(Index number) const { return static_cast<Index>(first_[2 * number + 1]); }
    Index end(Index number) const { return static_cast<Index>(first_[2 * number + 2]); }

    // The wall by which a walk left a hole with a number last; walls() if none is known.
    Index chosen(Index number) const { return static_cast<Index>(chosen_[number]); }
    void choose(Index number, Index wall) { chosen_[number] = static_cast<Id>(wall); }

    // A walk leaves the hole of a post by a random wall: from a post, in a direction.
    template <class Draws>
    std::pair<Index, unsigned> leave(Index at, Draws& random) {
        if constexpr (Draws::even) {
            if (!is_numbered(at)) [[likely]] {
                const Index first = first_of_lone(at), wall = random.draw_one_of(4, 4);
                set(first, lone | static_cast<unsigned>(wall));
                return lone_wall(first, wall);
            }
        }
        const Index wall = random.draw_wall(*this, number(at));
        choose(number(at), wall);
        return {post(wall), direction(wall)};
    }
    // The wall by which a walk left it last.
    std::pair<Index, unsigned> left_by(Index at) const {
        if (!is_numbered(at)) {
            const Index first = first_of_lone(at);
            return lone_wall(first, byte_[first] & 7);
        }
        const Index wall = chosen(number(at));
        return {post(wall), direction(wall)};
    }
    // The hole of a post joins the tree.
    void join(Index at) {
        if (!is_numbered(at)) {
            const Index first = first_of_lone(at);
            constexpr std::array built{bits::east | bits::south, 0u, 0u, bits::north | bits::west};
            for (std::size_t k = 0; k < 4; ++k) set(first + corner_[k], Posts::standing | built[k]);
            return;
        }
        for (Index wall = vertical(number(at)); wall < end(number(at)); ++wall)
            byte_[post(wall)] |= static_cast<std::uint8_t>(Posts::standing);
    }

    Index across_seam(Index post, unsigned d) const {
        return (byte_[post] & seam) != 0 ? post + over_[d] : post;
    }
    Index next(Index post, unsigned d) const { return across_seam(post + step_[d], d); }
    // Where it is drawn.
    Post place(Index post) const {
        const Index row = post / width_;
        return {wrap_.rows && row == shape_.rows ? 0 : row, post % width_};
    }

    // The walls at the seam are those on its other side.
    void close_seam(Control& control) const {
        const auto [rows, cols] = shape_;
        for (Index row = 0; wrap_.cols && row <= rows; ++row, control.poll())
            byte_[row * width_ + cols] = byte_[row * width_];
        for (Index col = 0; wrap_.rows && col <= cols; ++col, control.poll())
            byte_[col] = byte_[rows * width_ + col];
    }

private:
    static constexpr unsigned walled = 15, another = 8;

    void set(Index post, unsigned bits) { byte_[post] = static_cast<std::uint8_t>(bits); }
    void put(Index post, Index root) { sets_.put(static_cast<Id>(post), static_cast<Id>(root)); }

    // The root is the first row or column of posts, of a rectangle the whole border. A bit towards
    // the outside keeps walks within.
    void add_borders(Control& control) {
        const auto [rows, cols] = shape_;
        const Index far_row = rows * width_, first = wrap_.rows ? width_ : 0;
        for (Index col = 0; col <= cols; ++col, control.poll(2)) {
            if (wrap_.rows) {
                set(col, Posts::standing | seam);
                set(far_row + width_ + col, Posts::standing | seam);
                continue;
            }
            set(col, Posts::outer_row | hole);
            set(far_row + col,
                wrap_.cols ? (walled ^ bits::north) | hole : Posts::outer_row | hole);
            put(col, 0);
            put(far_row + col, wrap_.cols ? far_row : 0);
        }
        for (Index row = wrap_.rows ? 1 : 0; row <= rows; ++row, control.poll(2)) {
            const Index west = row * width_, east = west + cols;
            if (wrap_.cols) {
                if (row > 0 && row < rows) set(west, 0);
                set(east, Posts::standing | seam);
                continue;
            }
            byte_[west] |= static_cast<std::uint8_t>(Posts::outer_col | hole);
            put(west, first);
            set(east,
                wrap_.rows ? (walled ^ bits::west) | hole : byte_[east] | Posts::outer_col | hole);
            put(east, wrap_.rows ? width_ + cols : 0);
        }
    }

    // The first of the four posts of a lone hole.
    Index first_of_lone(Index at) const {
        const unsigned low = byte_[at] & 15;
        return low < another ? at : at - corner_[low - another];
    }
    // Those that lead north or south come first, as in the list of a hole with a number.
    std::pair<Index, unsigned> lone_wall(Index first, Index wall) const {
        const Index east = wall & 1, south = wall >> 1 & 1;
        const Index d = wall < 4 ? 2 * south : 3 - 2 * east;
        return {first + corner_[wall & 3], static_cast<unsigned>(d)};
    }
    static bool is_lone(const std::uint8_t* cell, Index cols) {
        const auto bit = [](bool given) { return static_cast<unsigned>(given); };
        unsigned around = 1;
        for (const std::uint8_t* const row : {cell - cols, cell, cell + cols})
            around &= bit(row[-1] != 0) & bit(row == cell || row[0] != 0) & bit(row[1] != 0);
        return around != 0;
    }

    // Joins the four posts of each, and builds the walls between them.
    void add_missing_cells(Mask mask, bool with_lone, Control& control) {
        const auto [rows, cols] = shape_;
        for (Index row = 0; row < rows; ++row, control.poll(cols / 16)) {
            const std::uint8_t* const cells = mask + row * cols;
            const Index above = (wrap_.rows && row == 0 ? rows : row) * width_;
            const Index below = (row + 1) * width_;
            Index col = 0;
            while (col < cols) {
                const void* const found =
                    std::memchr(cells + col, 0, static_cast<std::size_t>(cols - col));
                if (found == nullptr) break;
                col = static_cast<const std::uint8_t*>(found) - cells;
                const bool inner = row > 0 && row + 1 < rows && col > 0 && col + 1 < cols;
                if (with_lone && inner && is_lone(cells + col, cols)) {
                    for (unsigned k = 0; k < 4; ++k)
                        set(above + col + corner_[k], lone | (k > 0 ? another + k : 0));
                    control.poll(2);
                    ++col;
                    continue;
                }
                const Index next = wrap_.cols && col + 1 == cols ? 0 : col + 1;
                const Index first = add(above + col, bits::east | bits::south);
                for (const auto& [post, walls] :
                     {std::pair{above + next, 0u}, std::pair{below + col, 0u},
                      std::pair{below + next, bits::north | bits::west}})
                    sets_.join(static_cast<Id>(first), static_cast<Id>(add(post, walls)));
                control.poll(8);
                ++col;
            }
        }
    }
    Index add(Index post, unsigned walls) {
        if (!is_numbered(post)) put(post, post);
        byte_[post] |= static_cast<std::uint8_t>(hole | walls);
        return post;
    }

    // Of the posts that belong to holes, in order.
    template <class Body>
    void each_post(Index posts, Control& control, Body body) {
        for (Index at = 0; at < posts; at += 8, control.poll()) {
            std::uint64_t eight;
            std::memcpy(&eight, byte_ + at, sizeof eight);  // the bytes after the last post are 0
            if ((eight & each(hole)) == 0) continue;
            for (Index post = at; post < at + 8; ++post)
                if (is_numbered(post)) {
                    body(post);
                    control.poll(8);
                }
        }
    }

    // From now on the parent of a post is the number of its hole: the root is 0, as the least post
    // represents a set and those before a post have numbers already.
    void number_holes(Index posts, Control& control) {
        Id count = 0;
        each_post(posts, control, [&](Index post) {
            const Id root = sets_.parent(static_cast<Id>(post));
            sets_.put(static_cast<Id>(post),
                      static_cast<Index>(root) == post ? count++ : sets_.parent(root));
        });
        chosen_ = Buffer<Id>(static_cast<Index>(count));
    }

    // The walls of each hole that lead to another vertex. (Those from a hole to itself are in no
    // tree.) A post without one is on no walk.
    void list_walls(Index posts, Control& control) {
        first_ = Buffer<Id>(2 * holes() + 2, true);
        each_post(posts, control, [&](Index post) {
            bool leads_on = false;
            if (number(post) > 0)
                each_wall(post, [&](unsigned d) {
                    leads_on = true;
                    ++first_[2 * number(post) + (d & 1) + 2];
                });
            if (!leads_on) byte_[post] |= static_cast<std::uint8_t>(Posts::standing);
        });
        // (A wall that is counted for a number is put by it: then it is where the next begins.)
        for (Index i = 2; i < first_.size(); ++i, control.poll()) first_[i] += first_[i - 1];
        walls_ = Buffer<Id>(static_cast<Index>(first_[first_.size() - 1]));
        each_post(posts, control, [&](Index post) {
            if ((byte_[post] & Posts::standing) != 0) return;
            each_wall(post, [&](unsigned d) {
                Id& at = first_[2 * number(post) + (d & 1) + 1];
                walls_[static_cast<Index>(at++)] = static_cast<Id>(post << 2 | d);
            });
        });
        polled_fill(chosen_.data(), holes(), static_cast<Id>(walls()), control);
    }
    template <class Body>
    void each_wall(Index post, Body body) const {
        for (unsigned d = 0; d < 4; ++d) {
            if ((byte_[post] >> d & 1u) != 0) continue;
            const Index to = next(post, d);
            if ((byte_[to] & lone) == 0 && (byte_[to] >> (d ^ 2u) & 1u) != 0) continue;
            if (!same(to, post)) body(d);
        }
    }

    const Shape shape_;
    const Wrap wrap_;
    const Index width_ = shape_.cols + 1;
    std::uint8_t* const byte_;
    const std::array<Index, 4> step_;
    const std::array<Index, 4> over_{shape_.rows * width_, -shape_.cols, -shape_.rows * width_,
                                     shape_.cols};
    const std::array<Index, 4> corner_{0, 1, width_, width_ + 1};  // of a lone hole, from the first
    DisjointSet<Id> sets_;
    Buffer<Id> first_, walls_, chosen_;  // by number and axis; post << 2 | direction; by number
};

}  // namespace meiro
