// Many mazes measured: those that are there, or those that are made for it and thrown away.
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
    const Index* starts = nullptr;  // a cell that exists for each
    const Index* goals = nullptr;

    const std::uint8_t* maze(Index i) const { return passages + i * shape.size(); }
    Mask mask_of(Index i) const { return mask_each ? mask + i * shape.size() : mask; }
};

// out: (n, whats). Each maze is copied and checked first: std::invalid_argument. Scratch, each
// thread: what measuring needs and a byte a cell.
void measure_batch(const Batch& batch, std::span<const MeasureId> ids, double* out,
                   Control& control, int threads);

// The same of the mazes of an ensemble, solved from their first cell to the last. No maze is kept.
void measure_ensemble(const Ensemble& many, std::span<const MeasureId> ids, double* out,
                      Control& control, int threads);

// Why there is no number: of the first maze of a batch, for each of `whats`.
void explain(const Batch& batch, std::span<const MeasureId> ids, MissingReason* out,
             Control& control);

// counts: one a cell, in how many of the mazes it is in the set of bytes.
void count_positions(const Batch& batch, unsigned set, Index* counts, Control& control);

}  // namespace meiro
