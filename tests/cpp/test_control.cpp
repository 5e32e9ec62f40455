// Long work: looked at, stopped, and shared among threads.
#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "buffer.hpp"
#include "control.hpp"

using namespace meiro;

namespace {

struct Watcher {  // a hook that notes what it is told, and says stop at the n-th look
    std::thread::id thread = std::this_thread::get_id();
    Index looks = 0, done = 0, stop_at = -1;
    bool elsewhere = false;

    static bool hook(void* context, Index done) {
        auto& self = *static_cast<Watcher*>(context);
        self.elsewhere = self.elsewhere || std::this_thread::get_id() != self.thread;
        self.done = done;
        return ++self.looks != self.stop_at;
    }
};

}  // namespace

TEST_CASE("poll looks up once a stride, with the progress") {
    Watcher watcher;
    Control control(&Watcher::hook, &watcher);
    for (Index i = 0; i < Control::stride - 1; ++i) control.poll();
    CHECK(watcher.looks == 0);
    control.done(5);
    control.poll();
    CHECK(watcher.looks == 1);
    CHECK(watcher.done == 5);
    control.poll(10 * Control::stride);
    CHECK(watcher.looks == 2);
    for (Index i = 0; i < 3 * Control::stride; ++i) control.poll();
    CHECK(watcher.looks == 5);
}

TEST_CASE("without a hook nothing stops") {
    Control control;
    for (int i = 0; i < 100; ++i) CHECK_NOTHROW(control.poll(Control::stride));
}

TEST_CASE("the hook stops the work by Cancelled, a std::exception") {
    Watcher watcher{.stop_at = 3};
    Control control(&Watcher::hook, &watcher);
    control.poll(Control::stride);
    control.poll(Control::stride);
    CHECK_THROWS_AS(control.poll(Control::stride), Cancelled);
    const Cancelled cancelled;
    const std::exception& base = cancelled;
    CHECK(std::string(base.what()) == "cancelled");
}

