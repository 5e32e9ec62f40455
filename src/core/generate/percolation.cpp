// Bond percolation: each wall is open independently with probability p. Not perfect: there are
// loops and unreachable cells; above p = 1/2 one component spans the lattice.
//   S. R. Broadbent, J. M. Hammersley, Proc. Camb. Phil. Soc. 53 (1957) 629,
//   doi:10.1017/S0305004100032680. Law: the product law.
//
// p is exact to 2^-63. 64 walls draw their binary digits together, see Random::coins: about seven
// random words for all of them, one if p = 1/2, none if it is 0 or 1. Every wall belongs to the
// cell south or west of it, so rows are made as in row_strips.hpp. Linear; scratch: two rows.
#include "generators.hpp"
#include "shared/row_strips.hpp"

namespace meiro {
namespace {

struct Percolation {
    static constexpr Direction across = Direction::north, along = Direction::east;
    Seed seed;
    Chance p;
    Passages maze;

    void fill(const rows::Strip& strip, Control& control) const {
        Random random(seed, Purpose::generate, strip.lane);
        by_pieces(strip.size(), control, [&](Index from, Index to) {
            for (Index i = from; i < to; i += 64) {
                const std::uint64_t up = random.coins(p);
                rows::put_cells<bits::north, bits::east>(strip.own + i, up, random.coins(p));
            }
            control.poll((to - from) / 2);
        });
        if (!maze.wrap().cols)
            for (Index i = strip.cols - 1; i < strip.size(); i += strip.cols)
                strip.own[i] &= static_cast<std::uint8_t>(~bits::east);
        if (!maze.wrap().rows && strip.has(0))
            by_pieces(strip.cols, control, [&](Index from, Index to) {
                for (Index i = from; i < to; ++i)
                    strip.own[i] &= static_cast<std::uint8_t>(~bits::north);
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

template <Recorder R>
void percolation(Job& job, R& record) {
    rows::make(job, Percolation{job.seed, job.options.p, job.maze}, record);
}

template void percolation(Job&, NoTrace&);
template void percolation(Job&, Trace&);

}  // namespace meiro
