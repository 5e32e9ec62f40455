// A trace as frame deltas for a player: the first picture, and from frame to frame the changed
// places.
//
// A player needs no rules of events: it writes the changes to play forwards, and starts again from
// the first picture, a byte per change, to go back. Time and memory are proportional to the
// changes; with numbers, time is cells times frames, so these are for mazes small enough to read
// them.
#pragma once

#include "../buffer.hpp"
#include "recording.hpp"

namespace meiro {

struct FrameDeltas {
    static constexpr Index most_places = Index{1} << 28;

    Buffer<std::uint8_t> first;              // per place: its Paint, see Replay::paint
    Stack<std::uint32_t> changes;            // place << 4 | its new Paint
    Stack<std::uint32_t> change_ends;        // per frame: the number of changes so far
    Buffer<std::int32_t> labels;             // at first, per cell; empty unless requested
    Stack<std::int32_t> label_changes;       // cell, number
    Stack<std::uint32_t> label_change_ends;  // per frame: the number of label changes so far
    Stack<std::int32_t> sides;               // per frame: two numbers, see compute_deltas
    bool whole = true;                       // false: cut short, too many changes
};

// One frame every `stride` kept events (if only every n-th event is kept: a multiple of n), and one
// at the end. `sides` are the numbers on the two sides of the last event of each frame before it
// happens; empty if cells are not joined, or moments between frames were not kept. The grid must
// have fewer places than most_places, and at most `most` changes.
template <class ReplayOf>
FrameDeltas compute_deltas(RecordingBy<ReplayOf>& recording, const SearchEnds& ends, Index stride,
                           bool labels, Index most, Control& control);

}  // namespace meiro
