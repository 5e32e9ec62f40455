// Measuring mazes, given or generated.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <vector>

#include "../core/graph/graph_measure.hpp"
#include "../core/measure/degree_counts.hpp"
#include "../core/measure/measure_many.hpp"
#include "../core/paths/double_sweep.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_options.hpp"
#include "held_space.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

using Measures = std::vector<const MeasureFacts*>;

const MeasureFacts& find_measure(const std::string& name) {
    const MeasureFacts* const found = measure_named(name);
    if (found == nullptr) throw py::key_error(name);
    return *found;
}

Measures listed(const std::vector<std::string>& names) {
    Measures list;
    list.reserve(names.size());
    for (const std::string& name : names) list.push_back(&find_measure(name));
    return list;
}

// One existing cell of each maze.
const Index* cells_of(const Array<Index>& cells, const HeldSpace& space, const char* name) {
    const auto each = flat(cells, space.n(), name);
    for (Index i = 0; i < space.n(); ++i) {
        const Index cell = each[static_cast<std::size_t>(i)];
        const Mask mask = space.mask_of(i);
        if (cell < 0 || cell >= space.places() || (mask != nullptr && mask[cell] == 0))
            throw py::value_error(std::string(name) + " is not a cell of the maze");
    }
    return each.data();
}

// Mazes with the measures that are asked for.
struct Measured {
    HeldSpace space;
    const Index *starts, *goals;
    Measures list;

    Measured(const py::tuple& parts, const Array<Index>& from, const Array<Index>& to,
             const std::vector<std::string>& names)
        : space(parts), starts(cells_of(from, space, "start")), goals(cells_of(to, space, "goal")) {
        if (space.sites()) throw py::value_error("sites have no measures");
        list = listed(names);
        for (const MeasureFacts* const one : list)
            if (space.on_graph() && one->is(MeasureTrait::of_squares))
                throw py::key_error(std::string(one->name));
    }
    Batch batch() const {
        Batch mazes = space.squares();
        mazes.starts = starts;
        mazes.goals = goals;
        return mazes;
    }
    void run(double* out, Control& control, int threads,
             std::string_view* reasons = nullptr) const {
        if (space.on_graph())
            measure_graphs({space.graph(), space.open(), space.n(), starts, goals}, list, out,
                           control, threads, reasons);
        else
            measure_batch(batch(), list, out, control, threads, reasons);
    }
};

// (n, names)
Array<double> measure(const py::tuple& parts, const Array<Index>& starts, const Array<Index>& goals,
                      const std::vector<std::string>& names, int threads,
                      const py::object& progress) {
    const Measured given(parts, starts, goals, names);
    return new_array<double>(
        {given.space.n(), static_cast<Index>(given.list.size())},
        {progress, given.space.all_places()},
        [&](double* values, Control& control) { given.run(values, control, threads); });
}

// Why a measure of one maze has no value; empty if it has one.
std::vector<std::string> measure_reasons(const py::tuple& parts, const Array<Index>& starts,
                                         const Array<Index>& goals,
                                         const std::vector<std::string>& names) {
    const Measured given(parts, starts, goals, names);
    given.space.require_one();
    std::vector<std::string_view> found(given.list.size());
    std::vector<double> values(found.size());
    detached({}, [&](Control& control) { given.run(values.data(), control, 1, found.data()); });
    return {found.begin(), found.end()};
}

// The most bytes that measures of a maze take beside it.
Index scratch_of_measures(std::array<Index, 2> sides, std::array<bool, 2> wraps,
                          const std::vector<std::string>& names, int threads) {
    const Shape shape = checked_shape(sides[0], sides[1]);
    return measure_scratch(shape, wrap_of(wraps, shape), listed(names), threads);
}

// The measures of replicates seed[2], seed[2] + 1, ... of a generator: (n, names).
Array<double> measure_many(const std::string& algorithm, Index n, std::array<Index, 2> sides,
                           SeedWords seed, const std::optional<Booleans>& exists,
                           std::array<bool, 2> wraps, const py::dict& given,
                           const std::vector<std::string>& names, int threads,
                           const py::object& progress) {
    const Generator& generator = find_generator(algorithm);
    if (n < 0) throw py::value_error("n must not be negative");
    const Shape shape = checked_shape(sides[0], sides[1]);
    const Mask mask = mask_of(exists, shape);
    const Wrap wrap = wrap_for(generator, mask, wraps, shape);
    const HeldOptions held(given, shape, wrap, mask);
    const Measures list = listed(names);
    const Ensemble many{generator, nullptr, n, shape, wrap, mask, seed_of(seed), held.options};
    return new_array<double>({n, static_cast<Index>(list.size())}, {progress, n * shape.size()},
                             [&](double* values, Control& control) {
                                 measure_ensemble(many, list, values, control, threads);
                             });
}

// How many of the mazes count each cell in a local measure: (cells).
Array<Index> position_counts(const py::tuple& parts, const std::string& name,
                             const py::object& progress) {
    const HeldSpace space(parts);
    const MeasureFacts& facts = find_measure(name);
    const unsigned set = facts.local;
    if (set == 0) throw py::value_error(name + " is not local");
    if (space.sites()) throw py::value_error("sites have no measures");
    if (space.on_graph() && facts.is(MeasureTrait::of_squares)) throw py::key_error(name);
    return new_array<Index>(
        {space.places()}, {progress, space.all_places()}, [&](Index* counts, Control& control) {
            if (space.on_graph())
                count_graph_positions({space.graph(), space.open(), space.n(), nullptr, nullptr},
                                      set, counts, control);
            else
                count_positions(space.squares(), set, counts, control);
        });
}

// The cells of some rows of a maze, out of which passages may lead, (n, cols): passages to the east
// and to the south, cells of degree 1, 3 and 4, and straight ones.
std::array<Index, 6> cell_sums(const Bytes& passages) {
    const Index size = shape_of(passages, "passages").size();
    CellCounts found;
    detached({},
             [&](Control& control) { found = count_cells(passages.data(), size, size, control); });
    return {found.horizontal, found.vertical,   found.dead_ends,
            found.junctions,  found.crossroads, found.straights};
}

// For each place of one maze the number of those `among` that are at least so far away, as
// count_far().
Array<Index> far_counts(const py::tuple& parts, const Bytes& among, Index least) {
    const HeldSpace space(parts);
    space.require_one();
    const auto chosen = flat(among, space.places(), "among");
    if (!all_hold(chosen, [](std::uint8_t byte) { return byte <= 1; }))
        throw py::value_error("among must be 0 or 1");
    if (least < 1) throw py::value_error("least must be 1 or more");
    return new_array<Index>({space.places()}, {}, [&](Index* to, Control& control) {
        space.each(control, 1, [&](const auto& maze, Index, Control& one, int) {
            count_far(maze, chosen.data(), least, to, one);
        });
    });
}

}  // namespace

void bind_measure(py::module_& m) {
    def(m, "measure", &measure, "space", "starts", "goals", "names", "threads", "progress");
    def(m, "measure_reasons", &measure_reasons, "space", "starts", "goals", "names");
    def(m, "measure_scratch", &scratch_of_measures, "shape", "wrap", "names", "threads");
    def(m, "measure_many", &measure_many, "algorithm", "n", "shape", "seed", "mask", "wrap",
        "options", "names", "threads", "progress");
    def(m, "position_counts", &position_counts, "space", "name", "progress");
    def(m, "cell_sums", &cell_sums, "passages");
    def(m, "far_counts", &far_counts, "space", "among", "least");
}

}  // namespace meiro
