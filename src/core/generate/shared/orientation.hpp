// towards=: mazes whose rule begins in the first row, rotated or reflected to begin on another
// side.
//
//   north   as it is            west   rows and columns exchanged
//   south   upside down         east   the same, with the columns reversed
//
// So the rule always goes from left to right, or from the top down, along its side. The reflection
// upside down is done in place; transposed mazes are made in scratch, a byte per cell.
#pragma once

#include "../../buffer.hpp"
#include "../../transform/square_symmetry.hpp"
#include "../job.hpp"

namespace meiro {

// Maps places and directions of the upright maze to the requested orientation.
class Orientation {
public:
    Orientation(Direction towards, Shape oriented) : towards_(towards), shape_(oriented) {}

    bool sideways() const { return towards_ == Direction::east || towards_ == Direction::west; }
    Shape upright() const { return sideways() ? Shape{shape_.cols, shape_.rows} : shape_; }
    Cell of(Cell c) const { return placed<Cell>(c, 1); }
    Post of(Post p) const { return placed<Post>(p, 0); }
    Direction of(Direction d) const {
        if (d == Direction::none) return d;
        const auto n = static_cast<unsigned>(d);
        switch (towards_) {
            case Direction::south:
                return static_cast<Direction>((n & 1) != 0 ? n : n ^ 2);
            case Direction::west:
                return static_cast<Direction>(3 - n);
            case Direction::east:
                return static_cast<Direction>((n + 1) % 4);
            default:
                return d;
        }
    }

private:
    // `less`: 1 for cells, whose last row is rows - 1; 0 for posts, whose last row is rows.
    template <class Place>
    Place placed(Place at, Index less) const {
        switch (towards_) {
            case Direction::south:
                return {shape_.rows - less - at.row, at.col};
            case Direction::west:
                return {at.col, at.row};
            case Direction::east:
                return {at.col, shape_.cols - less - at.row};
            default:
                return at;
        }
    }
    Direction towards_;
    Shape shape_;
};

// Forwards events to another recorder, in the requested orientation.
template <Recorder R>
class OrientedRecorder {
public:
    OrientedRecorder(R& record, const Orientation& orientation)
        : record_(record), orientation_(orientation) {}
    template <class Place>  // a Cell or a Post
    void on(Event e, Place place, Direction d = Direction::none, unsigned clause = 0) {
        record_.on(e, orientation_.of(place), orientation_.of(d), clause);
    }

private:
    R& record_;
    const Orientation orientation_;
};

// Reflects upside down, in place.
inline void flip(const Passages& maze, int threads, Control& control) {
    const auto [rows, cols] = maze.shape();
    const Index half = (rows + 1) / 2;
    const auto upside_down = [](unsigned open) {
        return static_cast<std::uint8_t>((open & 10u) | (open & 1u) << 2 | (open & 4u) >> 2);
    };
    by_shares(half, 64, control, threads,
              [&, cols = cols, rows = rows](Index first, Index last, Control& worker) {
                  for (Index r = first; r < last; ++r) {
                      std::uint8_t* const a = maze.bytes() + r * cols;
                      std::uint8_t* const b = maze.bytes() + (rows - 1 - r) * cols;
                      by_each(cols, worker, [&](Index c) {
                          const std::uint8_t above = upside_down(a[c]), below = upside_down(b[c]);
                          a[c] = below;
                          b[c] = above;
                      });
                  }
              });
}

// make(job, record) makes the upright maze.
template <Recorder R, class Make>
void generate_oriented(Job& job, R& record, Make make) {
    if (job.options.towards == Direction::north) {
        make(job, record);
        return;
    }
    const Orientation orientation(job.options.towards, job.maze.shape());
    Buffer<std::uint8_t> scratch(orientation.sideways() ? job.maze.size() : 0);
    std::uint8_t* const bytes = orientation.sideways() ? scratch.data() : job.maze.bytes();
    Job upright = job;
    upright.maze = Passages(bytes, orientation.upright());
    if constexpr (std::is_same_v<R, NoTrace>) {
        make(upright, record);
    } else {
        OrientedRecorder<R> oriented_record(record, orientation);
        make(upright, oriented_record);
    }
    if (orientation.sideways())
        turn(bytes, orientation.upright(), {job.options.towards == Direction::east, false, true},
             true, job.maze.bytes(), job.threads, job.control);
    else
        flip(job.maze, job.threads, job.control);
}

}  // namespace meiro
