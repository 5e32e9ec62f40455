// Recordings held by Python, with the arrays and graphs that they point into.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "../core/solve/search.hpp"
#include "../core/trace/frame_deltas.hpp"
#include "../core/trace/recording.hpp"
#include "arrays.hpp"
#include "detached.hpp"
#include "held_graph.hpp"
#include "object_lock.hpp"

namespace meiro {

template <class Items>
auto array_of(const Items& items) {
    Array<std::remove_cvref_t<decltype(*items.begin())>> out(items.size());
    std::copy(items.begin(), items.begin() + items.size(), out.mutable_data());
    return out;
}

// What recordings of grids and of graphs have in common. Python's calls take the lock.
template <class ReplayOf>
class HeldRecordingBy {
public:
    // The numbers on the two sides of the last of `position` events before it happened; -1: none,
    // or not kept.
    std::pair<std::int32_t, std::int32_t> sides(Index position) {
        const ObjectLock::Held alone(lock_);
        if (position < 1 || position > size_) throw py::index_error("there is no such position");
        if (recording_.window().every || !recording_.replay().current().labels.joins())
            return {-1, -1};
        recording_.at(position - 1);
        const auto [one, other] = recording_.replay().numbers(recording_.event(position - 1));
        return {one, other};
    }
    // The number of events of the last run, and a bit for each kind of event.
    Index count() {
        const ObjectLock::Held alone(lock_);
        return recording_.count();
    }
    unsigned kinds() {
        const ObjectLock::Held alone(lock_);
        return recording_.kinds();
    }
    // For a run, which takes the lock before it releases the GIL.
    RecordingBy<ReplayOf>& recording() { return recording_; }
    ObjectLock& lock() { return lock_; }

protected:
    HeldRecordingBy() = default;
    // The rest is called with the lock held.
    void keep_window(const std::array<Index, 3>& window, bool every, Array<std::uint64_t>&& words,
                     const typename ReplayOf::Domain& domain) {
        const RecordingWindow kept{window[0], window[1], window[2], every};
        if (kept.first < 0 || kept.size < 0 || kept.first > recording_.count() - kept.size ||
            kept.interval < 1)
            throw py::value_error("there is no such window");
        if (words.size() != recording_.kept(kept)) throw py::value_error("words has a wrong size");
        words_ = std::move(words);
        size_ = kept.size;
        recording_.keep(domain, kept, words_.mutable_data());
    }
    const ReplayOf& replay_at(Index position) {
        if (position < 0 || position > size_) throw py::index_error("there is no such position");
        return recording_.at(position);
    }
    // The numbers of the cells, or None if they have none.
    static py::object labels_in(const ReplayState& state, std::vector<py::ssize_t> sides) {
        if (state.labels.kind() == LabelKind::none) return py::none();
        Array<std::int32_t> out(std::move(sides));
        state.labels.write(out.mutable_data());
        return out;
    }
    // See FrameDeltas; None if it has more than `most` changes.
    py::object film_of(Index stride, const SearchEnds& ends, bool labels, Index most) {
        const RecordingWindow& window = recording_.window();
        if (stride < 1 || (window.every && stride % window.interval != 0))
            throw py::value_error("stride does not fit what was kept");
        if (replay_at(0).places() >= FrameDeltas::most_places)
            throw py::value_error("there are too many places");
        FrameDeltas deltas;
        detached({}, [&](Control& control) {
            deltas = compute_deltas(recording_, ends, stride, labels, most, control);
        });
        if (!deltas.whole) return py::none();
        return py::make_tuple(array_of(deltas.first), array_of(deltas.changes),
                              array_of(deltas.change_ends), array_of(deltas.labels),
                              array_of(deltas.label_changes), array_of(deltas.label_change_ends),
                              array_of(deltas.sides));
    }