TEST_CASE("the longest silence is the longest time between two looks") {
    Control control;
    control.poll(Control::stride);
    std::this_thread::sleep_for(std::chrono::milliseconds(15));
    control.poll(Control::stride);
    control.poll(Control::stride);
    CHECK(control.longest_silence() >= 15'000'000);
    CHECK(control.longest_silence() < 5'000'000'000);
}

TEST_CASE("parallel does every item once, on no more threads than asked for") {
    for (const int threads : {0, 1, 2, 4, 9}) {
        for (const Index items : {0, 1, 2, 7, 1000}) {
            Control control;
            std::vector<std::atomic<int>> times(static_cast<std::size_t>(items));
            std::mutex guard;
            std::set<std::thread::id> seen;
            parallel(control, threads, items, [&](Index item, Control& own) {
                own.poll();
                times[static_cast<std::size_t>(item)].fetch_add(1);
                const std::lock_guard lock(guard);
                seen.insert(std::this_thread::get_id());
            });
            for (const auto& t : times) REQUIRE(t.load() == 1);
            CHECK(seen.size() <= static_cast<std::size_t>(std::max(1, threads)));
            if (threads <= 1 && items > 0) CHECK(seen == std::set{std::this_thread::get_id()});
        }
    }
}

TEST_CASE("helpers do work") {
    Control control;
    std::atomic<int> waiting{0};
    parallel(control, 2, 2, [&](Index, Control&) {  // ends only if two threads are in it at once
        waiting.fetch_add(1);
        while (waiting.load() < 2) std::this_thread::yield();
    });
    CHECK(waiting.load() == 2);
}

TEST_CASE("threads that take items at the same time take different ones") {
    constexpr Index rounds = 100;
    for (const int threads : {2, 3}) {
        Control control;
        std::vector<std::atomic<int>> times(static_cast<std::size_t>(rounds * threads));
        std::atomic<Index> begun{0};
        parallel(control, threads, rounds * threads, [&](Index item, Control&) {
            times[static_cast<std::size_t>(item)].fetch_add(1);
            begun.fetch_add(1);
            while (begun.load() < (item / threads + 1) * threads) std::this_thread::yield();
        });
        for (const auto& t : times) REQUIRE(t.load() == 1);
    }
}

TEST_CASE("an exception of any item comes out, as it was") {
    for (const int threads : {1, 2, 4}) {
        for (const Index bad : {0, 1, 37, 99}) {
            Control control;
            std::string what;
            try {
                parallel(control, threads, 100, [&](Index item, Control& own) {
                    own.poll(Control::stride);
                    if (item == bad) throw std::runtime_error("item " + std::to_string(item));
                });
            } catch (const std::runtime_error& error) {
                what = error.what();
            }
            CHECK(what == "item " + std::to_string(bad));
        }
    }
}

TEST_CASE("an exception of another kind passes through the caller, which then leaves its team") {
    Control control;
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> thrown{false};
    CHECK_THROWS_AS(parallel(control, 2, 2,
                             [&](Index, Control&) {
                                 if (std::this_thread::get_id() == caller) {
                                     thrown.store(true);
                                     throw 7;
                                 }
                                 while (!thrown.load()) std::this_thread::yield();
                             }),
                    int);
    std::atomic<Index> sum{0};
    parallel(control, 2, 9, [&](Index item, Control&) { sum.fetch_add(item); });
    CHECK(sum.load() == 36);
}

#if defined(MEIRO_ASSERTS)
TEST_CASE("a thread of a team starts no other") {
    Control control;
    CHECK_THROWS_AS(
        parallel(control, 2, 2,
                 [](Index, Control& own) { parallel(own, 2, 2, [](Index, Control&) {}); }),
        std::logic_error);
}
#endif

TEST_CASE("the first exception stops the others") {
    Control control;
    std::atomic<Index> begun{0};
    CHECK_THROWS_AS(parallel(control, 2, 1'000'000'000,
                             [&](Index item, Control& own) {
                                 begun.fetch_add(1);
                                 if (item == 10) throw std::bad_alloc();
                                 own.poll(Control::stride);
                             }),
                    std::bad_alloc);
    CHECK(begun.load() < 1'000'000'000);
}

TEST_CASE("the hook stops all threads, and is called on the calling one only") {
    for (const int threads : {1, 2, 4}) {
        Watcher watcher{.stop_at = 5};
        Control control(&Watcher::hook, &watcher);
        CHECK_THROWS_AS(parallel(control, threads, 1'000'000'000,
                                 [](Index, Control& own) { own.poll(Control::stride); }),
                        Cancelled);
        CHECK_FALSE(watcher.elsewhere);
        CHECK(watcher.looks == 5);
    }
}

TEST_CASE("the hook is asked while the caller only waits for a helper") {
    Watcher watcher{.stop_at = 20};
    Control control(&Watcher::hook, &watcher);
    const auto caller = std::this_thread::get_id();
    std::atomic<bool> helped{false};
    CHECK_THROWS_AS(parallel(control, 2, 2,
                             [&](Index, Control& own) {
                                 if (std::this_thread::get_id() == caller) {
                                     while (!helped.load()) std::this_thread::yield();
                                     return;
                                 }
                                 helped.store(true);
                                 for (;;) own.poll();  // ends by cancellation only
                             }),
                    Cancelled);
    CHECK_FALSE(watcher.elsewhere);
}

TEST_CASE("a starter that waits is woken, and looks only now and then") {
    Watcher watcher;
    Control control(&Watcher::hook, &watcher);
    const auto caller = std::this_thread::get_id();
    const auto begun = std::chrono::steady_clock::now();
    std::atomic<bool> helped{false};
    parallel(control, 2, 2, [&](Index, Control&) {
        if (std::this_thread::get_id() == caller) {
            while (!helped.load()) std::this_thread::yield();
            return;
        }
        helped.store(true);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    });
    const auto took = std::chrono::steady_clock::now() - begun;
    CHECK(watcher.looks <= 1 + took / std::chrono::milliseconds(4));
}

TEST_CASE("progress of all threads adds up") {
    for (const int threads : {1, 3}) {
        Watcher watcher;
        Control control(&Watcher::hook, &watcher);
        std::atomic<int> begun{0};
        parallel(control, threads, 100, [&](Index, Control& own) {
            begun.fetch_add(1);
            while (begun.load() < threads) std::this_thread::yield();  // all threads are in it
            own.done(7);
            own.poll(Control::stride);
        });
        control.poll(Control::stride);
        CHECK(watcher.done == 700);
    }
}

TEST_CASE("progress of expected work follows its steps, whatever it says is done") {
    for (const int threads : {1, 3}) {
        Watcher watcher;
        Control control(&Watcher::hook, &watcher);
        control.done(10);
        control.expect(1000, 20 * Control::stride);
        std::atomic<int> begun{0};
        parallel(control, threads, 5, [&](Index, Control& own) {
            begun.fetch_add(1);
            while (begun.load() < threads) std::this_thread::yield();
            own.done(77);
            own.poll(Control::stride);
        });
        control.poll(Control::stride);
        CHECK(watcher.done == 10 + 1000 * 6 / 20);
        control.poll(7 * Control::stride);  // one look
        CHECK(watcher.done == 10 + 1000 * 13 / 20);
        for (int i = 0; i < 20; ++i) control.poll(Control::stride);
        CHECK(watcher.done == 10 + 1000);
        control.finish();
        control.done(5);
        control.poll(Control::stride);
        CHECK(watcher.done == 10 + 1000 + 5);
    }
}

TEST_CASE("threads that each expect their own work add up when it is finished") {
    Watcher watcher;
    Control control(&Watcher::hook, &watcher);
    std::atomic<int> begun{0};
    parallel(control, 3, 9, [&](Index, Control& own) {
        begun.fetch_add(1);
        while (begun.load() < 3) std::this_thread::yield();
        own.expect(100, 2 * Control::stride);
        own.poll(Control::stride);
        own.done(50);
        own.finish();
        own.poll(Control::stride);
    });
    control.poll(Control::stride);
    CHECK(watcher.done == 900);
}

TEST_CASE("one parallel after another, by the same control") {
    Control control;
    for (int round = 0; round < 50; ++round) {
        std::atomic<Index> sum{0};
        parallel(control, 3, 20, [&](Index item, Control&) { sum.fetch_add(item); });
        CHECK(sum.load() == 190);
    }
}
