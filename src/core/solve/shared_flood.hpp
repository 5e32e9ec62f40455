// The large levels of bfs, each expanded by several threads, with the same arrows as one thread's.
//
// A site is reached by that of its neighbours in the level before that is first in the queue. The
// parts of a level are numbered in the order of the queue. A site has, beside its arrow, the part
// that reached it and a bit of its level, which tells the next level from the one before: no two
// sites of a level are adjacent in a room without diagonals that is not periodic. A part takes
// sites that no other one has, or that a later one has. Two parts that find a site at the same
// moment may both believe they have it, and the wrong one may write last. Each has it in its list
// once, and so this is seen when the lists are expanded: the earlier part then writes its arrow,
// and the later one drops the site, unless it came first; then it expands it once more, behind the
// earlier one, where it reaches nothing.
#pragma once

#include <atomic>
#include <cstring>
#include <span>

#include "search.hpp"
#include "shared_levels.hpp"

namespace meiro {

template <class Id>
class SharedFlood {
public:
    SharedFlood(const Search& search, SearchResult& result, const OrderedNeighbours& neighbours)
        : search_(search),
          adjacency_(search.adjacency),
          neighbours_(neighbours),
          result_(result),
          reached_(result.reached.data()) {}

    // Whether a search with these options can be shared.
    static bool fits(const Search& search) {
        return search.threads > 1 && !search.options.order && search.adjacency.moves() == 0x0f;
    }

    // Expands the levels from `frontiers` on, as long as they are large, up to a goal.
    void run(Levels<Id>& frontiers, Index& distance) {
        std::atomic<bool> met{false};
        const auto begin = [&](Index sites, Control& own) {
            if (met.load(std::memory_order_relaxed)) return false;
            ++distance;
            own.done(sites);
            return true;
        };
        const auto expand = [&](SharedPart<Id> level, Levels<Id>& found, Control& own) {
            if (expand_part(level, distance, found, own))
                met.store(true, std::memory_order_relaxed);
        };
        // As one thread would have left it: what follows the goal in its level was not reached.
        const auto keep = [&](Id entry, unsigned list) {
            const Index at = Levels<Id>::site(entry);
            std::uint8_t& mark = reached_[at];
            if (!settle(mark, mark, entry, level_bit(distance) | list << part_shift)) return false;
            if (result_.found) {
                mark &= goal_mark;
                return false;
            }
            if ((mark & goal_mark) != 0) {
                result_.found = true;
                result_.goal = at;
            }
            return true;
        };
        const int threads = std::min(search_.threads, static_cast<int>(most_parts));
        SharedLevels<Id>(threads, adjacency_.shape())
            .run(frontiers, search_.control, begin, expand, keep);
        was_used_ = true;
    }

    // Leaves arrows alone, and counts them.
    void finish() {
        if (!was_used_) return;
        std::atomic<Index> explored{0};
        const auto clear = [&](Index first, Index last) {
            constexpr std::uint64_t every = 0x0101010101010101;
            Index count = 0;
            for (Index i = first; i < last; i += 8) {  // a byte is 0 to 10, with tags
                const auto size = static_cast<std::size_t>(std::min<Index>(8, last - i));
                std::uint64_t marks = 0;
                std::memcpy(&marks, reached_ + i, size);
                marks &= every * (move_mask | goal_mark);
                std::memcpy(reached_ + i, &marks, size);
                marks = ((marks & every * move_mask) + every * move_mask) >> 4 & every;
                count += static_cast<Index>(marks * every >> 56);
            }
            explored.fetch_add(count, std::memory_order_relaxed);
        };
        by_pieces(adjacency_.size(), search_.control, search_.threads, clear);
        result_.explored = explored.load();
    }

private:
    static constexpr unsigned part_shift = 4, part_mask = 0x30, most_parts = 4, level_mask = 0x40;
    static constexpr unsigned tags = 2 * most_parts;

