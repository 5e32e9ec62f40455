// Calls from Python into long work, without the GIL: the only way in which the bindings call the
// core.
//
// CPython ends daemon threads at interpreter exit by unwinding them where they ask for the GIL. So
// on that path no destructor takes the GIL, and there is no catch-all and no noexcept:
// std::exception is caught, and rethrown only with the GIL. The frames of the callers hold Python
// objects, whose destructors need the GIL: the unwinding stops in detached(), see Stay.
#pragma once

#include <pybind11/pybind11.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <span>
#include <thread>
#include <utility>

#include "../core/buffer.hpp"
#include "../core/control.hpp"
#include "arrays.hpp"

namespace meiro {

namespace py = pybind11;

// The progress callback: callback(done, total), about fifty times a second; may be absent.
struct Progress {
    py::object callback = py::none();
    Index total = 0;
};

// Of the last call on this thread.
struct LastCall {
    double silence = 0;        // the longest time without a look at the hook, in seconds
    std::int64_t scratch = 0;  // the most bytes that its buffers held
};
LastCall& last_call();
// Is this the thread on which Python handles signals?
bool on_main_thread();

// Stops the unwinding of a thread at the end of the interpreter: the thread sleeps until the
// process is gone, as in CPython 3.14. Going on crashed in 4 of 4 runs on 3.12 and 3.13.
struct Stay {
    bool returned = false;
    Stay() = default;
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;
    ~Stay() {
        while (!returned) std::this_thread::sleep_for(std::chrono::hours(1));
    }
};

template <class Work>
void detached(const Progress& progress, Work work) {
    using Clock = std::chrono::steady_clock;
    static constexpr auto pause = std::chrono::milliseconds(20);
    struct Border {
        PyThreadState* thread;
        PyObject* callback;
        Index total;
        Clock::time_point next;
        bool raised;

        bool ask(Index done) {  // with the GIL
            if (PyErr_CheckSignals() != 0) return false;
            if (callback == nullptr) return true;
            // Threads that share a search may count a few sites twice.
            PyObject* answer =
                PyObject_CallFunction(callback, "LL", static_cast<long long>(std::min(done, total)),
                                      static_cast<long long>(total));
            Py_XDECREF(answer);
            return answer != nullptr;
        }
    };
    const bool reports = !progress.callback.is_none();
    const bool hooked = reports || on_main_thread();
    Border border{nullptr, reports ? progress.callback.ptr() : nullptr, progress.total,
                  Clock::now() + pause, false};
    const Control::Hook hook = [](void* context, Index done) {
        auto& b = *static_cast<Border*>(context);
        if (Clock::now() < b.next) return true;
        PyEval_RestoreThread(b.thread);
        b.raised = !b.ask(done);
        b.thread = PyEval_SaveThread();
        b.next = Clock::now() + pause;
        return !b.raised;
    };
    Control control(hooked ? hook : nullptr, &border);
    std::exception_ptr failure;
    Stay stay;
    const std::int64_t before = scratch_meter().most = scratch_meter().now;
    border.thread = PyEval_SaveThread();
    try {
        work(control);
    } catch (const std::exception&) {
        failure = std::current_exception();
    }
    PyEval_RestoreThread(border.thread);
    last_call() = {static_cast<double>(control.longest_silence()) * 1e-9,
                   scratch_meter().most - before};
    if (reports && !border.raised && !failure) border.raised = !border.ask(progress.total);
    stay.returned = true;
    if (border.raised)
        throw py::error_already_set();  // KeyboardInterrupt, or an exception of the callback
    if (failure) std::rethrow_exception(failure);
}

// A new array, which work(its memory, control) fills.
template <class T, class Work>
Array<T> new_array(py::array::ShapeContainer shape, const Progress& progress, Work work) {
    Array<T> out(std::move(shape));
    T* const to = out.mutable_data();
    detached(progress, [&](Control& control) { work(to, control); });
    return out;
}

// Does it hold for all items? There may be many.
template <class T, class Holds>
bool all_hold(std::span<const T> items, Holds holds) {
    if (items.empty()) return true;
    bool sound = true;
    detached({}, [&](Control& control) {
        by_pieces(static_cast<Index>(items.size()), control, [&](Index first, Index last) {
            for (const T& item : items.subspan(static_cast<std::size_t>(first),
                                               static_cast<std::size_t>(last - first)))
                sound &= holds(item);
        });
    });
    return sound;
}

}  // namespace meiro
