// Checked views of NumPy arrays. Python prepares the arguments; here unsafe ones are rejected.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../core/buffer.hpp"
#include "../core/lattice.hpp"
#include "../core/random.hpp"

namespace meiro {

namespace py = pybind11;

// C-contiguous and aligned: what is not is copied where it is converted, and refused where it is
// written to (binding.hpp).
inline constexpr int aligned = py::detail::npy_api::NPY_ARRAY_ALIGNED_;
template <class T>
using Array = py::array_t<T, py::array::c_style | aligned>;
using Bytes = Array<std::uint8_t>;
using Booleans = Array<bool>;  // bytes 0 and 1

// A seed as Python has it: its key, and the number of the replicate.
using SeedWords = std::array<std::uint64_t, 3>;
inline Seed seed_of(const SeedWords& words) {
    return {{words[0], words[1]}, words[2]};
}

inline Shape shape_of(const py::array& a, const char* name) {
    if (a.ndim() != 2)
        throw py::value_error(std::string(name) + " must be 2-D, not " + std::to_string(a.ndim()) +
                              "-D");
    return {a.shape(0), a.shape(1)};
}

inline Shape checked_shape(Index rows, Index cols) {
    if (rows < 1 || cols < 1) throw py::value_error("shape must be at least (1, 1)");
    if (rows > (Index{1} << 62) / cols / 16) throw py::value_error("shape is too large");
    return {rows, cols};
}
inline Shape checked_shape(const py::array& a, const char* name) {
    const Shape shape = shape_of(a, name);
    return checked_shape(shape.rows, shape.cols);
}

inline const std::uint8_t* bytes_of(const Booleans& a) {
    return reinterpret_cast<const std::uint8_t*>(a.data());
}

// The mask of a maze of `shape`: one byte per cell, or null for None.
inline Mask mask_of(const std::optional<Booleans>& mask, Shape shape) {
    if (!mask) return nullptr;
    if (shape_of(*mask, "mask") != shape)
        throw py::value_error("mask must have the shape of the maze");
    return bytes_of(*mask);
}

inline Wrap wrap_of(std::array<bool, 2> wrap, Shape shape) {
    if ((wrap[0] && shape.rows < least_wrap) || (wrap[1] && shape.cols < least_wrap))
        throw py::value_error("a side that wraps is at least 3 long");
    return {wrap[0], wrap[1]};
}

inline std::uint8_t* writable(Bytes& a) {
    return a.mutable_data();  // throws if the array is read-only
}
inline std::uint8_t* writable(Booleans& a) {
    return reinterpret_cast<std::uint8_t*>(a.mutable_data());
}

template <class T>
std::span<const T> flat(const Array<T>& a, Index size, const char* name) {
    if (a.size() != size)
        throw py::value_error(std::string(name) + " must have " + std::to_string(size) +
                              " items, not " + std::to_string(a.size()));
    return {a.data(), static_cast<std::size_t>(size)};
}

// Memory of the core as an array, without a copy; items may consist of several numbers.
template <class T, class Number = T>
Array<Number> given_away(Buffer<T>&& buffer, std::vector<py::ssize_t> shape) {
    static_assert(sizeof(T) % sizeof(Number) == 0);
    auto held = std::make_unique<Buffer<T>>(std::move(buffer));
    const py::capsule owner(held.get(), [](void* p) { delete static_cast<Buffer<T>*>(p); });
    const auto* const data = reinterpret_cast<const Number*>(held.release()->data());
    return Array<Number>(std::move(shape), data, owner);
}
// An array (n, k): n rows of a T, which is k numbers.
template <class T>
Array<Index> given_away_rows(Stack<T>&& rows) {
    const Index n = rows.size();
    constexpr Index each = sizeof(T) / sizeof(Index);
    return given_away<T, Index>(rows.given_away(), {n, each});
}

}  // namespace meiro
