// Every generator and solver on graphs, with every option that has a meaning there: mazes, traces
// and paths.
#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>

#include "goldens.hpp"
#include "solve/solvers.hpp"
#include "trace/frame_deltas.hpp"

namespace meiro {
namespace {

constexpr Seed seed{{1, 2}, 3};

// A graph, and what a lattice would say of it.
struct Terrain {
    std::string_view name;
    std::vector<GraphId> ends{};
    std::unique_ptr<Graph> graph{};
    std::vector<GraphId> straight{}, clockwise{};
    std::vector<double> positions{};

    void connect(Index cells) {
        Control control;
        graph = std::make_unique<Graph>(cells, ends.data(), static_cast<Index>(ends.size() / 2),
                                        control);
    }
    GraphHints hints() const { return {nullptr, straight.empty() ? nullptr : straight.data()}; }
};

// The four neighbours, east before south; the numbers of edges are row by row.
Terrain square(std::string_view name, Shape shape) {
    Terrain made{name};
    for (Index row = 0; row < shape.rows; ++row)
        for (Index col = 0; col < shape.cols; ++col) {
            const auto cell = static_cast<GraphId>(row * shape.cols + col);
            const auto below = static_cast<GraphId>(cell + shape.cols);
            if (col + 1 < shape.cols) made.ends.insert(made.ends.end(), {cell, cell + 1});
            if (row + 1 < shape.rows) made.ends.insert(made.ends.end(), {cell, below});
            made.positions.insert(made.positions.end(),
                                  {static_cast<double>(col), static_cast<double>(row)});
        }
    made.connect(shape.size());
    const Graph& graph = *made.graph;
    // By direction (north, east, south, west), the slot of a cell or -1.
    const auto slots = [&](Index cell) {
        std::array<GraphId, 4> found{-1, -1, -1, -1};
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot) {
            const Index by = graph.to()[slot] - cell;
            found[by == shape.cols ? 2 : by == -shape.cols ? 0 : by == 1 ? 1 : 3] = slot;
        }
        return found;
    };
    made.clockwise.resize(at(graph.slots()));
    for (Index cell = 0; cell < graph.cells(); ++cell) {
        const std::array<GraphId, 4> found = slots(cell);
        for (std::size_t d = 0; d < 4; ++d) {
            std::size_t next = (d + 1) % 4;
            while (found[next] < 0 && next != d) next = (next + 1) % 4;
            if (found[d] >= 0) made.clockwise[at(found[d])] = found[next];
        }
    }
    made.straight.resize(2 * at(graph.edges()), -1);
    for (Index step = 0; step < 2 * graph.edges(); ++step) {
        const GraphId* const pair = graph.ends() + step / 2 * 2;
        const Index from = pair[step % 2], to = pair[1 - step % 2];
        for (const GraphId slot : slots(to))
            if (slot >= 0 && graph.to()[slot] - to == to - from)
                made.straight[at(step)] =
                    2 * graph.via()[slot] + (graph.ends()[2 * graph.via()[slot]] == to ? 0 : 1);
    }
    return made;
}

// Scattered edges with parallel ones and self loops, in several parts.
Terrain scattered_graph() {
    Terrain made{"scattered"};
    for (Index i = 0; i < 150; ++i)
        for (Index end = 0; end < 2; ++end)
            made.ends.push_back(static_cast<GraphId>(scattered(2 * i + end) % 30 + i % 2 * 30));
    made.connect(61);
    return made;
}

// Six cells, each adjacent to all others.
Terrain complete_graph() {
    Terrain made{"complete"};
    for (GraphId one = 0; one < 6; ++one)
        for (GraphId other = one + 1; other < 6; ++other)
            made.ends.insert(made.ends.end(), {one, other});
    made.connect(6);
    return made;
}

// What options point into.
struct Arrays {
    std::vector<Index> order{};
    std::vector<double> weights{};
};
struct OptionValue {
    std::string text;
    std::function<void(const Graph&, Arrays&, Options&)> set;
};

// A new option for graphs has no golden until it has values here.
std::vector<OptionValue> values_of(Option option) {
    switch (option) {
        case Option::start:
            return {{"random",
                     [](const Graph&, Arrays&, Options& o) { o.start = Options::random_cell; }},
                    {"last",
                     [](const Graph& graph, Arrays&, Options& o) { o.start = graph.cells() - 1; }}};
        case Option::after_dead_end:
            return {{"random", [](const Graph&, Arrays&, Options& o) {
                         o.after_dead_end = AfterDeadEnd::random;
                     }}};
        case Option::order:
            return {{"scattered", [](const Graph& graph, Arrays& arrays, Options& o) {
                         arrays.order.resize(at(graph.edges()));
                         std::iota(arrays.order.begin(), arrays.order.end(), 0);
                         std::sort(arrays.order.begin(), arrays.order.end(), [](Index a, Index b) {
                             return std::pair(scattered(a), a) < std::pair(scattered(b), b);
                         });
                         o.order = arrays.order;
                     }}};
        case Option::weights:
            return {{"scattered", [](const Graph& graph, Arrays& arrays, Options& o) {
                         arrays.weights = scattered_weights(graph.edges());
                         o.weights = arrays.weights;
                     }}};
        case Option::choose:
            return {{"oldest", [](const Graph&, Arrays&, Options& o) { o.choose = {0, 1, 0, 0}; }},
                    {"newest:3,random:1",
                     [](const Graph&, Arrays&, Options& o) { o.choose = {3, 0, 1, 0}; }}};
        case Option::run:
            return {{"4", [](const Graph&, Arrays&, Options& o) { o.run = even_odds * 4; }}};
        case Option::p:
            return {{"0.625", [](const Graph&, Arrays&, Options& o) {
                         o.p.share = Chance::certain / 8 * 5;
                     }}};
        case Option::steps:
            return {{"100", [](const Graph&, Arrays&, Options& o) { o.steps = 100; }}};
        case Option::trees:
            return {{"5", [](const Graph&, Arrays&, Options& o) { o.trees = 5; }}};
        default:
            throw std::runtime_error("an option for graphs has no values");
    }
}

// The maze; the events, and how states and frames follow from them.
void check_maze(Goldens& goldens, const std::string& key, const Generator& generator,
                const Terrain& terrain, const OptionValue& value) {
    const Graph& graph = *terrain.graph;
    const Index places = graph.cells() + graph.edges();
    goldens.check(key, graph.cells(), [&](Digest& digest) {
        Arrays arrays;
        Options options;
        if (value.set) value.set(graph, arrays, options);
        Control control;
        Bytes open(at(graph.edges()));
        const GraphHints hints = terrain.hints();
        const auto job = [&] {
            std::fill(open.begin(), open.end(), std::uint8_t{0});
            return GraphJob{graph, open.data(), seed, options, hints, control};
        };
        NoTrace none;
        GraphJob silent = job();
        generator.graph(silent, none);
        digest.each(open);
        if (places > 1000) return;
        const std::function<void(Trace&)> work = [&](Trace& trace) {
            GraphJob told = job();
            generator.graph(told, trace);
        };
        GraphRecording recording;
        recording.run({1, places}, Space::sites, control, work);
        digest << recording.count() << recording.kinds();
        std::vector<std::uint64_t> words(at(recording.count()));
        recording.keep({&graph, nullptr, LabelKind::areas, recording.kinds()},
                       {0, recording.count(), 10, false}, words.data());
        recording.run({1, places}, Space::sites, control, work);
        Bytes states(at(places));
        recording.at(recording.count() / 2).write_states(states.data());
        digest.each(states);
        const FrameDeltas deltas =
            compute_deltas(recording, {nullptr, -1, -1}, 3, true, 1 << 20, control);
        digest.each(deltas.first).each(deltas.labels);
        for (Index i = 0; i < deltas.changes.size(); ++i) digest << deltas.changes[i];
        for (const std::uint64_t word : words) digest << without_clause(word);
        digest.each(open);
    });
}

void check_search(Goldens& goldens, const Solver& solver, std::string_view setting,
                  const Terrain& terrain, const std::function<void(SolveOptions&)>& set) {
    const Graph& graph = *terrain.graph;
    goldens.check(key_of({"graph_solve", solver.name, setting, terrain.name}), graph.cells(),
                  [&](Digest& digest) {
                      Control control;
                      Bytes open(at(graph.edges()));
                      const Options plain;
                      const GraphHints hints = terrain.hints();
                      GraphJob job{graph, open.data(), seed, plain, hints, control};
                      NoTrace none;
                      generator_of("kruskal").graph(job, none);
                      for (std::size_t edge = 0; edge < open.size(); edge += 7) open[edge] = 1;
                      const OpenGraph maze(graph, open.data(), control);
                      SolveOptions options;
                      options.order = true;
                      options.positions = terrain.positions;
                      options.clockwise = terrain.clockwise;
                      set(options);
                      const std::vector<Index> goals{graph.cells() - 2, graph.cells() / 2};
                      GraphSearch search{maze, 1, goals, seed, options, control};
                      const auto put = [&](const GraphSearchResult& found) {
                          digest << found.found << found.explored << found.goal;
                          digest.each(found.reason).each(found.steps).each(found.order);
                          digest.each(found.walk).each(found.remains);
                      };
                      put(solver.run(search, none));
                      std::vector<std::uint64_t> piece(4096);
                      Trace trace(
                          {1, graph.cells() + graph.edges()}, Space::sites, piece.data(), 4096,
                          [](void* to, const std::uint64_t* events, Index size) {
                              for (Index i = 0; i < size; ++i)
                                  *static_cast<Digest*>(to) << without_clause(events[i]);
                          },
                          &digest);
                      put(solver.run(search, trace));
                      trace.flush();
                  });
}

void check_searches(Goldens& goldens, const Solver& solver, const Terrain& terrain) {
    const auto has_option = [&](std::string_view name) {
        return solver.graph_options.find(name) != std::string_view::npos;
    };
    check_search(goldens, solver, "", terrain, [](SolveOptions&) {});
    const std::vector<double> weights = scattered_weights(terrain.graph->edges());
    if (has_option("weights"))
        check_search(goldens, solver, "weights=scattered", terrain,
                     [&](SolveOptions& o) { o.weights = weights; });
    if (has_option("rng"))
        check_search(goldens, solver, "rng", terrain, [](SolveOptions& o) { o.random = true; });
    if (has_option("hand"))
        check_search(goldens, solver, "hand=left", terrain,
                     [](SolveOptions& o) { o.hand = Hand::left; });
    if (has_option("max_steps"))
        check_search(goldens, solver, "max_steps=50", terrain,
                     [](SolveOptions& o) { o.max_steps = 50; });
}

}  // namespace

void check_graphs(Goldens& goldens) {
    std::vector<Terrain> terrains;
    terrains.push_back(square("square_7x9", {7, 9}));
    terrains.push_back(square("square_100x257", {100, 257}));
    terrains.push_back(scattered_graph());
    terrains.push_back(complete_graph());
    for (const Terrain& terrain : terrains) {
        for (const Generator& generator : generators()) {
            if (!generator.graph) continue;
            check_maze(goldens, key_of({"graph", generator.name, terrain.name}), generator, terrain,
                       {});
            for (const OptionFacts& facts : option_facts) {
                if (!has(generator.graph_options, facts.option)) continue;
                if (facts.option == Option::run && terrain.straight.empty()) continue;
                for (const OptionValue& value : values_of(facts.option))
                    check_maze(goldens,
                               key_of({"graph", generator.name,
                                       std::string(facts.name).append("=").append(value.text),
                                       terrain.name}),
                               generator, terrain, value);
            }
        }
        for (const Solver& solver : solvers())
            if (solver.run.graphs && (solver.name != "wall_follower" || !terrain.clockwise.empty()))
                check_searches(goldens, solver, terrain);
    }
}

}  // namespace meiro
