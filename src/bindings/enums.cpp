// The enumerations and numbers that Python shares with the core, defined once.
#include <pybind11/native_enum.h>

#include "../core/options.hpp"
#include "../core/random.hpp"
#include "../core/trace/cell_labels.hpp"
#include "../core/trace/events.hpp"
#include "../core/trace/replay.hpp"
#include "topics.hpp"

namespace meiro {

namespace py = pybind11;

void bind_enums(py::module_& m) {
    py::native_enum<Event>(m, "EventKind", "enum.IntEnum")
        .value("VISIT", Event::visit,
               "A place is entered for good; the direction is the one in which it was entered.")
        .value("WALK", Event::walk, "A step from a place in a direction, which may be undone.")
        .value("CARVE", Event::carve, "The wall of a cell in a direction is opened.")
        .value("KEEP", Event::keep, "The wall of a cell in a direction is considered and stays.")
        .value("BUILD", Event::build, "A wall is built from a post in a direction.")
        .value("ERASE", Event::erase, "The wall from a post in a direction is torn down again.")
        .value("COMMIT", Event::commit,
               "The walk or wall that began at a place is now part of the maze.")
        .value("BACK", Event::back, "The head returns to a place.")
        .value("CLOSE", Event::close, "A wall is put beside a cell in a direction.")
        .value("PATH", Event::path,
               "A place is on the path from start to goal; the direction is the one in which it "
               "is entered.")
        .value("FILL", Event::fill, "A place is recognized as part of a dead end and filled.")
        .finalize();
    py::native_enum<State>(m, "State", "enum.IntEnum")
        .value("UNTOUCHED", State::untouched, "Nothing has happened to the place.")
        .value("FRONTIER", State::frontier,
               "Not entered, but adjacent to an entered place: it may be next.")
        .value("WALK", State::walk, "Part of a walk that may still be undone.")
        .value("IN_MAZE", State::in_maze, "A cell or passage of the maze under construction.")
        .value("VISITED", State::visited, "Reached by a search.")
        .value("FILLED", State::filled, "A filled part of a dead end.")
        .value("PATH", State::path, "On the path from start to goal.")
        .value("KEPT", State::kept, "A wall that was considered and stays.")
        .value("GROWING", State::growing,
               "A wall that is being built, not yet connected to the other walls.")
        .value("BUILT", State::built, "A wall that was built.")
        .value("TORN_DOWN", State::torn_down,
               "A wall that was torn down, until the next one is finished.")
        .value("CURRENT", State::current, "The place of the last event.")
        .finalize();
    py::native_enum<Paint>(m, "Paint", "enum.IntEnum")
        .value("ROAD", Paint::road)
        .value("WALL", Paint::wall)
        .value("CLOSED", Paint::closed)
        .value("START", Paint::start)
        .value("GOAL", Paint::goal)
        .finalize();
    py::native_enum<LabelKind>(m, "LabelKind", "enum.IntEnum")
        .value("NONE", LabelKind::none)
        .value("ORDER", LabelKind::order)
        .value("AREAS", LabelKind::areas)
        .value("SETS", LabelKind::sets)
        .value("DISTANCE", LabelKind::distance)
        .finalize();
    m.attr("PURPOSE_GENERATE") = static_cast<std::uint64_t>(Purpose::generate);
    m.attr("PURPOSE_ENDPOINTS") = static_cast<std::uint64_t>(Purpose::ends);
    m.attr("PURPOSE_AGENTS") = static_cast<std::uint64_t>(Purpose::agents);
    m.attr("RANDOM_CELL") = Options::random_cell;
    m.attr("STREAM") = stream_version;
}

}  // namespace meiro
