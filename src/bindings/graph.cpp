// Graphs, mazes on them, and their exact numbers: spanning trees, and resistances of edges.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "../core/graph/dual_polygons.hpp"
#include "../core/graph/graph_transforms.hpp"
#include "../core/graph/laplacian.hpp"
#include "../core/graph/match_sides.hpp"
#include "../core/graph/place_tiles.hpp"
#include "binding.hpp"
#include "held_graph.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// first, to, via, roots, sizes, and labels or None: views of what the graph holds.
py::tuple graph_arrays(const py::object& held) {
    const Graph& graph = held.cast<const HeldGraph&>().graph();
    const auto view = [&](const GraphId* data, Index size) -> py::object {
        py::array_t<GraphId> array(size, data, held);
        array.attr("setflags")(py::arg("write") = false);
        return array;
    };
    const auto parts = static_cast<Index>(graph.roots().size());
    return py::make_tuple(
        view(graph.first(), graph.cells() + 1), view(graph.to(), graph.slots()),
        view(graph.via(), graph.slots()), view(graph.roots().data(), parts),
        view(graph.sizes().data(), parts),
        graph.labels() == nullptr ? py::none() : view(graph.labels(), graph.cells()));
}

// What makes a lattice of polygons: edges, their walls, the rim and its cells; if they are wanted,
// the means of the corners of the cells and the steps that go straight on; where `joined` is given,
// the walls that are drawn twice and their edges.
py::tuple match_polygons(const Array<std::int64_t>& indptr, const Array<std::int64_t>& indices,
                         const Array<double>& corners,
                         const std::optional<Array<std::int64_t>>& joined, Index joints,
                         bool middles, bool straight) {
    const Index cells = indptr.size() - 1, places = corners.size() / 2;
    if (cells < 1 || indptr.data()[cells] != indices.size() || indices.size() >= most_sides)
        throw py::value_error("indptr must end with the number of corners, below 2**32");
    if (joined) flat(*joined, indices.size(), "joined");
    if (std::max(joints, places) >= most_sides) throw py::value_error("there are too many corners");
    const std::int64_t* const joint = joined ? joined->data() : indices.data();
    const Polygons polygons{indptr.data(),  indices.data(), joint, cells, joined ? joints : places,
                            corners.data(), places};
    bool valid = false;
    SharedSides found;
    detached({}, [&](Control& control) {
        valid = polygons.valid(control);
        if (valid) found = match_sides(polygons, control);
    });
    if (!valid) throw py::value_error("indptr must not fall, and indices be those of corners");
    if (found.three >= 0) {
        const std::int64_t* const ptr = indptr.data();
        const auto cell = std::upper_bound(ptr, ptr + cells, found.three) - ptr - 1;
        throw py::value_error("cell " + std::to_string(cell) +
                              " shares a side with two others: a wall has two sides");
    }
    const Index shared = found.edges, rim_sides = indices.size() - 2 * shared;
    Array<GraphId> edges({shared, Index{2}}), rim_cells(rim_sides);
    Array<double> walls({shared, Index{2}, Index{2}}), rim({rim_sides, Index{2}, Index{2}});
    Array<double> means({middles ? cells : 0, Index{2}});
    Array<GraphId> on({straight ? shared : 0, Index{2}});
    const SideLists lists{edges.mutable_data(),
                          walls.mutable_data(),
                          rim.mutable_data(),
                          rim_cells.mutable_data(),
                          middles ? means.mutable_data() : nullptr,
                          straight ? on.mutable_data() : nullptr};
    SecondWalls second;
    detached({}, [&](Control& control) {
        second = list_sides(polygons, std::move(found), lists, control);
    });
    const auto wanted = [](bool is, const py::object& array) { return is ? array : py::none(); };
    const Index twice = second.edges.size();
    return py::make_tuple(
        edges, walls, rim, rim_cells, wanted(middles, means), wanted(straight, on),
        wanted(joined.has_value(), Array<std::int64_t>({twice, Index{2}}, second.ends.begin())),
        wanted(joined.has_value(), Array<GraphId>(twice, second.edges.begin())));
}