    // For each tag, a bit of the level and a part, the marks of the sites that it takes.
    static constexpr auto taken_by = [] {
        std::array<std::array<bool, 256>, tags> by{};
        for (unsigned tag = 0; tag < tags; ++tag)
            for (unsigned mark = 0; mark < 256; ++mark) {
                const unsigned other = (mark & (level_mask | part_mask)) >> part_shift;
                const bool later = other > tag && (tag ^ other) < most_parts;
                by[tag][mark] = (mark & move_mask) == 0 || later;
            }
        return by;
    }();

    static unsigned level_bit(Index distance) { return (distance >> 1 & 1) != 0 ? level_mask : 0; }

    // The mark of a site that an entry has reached, with its mark as a goal.
    static std::uint8_t reached_by(Id entry, unsigned tag, unsigned before) {
        return static_cast<std::uint8_t>((before & goal_mark) | tag |
                                         (Levels<Id>::move(entry) + 1));
    }

    static unsigned part_of(unsigned mark) { return (mark & part_mask) >> part_shift; }

    // Gives a site of a list, in which it is not the part's that the list is of, to that part,
    // unless an earlier one has it.
    [[gnu::noinline]] static bool settle(std::uint8_t& place, unsigned mark, Id entry,
                                         unsigned tag) {
        auto seen = static_cast<std::uint8_t>(mark);
        while (part_of(seen) > part_of(tag))
            if (exchange(place, seen, reached_by(entry, tag, seen))) return true;
        return part_of(seen) == part_of(tag);
    }

    // Whether a part takes a site that is a goal or that another part has; `found` is what it took.
    [[gnu::noinline]] static bool take(std::uint8_t& place, unsigned mark, Id entry, unsigned tag,
                                       std::span<const Id> found) {
        bool own = false;
        if ((mark & move_mask) != 0) {
            // A later part's, or this part's, over which a later one has written.
            const auto same = [entry](Id of) {
                return Levels<Id>::site(of) == Levels<Id>::site(entry);
            };
            const auto first = std::find_if(found.begin(), found.end(), same);
            own = first != found.end();
            if (own) entry = *first;
        }
        store<true>(&place, reached_by(entry, tag, mark));
        return !own;
    }

    // Returns whether it met a goal.
    bool expand_part(SharedPart<Id> level, Index distance, Levels<Id>& found, Control& control) {
        const auto step = adjacency_.offsets();
        const std::uint8_t* const open = adjacency_.open();
        std::uint8_t* const reached = reached_;
        const OrderedNeighbours& neighbours = neighbours_;
        const unsigned tag = level_bit(distance) | level.part << part_shift;
        const unsigned from_tag = level_bit(distance - 1) | level.list << part_shift;
        const bool* const takes = taken_by[tag >> part_shift].data();
        bool met = false;
        for (Index first = 0; first < level.size; first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, level.size);
            control.poll(last - first);
            Id* const next = found.next(last - first);
            Index filled = 0;
            for (Index i = first; i < last; ++i) {
                const Id entry = level.sites[i];
                const Index at = Levels<Id>::site(entry);
                const unsigned mark = load<true>(reached + at);
                if (part_of(mark) != level.list && !settle(reached[at], mark, entry, from_tag))
                    [[unlikely]]
                    continue;
                auto moves = neighbours[open[at] & without_reverse[Levels<Id>::move(entry)]];
                for (unsigned d; (d = moves & 15) != no_move; moves >>= 4) {
                    const Index to = at + step[d];
                    const Id reaching = Levels<Id>::entry(to, d);
                    const unsigned before = load<true>(reached + to);
                    if (before != 0) {
                        if (!takes[before]) continue;
                        met |= (before & goal_mark) != 0;
                        if (!take(reached[to], before, reaching, tag,
                                  {found.coming(), next + filled}))
                            continue;
                    } else {
                        store<true>(reached + to, static_cast<std::uint8_t>(tag | (d + 1)));
                    }
                    fetch_ahead(open, reached, to, step[d]);
                    next[filled++] = reaching;
                }
            }
            found.filled(filled);
        }
        return met;
    }

    const Search& search_;
    const Adjacency adjacency_;
    const OrderedNeighbours& neighbours_;
    SearchResult& result_;
    std::uint8_t* const reached_;
    bool was_used_ = false;
};

}  // namespace meiro
