// Recordings, which generate(), eller_given() and solve() fill.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "binding.hpp"
#include "recording.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// The size of a snapshot; `place` is a graph, or the shape of a maze or of sites.
Index trace_bytes(const py::object& place, bool sites, bool search) {
    if (py::isinstance<HeldGraph>(place))
        return GraphReplay::bytes(place.cast<const HeldGraph&>().graph(), search);
    const auto shape = item_as<std::array<Index, 2>>(place, "place");
    return Replay::bytes(checked_shape(shape[0], shape[1]), sites ? Space::sites : Space::cells,
                         search);
}

template <class Held, class... Name>
void bind_recording(py::module_& m, const char* name, const Name&... kept) {
    py::class_<Held> recording(m, name);
    def_constructor<>(recording);
    def(recording, "keep", &Held::keep, kept...);
    def(recording, "at", &Held::at, "position");
    def(recording, "paints", &Held::paints, "position", "walls", "ends");
    def(recording, "film", &Held::film, "stride", "walls", "ends", "numbers", "most");
    def(recording, "sides", &Held::sides, "position");
    def(recording, "count", &Held::count);
    def(recording, "kinds", &Held::kinds);
}

}  // namespace

void bind_trace(py::module_& m) {
    bind_recording<HeldRecording>(m, "Recording", "start", "sites", "wrap", "mask", "search",
                                  "labels", "window", "every", "words");
    bind_recording<HeldGraphRecording>(m, "GraphRecording", "graph", "passages", "labels", "window",
                                       "every", "words");
    def(m, "trace_bytes", &trace_bytes, "place", "sites", "search");
}

}  // namespace meiro
