#include "measure_many.hpp"

#include <stdexcept>
#include <string>

#include "../passages.hpp"

namespace meiro {
namespace {

// Some generators leave cells out of the maze: those without passages, if any cell has one.
Mask surviving_mask(const std::uint8_t* passages, Mask mask, Index size, std::uint8_t* left,
                    Control& control) {
    bool any = false, all = true;
    by_each(size, control, [&](Index i) {
        left[i] = passages[i] != 0 ? 1 : 0;
        any |= left[i] != 0;
        all &= left[i] != 0;
    });
    return any && !all ? left : mask;
}

// The first existing cell from `cell` on, by steps of 1 or -1; there must be one.
Index existing(Mask mask, Index cell, Index step, Control& control) {
    for (; mask != nullptr && mask[cell] == 0; cell += step)
        if (cell % Control::stride == 0) control.poll(Control::stride);
    return cell;
}

// Maze i, checked. If there is room for a copy, that is taken: no other thread can change it.
MeasureInput checked_maze(const Batch& batch, Index i, Buffer<std::uint8_t>& copy, Control& control,
                          int threads) {
    const Index size = batch.shape.size();
    // Nothing below writes to the maze.
    auto* maze = const_cast<std::uint8_t*>(batch.maze(i));
    if (copy.size() != 0) {
        polled_copy(batch.maze(i), size, copy.data(), control, threads);
        maze = copy.data();
    }
    const Mask mask = batch.mask_of(i);
    const Index fault = Passages(maze, batch.shape, batch.wrap).first_fault(mask, control, threads);
    if (fault >= 0)
        throw std::invalid_argument("maze " + std::to_string(i) + ": cell " +
                                    std::to_string(fault) + " does not agree with its neighbours");
    const Index cells = count_mask(mask, size, control);
    return {maze, batch.shape, batch.wrap, mask, cells, batch.starts[i], batch.goals[i]};
}

}  // namespace

void measure_batch(const Batch& batch, MeasureList list, double* out, Control& control, int threads,
                   std::string_view* reasons) {
    const Index size = batch.shape.size();
    const int each = batch.threads_of_each(threads);
    by_dozens(batch.n, size, control, threads, [&](Index first, Index last, Control& worker) {
        Measurer measurer(batch.shape, batch.wrap, list);
        Buffer<std::uint8_t> copy(measurer.walks() ? size : 0);
        for (Index i = first; i < last; ++i) {
            worker.expect(size, measurer.steps(size));
            worker.poll(size / 8);
            measurer.measure(checked_maze(batch, i, copy, worker, each), worker, each);
            measurer.results(list, i, out, reasons);
            worker.finish();
        }
    });
}

void measure_ensemble(const Ensemble& many, MeasureList list, double* out, Control& control,
                      int threads) {
    const Index size = many.shape.size();
    const bool removed = many.options.dead_ends == DeadEnds::remove;
    const Index usual = count_mask(many.mask, size, control);
    if (usual == 0) throw std::invalid_argument("the mask has no cell");
    const Index first_of_all = existing(many.mask, 0, 1, control);
    const Index last_of_all = existing(many.mask, size - 1, -1, control);
    const int each = many.n == 1 ? threads : 1;
    by_dozens(many.n, size, control, threads, [&](Index first, Index last, Control& worker) {
        Measurer measurer(many.shape, many.wrap, list);
        Buffer<std::uint8_t> maze(size), left(removed ? size : 0);
        for (Index i = first; i < last; ++i) {
            worker.poll(size);
            make_one(many, i, maze.data(), worker, each);
            MeasureInput input{maze.data(), many.shape,   many.wrap,  many.mask,
                               usual,       first_of_all, last_of_all};
            if (removed) {
                input.mask = surviving_mask(maze.data(), many.mask, size, left.data(), worker);
                input.cells = count_mask(input.mask, size, worker);
                input.start = existing(input.mask, 0, 1, worker);
                input.goal = existing(input.mask, size - 1, -1, worker);
            }
            measurer.measure(input, worker, each);
            measurer.results(list, i, out);
        }
    });
}

void count_positions(const Batch& batch, unsigned set, Index* counts, Control& control) {
    const Index size = batch.shape.size();
    polled_fill(counts, size, 0, control);
    for (Index i = 0; i < batch.n; ++i) {
        add_positions(batch.maze(i), batch.mask_of(i), size, set, counts, control);
        control.done(size);
    }
}

}  // namespace meiro
