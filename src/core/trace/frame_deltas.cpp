#include "frame_deltas.hpp"

#include <algorithm>

namespace meiro {

template <class ReplayOf>
FrameDeltas compute_deltas(RecordingBy<ReplayOf>& recording, const SearchEnds& ends, Index stride,
                           bool labels, Index most, Control& control) {
    FrameDeltas deltas;
    recording.at(0);
    ReplayOf& replay = recording.replay();
    const ReplayState& state = replay.current();
    const Index places = replay.places(), cells = state.labels.size();
    deltas.first = Buffer<std::uint8_t>(places);
    replay.write_paints(ends, deltas.first.data());
    Buffer<std::uint8_t> shown(places);
    std::copy(deltas.first.begin(), deltas.first.end(), shown.data());
    Buffer<std::int32_t> shown_labels(labels ? cells : 0), new_labels(shown_labels.size());
    if (labels) {
        state.labels.write(shown_labels.data());
        deltas.labels = Buffer<std::int32_t>(cells);
        std::copy(shown_labels.begin(), shown_labels.end(), deltas.labels.data());
    }
    struct ChangeTracking {  // to its end, whatever happens
        ReplayOf& replay;
        ~ChangeTracking() { replay.track_changes(false); }
    } const tracking{replay};
    replay.track_changes(!recording.window().every);
    const auto update = [&](Index place) {
        const std::uint8_t paint = replay.paint(ends, place);
        if (paint == shown[place]) return;
        shown[place] = paint;
        deltas.changes.push(static_cast<std::uint32_t>(place) << 4 | paint);
    };
    const Index size = recording.window().size;
    const bool joins = !recording.window().every && state.labels.joins();
    for (Index position = 0; position < size && deltas.whole;) {
        const Index head = state.head;
        position = stride < size - position ? position + stride : size;
        replay.touched().clear();
        if (joins) {
            recording.forward(position - 1);
            for (const std::int32_t number : replay.numbers(recording.event(position - 1)))
                deltas.sides.push(number);
        }
        recording.forward(position);
        if (recording.window().every) {
            for (Index place = 0; place < places; ++place) update(place);
        } else {
            if (head >= 0) update(head);
            for (const Index place : replay.touched()) replay.each_painted(place, update);
            if (state.head >= 0) update(state.head);
        }
        deltas.change_ends.push(static_cast<std::uint32_t>(deltas.changes.size()));
        if (labels) {
            state.labels.write(new_labels.data());
            for (Index cell = 0; cell < cells; ++cell) {
                if (new_labels[cell] == shown_labels[cell]) continue;
                shown_labels[cell] = new_labels[cell];
                deltas.label_changes.push(static_cast<std::int32_t>(cell));
                deltas.label_changes.push(new_labels[cell]);
            }
            deltas.label_change_ends.push(
                static_cast<std::uint32_t>(deltas.label_changes.size() / 2));
        }
        deltas.whole = deltas.changes.size() + deltas.label_changes.size() <= most;
        control.poll(recording.window().every ? places : stride);
    }
    return deltas;
}

template FrameDeltas compute_deltas(RecordingBy<Replay>&, const SearchEnds&, Index, bool, Index,
                                    Control&);
template FrameDeltas compute_deltas(RecordingBy<GraphReplay>&, const SearchEnds&, Index, bool,
                                    Index, Control&);

}  // namespace meiro
