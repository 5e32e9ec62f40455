// Two rules that decide each row by itself.
//
// Binary tree: every cell opens the wall to its north or to its west, by a fair coin; in the first
// row only the west is possible, in the first column only the north. corner= is the corner where
// the two corridors meet.
//   After J. Buck, Mazes for Programmers (2015), ch. 1. Law: binary_tree.
// A coin is a bit: a Philox block decides 256 cells, and a shift spreads eight of them to bytes.
//
// Sidewinder: every row below the first is cut into runs; a run ends after each cell with
// probability 1/2, and at the end of the row. A uniform member of each run opens its wall to the
// north. The first row is one corridor. towards= turns the maze.
//   After J. Buck, Mazes for Programmers (2015), ch. 2. Law: sidewinder.
// 64 coins end the runs of 64 cells. Half of the runs have one member, a quarter two; runs of up to
// four choose their members all at once with two more words (runs of three reject a draw in four),
// and only the few longer ones are handled one by one. Of a long row's further segments
// (segments.hpp) the first run that ends there may begin before: its member has words of its own,
// so that all others are the same for a window, which does not know where that run begins.
//
// Both: linear; scratch and threads as in row_strips.hpp.
#include <bit>

#include "job.hpp"
#include "shared/orientation.hpp"
#include "shared/row_strips.hpp"
#include "shared/segments.hpp"

namespace meiro {
namespace {

template <Direction Across, Direction Along>
struct BinaryTree {
    static constexpr Direction across = Across, along = Along;
    Seed seed;
    Shape shape;

    void fill(const rows::Strip& strip, Control& control) const {
        constexpr unsigned a = bit(Across), b = bit(Along);
        const Random random(seed, Purpose::generate, strip.lane);
        const Index begin = strip.from & ~Index{255};
        std::uint8_t* const own = strip.own + (begin - strip.from);
        by_pieces(strip.to - begin, control, [&](Index from, Index to) {
            for (Index i = from; i < to; i += 256) {
                const Block coins = random.block(static_cast<std::uint64_t>((begin + i) / 256));
                for (Index w = 0; w < 4 && i + 64 * w < to; ++w)
                    for (int k = 0; k < 8; ++k) {
                        const std::uint64_t coin =
                            coins[static_cast<std::size_t>(w)] >> k & each(1);
                        rows::put(own + i + 64 * w + 8 * k, each(b) ^ coin * (a ^ b));
                    }
            }
        });
        // The corridor has no choice, nor has the column beside it; their corner opens nothing.
        const Index corridor = Across == Direction::north ? 0 : shape.rows - 1;
        const Index corner = Along == Direction::west ? 0 : strip.cols - 1;
        strip.column(corner, [](std::uint8_t& cell) { cell = a; });
        strip.row(corridor, control, [](std::uint8_t* cells, Index size) {
            std::memset(cells, b, static_cast<std::size_t>(size));
        });
        const Index last = (corridor - strip.first) * strip.cols + corner;
        if (strip.has(corridor) && last >= strip.from && last < strip.to)
            strip.own[last - strip.from] = 0;
    }

    template <Recorder R>
    void emit(R& record, Index row, const std::uint8_t* own, const std::uint8_t*,
              Control& control) const {
        const Index corner = Along == Direction::west ? 0 : shape.cols - 1;
        const Index corridor = Across == Direction::north ? 0 : shape.rows - 1;
        for (Index col = 0; col < shape.cols; ++col) {
            if (own[col] != 0)  // clause 1: there is nothing to choose
                record.on(Event::carve, Cell{row, col},
                          static_cast<Direction>(std::countr_zero(own[col])),
                          row == corridor || col == corner ? 1 : 0);
            control.poll();
        }
    }
};

// body(rule) for the rule whose corridors meet in a corner.
template <class Body>
void by_corner(Corner corner, const Seed& seed, Shape shape, Body body) {
    using enum Direction;
    switch (corner) {
        case Corner::north_west:
            return body(BinaryTree<north, west>{seed, shape});
        case Corner::north_east:
            return body(BinaryTree<north, east>{seed, shape});
        case Corner::south_east:
            return body(BinaryTree<south, east>{seed, shape});
        case Corner::south_west:
            return body(BinaryTree<south, west>{seed, shape});
    }
}

// The runs of some rows, 64 cells at a time.
class DrawnRuns {
public:
    // Those of cells [begin, end) are written, the first to `own`.
    DrawnRuns(Random random, std::uint8_t* own, Index begin, Index end, Index cols)
        : random_(random), own_(own), begin_(begin), end_(end), cols_(cols) {}

    // The first cell of the run that is still open: from there on cells are to be made.
    Index begun() const { return begun_; }

