// Eller's algorithm with given walls, and row by row without end.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <tuple>

#include "../core/generate/eller.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "object_lock.hpp"
#include "recording.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// Fills `out` with the maze of the given walls; the last row of `lower` is not read.
void eller_given(const Bytes& right, const Bytes& lower, Bytes out, const py::object& progress,
                 const py::object& recording) {
    const Shape shape = checked_shape(lower, "lower");
    const Index rows = shape.rows, cols = shape.cols;
    if (shape_of(right, "right") != Shape{rows, cols - 1})
        throw py::value_error("right must be (rows, cols - 1), lower (rows, cols)");
    if (shape_of(out, "out") != shape) throw py::value_error("out must be (rows, cols)");
    const std::uint8_t* const right_walls = right.data();
    const std::uint8_t* const below = lower.data();
    std::uint8_t* const to = writable(out);
    Watching<HeldRecording> watching(recording);
    detached({progress, shape.size()}, [&](Control& control) {
        if (watching) {
            watching.record(shape, Space::cells, control, [&](Trace& trace) {
                watch_eller(right_walls, below, Passages(to, shape), control, trace);
            });
            return;
        }
        EllerRow row(cols);
        for (Index r = 0; r < rows; ++r) {
            const EllerCoins coins(right_walls + r * (cols - 1), below + r * cols, cols);
            if (r + 1 < rows)
                row.next(coins, to + r * cols, control);
            else
                row.last(coins, to + r * cols, control);
        }
    });
}

// The rows of one endless maze. A call that fails or is interrupted has no effect on the state:
// what it has spoiled is restored before the sets are needed again, as that takes long for a long
// row.
class EllerRows {
public:
    EllerRows(Index cols, SeedWords seed, Index row, const std::optional<Bytes>& state,
              bool finished)
        : seed_(seed_of(seed)),
          number_(row),
          finished_(finished),
          row_(checked_shape(1, cols).cols),
          before_(cols) {
        if (row < 0) throw py::value_error("row must not be negative");
        if (!state) return;
        bool sound = shape_of(*state, "sets") == Shape{1, cols};
        if (sound)
            run(1,
                [&, sets = state->data()](Control& control) { sound = row_.put(sets, control); });
        if (!sound) throw py::value_error("sets are not those of a row of Eller's algorithm");
    }

    void make(Bytes out, const std::optional<Bytes>& right, const std::optional<Bytes>& lower,
              bool last) {
        const Index cols = row_.cols();
        const auto [n, width] = shape_of(out, "out");
        if (n < 1 || width != cols) throw py::value_error("out must be (n, cols)");
        if (right && n != 1) throw py::value_error("walls are given for one row");
        if (right && shape_of(*right, "right") != Shape{1, cols - 1})
            throw py::value_error("right must be (1, cols - 1)");
        if (lower && shape_of(*lower, "lower") != Shape{1, cols})
            throw py::value_error("lower must be (1, cols)");
        std::uint8_t* to = writable(out);
        const ObjectLock::Held alone(lock_);
        if (finished_) throw py::value_error("another thread has made the last row");
        const Index first = number_;
        const EllerCoins coins =
            right ? EllerCoins(right->data(), lower ? lower->data() : nullptr, cols)
                  : EllerCoins(seed_, first + n - 1);
        run(n, [&, n = n](Control& control) {
            restore(control);
            row_.get(before_.data(), control);
            spoiled_ = true;
            for (Index row = first; row < first + n - 1; ++row, to += cols)
                row_.next({seed_, row}, to, control);
            if (last)
                row_.last(coins, to, control);
            else
                row_.next(coins, to, control);
        });
        // What a signal raises from here on would come before Python has the row.
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        spoiled_ = false;
        number_ += n;
        finished_ = last;
    }

    // NOLINTBEGIN(readability-make-member-function-const): `def` takes methods that are not.
    Index row() { return number_; }
    bool finished() { return finished_; }
    // NOLINTEND(readability-make-member-function-const)
    // The number of rows, whether the last one was made, and the sets.
    std::tuple<Index, bool, Bytes> state() {
        const ObjectLock::Held alone(lock_);
        Bytes out({Index{1}, row_.cols()});
        std::uint8_t* const to = writable(out);
        run(1, [&](Control& control) {
            restore(control);
            row_.get(to, control);
        });
        return {number_.load(), finished_.load(), out};
    }

private:
    static constexpr Index attached = Index{1} << 14;

    void restore(Control& control) {
        if (!spoiled_) return;
        row_.put(before_.data(), control);
        spoiled_ = false;
    }

    // Without the GIL, except where releasing it would take longer than the work.
    template <class Work>
    void run(Index rows, Work work) {
        if (rows * row_.cols() <= attached) {
            Control control;
            work(control);
        } else {
            detached({}, work);
        }
    }

    Seed seed_;
    std::atomic<Index> number_;   // another thread may ask
    std::atomic<bool> finished_;  // while a row is made
    EllerRow row_;
    Buffer<std::uint8_t> before_;  // the sets before the row that is being made
    bool spoiled_ = false;         // the sets of row_ are no longer sound, those of before_ are
    ObjectLock lock_;
};

}  // namespace

void bind_eller(py::module_& m) {
    def(m, "eller_given", &eller_given, "right", "lower", "out", "progress", "recording");
    py::class_<EllerRows> rows(m, "EllerRows");
    def_constructor<Index, SeedWords, Index, const std::optional<Bytes>&, bool>(
        rows, "cols", "seed", "row", "sets", "finished");
    def(rows, "make", &EllerRows::make, "out", "right", "lower", "last");
    def(rows, "row", &EllerRows::row);
    def(rows, "finished", &EllerRows::finished);
    def(rows, "state", &EllerRows::state);
}

}  // namespace meiro
