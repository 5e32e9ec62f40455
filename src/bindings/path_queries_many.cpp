// Distances and best moves in each of many mazes.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>

#include "../core/paths/path_queries_many.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "maze_array.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// Places (n, k) of the mazes, k at least 1.
ManyPlaces places_of(const Array<Index>& given, const Batch& batch, const char* name) {
    if (given.ndim() != 2 || given.shape(0) != batch.n || given.shape(1) < 1)
        throw py::value_error(std::string(name) + " must be 2-D, with a row for each maze");
    for (Index i = 0; i < given.size(); ++i)
        if (given.data()[i] < 0 || given.data()[i] >= batch.shape.size())
            throw py::value_error(std::string(name) + " is outside");
    return {flat(given, given.size(), name), given.shape(1)};
}

template <class T>
T* batch_as(const Batch& batch, py::array& out) {
    if (!py::isinstance<py::array_t<T>>(out)) return nullptr;
    if ((out.flags() & py::array::c_style) == 0 || out.ndim() != 3 || out.shape(0) != batch.n ||
        Shape{out.shape(1), out.shape(2)} != batch.shape)
        throw py::value_error("out must be C-contiguous, of the shape of the mazes");
    return static_cast<T*>(out.mutable_data());
}

// Into signed integers: steps. Into float64: costs, with weights (none, of one maze or of each).
void distances_of_batch(const Bytes& passages, std::array<bool, 2> wrap,
                        const Array<Index>& sources, const Array<double>& weights, py::array out,
                        int threads, const py::object& progress) {
    const Batch batch = batch_of(passages, std::nullopt, wrap);
    const ManyPlaces from = places_of(sources, batch, "sources");
    const Index cells = batch.n * batch.shape.size();
    const auto as = [&]<class T>(T) {
        T* const to = batch_as<T>(batch, out);
        if (to != nullptr)
            detached({progress, cells}, [&](Control& control) {
                distances_of_each<T>(batch, from, to, control, threads);
            });
        return to != nullptr;
    };
    if (as(std::int64_t{}) || as(std::int32_t{}) || as(std::int16_t{}) || as(std::int8_t{})) return;
    auto* const to = batch_as<double>(batch, out);
    if (to == nullptr) throw py::type_error("out must be of signed integers or float64");
    const bool shared = weights.size() == batch.shape.size();
    const auto given =
        flat(weights, weights.size() == 0 || shared ? weights.size() : cells, "weights");
    detached({progress, cells},
             [&](Control& control) { costs_of_each(batch, given, from, to, control, threads); });
}

Bytes moves_of_batch(const Bytes& passages, std::array<bool, 2> wrap, const Array<Index>& goals,
                     int threads, const py::object& progress) {
    const Batch batch = batch_of(passages, std::nullopt, wrap);
    const ManyPlaces ends = places_of(goals, batch, "goals");
    Bytes out({batch.n, batch.shape.rows, batch.shape.cols});
    std::uint8_t* const to = writable(out);
    detached({progress, batch.n * batch.shape.size()},
             [&](Control& control) { policy_of_each(batch, ends, to, control, threads); });
    return out;
}

}  // namespace

void bind_path_queries_many(py::module_& m) {
    const auto passages = py::arg("passages"), wrap = py::arg("wrap"), threads = py::arg("threads"),
               progress = py::arg("progress");
    def(m, "distances_many", &distances_of_batch, passages, wrap, py::arg("sources"),
        py::arg("weights"), py::arg("out"), threads, progress);
    def(m, "policy_many", &moves_of_batch, passages, wrap, py::arg("goals"), threads, progress);
}

}  // namespace meiro
