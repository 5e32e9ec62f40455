// Long rows are drawn in segments, so that a window need not draw all to its left. The first
// segment of a row has 2^16 cells: shorter rows have no other. Each further one has 2^12, and its
// words begin at a place that is known without those before it.
#pragma once

#include "../../random.hpp"

namespace meiro {

inline constexpr Index first_segment = Index{1} << 16, next_segments = Index{1} << 12;

// The first column of the segment of a column, and of the next one.
constexpr Index segment_begin(Index col) {
    return col < first_segment ? 0 : col & ~(next_segments - 1);
}
constexpr Index segment_end(Index col) {
    return col < first_segment ? first_segment : segment_begin(col) + next_segments;
}
constexpr bool begins_segment(Index col) {
    return col >= first_segment && col % next_segments == 0;
}
// The place of the first word of a segment that begins at `col`: 2^16 words a cell are more than
// any rule draws. Columns are below 2^48.
constexpr std::uint64_t segment_word(Index col) {
    return static_cast<std::uint64_t>(col) << 16;
}

// The last segment from whose begin on what precedes `from` can be drawn without those before it:
// known(begin) says so of the one that begins there, and the first one always can.
template <class Known>
Index begin_drawing(Index from, Known known) {
    Index begin = segment_begin(from);
    while (begin > 0 && !known(begin)) begin = segment_begin(begin - 1);
    return begin;
}

}  // namespace meiro
