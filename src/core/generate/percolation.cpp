// Bond percolation: each wall is open independently with probability p. Not perfect: there are
// loops and unreachable cells; above p = 1/2 one component spans the lattice.
//   S. R. Broadbent, J. M. Hammersley, Proc. Camb. Phil. Soc. 53 (1957) 629,
//   doi:10.1017/S0305004100032680. Law: the product law.
//
// p is exact to 2^-63. 64 walls draw their binary digits together, see Random::coins: about seven
// random words for all of them, one if p = 1/2, none if it is 0 or 1: unless p = 1/2, long rows are
// drawn in segments (segments.hpp). Every wall belongs to the cell south or west of it, so rows are
// made as in row_strips.hpp. Linear; scratch: two rows.
#include "job.hpp"
#include "shared/row_strips.hpp"
#include "shared/segments.hpp"

namespace meiro {
namespace {

struct Percolation {
    static constexpr Direction across = Direction::north, along = Direction::east;
    static constexpr std::uint64_t even = Chance::certain / 2;
    Seed seed;
    Chance p;
    Passages maze;

    void fill(const rows::Strip& strip, Control& control) const {
        Random random(seed, Purpose::generate, strip.lane);
        const bool segments = p.share != even;
        Index begin = segment_begin(strip.from);
        if (!segments) {  // a word for 64 walls: no need to draw those before the window
            begin = strip.from & ~Index{63};
            random.seek(static_cast<std::uint64_t>(begin / 32));
        }
        by_pieces(strip.to - begin, control, [&](Index from, Index to) {
            for (Index i = begin + from; i < begin + to; i += 64) {
                if (segments && begins_segment(i)) [[unlikely]]
                    random.seek(segment_word(i));
                const std::uint64_t up = random.coins(p), right = random.coins(p);
                if (i + 64 > strip.from)
                    rows::put_cells<bits::north, bits::east>(strip.own + (i - strip.from), up,
                                                             right);
            }
            control.poll((to - from) / 2);
        });
        if (!maze.wrap().cols)
            strip.column(strip.cols - 1, [](std::uint8_t& cell) {
                cell &= static_cast<std::uint8_t>(~bits::east);
            });
        if (!maze.wrap().rows)
            strip.row(0, control, [](std::uint8_t* cells, Index size) {
                for (Index i = 0; i < size; ++i)
                    cells[i] &= static_cast<std::uint8_t>(~bits::north);
            });
    }

    template <Recorder R>
    void emit(R& record, Index row, const std::uint8_t* own, const std::uint8_t* open,
              Control& control) const {
        const auto [rows, cols] = maze.shape();
        for (Index col = 0; col < cols; ++col) {
            if (row > 0 || maze.wrap().rows) say(record, {row, col}, Direction::north, own, open);
            if (col + 1 < cols || maze.wrap().cols)
                say(record, {row, col}, Direction::east, own, open);
            control.poll();
        }
    }

private:
    template <Recorder R>
    static void say(R& record, Cell cell, Direction d, const std::uint8_t* own,
                    const std::uint8_t* open) {
        const unsigned both = own[cell.col] & open[cell.col] & bit(d);
        record.on(both != 0 ? Event::carve : Event::keep, cell, d);
    }
};

}  // namespace

void percolation_window(const Window& window) {
    const Passages whole(nullptr, window.whole);
    rows::make_window(window, Percolation{window.seed, window.options.p, whole});
}

constexpr Runs<Job> percolation = job_runs([](Job& job, auto& record) {
    rows::make(job, Percolation{job.seed, job.options.p, job.maze}, record);
});

}  // namespace meiro
