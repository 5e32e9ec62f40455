// The spaces of searches and the arrays of their results, as the bindings hold them.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../core/adjacency.hpp"
#include "../core/buffer.hpp"
#include "../core/huge_pages.hpp"
#include "arrays.hpp"

namespace meiro {

// Memory of the core as an array, without a copy.
template <class T>
Array<T> given_away(Buffer<T>&& buffer, std::vector<py::ssize_t> shape) {
    auto held = std::make_unique<Buffer<T>>(std::move(buffer));
    const py::capsule owner(held.get(), [](void* p) { delete static_cast<Buffer<T>*>(p); });
    return Array<T>(std::move(shape), held.release()->data(), owner);
}

// The adjacency to search: passages as they are, or periodic passages or a wall/road array
// converted in memory of its own. moves: 4, or for an array 8.
struct SearchSpace {
    const Bytes& array;
    bool sites;
    int moves;
    Shape shape;
    Wrap wrap;
    Buffer<std::uint8_t> scratch;

    SearchSpace(const Bytes& given, bool are_sites, std::array<bool, 2> wraps, int steps_to = 4)
        : array(given), sites(are_sites), moves(steps_to), shape(shape_of(given, "x")) {
        checked_shape(shape.rows, shape.cols);
        wrap = wrap_of(wraps, shape);
        if (sites && wrap.any()) throw py::value_error("sites do not wrap");
        if (moves != 4 && (moves != 8 || !sites)) throw py::value_error("moves must be 4 or 8");
        if (sites || wrap.any()) {
            scratch = Buffer<std::uint8_t>(shape.size());
            prefer_huge_pages(scratch.data(), shape.size());
        }
    }
    void check(Index site, const char* name) const {
        if (site < 0 || site >= shape.size())
            throw py::value_error(std::string(name) + " is outside");
    }
    std::span<const Index> checked(const Array<Index>& places, const char* name) const {
        for (Index i = 0; i < places.size(); ++i) check(places.data()[i], name);
        return flat(places, places.size(), name);
    }
    Adjacency adjacency(Control& control, int threads = 1) {
        if (!sites)
            return adjacency_of_passages(array.data(), shape, wrap, scratch.data(), control);
        return moves == 8
                   ? adjacency_with_diagonals(array.data(), shape, scratch.data(), control)
                   : adjacency_of_walls(array.data(), shape, scratch.data(), control, threads);
    }
};

}  // namespace meiro
