// Exact numbers of graphs: spanning trees, and resistances of edges.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include "../core/graph/laplacian.hpp"
#include "binding.hpp"
#include "held_graph.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

// The number of spanning forests modulo each prime; 0 where the prime says nothing.
Array<std::uint64_t> forests_modulo(const HeldGraph& held, const Array<std::uint64_t>& primes) {
    Array<std::uint64_t> out(primes.size());
    const std::uint64_t* const from = primes.data();
    std::uint64_t* const to = out.mutable_data();
    const Index n = primes.size();
    for (Index i = 0; i < n; ++i)
        if (from[i] < 3 || from[i] >> 31 != 0) throw py::value_error("primes are below 2^31");
    detached({}, [&](Control& control) {
        const Laplacian laplacian(held.graph(), control);
        for (Index i = 0; i < n; ++i) to[i] = laplacian.forests_modulo(from[i], control);
    });
    return out;
}

// The logarithm of the weighted number of forests; fills the resistances of the edges if given.
double log_forests(const HeldGraph& held, const std::optional<Array<double>>& conductances,
                   const std::optional<Array<double>>& resistances) {
    const Index edges = held.graph().edges();
    const double* given = nullptr;
    if (conductances) given = flat(*conductances, edges, "conductances").data();
    double* out = nullptr;
    if (resistances) {
        flat(*resistances, edges, "resistances");
        Array<double> writing = *resistances;
        out = writing.mutable_data();
    }
    double found = 0;
    detached({}, [&](Control& control) {
        found = Laplacian(held.graph(), control).log_forests(given, out, control);
    });
    return found;
}

}  // namespace

void bind_graph_exact(py::module_& m) {
    def(m, "forests_modulo", &forests_modulo, py::arg("graph"), py::arg("primes"));
    def(m, "log_forests", &log_forests, py::arg("graph"), py::arg("conductances"),
        py::arg("resistances"));
}

}  // namespace meiro
