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

// Of the class that Python knows, not of its base.
template <class Held, class ReplayOf, class... Name>
void bind_recording(py::module_& m, const char* name, const Name&... kept) {
    using Base = HeldRecordingBy<ReplayOf>;
    py::class_<Held> recording(m, name);
    const auto method = [&]<class R, class... Args>(const char* of, R (Base::*call)(Args...),
                                                    const auto&... names) {
        def(recording, of, static_cast<R (Held::*)(Args...)>(call), names...);
    };
    def_constructor<>(recording);
    def(recording, "keep", &Held::keep, kept...);
    method("at", &Base::at, "position");
    method("paints", &Base::paints, "position", "walls", "ends");
    method("film", &Base::film, "stride", "walls", "ends", "numbers", "most");
    method("sides", &Base::sides, "position");
    method("count", &Base::count);
    method("kinds", &Base::kinds);
}

}  // namespace

void bind_trace(py::module_& m) {
    bind_recording<HeldRecording, Replay>(m, "Recording", "start", "sites", "wrap", "mask",
                                          "search", "labels", "window", "every", "words");
    bind_recording<HeldGraphRecording, GraphReplay>(m, "GraphRecording", "graph", "passages",
                                                    "labels", "window", "every", "words");
    def(m, "trace_bytes", &trace_bytes, "place", "sites", "search");
}

}  // namespace meiro
