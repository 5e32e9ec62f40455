// A rectangle of a maze contracted to a graph, and distances spread from its nodes.
#include <pybind11/pybind11.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "../core/paths/contraction.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_space.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

std::span<const Index> cells_within(const Array<Index>& cells, Shape shape, const char* name) {
    const auto given = flat(cells, cells.size(), name);
    for (const Index cell : given)
        if (cell < 0 || cell >= shape.size())
            throw py::value_error(std::string(name) + " must be cells of the rectangle");
    return given;
}

// Nodes, and edges as (n, 5): from, to, length, and the directions in which a corridor leaves them.
py::tuple contract_rectangle(const Bytes& passages, const Array<Index>& terminals) {
    const Shape shape = checked_shape(passages, "passages");
    const auto ends = cells_within(terminals, shape, "terminals");
    Buffer<Index> nodes;
    Stack<Contraction::Edge> edges;
    detached({}, [&](Control& control) {
        Contraction contraction(passages.data(), shape, ends, control);
        nodes = contraction.nodes().given_away();
        edges = std::move(contraction.edges());
    });
    const Index n_nodes = nodes.size();
    return py::make_tuple(given_away(std::move(nodes), {n_nodes}),
                          given_away_rows(std::move(edges)));
}

// The moves along corridors, (n, 3) of node, direction and length, each to its place in `out`.
void walk_corridors(const Bytes& passages, const Array<Index>& terminals,
                    const Array<Index>& corridors, const Array<Index>& offsets, Bytes out) {
    const Shape shape = checked_shape(passages, "passages");
    const auto ends = cells_within(terminals, shape, "terminals");
    const auto places = flat(offsets, offsets.size(), "offsets");
    const auto given = flat(corridors, 3 * offsets.size(), "corridors");
    std::uint8_t* const moves = writable(out);
    const Index size = out.size();
    detached({}, [&](Control& control) {
        Contraction contraction(passages.data(), shape, ends, control);
        const Index n_nodes = contraction.nodes().size();
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Index node = given[3 * i], leaves = given[3 * i + 1], length = given[3 * i + 2];
            if (node < 0 || node >= n_nodes || leaves < 0 || leaves > 3 || length < 1 ||
                places[i] < 0 || places[i] > size - length)
                throw std::invalid_argument("corridors must be of nodes, and lie in out");
            contraction.walk(node, static_cast<unsigned>(leaves), length, moves + places[i],
                             control);
            control.poll(8);
        }
    });
}

template <class T>
void spread_to(const Bytes& passages, const Array<Index>& cells, const Array<Index>& known,
               const py::array& out) {
    const Shape shape = checked_shape(passages, "passages");
    auto to = Array<T>(out);
    if (shape_of(to, "out") != shape) throw py::value_error("out must have the shape of passages");
    const auto places = cells_within(cells, shape, "cells");
    const auto distances = flat(known, cells.size(), "known");
    for (const Index distance : distances)
        if (distance < 0) throw py::value_error("known distances are 0 or more");
    T* const first = to.mutable_data();
    detached({}, [&](Control& control) {
        spread_distances(passages.data(), shape, places, distances, first, control);
    });
}

// out: C-contiguous, of int32 or int64.
void spread(const Bytes& passages, const Array<Index>& cells, const Array<Index>& known,
            // NOLINTNEXTLINE(performance-unnecessary-value-param): by value, as it is written to
            py::array out) {
    if (py::isinstance<Array<std::int32_t>>(out))
        spread_to<std::int32_t>(passages, cells, known, out);
    else if (py::isinstance<Array<std::int64_t>>(out))
        spread_to<std::int64_t>(passages, cells, known, out);
    else
        throw py::type_error("out must be C-contiguous, of int32 or int64");
}

}  // namespace

void bind_contraction(py::module_& m) {
    def(m, "contract", &contract_rectangle, "passages", "terminals");
    def(m, "walk_corridors", &walk_corridors, "passages", "terminals", "corridors", "offsets",
        "out");
    def(m, "spread_distances", &spread, "passages", "cells", "known", "out");
}

}  // namespace meiro
