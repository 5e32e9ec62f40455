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

py::list generator_facts() {
    py::list out;
    for (const Generator& g : generators()) {
        py::list options, graph_options;
        for (const OptionFacts& o : option_facts) {
            if (has(g.options, o.option)) options.append(text(o.name));
            if (has(g.graph_options, o.option)) graph_options.append(text(o.name));
        }
        py::dict row;
        row["name"] = text(g.name);
        row["law"] = text(g.law);
        row["options"] = py::tuple(options);
        row["masks"] = g.is(Trait::masks);
        row["wraps"] = g.is(Trait::wraps);
        row["perfect"] = g.is(Trait::perfect);
        row["threads"] = g.is(Trait::threads);
        row["random"] = !g.is(Trait::fixed);
        py::list made;
        for (const auto& [trait, name] : made_in)
            if (g.is(trait)) made.append(text(name));
        row["parts"] = py::tuple(made);
        row["scratch"] = g.scratch;
        row["wrapped"] = g.wrapped;
        row["masked"] = g.masked;
        row["graphs"] = static_cast<bool>(g.graph);
        row["graph_options"] = py::tuple(graph_options);
        row["graph_scratch"] = g.graph_scratch;
        out.append(row);
    }
    return out;
}

py::list solver_facts() {
    using enum SolverTrait;
    py::list out;
    for (const Solver& s : solvers()) {
        py::dict row;
        row["name"] = text(s.name);
        row["solutions"] = text(s.solutions);
        row["shortest"] = s.is(shortest);
        row["complete"] = !s.is(incomplete);
        row["sees"] = s.is(local) ? "local" : "whole map";
        row["walks"] = s.is(walks);
        row["fills"] = s.is(fills);
        row["wraps"] = !s.is(flat);
        row["random"] = s.is(draws);
        row["threads"] = s.is(shared);
        row["options"] = parts(s.options);
        row["scratch"] = s.scratch;
        row["graphs"] = static_cast<bool>(s.run.graphs);
        row["graph_options"] = parts(s.graph_options);
        row["graph_scratch"] = s.graph_scratch;
        out.append(row);
    }
    return out;
}

py::list measure_facts() {
    py::list out;
    for (const MeasureFacts& m : measures()) {
        py::dict row;
        row["name"] = text(m.name);
        row["kind"] = m.is(MeasureTrait::whole) ? "int" : "float";
        row["needs"] = m.is(MeasureTrait::of_tree)   ? "tree"
                       : m.is(MeasureTrait::of_path) ? "path"
                                                     : "";
        row["local"] = m.local != 0;
        row["graphs"] = !m.is(MeasureTrait::of_squares);
        out.append(row);
    }
    return out;
}

py::dict option_rows() {
    py::dict out;
    for (const OptionFacts& o : option_facts) {
        py::dict row;
        row["kind"] = text(o.kind);
        row["choices"] = parts(o.choices);
        row["least"] = o.least;
        row["scratch"] = o.scratch;
        out[text(o.name)] = row;
    }
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
