// Arbitrary words as recorded events of a maze in cells or of an array that is searched.
#include "replays.hpp"

namespace meiro {

void check(Input& in) {
    const Shape shape = in.shape(8);
    TraceDomain domain{shape,
                       in.choice<Space>(2),
                       {},
                       nullptr,
                       nullptr,
                       in.flag(),
                       in.choice<LabelKind>(5),
                       in.flag() ? 0xfffu : static_cast<unsigned>(in.word())};
    const bool cells = domain.space == Space::cells;
    if (!cells) domain.search = true;
    if (cells) domain.wrap = in.wrap(shape);
    const Bytes mask = cells ? in.mask(shape) : Bytes{};
    domain.mask = mask_of(mask);
    Bytes start = in.bytes(shape.size());
    if (cells) make_sound(shape, domain.wrap, mask, start);
    domain.start = start.data();
    const Shape grid = cells ? shape.grid() : shape;
    const Bytes walls = in.bytes(grid.size());
    const SearchEnds ends{domain.search ? walls.data() : nullptr, in.between(-1, grid.size() - 1),
                          in.between(-1, grid.size() - 1)};
    const RecordingWindow asked = window_from(in);
    const std::vector<std::uint64_t> events = events_from(in, grid.size());
    check_replays<Replay>(domain, shape, domain.space, ends, asked, events,
                          [&](Trace& trace, const EventRecord& event, Index n) {
                              const Index row = n / grid.cols, col = n % grid.cols;
                              const Direction to = event.direction;
                              if (cells)
                                  trace.on(event.event, Post{row / 2, col / 2}, to, event.clause);
                              else
                                  trace.on(event.event, Cell{row, col}, to, event.clause);
                          });
}

}  // namespace meiro
