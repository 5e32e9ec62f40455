// Long work can be watched and stopped: Control, and parallel() which shares it among threads.
//
// poll() counts down and looks up every 2^16 steps, so it may stand in all but the innermost loops.
// look() reads the clock, hands on the progress, asks the hook, and notes the longest silence
// between two looks, which the tests hold under 30 ms for every algorithm.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>

#include "lattice.hpp"

namespace meiro {

// Thrown by poll() when the hook said stop, on whatever thread it happens.
struct Cancelled : std::exception {
    const char* what() const noexcept override { return "cancelled"; }
};

class Control {
public:
    using Clock = std::chrono::steady_clock;
    using Hook = bool (*)(void* context, Index done);  // false: stop. Called on one thread only.
    static constexpr Index stride = Index{1} << 16;

    Control() = default;
    Control(Hook hook, void* context) : hook_(hook), context_(context) {}
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;
    ~Control() = default;

    // Call at least once every 30 ms; `steps` is the work since the last call, in steps of a few
    // ns.
    void poll(Index steps = 1) {
        if ((left_ -= steps) <= 0) [[unlikely]]
            look();
    }
    // Progress, in cells finished.
    void done(Index cells) { done_ += cells; }

    // For the tests: the longest time between two looks, on this thread.
    Clock::duration longest_silence() const { return longest_; }

private:
    // What the threads of one parallel() share.
    struct Team {
        std::atomic<Index> done{0};
        std::atomic<bool> stop{false};
        std::atomic<int> at_work{0};
        std::mutex first;
        std::exception_ptr failure;
        void fail(std::exception_ptr what);
    };

    template <class Body>
    friend void parallel(Control&, int, Index, Body);
    explicit Control(Team& team) : team_(&team) {}
    void look();
    void wait(Team& team);  // until the others are done, looking up meanwhile
    void run_team(Team& team, int helpers, void (*work)(void*, Control&), void* context);

    Index left_ = stride;
    Index done_ = 0;
    Hook hook_ = nullptr;
    void* context_ = nullptr;
    Team* team_ = nullptr;
    Clock::time_point last_ = Clock::now();
    Clock::duration longest_{0};
};

// body(item, control) for every item in 0 .. items-1. The calling thread computes; threads - 1
// helpers join it for the duration of the call. The first exception stops all and is thrown again
// from here; a helper that cannot be started is done without.
template <class Body>
void parallel(Control& control, int threads, Index items, Body body) {
    if (threads <= 1 || items <= 1) {
        for (Index item = 0; item < items; ++item) body(item, control);
        return;
    }
    Control::Team team;
    struct Work {
        std::atomic<Index> next{0};
        Index items;
        Body& body;
    } work{{0}, items, body};
    const int helpers = static_cast<int>(std::min<Index>(threads, items)) - 1;
    control.run_team(
        team, helpers,
        [](void* context, Control& own) {
            auto& shared = *static_cast<Work*>(context);
            for (Index item; (item = shared.next.fetch_add(1)) < shared.items;)
                shared.body(item, own);
        },
        &work);
}

// body(first, last) over pieces of at most a megabyte, with a poll between.
template <class Body>
void by_pieces(Index size, Control& control, Body body) {
    constexpr Index piece = Index{1} << 20;
    for (Index first = 0; first < size; first += piece) {
        const Index last = std::min(first + piece, size);
        body(first, last);
        control.poll((last - first) / 16 + 1);
    }
}

// body(first row, last row) over bands of rows of at most a megabyte, with a poll between.
template <class Body>
void by_bands(Shape shape, Control& control, Body body) {
    const Index band = std::max<Index>(1, (Index{1} << 20) / std::max<Index>(1, shape.cols));
    for (Index row = 0; row < shape.rows; row += band) {
        const Index end = std::min(row + band, shape.rows);
        body(row, end);
        control.poll((end - row) * shape.cols / 16 + 1);
    }
}

}  // namespace meiro
