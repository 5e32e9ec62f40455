// Measuring many mazes: given ones, or generated ones that are not kept.
#pragma once

#include "../ensemble.hpp"
#include "measures.hpp"

namespace meiro {

// Mazes of one shape, one after the other.
struct Batch {
    const std::uint8_t* passages;
    Index n;
    Shape shape;
    Wrap wrap;
    Mask mask;
    bool mask_each = false;         // the mask has a layer for each maze
    const Index* starts = nullptr;  // an existing cell of each maze
    const Index* goals = nullptr;

    const std::uint8_t* maze(Index i) const { return passages + i * shape.size(); }
    Mask mask_of(Index i) const { return mask_each ? mask + i * shape.size() : mask; }
};

// out: (n, whats). Each maze is copied and checked first: std::invalid_argument. Scratch per
// thread: that of a Measurer, and a byte per cell.
void measure_batch(const Batch& batch, std::span<const MeasureId> ids, double* out,
                   Control& control, int threads);

// The same for the mazes of an ensemble, solved from their first cell to the last. No maze is kept.
void measure_ensemble(const Ensemble& many, std::span<const MeasureId> ids, double* out,
                      Control& control, int threads);

// The reasons why the first maze of a batch has no value, for each of `whats`.
void explain(const Batch& batch, std::span<const MeasureId> ids, MissingReason* out,
             Control& control);

// counts: per cell, the number of mazes in which its byte is in the set.
void count_positions(const Batch& batch, unsigned set, Index* counts, Control& control);

}  // namespace meiro
