#include "control.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "assert.hpp"

namespace meiro {

struct Control::Team {
    std::atomic<Index> next{0};
    std::atomic<Index> done{0}, polled{0};
    bool expected = false;  // they join between expect() and finish()
    std::atomic<bool> stop{false};
    std::mutex mutex;  // of the rest
    std::condition_variable ended;
    int at_work = 0;
    std::exception_ptr failure;  // the first one
    void fail(std::exception_ptr what);
    void end_one();
};

std::int64_t Control::now() {
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

void Control::look() {
    polled_ += stride - std::exchange(left_, stride);
    const std::int64_t before = std::exchange(last_, now());
    longest_ = std::max(longest_, last_ - before);
    Index done = done_;
    if (team_ != nullptr) {
        if (team_->stop.load(std::memory_order_relaxed)) throw Cancelled();
        if (hook_ == nullptr) {  // a worker: only the calling thread calls the hook
            team_->done.fetch_add(std::exchange(done_, 0), std::memory_order_relaxed);
            if (team_->expected)
                team_->polled.fetch_add(std::exchange(polled_, 0), std::memory_order_relaxed);
            return;
        }
        if (!team_->expected) done += team_->done.load(std::memory_order_relaxed);
    }
    done += begun();
    if (hook_ != nullptr && !hook_(context_, done)) throw Cancelled();
}

// How many of the expected cells are done, by the steps.
Index Control::begun() const {
    if (expected_ == 0) return 0;
    const Index others = team_ == nullptr ? 0 : team_->polled.load(std::memory_order_relaxed);
    const double share =
        static_cast<double>(polled_ + others) / static_cast<double>(expected_steps_);
    return static_cast<Index>(std::min(share, 1.0) * static_cast<double>(expected_));
}

void Control::Team::fail(std::exception_ptr what) {
    const std::scoped_lock lock(mutex);
    if (!failure) failure = std::move(what);
    stop.store(true);
}

void Control::Team::end_one() {
    const std::scoped_lock lock(mutex);
    --at_work;
    ended.notify_one();
}

void Control::pause(int turn) {
    constexpr int spins = 2000, yields = 100;  // about 30 and 100 us
    if (turn < spins) {
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
        __builtin_ia32_pause();
#endif
        poll(8);
    } else if (turn < spins + yields) {
        std::this_thread::yield();
        poll(512);
    } else {
        // Longer and longer, since a thread may have nothing to do in all of a parallel().
        std::this_thread::sleep_for(std::chrono::microseconds(std::min(50 + turn - spins, 1000)));
        look();
    }
}

void Control::wait(Team& team) {
    const auto over = [&] { return team.at_work == 0 || team.stop.load(); };
    const auto in_vain = [&] {
        std::unique_lock lock(team.mutex);
        return !team.ended.wait_for(lock, std::chrono::milliseconds(5), over);
    };
    while (in_vain()) look();  // without the lock
}

void Control::run_team(int helpers, Index items, Item item, void* context) {
    MEIRO_ASSERT(team_ == nullptr);  // whoever is in a team would leave it
    Team team;
    team.expected = expected_ > 0;
    const auto work = [&](Control& own) {
        for (Index next; (next = team.next.fetch_add(1)) < items;) item(context, next, own);
    };
    struct Joined {  // std::jthread is missing in some standard libraries
        Team& team;
        Team*& of_starter;
        std::vector<std::thread> threads;
        bool finished = false;
        ~Joined() {
            of_starter = nullptr;
            if (!finished) team.stop.store(true);  // unwound by the end of the interpreter
            for (std::thread& t : threads) t.join();
        }
    };
    {
        Joined joined{team, team_, {}};
        joined.threads.reserve(static_cast<std::size_t>(helpers));
        for (int i = 0; i < helpers; ++i) {
            {
                const std::scoped_lock lock(team.mutex);
                ++team.at_work;
            }
            try {
                joined.threads.emplace_back([&team, &work] {
                    Control own;
                    own.team_ = &team;
                    try {
                        work(own);
                        team.done.fetch_add(own.done_, std::memory_order_relaxed);
                    } catch (const std::exception&) {  // the core throws no other
                        team.fail(std::current_exception());
                    }
                    team.end_one();
                });
            } catch (const std::system_error&) {
                team.end_one();
                break;
            }
        }
        team_ = &team;
        try {
            work(*this);
            wait(team);
            joined.finished = true;
        } catch (const std::exception&) {
            team.fail(std::current_exception());
        }
    }
    done(team.done.load());
    polled_ += team.polled.load();
    if (team.failure) std::rethrow_exception(team.failure);
}

}  // namespace meiro
