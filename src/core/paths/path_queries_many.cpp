#include "path_queries_many.hpp"

#include "../solve/solvers.hpp"
#include "path_queries.hpp"

namespace meiro {
namespace {

// body(adjacency, i, control) for each maze.
template <class Body>
void search_each(const Batch& batch, Control& control, int threads, Body body) {
    const Index size = batch.shape.size();
    by_dozens(batch.n, size, control, threads, [&](Index first, Index last, Control& worker) {
        MazeCopy copy(batch);
        for (Index i = first; i < last; ++i) {
            worker.poll(size / 8 + 1);
            body(copy.of(i, worker), i, worker);
        }
    });
}

}  // namespace

template <class T>
void distances_of_each(const Batch& batch, const ManyPlaces& sources, T* out, Control& control,
                       int threads) {
    const auto body = [&](const Adjacency& adjacency, Index i, Control& worker) {
        distances(adjacency, sources.of(i), out + i * batch.shape.size(), worker);
    };
    search_each(batch, control, threads, body);
}

template void distances_of_each(const Batch&, const ManyPlaces&, std::int8_t*, Control&, int);
template void distances_of_each(const Batch&, const ManyPlaces&, std::int16_t*, Control&, int);
template void distances_of_each(const Batch&, const ManyPlaces&, std::int32_t*, Control&, int);
template void distances_of_each(const Batch&, const ManyPlaces&, std::int64_t*, Control&, int);

void costs_of_each(const Batch& batch, std::span<const double> weights, const ManyPlaces& sources,
                   double* out, Control& control, int threads) {
    const Index size = batch.shape.size();
    const bool shared = static_cast<Index>(weights.size()) <= size;
    const auto body = [&](const Adjacency& adjacency, Index i, Control& worker) {
        const auto own = shared ? weights
                                : weights.subspan(static_cast<std::size_t>(i * size),
                                                  static_cast<std::size_t>(size));
        costs(adjacency, own, sources.of(i), out + i * size, worker);
    };
    search_each(batch, control, threads, body);
}

void policy_of_each(const Batch& batch, const ManyPlaces& goals, std::uint8_t* out,
                    Control& control, int threads) {
    const Index size = batch.shape.size();
    const auto body = [&](const Adjacency& adjacency, Index i, Control& worker) {
        const Buffer<std::uint8_t> bits = policy(adjacency, goals.of(i), worker);
        by_pieces(size, worker, [&](Index first, Index last) {
            std::copy(bits.data() + first, bits.data() + last, out + i * size + first);
        });
    };
    search_each(batch, control, threads, body);
}

}  // namespace meiro