// Corners, and the polygons of tiles as match_polygons takes them.
py::tuple place_tiles_at(const Array<std::int64_t>& x, const Array<std::int64_t>& y,
                         const std::optional<Bytes>& kind,
                         const std::vector<Array<std::int64_t>>& forms,
                         std::array<double, 2> unit) {
    std::vector<std::int64_t> first{0}, dx, dy;
    for (const Array<std::int64_t>& form : forms) {
        for (Index i = 0; i < form.size() / 2; ++i) {
            dx.push_back(form.data()[2 * i]);
            dy.push_back(form.data()[2 * i + 1]);
        }
        first.push_back(static_cast<std::int64_t>(dx.size()));
    }
    if (forms.empty()) throw py::value_error("forms: there is none");
    flat(y, x.size(), "y");
    const Tiles tiles{x.data(),
                      y.data(),
                      kind ? flat(*kind, x.size(), "kind").data() : nullptr,
                      x.size(),
                      first.data(),
                      dx.data(),
                      dy.data(),
                      static_cast<Index>(forms.size())};
    GridCorners grid;
    detached({}, [&](Control& control) { grid = grid_corners(tiles, control); });
    if (!grid.valid || grid.sides >= most_sides)
        throw py::value_error("tiles have negative coordinates, are of no kind, or too many");
    Array<double> corners({grid.count, Index{2}});
    Array<std::int64_t> indptr(tiles.count + 1), indices(grid.sides);
    const PlacedTiles out{corners.mutable_data(), indptr.mutable_data(), indices.mutable_data()};
    detached({},
             [&](Control& control) { place_tiles(tiles, grid, unit[0], unit[1], out, control); });
    return py::make_tuple(corners, indptr, indices);
}

Triangulation triangulation_of(const Array<GraphId>& triangles, const Array<double>& places,
                               Index points) {
    if (triangles.size() % 3 != 0 || triangles.size() / 3 > Graph::most_cells)
        throw py::value_error("triangles have three points each, and are below 2**31");
    return {triangles.data(), triangles.size() / 3, places.data(), points};
}

// The triangles whose circles are those of all the points, the centres, moved into a rectangle, and
// whether the rim was wide enough.
py::tuple circumcentres(const Array<GraphId>& triangles, const Array<double>& places, Index points,
                        std::array<double, 2> low, std::array<double, 2> high, double band,
                        bool rim) {
    const Triangulation all = triangulation_of(triangles, places, points);
    const Index known = places.size() / 2;
    bool valid = low[0] <= high[0] && low[1] <= high[1];
    Array<GraphId> kept({all.count, Index{3}});
    Array<double> centres({all.count, Index{2}});
    GraphId* const kept_data = kept.mutable_data();
    double* const centre_data = centres.mutable_data();
    bool whole = true;
    Index used = 0;
    detached({}, [&](Control& control) {
        by_each(3 * all.count, control,
                [&](Index i) { valid &= all.triangles[i] >= 0 && all.triangles[i] < known; });
        if (valid)
            used = list_circumcentres(all, {low, high, band, rim}, kept_data, centre_data, whole,
                                      control);
    });
    if (!valid) throw py::value_error("triangles: no such point, or no rectangle");
    const py::slice begin(0, used, 1);
    return py::make_tuple(kept[begin], centres[begin], whole);
}

