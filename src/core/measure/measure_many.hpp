// Measuring many mazes: given ones, or generated ones that are not kept.
#pragma once

#include "../batch.hpp"
#include "../ensemble.hpp"
#include "measures.hpp"

namespace meiro {

// out: (n, list); reasons, unless null, the same: why there is no value. Each maze is checked
// first: std::invalid_argument. Scratch per thread: measure_scratch().
void measure_batch(const Batch& batch, MeasureList list, double* out, Control& control, int threads,
                   std::string_view* reasons = nullptr);

// The same for the mazes of an ensemble, solved from their first cell to the last. No maze is kept.
void measure_ensemble(const Ensemble& many, MeasureList list, double* out, Control& control,
                      int threads);

// counts: per cell, the number of mazes in which its byte is in the set.
void count_positions(const Batch& batch, unsigned set, Index* counts, Control& control);

}  // namespace meiro
