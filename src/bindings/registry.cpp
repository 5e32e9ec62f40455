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
        out.append(py::dict(py::arg("name") = text(g.name), py::arg("law") = text(g.law),
                            py::arg("options") = names_in(g.options),
                            py::arg("masks") = g.is(masks), py::arg("wraps") = g.is(wraps),
                            py::arg("perfect") = g.is(perfect), py::arg("threads") = g.is(threads),
                            py::arg("random") = !g.is(fixed), py::arg("parts") = py::tuple(made),
                            py::arg("scratch") = g.scratch, py::arg("wrapped") = g.wrapped,
                            py::arg("masked") = g.masked,
                            py::arg("graphs") = static_cast<bool>(g.graph),
                            py::arg("graph_options") = names_in(g.graph_options),
                            py::arg("graph_scratch") = g.graph_scratch));
    }
    return out;
}

py::list solver_facts() {
    using enum SolverTrait;
    py::list out;
    for (const Solver& s : solvers())
        out.append(py::dict(
            py::arg("name") = text(s.name), py::arg("solutions") = text(s.solutions),
            py::arg("shortest") = s.is(shortest), py::arg("complete") = !s.is(incomplete),
            py::arg("sees") = s.is(local) ? "local" : "whole map", py::arg("walks") = s.is(walks),
            py::arg("fills") = s.is(fills), py::arg("wraps") = !s.is(flat),
            py::arg("random") = s.is(draws), py::arg("threads") = s.is(shared),
            py::arg("options") = parts(s.options), py::arg("scratch") = s.scratch,
            py::arg("graphs") = static_cast<bool>(s.run.graphs),
            py::arg("graph_options") = parts(s.graph_options),
            py::arg("graph_scratch") = s.graph_scratch));
    return out;
}

py::list measure_facts() {
    using enum MeasureTrait;
    py::list out;
    for (const MeasureFacts& m : measures())
        out.append(py::dict(
            py::arg("name") = text(m.name), py::arg("kind") = m.is(whole) ? "int" : "float",
            py::arg("needs") = m.is(of_tree)   ? "tree"
                               : m.is(of_path) ? "path"
                                               : "",
            py::arg("local") = m.local != 0, py::arg("graphs") = !m.is(of_squares)));
    return out;
}

py::dict option_rows() {
    py::dict out;
    for (const OptionFacts& o : option_facts)
        out[text(o.name)] =
            py::dict(py::arg("kind") = text(o.kind), py::arg("choices") = parts(o.choices),
                     py::arg("least") = o.least, py::arg("scratch") = o.scratch);
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
