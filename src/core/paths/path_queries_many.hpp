// Distances and best moves in each maze of a batch, on several threads.
#pragma once

#include <span>

#include "../batch.hpp"

namespace meiro {

// `each` existing cells of every maze, one maze after the other.
struct ManyPlaces {
    std::span<const Index> cells;
    Index each;

    std::span<const Index> of(Index i) const {
        return cells.subspan(static_cast<std::size_t>(i * each), static_cast<std::size_t>(each));
    }
};

// out: (n, cells), as distances() fills it, std::overflow_error included.
template <class T>
void distances_of_each(const Batch& batch, const ManyPlaces& sources, T* out, Control& control,
                       int threads);

// The same for costs(). `weights`: none, those of a maze for all of them, or those of each maze.
void costs_of_each(const Batch& batch, std::span<const double> weights, const ManyPlaces& sources,
                   double* out, Control& control, int threads);

// out: (n, cells), as policy() returns it.
void policy_of_each(const Batch& batch, const ManyPlaces& goals, std::uint8_t* out,
                    Control& control, int threads);

}  // namespace meiro
