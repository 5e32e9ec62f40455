// Every solver, with every option of its own, on mazes and arrays: what is found, and the events.
#include <functional>
#include <stdexcept>

#include "goldens.hpp"
#include "solve/solvers.hpp"
#include "transform/grid.hpp"

namespace meiro {
namespace {

// What is searched: passages, or a wall/road array.
struct Terrain {
    std::string_view name;
    Shape shape;
    Wrap wrap;
    bool sites;
    Bytes bytes;
    Index start, goal;  // sites that exist
};

Options porous() {
    Options options;
    options.p.share = Chance::certain / 4 * 3;
    return options;
}

std::vector<Terrain> terrains() {
    const Shape small{13, 17}, large{150, 200};
    const Index last = small.size() - 1;
    std::vector<Terrain> all{
        {"tree", small, {}, false, maze_of("wilson", small), 0, last},
        {"winding", large, {}, false, maze_of("backtracker", large), 0, large.size() - 1},
        {"loops", small, {}, false, maze_of("percolation", small, lattices[0], porous()), 0, last},
        {"sparse", small, {}, false, maze_of("percolation", small), 0, last},
        {"torus", small, {true, true}, false, maze_of("kruskal", small, lattices[4]), 0, last},
        {"torus_loops",
         small,
         {true, true},
         false,
         maze_of("percolation", small, lattices[4], porous()),
         0,
         last},
    };
    for (const std::string_view from : {"tree", "loops"}) {
        const Bytes& open = all[from == "tree" ? 0 : 2].bytes;
        const Shape grid = small.grid();
        Bytes walls(at(grid.size()));
        Control control;
        expand(open.data(), small, nullptr, 0, grid.rows, walls.data(), control);
        all.push_back({from == "tree" ? "array_tree" : "array_loops",
                       grid,
                       {},
                       true,
                       walls,
                       grid.id({1, 1}),
                       grid.id({grid.rows - 2, grid.cols - 2})});
    }
    const Shape field{40, 60};
    Bytes walls(at(field.size()));
    for (Index i = 0; i < field.size(); ++i) walls[at(i)] = scattered(i) % 5 == 0 ? 1 : 0;
    walls.front() = walls.back() = 0;
    all.push_back({"field", field, {}, true, walls, 0, field.size() - 1});
    return all;
}

struct Setting {
    std::string text;
    bool diagonals = false;
    std::function<void(SolveOptions&)> set = [](SolveOptions&) {};
};

// A new option of a solver has no golden until it has values here.
std::vector<Setting> settings_of(std::string_view options, const std::vector<double>& weights) {
    std::vector<Setting> all{{""}};
    while (!options.empty()) {
        const std::size_t end = std::min(options.find('|'), options.size());
        const std::string_view name = options.substr(0, end);
        options.remove_prefix(std::min(end + 1, options.size()));
        if (name == "directions")
            all.push_back({"directions=WSEN", false, [](SolveOptions& o) {
                               o.directions = {Direction::west, Direction::south, Direction::east,
                                               Direction::north};
                           }});
        else if (name == "rng")
            all.push_back({"rng", false, [](SolveOptions& o) { o.random = true; }});
        else if (name == "moves")
            all.push_back({"moves=8", true});
        else if (name == "weights")
            all.push_back(
                {"weights=scattered", false, [&](SolveOptions& o) { o.weights = weights; }});
        else if (name == "turn_cost")
            for (const bool diagonals : {false, true})
                all.push_back({diagonals ? "moves=8/turn_cost=1.5" : "turn_cost=1.5", diagonals,
                               [](SolveOptions& o) { o.turn_cost = 1.5; }});
        else if (name == "hand")
            all.push_back({"hand=left", false, [](SolveOptions& o) { o.hand = Hand::left; }});
        else if (name == "max_steps")
            all.push_back({"max_steps=50", false, [](SolveOptions& o) { o.max_steps = 50; }});
        else
            throw std::runtime_error("no values for the option " + std::string(name));
    }
    if (all.back().text.starts_with("weights"))
        all.push_back(
            {"moves=8/weights=scattered", true, [&](SolveOptions& o) { o.weights = weights; }});
    return all;
}

void put(Digest& digest, const Search& search, const SearchResult& found) {
    digest << found.found << found.explored << found.goal << path_cost(search, found);
    digest.each(found.reason).each(found.steps).each(found.reached).each(found.order);
    digest.each(found.walk).each(found.remains);
}

void check_search(Goldens& goldens, const std::string& key, const Solver& solver,
                  const Terrain& terrain, const Setting& setting, Index n_goals) {
    goldens.check(key, terrain.shape.size(), [&](Digest& digest) {
        std::vector<Index> goals{terrain.goal};
        for (Index site = terrain.shape.size() / 2; static_cast<Index>(goals.size()) < n_goals;
             ++site)
            if (!terrain.sites || terrain.bytes[at(site)] == 0) goals.push_back(site);
        SolveOptions options;
        options.order = true;
        setting.set(options);
        Control control;
        Bytes moves(terrain.bytes.size());
        const std::uint8_t* const bytes = terrain.bytes.data();
        Search search{!terrain.sites ? adjacency_of_passages(bytes, terrain.shape, terrain.wrap,
                                                             moves.data(), control)
                      : setting.diagonals
                          ? adjacency_with_diagonals(bytes, terrain.shape, moves.data(), control)
                          : adjacency_of_walls(bytes, terrain.shape, moves.data(), control),
                      terrain.start,
                      goals,
                      {{1, 2}, 3},
                      options,
                      control};
        NoTrace none;
        put(digest, search, solver.run(search, none));
        std::vector<std::uint64_t> piece(4096);
        Trace trace(
            terrain.shape, terrain.sites ? Space::sites : Space::cells, piece.data(), 4096,
            [](void* to, const std::uint64_t* events, Index size) {
                for (Index i = 0; i < size; ++i)
                    *static_cast<Digest*>(to) << without_clause(events[i]);
            },
            &digest);
        put(digest, search, solver.run(search, trace));
        trace.flush();
    });
}

}  // namespace

void check_solvers(Goldens& goldens) {
    for (const Terrain& terrain : terrains()) {
        const std::vector<double> weights = scattered_weights(terrain.shape.size());
        for (const Solver& solver : solvers()) {
            if (terrain.wrap.any() && solver.is(SolverTrait::flat)) continue;
            for (const Setting& setting : settings_of(solver.options, weights)) {
                if (setting.diagonals && !terrain.sites) continue;
                for (const Index goals : {1, 3})
                    if (goals == 1 || setting.text.empty())
                        check_search(goldens,
                                     key_of({"solve", solver.name, setting.text, terrain.name,
                                             goals > 1 ? "goals=3" : ""}),
                                     solver, terrain, setting, goals);
            }
        }
    }
}

}  // namespace meiro
