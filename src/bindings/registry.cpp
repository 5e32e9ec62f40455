// The registry and the facts about options, as plain Python data.
#include <pybind11/pybind11.h>

#include <string>
#include <string_view>
#include <utility>

#include "../core/measure/measures.hpp"
#include "../core/registry.hpp"
#include "topics.hpp"

namespace meiro {
namespace py = pybind11;
namespace {

using namespace py::literals;

py::tuple parts(std::string_view text) {
    py::list out;
    while (!text.empty()) {
        const std::size_t end = text.find('|');
        out.append(py::str(std::string(text.substr(0, end))));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return py::tuple(out);
}

py::str text(std::string_view s) {
    return {s.data(), s.size()};
}

constexpr std::pair<Trait, std::string_view> made_in[] = {
    {Trait::rows, "rows"}, {Trait::windows, "windows"}, {Trait::endless, "endless"}};

py::tuple names_in(OptionSet set) {
    py::list names;
    for (const OptionFacts& o : option_facts)
        if (has(set, o.option)) names.append(text(o.name));
    return py::tuple(names);
}

py::list generator_facts() {
    using enum Trait;
    py::list out;
    for (const Generator& g : generators()) {
        py::list made;
        for (const auto& [trait, name] : made_in)
            if (g.is(trait)) made.append(text(name));
        out.append(py::dict(
            "name"_a = text(g.name), "law"_a = text(g.law), "options"_a = names_in(g.options),
            "masks"_a = g.is(masks), "wraps"_a = g.is(wraps), "perfect"_a = g.is(perfect),
            "threads"_a = g.is(threads), "random"_a = !g.is(fixed), "parts"_a = py::tuple(made),
            "scratch"_a = g.scratch, "wrapped"_a = g.wrapped, "masked"_a = g.masked,
            "graphs"_a = static_cast<bool>(g.graph), "graph_options"_a = names_in(g.graph_options),
            "graph_scratch"_a = g.graph_scratch));
    }
    return out;
}

py::list solver_facts() {
    using enum SolverTrait;
    py::list out;
    for (const Solver& s : solvers())
        out.append(py::dict(
            "name"_a = text(s.name), "solutions"_a = text(s.solutions),
            "shortest"_a = s.is(shortest), "complete"_a = !s.is(incomplete),
            "sees"_a = s.is(local) ? "local" : "whole map", "walks"_a = s.is(walks),
            "fills"_a = s.is(fills), "wraps"_a = !s.is(flat), "random"_a = s.is(draws),
            "threads"_a = s.is(shared), "options"_a = parts(s.options), "scratch"_a = s.scratch,
            "graphs"_a = static_cast<bool>(s.run.graphs),
            "graph_options"_a = parts(s.graph_options), "graph_scratch"_a = s.graph_scratch));
    return out;
}

py::list measure_facts() {
    using enum MeasureTrait;
    py::list out;
    for (const MeasureFacts& m : measures())
        out.append(py::dict("name"_a = text(m.name), "kind"_a = m.is(whole) ? "int" : "float",
                            "needs"_a = m.is(of_tree)   ? "tree"
                                        : m.is(of_path) ? "path"
                                                        : "",
                            "local"_a = m.local != 0, "graphs"_a = !m.is(of_squares)));
    return out;
}

py::dict option_rows() {
    py::dict out;
    for (const OptionFacts& o : option_facts)
        out[text(o.name)] = py::dict("kind"_a = text(o.kind), "choices"_a = parts(o.choices),
                                     "least"_a = o.least, "scratch"_a = o.scratch);
    return out;
}

}  // namespace

void bind_registry(py::module_& m) {
    m.attr("GENERATORS") = generator_facts();
    m.attr("SOLVERS") = solver_facts();
    m.attr("MEASURES") = measure_facts();
    m.attr("OPTIONS") = option_rows();
}

}  // namespace meiro
