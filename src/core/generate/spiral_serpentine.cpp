// Two corridors without a branch, through every cell. Not random: all seeds give the same maze.
//   spiral: clockwise along the border from the first cell, ring by ring, to the middle.
//   serpentine: east along the first row, west along the second, and so on.
// Old figures; serpentine is boustrophedon, as the ox ploughs.
//
// Time: linear, whole stretches of a row at once. Scratch: none.
#include <algorithm>
#include <bit>
#include <type_traits>

#include "job.hpp"

namespace meiro {
namespace {

class RowWriter {
public:
    explicit RowWriter(Job& job)
        : control_(job.control), maze_(job.maze), shape_(job.maze.shape()) {}

    void serpentine() const {
        const auto [rows, cols] = shape_;
        for (Index row = 0; row < rows; ++row) {
            const Index first = row % 2 == 0 ? 0 : cols - 1;
            const unsigned above = row > 0 ? bits::north : 0,
                           below = row + 1 < rows ? bits::south : 0;
            fill(row, 0, cols, bits::east | bits::west);
            if (cols == 1) {
                put(row, 0, above | below);
            } else {
                put(row, first, above | (first == 0 ? bits::east : bits::west));
                put(row, cols - 1 - first, below | (first == 0 ? bits::west : bits::east));
            }
            control_.done(cols);
        }
    }

    void spiral() const {
        const auto [rows, cols] = shape_;
        for (Index row = 0; row < rows; ++row) {
            const Index ring = std::min(row, rows - 1 - row);
            const Index from = 2 * ring < cols ? ring : cols, to = std::max(from, cols - ring);
            fill(row, 0, from, bits::north | bits::south);
            fill(row, from, to, bits::east | bits::west);
            fill(row, to, cols, bits::north | bits::south);
            control_.done(cols);
        }
        for (Index ring = 0; 2 * ring < std::min(rows, cols); ++ring) {
            turns(ring);
            control_.poll(16);
        }
    }

private:
    // Ring k holds the cells k cells from the border. It begins at (k, k), and ends below that
    // cell.
    void turns(Index ring) const {
        const Index height = shape_.rows - 2 * ring, width = shape_.cols - 2 * ring;
        const Index bottom = ring + height - 1, right = ring + width - 1;
        const unsigned entry = ring > 0 ? bits::west : 0;
        if (height == 1) {
            put(ring, right, bits::west);
            put(ring, ring, width > 1 ? entry | bits::east : entry);
        } else if (width == 1) {
            put(ring, ring, entry | bits::south);
            put(bottom, ring, bits::north);
        } else {
            put(ring, ring, entry | bits::east);
            put(ring, right, bits::west | bits::south);
            put(bottom, right, bits::north | bits::west);
            put(bottom, ring, height > 2 ? bits::east | bits::north : bits::east);
            if (height > 2) put(ring + 1, ring, width > 2 ? bits::south | bits::east : bits::south);
        }
    }
    void fill(Index row, Index from, Index to, unsigned sides) const {
        std::uint8_t* const bytes = maze_.bytes() + row * shape_.cols + from;
        polled_fill(bytes, to - from, static_cast<std::uint8_t>(sides), control_);
    }
    void put(Index row, Index col, unsigned sides) const {
        maze_.bytes()[row * shape_.cols + col] = static_cast<std::uint8_t>(sides);
    }

    Control& control_;
    const Passages maze_;
    const Shape shape_;
};

// Traces show the corridor from its first cell on.
template <Recorder R>
void emit(Job& job, R& record) {
    if constexpr (!std::is_same_v<R, NoTrace>) {
        const Passages& maze = job.maze;
        Index at = 0;
        unsigned came = 0;
        record.on(Event::visit, maze.cell(at));
        while (const unsigned on = maze.bytes()[at] & ~came) {
            const auto d = static_cast<Direction>(std::countr_zero(on));
            record.on(Event::carve, maze.cell(at), d);
            at += maze.step(d);
            came = bit(opposite(d));
            job.control.poll();
        }
    }
}

}  // namespace

constexpr Runs<Job> spiral = job_runs([](Job& job, auto& record) {
    RowWriter(job).spiral();
    emit(job, record);
});
constexpr Runs<Job> serpentine = job_runs([](Job& job, auto& record) {
    RowWriter(job).serpentine();
    emit(job, record);
});

}  // namespace meiro
