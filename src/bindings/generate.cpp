// Generating one maze or many.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <string>
#include <string_view>
#include <utility>

#include "../core/ensemble.hpp"
#include "../core/generate/cellular_automaton.hpp"
#include "../core/seed_sequence.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_graph.hpp"
#include "held_options.hpp"
#include "recording.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

struct Wanted {
    const Generator& generator;
    Bytes& out;
    Seed first;
    const py::dict& options;
    int threads;
    const py::object& progress;
    const py::object& recording;

    void check_one() const {
        if (out.shape(0) != 1) throw py::value_error("out must be one maze");
    }
};

void generate_on_squares(const Wanted& wanted, const std::optional<Booleans>& exists,
                         std::array<bool, 2> wraps) {
    Bytes& out = wanted.out;
    if (out.ndim() != 3) throw py::value_error("out must be 3-D");
    const Index n = out.shape(0);
    if (n == 0) return;
    const Shape shape = checked_shape(out.shape(1), out.shape(2));
    const Mask mask = mask_of(exists, shape);
    const Wrap wrap = wrap_for(wanted.generator, mask, wraps, shape);
    const HeldOptions held(wanted.options, shape, wrap, mask);
    const Ensemble many{wanted.generator, writable(out), n, shape, wrap, mask,
                        wanted.first,     held.options};
    Watching<HeldRecording> watching(wanted.recording);
    if (watching) wanted.check_one();
    detached({wanted.progress, n * shape.size()}, [&](Control& control) {
        if (watching)
            watching.record(shape, Space::cells, control, [&](Trace& trace) {
                make_one(many, 0, many.passages, control, 1, &trace);
            });
        else
            generate_many(many, control, wanted.threads);
    });
}

void generate_on_graph(const Wanted& wanted, const HeldGraph& held) {
    const Graph& graph = held.graph();
    std::uint8_t* const open = writable_edges(wanted.out, graph);
    const HeldOptions given(wanted.options, graph.cells(), graph.edges());
    const GraphHints hints = held.hints();
    const Index n = wanted.out.shape(0);
    const GraphEnsemble many{wanted.generator, graph, hints, open, n, wanted.first, given.options};
    Watching<HeldGraphRecording> watching(wanted.recording);
    if (watching) wanted.check_one();
    detached({wanted.progress, n * graph.cells()}, [&](Control& control) {
        if (watching)
            watching.record(places_of(graph), Space::sites, control, [&](Trace& trace) {
                make_one(many, 0, open, control, nullptr, &trace);
            });
        else
            generate_many(many, control, wanted.threads);
    });
}

// Fills `out` with the mazes of replicates seed[2], seed[2] + 1, ...: (n, rows, cols) where `place`
// is a mask and a wrap, (n, edges) where it is a graph. One maze may be recorded.
void generate(const std::string& algorithm, const py::object& place, Bytes out, SeedWords seed,
              const py::dict& given, int threads, const py::object& progress,
              const py::object& recording) {
    const Generator& generator = find_generator(algorithm);
    const Wanted wanted{generator, out, seed_of(seed), given, threads, progress, recording};
    if (!py::isinstance<HeldGraph>(place)) {
        const auto parts = item_as<py::tuple>(place, "place");
        if (parts.size() != 2) throw py::value_error("place has two parts, or is a graph");
        generate_on_squares(wanted, item_as<std::optional<Booleans>>(parts[0], "mask"),
                            item_as<std::array<bool, 2>>(parts[1], "wrap"));
        return;
    }
    if (!generator.graph) throw py::value_error(algorithm + " takes no graph");
    generate_on_graph(wanted, place.cast<const HeldGraph&>());
}

// The key of a seed, of integers as bytes: 4 per word, the low ones first.
std::pair<std::uint64_t, std::uint64_t> seed_key(const py::bytes& entropy) {
    const auto bytes = static_cast<std::string_view>(entropy);
    if (bytes.size() % 4 != 0) throw py::value_error("entropy must be words of 4 bytes");
    Buffer<std::uint32_t> words(static_cast<Index>(bytes.size() / 4));
    for (Index i = 0; i < words.size(); ++i) {
        const auto byte = [&](int k) {
            return std::uint32_t{
                static_cast<unsigned char>(bytes[static_cast<std::size_t>(4 * i + k)])};
        };
        words[i] = byte(0) | byte(1) << 8 | byte(2) << 16 | byte(3) << 24;
    }
    const auto key = key_of_entropy({words.data(), static_cast<std::size_t>(words.size())});
    return {key[0], key[1]};
}

// Words first .. first + n - 1 of a stream, for the test against NumPy's Philox.
Array<std::uint64_t> random_words(std::array<std::uint64_t, 4> address, std::uint64_t purpose,
                                  std::uint64_t first, Index n) {
    const Random random({{address[0], address[1]}, address[2]}, static_cast<Purpose>(purpose),
                        address[3]);
    Array<std::uint64_t> out(n);
    for (Index i = 0; i < n; ++i)
        out.mutable_at(i) = random.at(first + static_cast<std::uint64_t>(i));
    return out;
}

// Runs the automaton in `sites`, (h, w). With a seed the first generation is random, a site a wall
// with probability p.
void cellular_automaton(Bytes sites, std::array<unsigned, 2> rule, std::array<bool, 2> wraps,
                        bool outside, Index steps, std::optional<SeedWords> seed, double p) {
    const Shape shape = checked_shape(sites, "sites");
    const AutomatonRule automaton{rule[0], rule[1], wrap_of(wraps, shape), outside};
    std::uint8_t* const to = writable(sites);
    detached({}, [&](Control& control) {
        if (seed) random_walls(seed_of(*seed), p, shape, to, control);
        run_automaton(automaton, shape, to, steps, control);
    });
}

}  // namespace

void bind_generate(py::module_& m) {
    def(m, "generate", &generate, "algorithm", "place", "out", "seed", "options", "threads",
        "progress", "recording");
    def(m, "cellular_automaton", &cellular_automaton, "sites", "rule", "wrap", "outside", "steps",
        "seed", "p");
    def(m, "seed_key", &seed_key, "entropy");
    def(m, "random_words", &random_words, "address", "purpose", "first", "n");
}

}  // namespace meiro