    RecordingBy<ReplayOf> recording_;
    Array<std::uint64_t> words_;
    Index size_ = -1;  // nothing is kept
    ObjectLock lock_;
};

class HeldRecording : public HeldRecordingBy<Replay> {
public:
    void keep(const Bytes& start, bool sites, std::array<bool, 2> wraps,
              const std::optional<Bytes>& mask, bool search, LabelKind labels,
              const std::array<Index, 3>& window, bool every, Array<std::uint64_t> words) {
        const ObjectLock::Held alone(lock_);
        const Shape shape = shape_of(start, "start");
        checked_shape(shape.rows, shape.cols);
        keep_window(window, every, std::move(words),
                    {shape, sites ? Space::sites : Space::cells, wrap_of(wraps, shape),
                     mask_of(mask, shape), start.data(), search, labels, recording_.kinds()});
        start_ = start;
        mask_ = mask;
        search_ = search;
        shape_ = shape;
    }
    // Passages (None for a search), states, labels (or None) and head after `position` events.
    py::tuple at(Index position) {
        const ObjectLock::Held alone(lock_);
        const Replay& replay = replay_at(position);
        const ReplayState& state = replay.current();
        py::object passages = py::none();
        if (!search_) {
            Bytes out({shape_.rows, shape_.cols});
            std::copy(state.passages.begin(), state.passages.end(), out.mutable_data());
            passages = std::move(out);
        }
        Bytes states({replay.grid().rows, replay.grid().cols});
        replay.write_states(states.mutable_data());
        return py::make_tuple(passages, states, labels_in(state, {shape_.rows, shape_.cols}),
                              state.head);
    }
    // The Paint of each place after `position` events: see Replay::write_paints.
    Bytes paints(Index position, const std::optional<Bytes>& walls, std::array<Index, 2> ends) {
        const ObjectLock::Held alone(lock_);
        const Replay& replay = replay_at(position);
        Bytes out({replay.grid().rows, replay.grid().cols});
        replay.write_paints(search_ends_of(walls, ends, replay.grid()), out.mutable_data());
        return out;
    }
    py::object film(Index stride, const std::optional<Bytes>& walls, std::array<Index, 2> ends,
                    bool labels, Index most) {
        const ObjectLock::Held alone(lock_);
        const Shape grid = replay_at(0).grid();
        return film_of(stride, search_ends_of(walls, ends, grid), labels, most);
    }

private:
    SearchEnds search_ends_of(const std::optional<Bytes>& walls, std::array<Index, 2> ends,
                              Shape grid) const {
        if (search_ && !walls) throw py::value_error("walls are missing");
        if (walls && shape_of(*walls, "walls") != grid)
            throw py::value_error("walls must have the shape of the grid");
        return {walls ? walls->data() : nullptr, ends[0], ends[1]};
    }

    Bytes start_;
    std::optional<Bytes> mask_;
    Shape shape_;
    bool search_ = false;
};

// The same on a graph, which it keeps alive.
class HeldGraphRecording : public HeldRecordingBy<GraphReplay> {
public:
    // `passages`: those that are searched; None for a generator.
    void keep(const py::object& graph, const std::optional<Bytes>& passages, LabelKind labels,
              const std::array<Index, 3>& window, bool every, Array<std::uint64_t> words) {
        const ObjectLock::Held alone(lock_);
        const Graph& of = graph.cast<const HeldGraph&>().graph();
        const std::uint8_t* const searched =
            passages ? flat(*passages, of.edges(), "open").data() : nullptr;
        keep_window(window, every, std::move(words), {&of, searched, labels, recording_.kinds()});
        graph_ = graph;
        searched_ = passages;
    }
    // Open edges (None for a search), states, labels (or None) and head after `position` events.
    py::tuple at(Index position) {
        const ObjectLock::Held alone(lock_);
        const GraphReplay& replay = replay_at(position);
        const ReplayState& state = replay.current();
        Bytes states({replay.places()});
        replay.write_states(states.mutable_data());
        return py::make_tuple(searched_ ? py::object(py::none()) : array_of(state.passages), states,
                              labels_in(state, {replay.cells()}), state.head);
    }
    // The Paint of each place after `position` events.
    Bytes paints(Index position, std::array<Index, 2> ends) {
        const ObjectLock::Held alone(lock_);
        const GraphReplay& replay = replay_at(position);
        Bytes out({replay.places()});
        replay.write_paints({nullptr, ends[0], ends[1]}, out.mutable_data());
        return out;
    }
    py::object film(Index stride, std::array<Index, 2> ends, bool labels, Index most) {
        const ObjectLock::Held alone(lock_);
        return film_of(stride, {nullptr, ends[0], ends[1]}, labels, most);
    }

private:
    py::object graph_;
    std::optional<Bytes> searched_;
};

// Runs the search, traced if there is a recording.
template <class Solver>
SearchResult run_solver(const Solver& solver, Search& search, Space space,
                        HeldRecording* watching) {
    if (watching == nullptr) {
        NoTrace silent;
        return solver.run(search, silent);
    }
    SearchResult result;
    watching->recording().run(search.adjacency.shape(), space, search.control,
                              [&](Trace& trace) { result = solver.trace(search, trace); });
    return result;
}

}  // namespace meiro
