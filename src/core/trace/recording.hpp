// A kept trace: its events, or every n-th of them, and snapshots from which any moment is replayed.
//
// A run is traced twice: once to count, once to keep. Events before the window are replayed and not
// kept, so a window costs its events and a snapshot. With all events kept there is a snapshot every
// `interval` events, so any moment is at most `interval` events away:
//
//   events   0 . . . 4 . . . 8 . .      interval 4: moment 6 = the snapshot at 4, and two events
//   snapshot *       *       *
//
// With only every n-th event kept there is one snapshot per n events; moments in between cannot be
// replayed.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "graph_replay.hpp"
#include "replay.hpp"

namespace meiro {

// The part of a run that is kept.
struct RecordingWindow {
    Index first, size;  // of the events kept
    Index interval;     // from snapshot to snapshot, at least 1
    bool every;         // keep a single event per snapshot, the last
};

// By a Replay or a GraphReplay.
template <class ReplayOf>
class RecordingBy {
public:
    using Window = RecordingWindow;
    // The number of words kept.
    static Index kept(const Window& w) {
        return w.every ? (w.size + w.interval - 1) / w.interval : w.size;
    }

    // What the next run keeps: kept(window) words, in `words`.
    void keep(const typename ReplayOf::Domain& domain, const Window& window, std::uint64_t* words) {
        keeps_ = true;
        domain_ = domain;
        window_ = window;
        words_ = words;
    }

    // work(trace) is the run: a counting one, or after keep() a keeping one.
    template <class Work>
    void run(Shape shape, Space space, Control& control, Work work) {
        if (!keeps_) {
            Trace trace(shape, space);
            work(trace);
            count_ = trace.count();
            kinds_ = trace.kinds();
            return;
        }
        control_ = &control;
        snapshots_.clear();
        replay_ = std::make_unique<ReplayOf>(domain_, control);
        seen_ = 0;
        if (window_.first == 0) snapshots_.push_back(replay_->current().copy(control));
        std::array<std::uint64_t, 1024> buffer;
        const Trace::Sink sink = [](void* self, const std::uint64_t* events, Index size) {
            static_cast<RecordingBy*>(self)->take(events, size);
        };
        Trace trace(shape, space, buffer.data(), static_cast<Index>(buffer.size()), sink, this);
        work(trace);
        trace.flush();
        position_ = window_.size;
        control_ = nullptr;
    }

    Index count() const { return count_; }
    unsigned kinds() const { return kinds_; }

    // The state after `position` events of the window.
    const ReplayOf& at(Index position) {
        const Index before = window_.every ? (position + window_.interval - 1) / window_.interval
                                           : position / window_.interval;
        if (before >= static_cast<Index>(snapshots_.size()))
            throw std::out_of_range("nothing was kept yet");
        if (window_.every || position_ > position || position_ < before * window_.interval) {
            Control quiet;
            replay_->restore(snapshots_[static_cast<std::size_t>(before)], quiet);
            position_ = before * window_.interval;
        }
        if (!window_.every) replay_->apply(words_ + position_, position - position_);
        position_ = position;
        return *replay_;
    }

    // The same, replayed from the current position without a snapshot, which would hide the
    // changes.
    const ReplayOf& forward(Index position) {
        if (window_.every || position_ > position) return at(position);
        replay_->apply(words_ + position_, position - position_);
        position_ = position;
        return *replay_;
    }
    // The event that follows that many others, if all are kept.
    EventRecord event(Index position) const { return unpack(words_[position]); }
    const Window& window() const { return window_; }
    ReplayOf& replay() { return *replay_; }

private:
    // Adds the next events, inside or outside of the window.
    void take(const std::uint64_t* events, Index size) {
        const auto [first, length, interval, every] = window_;
        while (size > 0 && seen_ < first + length) {
            const Index in = seen_ - first;
            const Index stop = in < 0 ? 0 : std::min((in / interval + 1) * interval, length);
            const Index part = std::min(size, stop - in);
            replay_->apply(events, part);
            if (in >= 0 && !every) std::copy_n(events, part, words_ + in);
            seen_ += part;
            events += part;
            size -= part;
            if (in + part < stop) continue;
            if (in >= 0 && every) words_[in / interval] = events[-1];
            if (every || stop % interval == 0)
                snapshots_.push_back(replay_->current().copy(*control_));
        }
    }

    Window window_{0, 0, 1, false};
    std::uint64_t* words_ = nullptr;
    typename ReplayOf::Domain domain_{};
    std::unique_ptr<ReplayOf> replay_;
    bool keeps_ = false;          // as set by keep()
    Control* control_ = nullptr;  // of the current run
    std::vector<ReplayState> snapshots_;
    Index seen_ = 0;      // events of this run
    Index position_ = 0;  // events of the window applied to replay_
    Index count_ = 0;
    unsigned kinds_ = 0;
};

using Recording = RecordingBy<Replay>;
using GraphRecording = RecordingBy<GraphReplay>;

}  // namespace meiro
