// Progress and interruption of long work: Control, and parallel(), which shares it among threads.
//
// poll() counts down and calls look() about every 2^16 steps, so it fits in all but the innermost
// loops. look() reads the clock, reports progress, asks the hook whether to stop, and records the
// longest time between two looks, which the tests hold under 30 ms for every algorithm.
//
// Nearly every file includes this one: <atomic>, <chrono> and <mutex> stay in control.cpp, since
// parsing them takes longer than compiling most files.
#pragma once

#include <algorithm>
#include <exception>

#include "lattice.hpp"

namespace meiro {

// Steps of a hot loop between two polls.
inline constexpr Index poll_chunk = Index{1} << 12;

// Thrown by poll() on any thread after the hook returned false.
struct Cancelled : std::exception {
    const char* what() const noexcept override { return "cancelled"; }
};

class Control {
public:
    using Hook = bool (*)(void* context, Index done);  // false: stop. Called on one thread only.
    static constexpr Index stride = Index{1} << 16;

    explicit Control(Hook hook = nullptr, void* context = nullptr)
        : hook_(hook), context_(context), last_(now()) {}
    Control(const Control&) = delete;
    Control& operator=(const Control&) = delete;
    ~Control() = default;

    // Call at least once every 30 ms; `steps` is the work since the last call, in steps of a few
    // ns.
    void poll(Index steps = 1) {
        if ((left_ -= steps) <= 0) [[unlikely]]
            look();
    }
    // Waits for another thread of a parallel(), with polls: `turn` counts the calls of one wait. At
    // first it only spins, for what lasts some microseconds; then it leaves the processor to
    // others.
    void pause(int turn);
    // Progress, in cells finished.
    void done(Index cells) { done_ += expected_ == 0 ? cells : 0; }
    // Work on some cells, and about how many steps it takes: until finish(), progress follows the
    // steps, those of threads that join meanwhile as well, and not what is said to be done.
    void expect(Index cells, Index steps) {
        expected_ = cells;
        expected_steps_ = std::max<Index>(steps, 1);
        polled_ = 0;
    }
    void finish() {
        done_ += expected_;
        expected_ = 0;
    }

    // For the tests: the longest time between two looks on this thread, in nanoseconds.
    std::int64_t longest_silence() const { return longest_; }

private:
    struct Team;  // shared by the threads of one parallel()
    using Item = void (*)(void* context, Index item, Control& control);

    template <class Body>
    friend void parallel(Control&, int, Index, Body);
    static std::int64_t now();  // nanoseconds of a monotonic clock
    void look();
    Index begun() const;
    void wait(Team& team);  // until the others are done, with polls
    void run_team(int helpers, Index items, Item item, void* context);

    Index left_ = stride;
    Index done_ = 0;
    Index expected_ = 0, expected_steps_ = 1, polled_ = 0;  // cells; steps since expect()
    Hook hook_ = nullptr;
    void* context_ = nullptr;
    Team* team_ = nullptr;
    std::int64_t last_;
    std::int64_t longest_ = 0;
};

// body(item, control) for every item in 0 .. items-1. The calling thread computes too; threads - 1
// workers join it for the duration of the call. The first exception stops all and is rethrown here;
// if a worker cannot be started, the others do its share.
template <class Body>
void parallel(Control& control, int threads, Index items, Body body) {
    if (threads <= 1 || items <= 1) {
        for (Index item = 0; item < items; ++item) body(item, control);
        return;
    }
    const int helpers = static_cast<int>(std::min<Index>(threads, items)) - 1;
    control.run_team(
        helpers, items,
        [](void* context, Index item, Control& worker) {
            (*static_cast<Body*>(context))(item, worker);
        },
        &body);
}

// body(first, last, control) over shares of at most `most` of `n` items, which threads take.
template <class Body>
void by_shares(Index n, Index most, Control& control, int threads, Body body) {
    parallel(control, threads, (n + most - 1) / most, [&](Index item, Control& worker) {
        body(item * most, std::min(n, (item + 1) * most), worker);
    });
}

// Bands of rows that several threads share: four for each, so that all end at about the same time,
// of at least `least` rows. One thread has one band.
struct RowBands {
    Index rows, height, count;

    RowBands(Index all, int threads, Index least = 16) : rows(all), height(all), count(1) {
        if (threads <= 1) return;
        height = std::max(least, (all - 1) / (Index{4} * threads) + 1);
        count = (all - 1) / height + 1;
    }
    Index begin(Index band) const { return band * height; }
    Index end(Index band) const { return std::min(rows, (band + 1) * height); }
};

// body(first, last) over pieces of at most a megabyte, with polls in between.
template <class Body>
void by_pieces(Index size, Control& control, Body body) {
    constexpr Index piece = Index{1} << 20;
    for (Index first = 0; first < size; first += piece) {
        const Index last = std::min(first + piece, size);
        body(first, last);
        control.poll((last - first) / 16 + 1);
    }
}

// The same, the pieces shared by threads.
template <class Body>
void by_pieces(Index size, Control& control, int threads, Body body) {
    by_shares(size, Index{1} << 20, control, threads,
              [&](Index first, Index last, Control& worker) {
                  body(first, last);
                  worker.poll((last - first) / 16 + 1);
              });
}

// body(i) for each i below `size`, in such pieces.
template <class Body>
void by_each(Index size, Control& control, Body body) {
    by_pieces(size, control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) body(i);
    });
}
template <class Body>
void by_each(Index size, Control& control, int threads, Body body) {
    by_pieces(size, control, threads, [&](Index first, Index last) {
        const Body each = body;  // a local one, so that what it holds stays in registers
        for (Index i = first; i < last; ++i) each(i);
    });
}

// Fills, and copies, with polls.
template <class T>
void polled_fill(T* to, Index size, std::type_identity_t<T> value, Control& control,
                 int threads = 1) {
    by_shares(size, Index{1} << 20, control, threads, [=](Index first, Index last, Control& own) {
        std::fill(to + first, to + last, value);
        own.poll((last - first) * Index{sizeof(T)} / 16 + 1);
    });
}
template <class T>
void polled_copy(const T* from, Index size, T* to, Control& control, int threads = 1) {
    by_shares(size, Index{1} << 20, control, threads, [=](Index first, Index last, Control& own) {
        std::copy(from + first, from + last, to + first);
        own.poll((last - first) * Index{sizeof(T)} / 16 + 1);
    });
}

// body(first row, last row, worker) over bands of rows of at most a megabyte, shared by threads,
// with polls in between.
template <class Body>
void by_bands(Shape shape, Control& control, int threads, Body body) {
    const Index band = std::max<Index>(1, (Index{1} << 20) / std::max<Index>(1, shape.cols));
    by_shares(shape.rows, band, control, threads, [&](Index row, Index end, Control& worker) {
        body(row, end, worker);
        worker.poll((end - row) * shape.cols / 16 + 1);
    });
}

// body(first row, last row) over the same bands, on this thread.
template <class Body>
void by_bands(Shape shape, Control& control, Body body) {
    by_bands(shape, control, 1, [&](Index row, Index end, Control&) { body(row, end); });
}

}  // namespace meiro