    // The cells [from, to), from a multiple of 64.
    void make(Index from, Index to) {
        for (Index at = from; at < to; at += 64) {
            if (begins_segment(at)) [[unlikely]] {
                segment_ = at;
                random_.seek(segment_word(at));
            }
            std::uint64_t closed = random_();
            for (; row_end_ < at + 64; row_end_ += cols_)
                closed |= std::uint64_t{1} << (row_end_ - at);
            const std::uint64_t up = members(closed, at);
            if (at + 64 > begin_ && at < end_)
                rows::put_cells<bits::north, bits::east>(own_ + (at - begin_), rows::transposed(up),
                                                         rows::transposed(~closed));
            if (before_ >= begin_ && before_ < end_) own_[before_ - begin_] |= bits::north;
            before_ = -1;
        }
    }

private:
    // The cells that open to the north, of the runs that end in these 64 cells.
    std::uint64_t members(std::uint64_t closed, Index at) {
        if (closed == 0) [[unlikely]]
            return 0;
        const std::uint64_t one = 1;
        std::uint64_t up = 0, first = closed << 1;  // of the runs that also begin here
        if (begun_ < at || begun_ <= segment_) {
            const Index size = at + std::countr_zero(closed) - begun_ + 1;
            const Index member =
                begun_ + (begun_ <= segment_ ? member_of_first(size) : random_.below(size));
            if (member >= at)
                up = one << (member - at);
            else
                before_ = member;
        } else {
            first |= 1;
        }
        const auto behind = static_cast<int>(std::bit_width(closed));
        begun_ = at + behind;
        first &= ~std::uint64_t{0} >> (64 - behind);
        up |= first & closed;
        first &= ~closed;
        const std::uint64_t a = random_(), b = random_();
        const std::uint64_t two = first & closed >> 1;
        up |= (two & a) | (two & ~a) << 1;
        first &= ~two;
        const std::uint64_t three = first & closed >> 2, taken = three & ~(a & b);
        up |= (taken & a) | (taken & b) << 1 | (taken & ~(a | b)) << 2;
        first &= ~taken;
        const std::uint64_t four = first & ~three & closed >> 3;
        up |= (four & a & b) | (four & a & ~b) << 1 | (four & ~a & b) << 2 | (four & ~(a | b)) << 3;
        for (first &= ~four; first != 0; first &= first - 1) {
            const int from = std::countr_zero(first);
            const int size = std::countr_zero(closed >> from) + 1;
            up |= one << (from + random_.below(size));
        }
        return up;
    }

    [[gnu::noinline]] Index member_of_first(Index size) const {
        Random own = random_;
        own.seek(segment_word(segment_) + segment_word(next_segments) / 2);
        return own.below(size);
    }

    Random random_;
    std::uint8_t* const own_;
    const Index begin_, end_;
    const Index cols_;
    Index row_end_ = cols_ - 1;
    Index begun_ = begin_drawing(begin_, [&](Index segment) {
        for (Index at = segment; at < begin_; at += 64)
            if (const std::uint64_t closed = random_.at(
                    segment_word(segment) + static_cast<std::uint64_t>(at - segment) / 64))
                return at + std::countr_zero(closed) < begin_;
        return false;
    });
    Index segment_ = -1;  // where it begins, if it is not the first
    Index before_ = -1;   // a member in cells that were made before
};

struct Sidewinder {
    static constexpr Direction across = Direction::north, along = Direction::east;
    Seed seed;
    Shape shape;

    void fill(const rows::Strip& strip, Control& control) const {
        const auto corridor = [](std::uint8_t* cells, Index size) {
            std::memset(cells, bits::east, static_cast<std::size_t>(size));
        };
        const Index skip = strip.has(0) ? strip.cols : 0;  // the corridor
        DrawnRuns runs(Random(seed, Purpose::generate, strip.lane),
                       strip.own + std::clamp<Index>(skip - strip.from, 0, strip.to - strip.from),
                       std::max<Index>(strip.from - skip, 0), strip.to - skip, strip.cols);
        const Index begin = runs.begun();
        by_pieces(strip.to - skip - begin, control, [&](Index first, Index last) {
            runs.make(begin + first, begin + last);
            control.poll((last - first) / 2);
        });
        // In a window: a run that goes on behind it may open in it.
        for (Index at = (strip.to - skip + 63) & ~Index{63}; runs.begun() < strip.to - skip;
             at += 64)
            runs.make(at, at + 64);
        strip.row(0, control, corridor);
        if (skip > 0)
            strip.column(strip.cols - 1, [](std::uint8_t& cell) {
                cell &= static_cast<std::uint8_t>(~bits::east);
            });
    }

    template <Recorder R>
    void emit(R& record, Index row, const std::uint8_t* own, const std::uint8_t*,
              Control& control) const {
        for (Index col = 0, up = -1; col < shape.cols; ++col) {
            if ((own[col] & bits::north) != 0) up = col;
            if ((own[col] & bits::east) != 0) {
                record.on(Event::carve, Cell{row, col}, Direction::east, row == 0 ? 1 : 2);
            } else {
                if (row > 0) record.on(Event::carve, Cell{row, up}, Direction::north, 3);
            }
            control.poll();
        }
    }
};

}  // namespace

void binary_tree_window(const Window& window) {
    by_corner(window.options.corner, window.seed, window.whole,
              [&](const auto& rule) { rows::make_window(window, rule); });
}

void sidewinder_window(const Window& window) {
    rows::make_window(window, Sidewinder{window.seed, window.whole});
}

constexpr Runs<Job> binary_tree = job_runs([](Job& job, auto& record) {
    by_corner(job.options.corner, job.seed, job.maze.shape(),
              [&](const auto& rule) { rows::make(job, rule, record); });
});
constexpr Runs<Job> sidewinder = job_runs([](Job& job, auto& record) {
    generate_oriented(job, record, [](Job& upright, auto& oriented_record) {
        rows::make(upright, Sidewinder{upright.seed, upright.maze.shape()}, oriented_record);
    });
});

}  // namespace meiro
