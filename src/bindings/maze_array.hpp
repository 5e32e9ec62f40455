// Mazes of one shape in one array, as the bindings take them.
#pragma once

#include "../core/batch.hpp"
#include "arrays.hpp"

namespace meiro {

// Views of mazes (n, rows, cols); the mask is (rows, cols), or one for each.
inline Batch batch_of(const Bytes& passages, const std::optional<Bytes>& mask,
                      std::array<bool, 2> wraps) {
    if (passages.ndim() != 3) throw py::value_error("passages must be 3-D");
    const Index n = passages.shape(0);
    const Shape shape = checked_shape(passages.shape(1), passages.shape(2));
    Batch batch{passages.data(), n, shape, wrap_of(wraps, shape), nullptr};
    if (!mask) return batch;
    batch.mask_each = mask->ndim() == 3;
    if (!batch.mask_each)
        batch.mask = mask_of(mask, shape);
    else if (mask->shape(0) == n && Shape{mask->shape(1), mask->shape(2)} == shape)
        batch.mask = mask->data();
    else
        throw py::value_error("mask must have the shape of the mazes");
    return batch;
}

}  // namespace meiro
