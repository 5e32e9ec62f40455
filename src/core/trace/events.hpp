// The events of an algorithm, in terms that a renderer can draw without knowing the algorithm.
//
// Every algorithm is written once, over a Recorder. NoTrace compiles to nothing; Trace writes
// events of 8 bytes to given memory, and counts those that do not fit: run once to count, check the
// memory, run again to fill. The places of events are sites of the drawn grid, so one renderer
// draws cells, posts and pixels.
#pragma once

#include <cstdint>

#include "../lattice.hpp"

namespace meiro {

enum class Event : std::uint8_t {
    visit,   // a place is entered for good, in this direction
    walk,    // a step from a place in a direction that may be undone (an arrow may be overwritten)
    carve,   // the wall from a cell in a direction is opened
    keep,    // the wall from a cell in a direction was looked at and stays
    build,   // a wall is built from a post in a direction
    erase,   // the wall from a post in a direction is torn down again
    commit,  // the walk or wall that begins here joins the maze
    back,    // the head returns to a place
    close = 9,  // the wall from a cell in a direction is closed (8 is no event)
    path,       // a place on the way from start to goal
    fill        // a place that leads nowhere is filled
};

// An algorithm may report one kind of event for several reasons: then a clause, 1 to 15, says which
// part of its rule was at work, and python/meiro/traces/pseudocode.json what that part says.
template <class R>
concept Recorder = requires(R& r, Event e, Cell c, Post p, Direction d, unsigned clause) {
    r.on(e, c, d, clause);
    r.on(e, p, d, clause);
};

struct NoTrace {            // the default: every call to it compiles to nothing
    template <class Place>  // a Cell or a Post
    static constexpr void on(Event, Place, Direction = Direction::none, unsigned = 0) noexcept {}
};

// One event: clause (4 bits), place (52), event (4), direction (4; 15: none).
struct EventRecord {
    std::uint64_t place;
    Event event;
    Direction direction;
    unsigned clause = 0;
};
inline constexpr int clause_shift = 60;
constexpr std::uint64_t pack(EventRecord h) {
    return std::uint64_t{h.clause} << clause_shift | h.place << 8 |
           static_cast<std::uint64_t>(h.event) << 4 | static_cast<std::uint64_t>(h.direction);
}
// The word of the same event without its clause.
constexpr std::uint64_t without_clause(std::uint64_t word) {
    return word << (64 - clause_shift) >> (64 - clause_shift);
}
constexpr EventRecord unpack(std::uint64_t word) {
    return {without_clause(word) >> 8, static_cast<Event>(word >> 4 & 15),
            static_cast<Direction>(word & 15), static_cast<unsigned>(word >> clause_shift)};
}

// What the cells of the algorithm are on the drawn grid: cells of a maze, or sites of an array.
enum class Space : std::uint8_t { cells, sites };

class Trace {
public:
    // Receives the events in pieces.
    using Sink = void (*)(void* context, const std::uint64_t* events, Index size);

    // Keeps the events [first, first + size) in `memory`, counts all. Without memory: counts only.
    Trace(Shape shape, Space space, std::uint64_t* memory = nullptr, Index size = 0,
          Index first = 0)
        : width_(space == Space::cells ? 2 * shape.cols + 1 : shape.cols),
          space_(space),
          memory_(memory),
          first_(first),
          size_(size) {}
    // Hands all events to `sink`, `size` at a time; flush() hands over the rest.
    Trace(Shape shape, Space space, std::uint64_t* memory, Index size, Sink sink, void* context)
        : Trace(shape, space, memory, size) {
        sink_ = sink;
        context_ = context;
    }

    void on(Event e, Cell c, Direction d = Direction::none, unsigned clause = 0) {
        if (space_ == Space::cells) c = {2 * c.row + 1, 2 * c.col + 1};
        put(e, c.row * width_ + c.col, d, clause);
    }
    void on(Event e, Post p, Direction d = Direction::none, unsigned clause = 0) {
        put(e, 2 * p.row * width_ + 2 * p.col, d, clause);
    }
    Index count() const { return count_; }
    // The kinds of events seen: bit 1 << event.
    unsigned kinds() const { return kinds_; }
    void flush() {
        if (sink_ != nullptr) sink_(context_, memory_, count_ - first_);
        first_ = count_;
    }

private:
    void put(Event e, Index place, Direction d, unsigned clause) {
        const Index i = count_++ - first_;
        kinds_ |= 1u << static_cast<unsigned>(e);
        if (i < 0 || i >= size_) return;
        memory_[i] = pack({static_cast<std::uint64_t>(place), e, d, clause});
        if (i + 1 == size_ && sink_ != nullptr) flush();
    }
    Index width_;
    Space space_;
    std::uint64_t* memory_;
    Index first_, size_;
    Index count_ = 0;
    unsigned kinds_ = 0;
    Sink sink_ = nullptr;
    void* context_ = nullptr;
};

static_assert(Recorder<NoTrace> && Recorder<Trace>);

// An algorithm: for runs that are not recorded, and for those that are. Null: not there.
template <class Given, class Result = void>
struct Runs {
    Result (*plain)(Given&, NoTrace&) = nullptr;
    Result (*traced)(Given&, Trace&) = nullptr;
    Result operator()(Given& given, NoTrace& none) const { return plain(given, none); }
    Result operator()(Given& given, Trace& record) const { return traced(given, record); }
    constexpr explicit operator bool() const { return plain != nullptr; }
};
template <class Given>
inline constexpr Runs<Given> no_runs;

}  // namespace meiro
