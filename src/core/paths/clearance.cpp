// The distance of every site from the nearest wall, exactly: clearance.
//   P. F. Felzenszwalb, D. P. Huttenlocher, Distance transforms of sampled functions, Theory of
//   Computing 8 (2012) 415. doi:10.4086/toc.2012.v008a019
//
// In half sites all is whole: the edge of a wall k columns away is 2k - 1 from the centre of a
// site, and a wall of the same column 0. Columns are swept down and up, which gives the distance
// within each. Along a row the walls behind the edge of a column make a parabola over that edge;
// the sites take the lower envelope. Time: linear. Scratch: some rows.
#include <limits>

#include "path_queries.hpp"

namespace meiro {
namespace {

constexpr Index nowhere = std::numeric_limits<Index>::max();

constexpr Index floor_of(Index a, Index b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

// The lower envelope of parabolas over the columns, added from left to right.
class Envelope {
public:
    Envelope(Index cols, Index most) : cols_(cols), stack_(most) {}
    void clear() { count_ = 0; }
    // Over the edge before column `edge`.
    void add(Index edge, Index height) {
        Part part{2 * edge - 1, height, 0};
        while (count_ > 0 && top().at(top().first) > part.at(top().first)) --count_;
        if (count_ > 0) {
            const auto& [place, low, first] = top();
            const Index more = part.place * part.place + height - place * place - low;
            part.first = floor_of(more, 4 * (part.place - place)) + 1;
        }
        if (part.first < cols_) stack_[count_++] = part;
    }
    // The heights over the columns.
    template <class Take>
    void over(Take take) const {
        for (Index col = 0, i = 0; count_ > 0 && col < cols_; ++col) {
            while (i + 1 < count_ && stack_[i + 1].first <= col) ++i;
            take(col, stack_[i].at(col));
        }
    }

private:
    struct Part {
        Index place, height, first;  // the column from which on it is the lowest
        Index at(Index col) const { return (2 * col - place) * (2 * col - place) + height; }
    };
    const Part& top() const { return stack_[count_ - 1]; }

    Index cols_;
    Buffer<Part> stack_;
    Index count_ = 0;
};

}  // namespace

void clearance(const std::uint8_t* walls, Shape shape, Wrap wrap, Index* out, Control& control) {
    const auto [rows, cols] = shape;
    const auto sweep = [&, rows = rows, cols = cols](Index from, Index step) {
        Index before = -1;
        for (Index k = 0; k < rows * (wrap.rows ? 2 : 1); ++k) {
            const Index row = (from + k * step + 2 * rows) % rows;
            for (Index c = 0; c < cols; ++c) {
                Index& here = out[row * cols + c];
                const Index other = before < 0 ? nowhere : out[before * cols + c];
                if (other != nowhere) here = std::min(here, other == 0 ? 1 : other + 2);
            }
            before = row;
            control.poll(cols);
        }
    };
    by_each(shape.size(), control, [&](Index i) { out[i] = walls[i] != 0 ? 0 : nowhere; });
    sweep(0, 1);
    sweep(rows - 1, -1);
    Envelope lowest(cols, 3 * cols + 1);
    for (Index r = 0; r < rows; ++r) {
        Index* const row = out + r * cols;
        lowest.clear();
        const auto within = [&, cols = cols](Index col) {
            if (!wrap.cols && (col < 0 || col >= cols)) return nowhere;
            return row[(col + 2 * cols) % cols];
        };
        for (Index edge = wrap.cols ? -cols : 0; edge <= (wrap.cols ? 2 * cols - 1 : cols);
             ++edge) {
            const Index near = std::min(within(edge - 1), within(edge));
            if (near != nowhere) lowest.add(edge, near * near);
        }
        for (Index c = 0; c < cols; ++c)
            if (row[c] != nowhere) row[c] *= row[c];
        lowest.over([&](Index col, Index height) { row[col] = std::min(row[col], height); });
        control.poll(8 * cols);
    }
}

}  // namespace meiro
