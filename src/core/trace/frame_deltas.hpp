// A trace as a player shows it: the first picture, and from frame to frame the places that change.
//
// Who plays it needs no rule of any event: forwards it writes the changes, and for any other frame
// it begins again, a byte a change. Time and memory are proportional to the changes; of numbers,
// time is the cells times the frames, so they are for mazes whose numbers can be read.
#pragma once

#include "../buffer.hpp"
#include "recording.hpp"

namespace meiro {

struct FrameDeltas {
    static constexpr Index most_places = Index{1} << 28;

    Buffer<std::uint8_t> first;              // how each place is drawn, as Replay::paint says
    Stack<std::uint32_t> changes;            // place << 4 | how it is drawn from now on
    Stack<std::uint32_t> change_ends;        // a frame: how many changes have happened then
    Buffer<std::int32_t> labels;             // first, a cell each; none if nobody wants them
    Stack<std::int32_t> label_changes;       // cell, number
    Stack<std::uint32_t> label_change_ends;  // a frame: how many have changed then
    bool whole = true;                       // false: there are too many changes, and it ends
};

// A frame every `stride` events of what was kept (of every n-th event: a multiple of n), and one at
// the end. The places of the grid are fewer than most_places, the changes at most `most`.
FrameDeltas compute_deltas(Recording& recording, const SearchEnds& ends, Index stride, bool labels,
                           Index most, Control& control);

}  // namespace meiro
