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
    Orientation(Direction towards, Shape oriented)
        : shape_(oriented),
          symmetry_{towards == Direction::south || towards == Direction::east, false,
                    towards == Direction::west || towards == Direction::east} {}

    // From the upright maze to the oriented one.
    Symmetry symmetry() const { return symmetry_; }
    Shape upright() const { return symmetry_.of(shape_); }
    Cell of(Cell c) const { return placed<Cell>(c, 1); }
    Post of(Post p) const { return placed<Post>(p, 0); }
    Direction of(Direction d) const {
        if (d == Direction::none) return d;
        auto n = static_cast<unsigned>(d);
        if (symmetry_.rows && n % 2 == 0) n ^= 2;  // north and south change places
        return static_cast<Direction>(symmetry_.exchanged ? 3 - n : n);
    }

private:
    // `less`: 1 for cells, whose last row is rows - 1; 0 for posts, whose last row is rows.
    template <class Place>
    Place placed(Place at, Index less) const {
        const Index row = symmetry_.rows ? upright().rows - less - at.row : at.row;
        return symmetry_.exchanged ? Place{at.col, row} : Place{row, at.col};
    }
    Shape shape_;
    Symmetry symmetry_;
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
    const bool sideways = orientation.symmetry().exchanged;
    Buffer<std::uint8_t> scratch(sideways ? job.maze.size() : 0);
    std::uint8_t* const bytes = sideways ? scratch.data() : job.maze.bytes();
    Job upright = job;
    upright.maze = Passages(bytes, orientation.upright());
    if constexpr (std::is_same_v<R, NoTrace>) {
        make(upright, record);
    } else {
        OrientedRecorder<R> oriented_record(record, orientation);
        make(upright, oriented_record);
    }
    if (sideways)
        turn(bytes, orientation.upright(), orientation.symmetry(), true, job.maze.bytes(),
             job.threads, job.control);
    else
        flip(job.maze, job.threads, job.control);
}

}  // namespace meiro
