// A trace that was kept: its events, or every n-th of them, and snapshots from which any moment is
// replayed.
//
// A run is watched twice: once to count, once to keep. What comes before the window is replayed and
// not kept, so that a window costs the window and a snapshot. Of a whole trace a snapshot is kept
// every `interval` events; any moment is then at most so many events away. Of every n-th event the
// snapshots alone are kept, and no moment between them is known.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <vector>

#include "replay.hpp"

namespace meiro {

class Recording {
public:
    struct Window {
        Index first, size;  // of the events
        Index interval;     // from snapshot to snapshot, at least 1
        bool every;         // keep one event a snapshot: the last one
    };
    // How many words are kept.
    static Index kept(const Window& w) {
        return w.every ? (w.size + w.interval - 1) / w.interval : w.size;
    }

    // What the next run keeps: in `words`, kept(window) of them.
    void keep(const TraceDomain& domain, const Window& window, std::uint64_t* words) {
        keeps_ = true;
        domain_ = domain;
        window_ = window;
        words_ = words;
    }

    // work(trace) is the run: one that counts, or after keep() one that keeps.
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
        replay_ = std::make_unique<Replay>(domain_, control);
        seen_ = 0;
        if (window_.first == 0) snapshots_.push_back(replay_->current().copy(control));
        std::array<std::uint64_t, 1024> buffer;
        const Trace::Sink sink = [](void* self, const std::uint64_t* events, Index size) {
            static_cast<Recording*>(self)->take(events, size);
        };
        Trace trace(shape, space, buffer.data(), static_cast<Index>(buffer.size()), sink, this);
        work(trace);
        trace.flush();
        position_ = window_.size;
        control_ = nullptr;
    }

    Index count() const { return count_; }
    unsigned kinds() const { return kinds_; }

    // After `position` events of the window.
    const Replay& at(Index position) {
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

    // The same, from where it stands on: no snapshot is taken that hides what changed.
    const Replay& forward(Index position) {
        if (window_.every || position_ > position) return at(position);
        replay_->apply(words_ + position_, position - position_);
        position_ = position;
        return *replay_;
    }
    const Window& window() const { return window_; }
    Replay& replay() { return *replay_; }

private:
    // The next events, whether they are in the window or not.
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
    TraceDomain domain_{};
    std::unique_ptr<Replay> replay_;
    bool keeps_ = false;          // what keep() said
    Control* control_ = nullptr;  // of the run
    std::vector<ReplayState> snapshots_;
    Index seen_ = 0;      // events of this run
    Index position_ = 0;  // events of the window that the state of replay_ has
    Index count_ = 0;
    unsigned kinds_ = 0;
};

}  // namespace meiro
