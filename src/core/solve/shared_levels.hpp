// Levels of a flood that several threads expand, one level after the other.
//
// One thread leads. It cuts a level into contiguous parts of the same size, one for each thread,
// expands its own, then those whose threads have not begun: a thread that gets no processor is not
// waited for, unless it lost it within a part. A contiguous part is a region of the maze, so that
// threads share few lines of the cache. Each part has a line of its own with its state, which its
// thread watches: spinning at first, since a level takes some 10 us, then asleep.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "bfs_levels.hpp"

namespace meiro {

// Loads and stores of memory that threads share: plain moves in machine code. std::atomic_ref is
// missing in some standard libraries.
template <bool shared, class T>
T load(T* place) {
    if constexpr (!shared) return *place;
#if defined(__GNUC__)
    return __atomic_load_n(place, __ATOMIC_RELAXED);
#else
    return std::atomic_ref<T>(*place).load(std::memory_order_relaxed);
#endif
}
template <bool shared, class T>
void store(T* place, T value) {
    if constexpr (!shared)
        *place = value;
    else
#if defined(__GNUC__)
        __atomic_store_n(place, value, __ATOMIC_RELAXED);
#else
        std::atomic_ref<T>(*place).store(value, std::memory_order_relaxed);
#endif
}

// Whether the byte was as expected, and is the other one now; if not, what it is.
inline bool exchange(std::uint8_t& place, std::uint8_t& expected, std::uint8_t value) {
#if defined(__GNUC__)
    return __atomic_compare_exchange_n(&place, &expected, value, false, __ATOMIC_RELAXED,
                                       __ATOMIC_RELAXED);
#else
    return std::atomic_ref<std::uint8_t>(place).compare_exchange_strong(expected, value,
                                                                        std::memory_order_relaxed);
#endif
}

// Levels of fewer sites are left to one thread: their threads would wait more than they work.
inline constexpr Index shared_level = 512, shared_part = 256;
// The sites of large levels that come before threads are started.
inline constexpr Index before_sharing = Index{1} << 14;

enum class PartState : std::uint8_t { idle, ready, taken, done, over };

// Entries of one list, which one part of a level expands.
template <class Id>
struct SharedPart {
    const Id* sites;
    Index size;
    unsigned list, part;
};

// A level is kept as lists, one for each part of the level before: what that part found, in its
// order. Threads that find a site at the same moment both add it, so that it may be in several
// lists.
template <class Id>
class SharedLevels {
public:
    // No more threads than the levels of an open room of this shape have parts.
    SharedLevels(int threads, Shape shape)
        : parts_(static_cast<std::size_t>(
              std::clamp<Index>((shape.rows + shape.cols) / shared_part, 1, threads))) {}

    // Expands the level in `frontiers` and those after it while they are large; of the next one,
    // the entries for which keep(entry, list) is true are then in `frontiers`. Per level,
    // begin(sites) on one thread, which may end it, then, on any thread, expand(entries of a list,
    // found, control), which writes the sites that it reaches to `found`.
    template <class Begin, class Expand, class Keep>
    void run(Levels<Id>& frontiers, Control& control, Begin begin, Expand expand, Keep keep) {
        for (Part& part : parts_) {
            part.state.store(idle, std::memory_order_relaxed);
            part.level = {nullptr, 0};
        }
        parts_[0].level = {frontiers.now(), frontiers.size()};
        const auto n = static_cast<Index>(parts_.size());
        // A thread that cannot be started leaves its item to the others, after the leader's.
        parallel(control, static_cast<int>(n), n, [&](Index item, Control& own) {
            if (item == 0)
                lead(own, begin, expand);
            else
                follow(parts_[static_cast<std::size_t>(item)], own, expand);
        });
        unsigned list = 0;
        for (const Part& part : parts_) {
            Id* const next = frontiers.next(part.level.size);
            Index kept = 0;
            for (const Id entry :
                 std::span(part.level.sites, static_cast<std::size_t>(part.level.size)))
                if (keep(entry, list)) next[kept++] = entry;
            frontiers.filled(kept);
            ++list;
        }
        frontiers.advance();
    }

private:
    using State = PartState;
    using enum PartState;
    struct List {
        const Id* sites;
        Index size;
    };
    struct alignas(128) Part {
        std::atomic<State> state{idle};
        Index first = 0, last = 0;  // of the level
        List level{nullptr, 0};     // of the level, what this part found in the one before
        Levels<Id> levels;
    };
    std::vector<Part> parts_;

    template <class Begin, class Expand>
    void lead(Control& control, Begin& begin, Expand& expand) {
        for (;;) {
            Index sites = 0;
            for (const Part& part : parts_) sites += part.level.size;
            if (sites < shared_level || !begin(sites, control)) break;
            const Index wanted = std::min(static_cast<Index>(parts_.size()), sites / shared_part);
            const std::span<Part> all(parts_), used = all.first(static_cast<std::size_t>(wanted));
            Index first = 0, k = 0;
            for (Part& part : used) {
                part.first = first;
                part.last = first = sites * ++k / wanted;
            }
            for (Part& part : used.subspan(1)) part.state.store(ready, std::memory_order_release);
            expand_part(used[0], control, expand);
            for (Part& part : used.subspan(1)) take(part, control, expand);
            for (Part& part : used.subspan(1)) wait_for(part, done, done, control);
            for (Part& part : all) {
                part.levels.advance();
                part.level = {part.levels.now(), part.levels.size()};
            }
        }
        for (Part& part : parts_) part.state.store(over, std::memory_order_release);
    }

    template <class Expand>
    void follow(Part& part, Control& control, Expand& expand) {
        while (wait_for(part, ready, over, control) == ready) take(part, control, expand);
    }

    template <class Expand>
    void take(Part& part, Control& control, Expand& expand) {
        State expected = ready;
        if (!part.state.compare_exchange_strong(expected, taken, std::memory_order_acquire)) return;
        expand_part(part, control, expand);
        part.state.store(done, std::memory_order_release);
    }

    template <class Expand>
    void expand_part(Part& part, Control& control, Expand& expand) {
        Index first = part.first, before = 0;
        const auto number = static_cast<unsigned>(&part - parts_.data());
        unsigned list = 0;
        for (const Part& from : parts_) {
            const Index end = std::min(part.last, before + from.level.size);
            if (first < end) {
                const Id* const sites = from.level.sites + (first - before);
                expand(SharedPart<Id>{sites, end - first, list, number}, part.levels, control);
                first = end;
            }
            before += from.level.size;
            ++list;
        }
    }

    // Until the state of the part is one of two.
    static State wait_for(const Part& part, State one, State other, Control& control) {
        for (int turn = 0;; ++turn) {
            const State state = part.state.load(std::memory_order_acquire);
            if (state == one || state == other) return state;
            control.pause(turn);
        }
    }
};

}  // namespace meiro
