// Traces of generators, and of Eller's algorithm with given walls. solve() records traces of
// solvers.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "../core/generate/eller.hpp"
#include "../core/generate/job.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_options.hpp"
#include "recording.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

void trace_generate(const std::string& algorithm, Bytes out, SeedWords seed,
                    const std::optional<Bytes>& mask_bytes, std::array<bool, 2> wraps,
                    const py::dict& given, const py::object& progress, HeldRecording& watching) {
    const Generator& generator = find_generator(algorithm);
    const Shape shape = shape_of(out, "out");
    checked_shape(shape.rows, shape.cols);
    const Mask mask = mask_of(mask_bytes, shape);
    const Wrap wrap = wrap_for(generator, mask, wraps, shape);
    const HeldOptions held(given, shape, wrap, mask);
    std::uint8_t* const to = writable(out);
    const ObjectLock::Held alone(watching.lock());
    detached({progress, shape.size()}, [&](Control& control) {
        Job job{Passages(to, shape, wrap), mask, seed_of(seed), held.options, control, 1};
        watching.recording().run(shape, Space::cells, control,
                                 [&](Trace& trace) { generator.trace(job, trace); });
    });
}

void trace_eller(const Bytes& right, const Bytes& lower, Bytes out, const py::object& progress,
                 HeldRecording& watching) {
    const Shape shape = shape_of(lower, "lower");
    checked_shape(shape.rows, shape.cols);
    if (shape_of(right, "right") != Shape{shape.rows, shape.cols - 1})
        throw py::value_error("right must be (rows, cols - 1), lower (rows, cols)");
    if (shape_of(out, "out") != shape) throw py::value_error("out must be (rows, cols)");
    const std::uint8_t* const right_walls = right.data();
    const std::uint8_t* const below = lower.data();
    std::uint8_t* const to = writable(out);
    const ObjectLock::Held alone(watching.lock());
    detached({progress, shape.size()}, [&](Control& control) {
        watching.recording().run(shape, Space::cells, control, [&](Trace& trace) {
            watch_eller(right_walls, below, Passages(to, shape), control, trace);
        });
    });
}

// Fills `out`, (1, edges), with the maze of the seed.
void trace_on_graph(const std::string& algorithm, const HeldGraph& held, Bytes out, SeedWords seed,
                    const py::dict& given, const py::object& progress,
                    HeldGraphRecording& watching) {
    const Generator& generator = find_generator(algorithm);
    if (generator.graph_trace == nullptr) throw py::value_error(algorithm + " takes no graph");
    const Graph& graph = held.graph();
    std::uint8_t* const open = writable_edges(out, graph);
    if (out.shape(0) != 1) throw py::value_error("out must be one maze");
    const HeldOptions options(given, graph.cells(), graph.edges());
    const GraphHints hints = held.hints();
    const ObjectLock::Held alone(watching.lock());
    detached({progress, graph.cells()}, [&](Control& control) {
        by_pieces(graph.edges(), control,
                  [&](Index first, Index last) { std::fill(open + first, open + last, 0); });
        GraphJob job{graph, open, seed_of(seed), options.options, hints, control};
        watching.recording().run({1, graph.cells() + graph.edges()}, Space::sites, control,
                                 [&](Trace& trace) { generator.graph_trace(job, trace); });
    });
}

Index graph_trace_bytes(const HeldGraph& held, bool search) {
    return GraphReplay::bytes(held.graph(), search);
}

Index trace_bytes(std::array<Index, 2> shape, bool sites, bool search) {
    return Replay::bytes(checked_shape(shape[0], shape[1]), sites ? Space::sites : Space::cells,
                         search);
}

// Of the class that Python knows, not of its base.
template <class Held>
void bind_common(py::class_<Held>& recording) {
    def_constructor<>(recording);
    def(recording, "sides",
        static_cast<std::pair<std::int32_t, std::int32_t> (Held::*)(Index)>(&Held::sides),
        py::arg("position"));
    def(recording, "count", static_cast<Index (Held::*)()>(&Held::count));
    def(recording, "kinds", static_cast<unsigned (Held::*)()>(&Held::kinds));
}

}  // namespace

void bind_trace(py::module_& m) {
    py::class_<HeldRecording> recording(m, "Recording");
    bind_common(recording);
    def(recording, "keep", &HeldRecording::keep, py::arg("start"), py::arg("sites"),
        py::arg("wrap"), py::arg("mask"), py::arg("search"), py::arg("labels"), py::arg("window"),
        py::arg("every"), py::arg("words"));
    def(recording, "at", &HeldRecording::at, py::arg("position"));
    def(recording, "paints", &HeldRecording::paints, py::arg("position"), py::arg("walls"),
        py::arg("ends"));
    def(recording, "film", &HeldRecording::film, py::arg("stride"), py::arg("walls"),
        py::arg("ends"), py::arg("numbers"), py::arg("most"));
    py::class_<HeldGraphRecording> on_graph(m, "GraphRecording");
    bind_common(on_graph);
    def(on_graph, "keep", &HeldGraphRecording::keep, py::arg("graph"), py::arg("passages"),
        py::arg("labels"), py::arg("window"), py::arg("every"), py::arg("words"));
    def(on_graph, "at", &HeldGraphRecording::at, py::arg("position"));
    def(on_graph, "paints", &HeldGraphRecording::paints, py::arg("position"), py::arg("ends"));
    def(on_graph, "film", &HeldGraphRecording::film, py::arg("stride"), py::arg("ends"),
        py::arg("numbers"), py::arg("most"));
    def(m, "trace_generate", &trace_generate, py::arg("algorithm"), py::arg("out"), py::arg("seed"),
        py::arg("mask"), py::arg("wrap"), py::arg("options"), py::arg("progress"),
        py::arg("recording"));
    def(m, "trace_eller", &trace_eller, py::arg("right"), py::arg("lower"), py::arg("out"),
        py::arg("progress"), py::arg("recording"));
    def(m, "trace_on_graph", &trace_on_graph, py::arg("algorithm"), py::arg("graph"),
        py::arg("out"), py::arg("seed"), py::arg("options"), py::arg("progress"),
        py::arg("recording"));
    def(m, "graph_trace_bytes", &graph_trace_bytes, py::arg("graph"), py::arg("search"));
    def(m, "trace_bytes", &trace_bytes, py::arg("shape"), py::arg("sites"), py::arg("search"));
}

}  // namespace meiro
