// A graph as Python holds it: made once by a lattice, checked then, and never changed.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>

#include "../core/graph/graph_job.hpp"
#include "arrays.hpp"
#include "detached.hpp"

namespace meiro {

class HeldGraph {
public:
    // `ends` (edges, 2); `weight_addresses` (edges, 2), or None; `straight` (edges, 2), or None.
    HeldGraph(Index cells, const Array<GraphId>& ends,
              const std::optional<Array<std::uint64_t>>& weight_addresses,
              const std::optional<Array<GraphId>>& straight)
        : graph_(made(cells, ends)) {
        const Index edges = graph_.edges();
        if (weight_addresses) keep(*weight_addresses, edges, "weight_addresses", weight_addresses_);
        if (straight) {
            keep(*straight, edges, "straight", straight_);
            for (const GraphId step : straight_)
                if (step < -1 || step >= 2 * edges) throw py::value_error("straight: no such step");
        }
    }

    const Graph& graph() const { return graph_; }
    GraphHints hints() const {
        return {weight_addresses_.size() > 0 ? weight_addresses_.data() : nullptr,
                straight_.size() > 0 ? straight_.data() : nullptr};
    }

private:
    static Graph made(Index cells, const Array<GraphId>& ends) {
        if (cells < 1 || cells > Graph::most_cells) throw py::value_error("cells: too few or many");
        if (ends.ndim() != 2 || ends.shape(1) != 2 || ends.shape(0) > Graph::most_edges)
            throw py::value_error("ends must have shape (edges, 2)");
        const Index edges = ends.shape(0);
        const GraphId* const data = ends.data();
        std::optional<Graph> graph;
        bool sound = true;
        detached({}, [&](Control& control) {
            by_pieces(2 * edges, control, [&](Index first, Index last) {
                for (Index i = first; i < last; ++i) sound &= data[i] >= 0 && data[i] < cells;
            });
            if (sound) graph.emplace(cells, data, edges, control);
        });
        if (!graph) throw py::value_error("ends: no such cell");
        return std::move(*graph);
    }
    template <class T>
    static void keep(const Array<T>& from, Index edges, const char* name, Buffer<T>& to) {
        const auto all = flat(from, 2 * edges, name);
        to = Buffer<T>(2 * edges);
        std::copy(all.begin(), all.end(), to.begin());
    }

    Graph graph_;
    Buffer<std::uint64_t> weight_addresses_;
    Buffer<GraphId> straight_;
};

// How many mazes `open` has, (n, edges).
inline Index rows_of(const Bytes& open, const Graph& graph) {
    if (open.ndim() != 2 || open.shape(1) != graph.edges())
        throw py::value_error("open must have shape (n, edges)");
    return open.shape(0);
}

inline std::uint8_t* writable_edges(Bytes& out, const Graph& graph) {
    if (out.ndim() != 2 || out.shape(1) != graph.edges())
        throw py::value_error("out must have shape (n, edges)");
    return writable(out);
}

}  // namespace meiro
