// What every way passes: bottlenecks.
//
// They are on any one path, so one shortest path is swept from its start on: from each of its sites
// everything beside the path is flooded that was not before, and `far` is the farthest site of the
// path that was met. Where the sweep has come to `far` there is no way round. Another goal counts
// as the end of the path. Time: linear, each site is flooded once. Scratch: a byte a site, and an
// id of which only the path is touched.
#include <algorithm>

#include "../solve/bfs_levels.hpp"
#include "path_queries.hpp"

namespace meiro {
namespace {

constexpr unsigned seen = Descent::awaited;  // which nobody needs any more

template <class Id>
Bottlenecks sweep(const Links& links, std::span<const Index> goals, Index start, Control& control) {
    Descent descent = descend(links, goals, start, control);
    const Index length = descent.length;
    Bottlenecks found;
    if (length < 0) return found;
    const auto step = links.moves();
    const Shape shape = links.shape();
    const Choices& choices = plain_choices(links);
    std::uint8_t* const marks = descent.marks.data();
    Buffer<Id> places(links.size());
    Id* const place = places.data();  // of a site of the path: as which it comes
    const auto on = [&](Index at) { return at + step[first_way(descent.down(links, at))]; };
    constexpr Index chunk = Index{1} << 12;
    for (const Index goal : goals) {
        marks[goal] |= Descent::on_path;
        place[goal] = static_cast<Id>(length);
    }
    for (Index i = 0, at = start; i < length; ++i) {
        if (i % chunk == 0) control.poll(chunk);
        marks[at] |= Descent::on_path;
        place[at] = static_cast<Id>(i);
        at = on(at);
    }
    found.count = 0;
    found.places = Buffer<Index>(2 * length);  // more than there can be, and touched as needed
    Levels<Id> levels;
    Index far = 0;
    for (Index i = 0, at = start; i < length; ++i, at = on(at)) {
        if (i > 0 && far <= i) {
            const auto [row, col] = shape.cell(at);
            found.places[2 * found.count] = row;
            found.places[2 * found.count++ + 1] = col;
        }
        levels.start(at);
        for (levels.advance(); levels.size() > 0; levels.advance())
            levels.spread(links, choices, control, [&](Index to, unsigned) {
                if ((marks[to] & Descent::on_path) != 0) {
                    far = std::max(far, static_cast<Index>(place[to]));
                    return false;
                }
                if ((marks[to] & seen) != 0) return false;
                marks[to] |= seen;
                return true;
            });
    }
    return found;
}

}  // namespace

Bottlenecks bottlenecks(const Links& links, std::span<const Index> goals, Index start,
                        Control& control) {
    return fits_32_bits(links) ? sweep<std::uint32_t>(links, goals, start, control)
                               : sweep<Index>(links, goals, start, control);
}

}  // namespace meiro
