// A graph as Python holds it: made once by a lattice, checked then, and never changed.
#pragma once

#include <pybind11/pybind11.h>

#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "../core/graph/graph_job.hpp"
#include "../core/graph/open_graph.hpp"
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
        const Index steps = 2 * graph_.edges();
        if (weight_addresses)
            hold(*weight_addresses, "weight_addresses", weight_addresses_,
                 [](std::uint64_t) { return true; });
        if (straight)
            hold(*straight, "straight", straight_,
                 [steps](GraphId step) { return step >= -1 && step < steps; });
    }
    HeldGraph(const HeldGraph&) = delete;
    HeldGraph& operator=(const HeldGraph&) = delete;
    ~HeldGraph() = default;

    const Graph& graph() const { return graph_; }
    GraphHints hints() const {
        return {weight_addresses_.size() > 0 ? weight_addresses_.data() : nullptr,
                straight_.size() > 0 ? straight_.data() : nullptr};
    }

    // The rows of a maze. Those of the last one are kept, as several things are asked of one maze:
    // 20 bytes a cell of a maze without loops, and a byte an edge, by which it is known again.
    std::shared_ptr<const OpenGraph> open_graph(const std::uint8_t* open, Control& control) const {
        const Index edges = graph_.edges();
        std::shared_ptr<const Maze> maze = kept();
        bool same = maze != nullptr;
        by_pieces(same ? edges : 0, control, [&](Index first, Index last) {
            same = same && std::memcmp(maze->open.data() + first, open + first,
                                       static_cast<std::size_t>(last - first)) == 0;
        });
        if (!same) {
            keep(maze = nullptr);  // first its memory is given back
            keep(maze = std::make_shared<const Maze>(graph_, open, control));
        }
        return {maze, &maze->rows};
    }

private:
    struct Maze {
        Buffer<std::uint8_t> open;  // a copy: the array may change
        OpenGraph rows;

        Maze(const Graph& graph, const std::uint8_t* given, Control& control)
            : open(copy(graph.edges(), given, control)), rows(graph, open.data(), control) {}
        static Buffer<std::uint8_t> copy(Index edges, const std::uint8_t* from, Control& control) {
            Buffer<std::uint8_t> to(edges);
            polled_copy(from, edges, to.data(), control);
            return to;
        }
    };

    std::shared_ptr<const Maze> kept() const {
        const std::scoped_lock lock(mutex_);
        return kept_;
    }
    void keep(std::shared_ptr<const Maze> maze) const {
        const std::scoped_lock lock(mutex_);
        kept_.swap(maze);
    }

    static Graph made(Index cells, const Array<GraphId>& ends) {
        if (cells < 1 || cells > Graph::most_cells) throw py::value_error("cells: too few or many");
        if (ends.ndim() != 2 || ends.shape(1) != 2 || ends.shape(0) > Graph::most_edges)
            throw py::value_error("ends must have shape (edges, 2)");
        const Index edges = ends.shape(0);
        const GraphId* const data = ends.data();
        std::optional<Graph> graph;
        bool sound = true;
        detached({}, [&](Control& control) {
            by_each(2 * edges, control, [&](Index i) { sound &= data[i] >= 0 && data[i] < cells; });
            if (sound) graph.emplace(cells, data, edges, control);
        });
        if (!graph) throw py::value_error("ends: no such cell");
        return std::move(*graph);
    }
    // A number for each step, of those that there are.
    template <class T, class Holds>
    void hold(const Array<T>& from, const char* name, Buffer<T>& to, Holds holds) {
        const Index steps = 2 * graph_.edges();
        const T* const items = flat(from, steps, name).data();
        to = Buffer<T>(steps);
        bool sound = true;
        detached({}, [&](Control& control) {
            by_each(steps, control, [&](Index i) {
                to[i] = items[i];
                sound &= holds(to[i]);
            });
        });
        if (!sound) throw py::value_error(std::string(name) + ": no such step");
    }

    Graph graph_;
    Buffer<std::uint64_t> weight_addresses_;
    Buffer<GraphId> straight_;
    mutable std::mutex mutex_;
    mutable std::shared_ptr<const Maze> kept_;
};

inline std::uint8_t* writable_edges(Bytes& out, const Graph& graph) {
    if (out.ndim() != 2 || out.shape(1) != graph.edges())
        throw py::value_error("out must have shape (n, edges)");
    return writable(out);
}

}  // namespace meiro