// The corners of the cells around the first points of a triangulation, and the cells: indptr and
// indices.
py::tuple dual_polygons_of(const Array<GraphId>& triangles, const Array<double>& centres,
                           const Array<double>& places, double near) {
    const Triangulation triangulation = triangulation_of(triangles, places, places.size() / 2);
    if (centres.size() != 2 * triangulation.count)
        throw py::value_error("centres must have a row a triangle");
    const double* const at = centres.data();
    bool valid = true;
    DualPolygons found;
    detached({}, [&](Control& control) {
        by_each(3 * triangulation.count, control,
                [&](Index i) { valid &= triangulation.triangles[i] >= 0; });
        if (valid) found = dual_polygons(triangulation, at, near, control);
    });
    if (!valid) throw py::value_error("triangles: no such point");
    const Index kept = found.indptr[triangulation.points];
    Array<double> corners({found.n_corners, Index{2}});
    double* const to = corners.mutable_data();
    detached({}, [&](Control& control) {
        by_each(found.n_corners, control,
                [&](Index i) { std::copy_n(at + 2 * Index{found.corners[i]}, 2, to + 2 * i); });
    });
    return py::make_tuple(corners, Array<std::int64_t>(found.indptr.size(), found.indptr.data()),
                          Array<std::int64_t>(kept, found.indices.data()));
}

// Fills `out`, (1, edges), with the tree of a search from `start`, or -1: the first cell.
void graph_search_tree(const HeldGraph& held, Index start, bool depth_first, Bytes out) {
    const Graph& graph = held.graph();
    std::uint8_t* const open = writable_edges(out, graph);
    if (out.shape(0) != 1) throw py::value_error("out must be one maze");
    if (start < -1 || start >= graph.cells()) throw py::value_error("start is not a cell");
    const auto order = depth_first ? SearchOrder::depth_first : SearchOrder::breadth_first;
    detached({}, [&](Control& control) {
        polled_fill(open, graph.edges(), 0, control);
        search_tree(graph, start, order, open, control);
    });
}

// The number of spanning forests modulo each prime; 0 where the prime says nothing.
Array<std::uint64_t> forests_modulo(const HeldGraph& held, const Array<std::uint64_t>& primes) {
    constexpr Index most_updates = Index{1} << 28;  // a prime
    const std::uint64_t* const from = primes.data();
    const Index n = primes.size();
    for (Index i = 0; i < n; ++i)
        if (from[i] < 3 || from[i] >> 31 != 0) throw py::value_error("primes are below 2^31");
    return new_array<std::uint64_t>({primes.size()}, {}, [&](std::uint64_t* to, Control& control) {
        const Laplacian laplacian(held.graph(), most_updates, control);
        for (Index i = 0; i < n; ++i) to[i] = laplacian.forests_modulo(from[i], control);
    });
}

// The logarithm of the weighted number of forests; fills the resistances of the edges if given.
double log_forests(const HeldGraph& held, const std::optional<Array<double>>& conductances,
                   const std::optional<Array<double>>& resistances, Index most_updates) {
    const Index edges = held.graph().edges();
    const double* given = nullptr;
    if (conductances) given = flat(*conductances, edges, "conductances").data();
    double* out = nullptr;
    if (resistances) {
        flat(*resistances, edges, "resistances");
        Array<double> writing = *resistances;
        out = writing.mutable_data();
    }
    double found = 0;
    detached({}, [&](Control& control) {
        found = Laplacian(held.graph(), most_updates, control).log_forests(given, out, control);
    });
    return found;
}

}  // namespace

void bind_graph(py::module_& m) {
    py::class_<HeldGraph> type(m, "Graph");
    def_constructor<Index, const Array<GraphId>&, const std::optional<Array<std::uint64_t>>&,
                    const std::optional<Array<GraphId>>&>(type, "cells", "ends", "weight_addresses",
                                                          "straight");
    def(m, "graph_arrays", &graph_arrays, "graph");
    def(m, "graph_search_tree", &graph_search_tree, "graph", "start", "depth_first", "out");
    def(m, "match_polygons", &match_polygons, "indptr", "indices", "corners", "joined", "joints",
        "middles", "straight");
    def(m, "place_tiles", &place_tiles_at, "x", "y", "kind", "forms", "unit");
    def(m, "circumcentres", &circumcentres, "triangles", "places", "points", "low", "high", "band",
        "rim");
    def(m, "dual_polygons", &dual_polygons_of, "triangles", "centres", "places", "near");
    def(m, "forests_modulo", &forests_modulo, "graph", "primes");
    def(m, "log_forests", &log_forests, "graph", "conductances", "resistances", "most_updates");
}

}  // namespace meiro
