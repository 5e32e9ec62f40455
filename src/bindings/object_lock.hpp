// A lock that admits one thread at a time to an object that Python holds.
//
// No thread waits for this lock with the GIL: the thread that has the lock may be waiting for the
// GIL, a deadlock. The wait is detached(), so Ctrl-C ends it.
#pragma once

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "detached.hpp"

namespace meiro {

class ObjectLock {
public:
    // Holds the lock during its lifetime. To be made with the GIL.
    class Held {
    public:
        explicit Held(ObjectLock& lock) : lock_(lock) {
            if (lock.owner_ == std::this_thread::get_id())  // in a signal handler or a finalizer
                throw std::runtime_error("this object is in use by a call that has not returned");
            if (lock.take()) return;
            detached({}, [&](Control& control) {
                while (!lock.take()) {
                    std::this_thread::sleep_for(std::chrono::microseconds(200));
                    control.poll(Control::stride);
                }
            });
        }
        ~Held() { lock_.owner_ = std::thread::id(); }
        Held(const Held&) = delete;
        Held& operator=(const Held&) = delete;

    private:
        ObjectLock& lock_;
    };

private:
    bool take() {
        std::thread::id nobody;
        return owner_.compare_exchange_strong(nobody, std::this_thread::get_id());
    }

    std::atomic<std::thread::id> owner_;
};

}  // namespace meiro
