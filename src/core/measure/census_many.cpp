// The census of many mazes. A small maze that is not periodic is labelled cell by cell, in memory
// that stays in the cache:
//   A. Rosenfeld, J. L. Pfaltz, J. ACM 13 (1966) 471. doi:10.1145/321356.321357
//
// A cell that is open to the west has the label of that cell, else a new one; a passage to the
// north joins two labels. The scan by rows of components.cpp needs some passes for each row, which
// take longer than short rows themselves. Time: nearly constant per cell. Scratch: 4 bytes per
// cell.
#include <limits>

#include "../passages.hpp"
#include "components.hpp"

namespace meiro {
namespace {

using Label = std::uint16_t;

// Components of the cells of small mazes, one maze after the other.
class Labels {
public:
    explicit Labels(Shape shape) : shape_(shape), label_(shape.size()), parent_(shape.size()) {}

    struct Counts {
        Index sets = 0, edges = 0, encircled = 0;  // encircled: posts amid four passages
    };

    // joined(cell): bit 0: to the cell to the north, bit 3: to that to the west.
    template <class Joined>
    Counts count(Joined joined) {
        const auto [rows, cols] = shape_;
        Label* const label = label_.data();
        Label* const parent = parent_.data();
        Counts counts;
        for (Index r = 0; r < rows; ++r) {
            Label run = 0;  // of the cell to the west
            unsigned last = 0;
            for (Index c = 0; c < cols; ++c) {
                const Index cell = r * cols + c;
                const unsigned to =
                    joined(cell) & ((r > 0 ? bits::north : 0) | (c > 0 ? bits::west : 0));
                if ((to & bits::west) == 0) {
                    run = static_cast<Label>(cell);
                    parent[run] = run;
                    ++counts.sets;
                } else {
                    ++counts.edges;
                }
                if ((to & bits::north) != 0) {
                    ++counts.edges;
                    Label above = label[cell - cols];
                    while (parent[above] != above) above = parent[above] = parent[parent[above]];
                    while (parent[run] != run) run = parent[run] = parent[parent[run]];
                    if (above != run) {
                        --counts.sets;
                        const Label high = std::max(above, run);
                        run = std::min(above, run);
                        parent[high] = run;
                    }
                    const bool around = (to & bits::west) != 0 && (last & bits::north) != 0 &&
                                        (joined(cell - cols) & bits::west) != 0;
                    counts.encircled += around ? 1 : 0;
                }
                label[cell] = run;
                last = to;
            }
        }
        return counts;
    }

private:
    Shape shape_;
    Buffer<Label> label_, parent_;
};

// The components of a mask, and the cells that are not in it.
struct Parts {
    Index parts = 1, absent = 0;
};

Parts parts_of(Labels& labels, Shape shape, Mask mask, Control& control) {
    if (mask == nullptr) return {};
    const Index absent = shape.size() - count_mask(mask, shape.size(), control);
    const auto neighbours = [&](Index cell) -> unsigned {
        if (mask[cell] == 0) return 0;
        return (cell >= shape.cols && mask[cell - shape.cols] != 0 ? bits::north : 0) |
               (cell > 0 && mask[cell - 1] != 0 ? bits::west : 0);
    };
    return {labels.count(neighbours).sets - absent, absent};  // each absent cell was a set
}

Census small_census(Labels& labels, const std::uint8_t* passages, Shape shape, const Parts& mask) {
    const auto counts = labels.count([=](Index cell) -> unsigned { return passages[cell]; });
    Census census;
    census.regions = counts.sets - mask.absent;
    census.loops = counts.edges - (shape.size() - mask.absent) + census.regions;
    census.islands = census.loops;
    census.bare_posts = counts.encircled;
    census.parts = mask.parts;
    return census;
}

}  // namespace

void census_of_each(const Batch& batch, Census* out, Control& control, int threads) {
    const Shape shape = batch.shape;
    const Wrap wrap = batch.wrap;
    const Index size = shape.size();
    const bool small = size <= Index{std::numeric_limits<Label>::max()} && !wrap.any();
    const int each = batch.threads_of_each(threads);
    by_dozens(batch.n, size, control, threads, [&](Index first, Index last, Control& worker) {
        Labels labels(small ? shape : Shape{0, 0});
        Parts shared;
        if (small && !batch.mask_each) shared = parts_of(labels, shape, batch.mask, worker);
        for (Index i = first; i < last; ++i) {
            worker.expect(size, wrap.any() ? 5 * size : 15 * (size / 4));
            worker.poll(size + 1);
            const Mask mask = batch.mask_of(i);
            if (small)
                out[i] =
                    small_census(labels, batch.maze(i), shape,
                                 batch.mask_each ? parts_of(labels, shape, mask, worker) : shared);
            else if (wrap.any())
                out[i] = census_of_periodic(batch.maze(i), shape, wrap, mask, worker, each);
            else
                out[i] = census_of_passages(batch.maze(i), shape, mask, worker, each);
            worker.finish();
        }
    });
}

}  // namespace meiro
