// Recordings held by Python, with the arrays and graphs that they point into.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

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
    // Passages (None for a search), states, labels (or None) and head after `position` events.
    py::tuple at(Index position) {
        const ObjectLock::Held alone(lock_);
        const ReplayOf& replay = replay_at(position);
        const ReplayState& state = replay.current();
        py::object passages = py::none(), labels = py::none();
        if (!search_) {
            Bytes out(passages_);
            std::copy(state.passages.begin(), state.passages.end(), out.mutable_data());
            passages = std::move(out);
        }
        Bytes states(places_);
        replay.write_states(states.mutable_data());
        if (state.labels.kind() != LabelKind::none) {
            Array<std::int32_t> out(cells_);
            state.labels.write(out.mutable_data());
            labels = std::move(out);
        }
        return py::make_tuple(passages, states, labels, state.head);
    }
    // The Paint of each place after `position` events, beside the walls (None: no place is one)
    // and the two ends.
    Bytes paints(Index position, const std::optional<Bytes>& walls, std::array<Index, 2> ends) {
        const ObjectLock::Held alone(lock_);
        const ReplayOf& replay = replay_at(position);
        Bytes out(places_);
        replay.write_paints(search_ends_of(walls, ends), out.mutable_data());
        return out;
    }
    // See FrameDeltas; None if it has more than `most` changes.
    py::object film(Index stride, const std::optional<Bytes>& walls, std::array<Index, 2> ends,
                    bool labels, Index most) {
        const ObjectLock::Held alone(lock_);
        const RecordingWindow& window = recording_.window();
        if (replay_at(0).places() >= FrameDeltas::most_places)
            throw py::value_error("there are too many places");
        if (stride < 1 || (window.every && stride % window.interval != 0))
            throw py::value_error("stride does not fit what was kept");
        const SearchEnds drawn = search_ends_of(walls, ends);
        FrameDeltas deltas;
        detached({}, [&](Control& control) {
            deltas = compute_deltas(recording_, drawn, stride, labels, most, control);
        });
        if (!deltas.whole) return py::none();
        return py::make_tuple(array_of(deltas.first), array_of(deltas.changes),
                              array_of(deltas.change_ends), array_of(deltas.labels),
                              array_of(deltas.label_changes), array_of(deltas.label_change_ends),
                              array_of(deltas.sides));
    }
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
    using Sides = std::vector<py::ssize_t>;

    HeldRecordingBy() = default;

    // The rest is called with the lock held. The shapes are those of passages, cells and places.
    void keep_window(const std::array<Index, 3>& window, bool every, Array<std::uint64_t>&& words,
                     const typename ReplayOf::Domain& domain, bool search, Sides passages,
                     Sides cells, Sides places) {
        const RecordingWindow kept{window[0], window[1], window[2], every};
        if (kept.first < 0 || kept.size < 0 || kept.first > recording_.count() - kept.size ||
            kept.interval < 1)
            throw py::value_error("there is no such window");
        if (words.size() != recording_.kept(kept)) throw py::value_error("words has a wrong size");
        words_ = std::move(words);
        size_ = kept.size;
        recording_.keep(domain, kept, words_.mutable_data());
        search_ = search;
        passages_ = std::move(passages);
        cells_ = std::move(cells);
        places_ = std::move(places);
    }

private:
    const ReplayOf& replay_at(Index position) {
        if (position < 0 || position > size_) throw py::index_error("there is no such position");
        return recording_.at(position);
    }
    SearchEnds search_ends_of(const std::optional<Bytes>& walls, std::array<Index, 2> ends) const {
        if (!walls && search_ && places_.size() > 1) throw py::value_error("walls are missing");
        if (walls && !std::equal(places_.begin(), places_.end(), walls->shape(),
                                 walls->shape() + walls->ndim()))
            throw py::value_error("walls must have the shape of the grid");
        return {walls ? walls->data() : nullptr, ends[0], ends[1]};
    }

    RecordingBy<ReplayOf> recording_;
    Array<std::uint64_t> words_;
    Index size_ = -1;  // nothing is kept
    bool search_ = false;
    Sides passages_, cells_, places_;
    ObjectLock lock_;
};

class HeldRecording : public HeldRecordingBy<Replay> {
public:
    void keep(const Bytes& start, bool sites, std::array<bool, 2> wraps,
              const std::optional<Booleans>& mask, bool search, LabelKind labels,
              const std::array<Index, 3>& window, bool every, Array<std::uint64_t> words) {
        const ObjectLock::Held alone(lock());
        const Shape shape = checked_shape(start, "start"), grid = sites ? shape : shape.grid();
        keep_window(window, every, std::move(words),
                    {shape, sites ? Space::sites : Space::cells, wrap_of(wraps, shape),
                     mask_of(mask, shape), start.data(), search, labels, recording().kinds()},
                    search, {shape.rows, shape.cols}, {shape.rows, shape.cols},
                    {grid.rows, grid.cols});
        start_ = start;
        mask_ = mask;
    }

private:
    Bytes start_;
    std::optional<Booleans> mask_;
};

// The same on a graph, which it keeps alive. Its places are in no grid, and have no walls.
class HeldGraphRecording : public HeldRecordingBy<GraphReplay> {
public:
    // `passages`: those that are searched; None for a generator.
    void keep(const py::object& graph, const std::optional<Bytes>& passages, LabelKind labels,
              const std::array<Index, 3>& window, bool every, Array<std::uint64_t> words) {
        const ObjectLock::Held alone(lock());
        const Graph& of = graph.cast<const HeldGraph&>().graph();
        const std::uint8_t* const searched =
            passages ? flat(*passages, of.edges(), "open").data() : nullptr;
        keep_window(window, every, std::move(words), {&of, searched, labels, recording().kinds()},
                    passages.has_value(), {of.edges()}, {of.cells()}, {of.cells() + of.edges()});
        graph_ = graph;
        searched_ = passages;
    }

private:
    py::object graph_;
    std::optional<Bytes> searched_;
};

// The recording that Python hands over, with its lock; None has no lock.
template <class Held>
class Watching {
public:
    explicit Watching(const py::object& recording)
        : held_(recording.is_none() ? nullptr : &recording.cast<Held&>()) {
        if (held_ != nullptr) alone_.emplace(held_->lock());
    }
    explicit operator bool() const { return held_ != nullptr; }

    // run(trace), which is recorded.
    template <class Run>
    void record(Shape shape, Space space, Control& control, Run run) {
        held_->recording().run(shape, space, control, run);
    }
    // run(record), recorded if there is a recording.
    template <class Run>
    void run(Shape shape, Space space, Control& control, Run run) {
        NoTrace silent;
        if (held_ == nullptr)
            run(silent);
        else
            record(shape, space, control, [&](Trace& trace) { run(trace); });
    }

private:
    Held* held_;
    std::optional<ObjectLock::Held> alone_;
};

// What a graph is to a recording: a row of places.
inline Shape places_of(const Graph& graph) {
    return {1, graph.cells() + graph.edges()};
}

}  // namespace meiro
