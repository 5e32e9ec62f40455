// The registry: two constexpr tables, generators and solvers. Python, the command line and the
// tests take the list of algorithms from here; python/meiro/descriptions.json has their texts.
#pragma once

#include <span>
#include <string_view>

#include "options.hpp"
#include "trace/events.hpp"

namespace meiro {

struct Job;
struct GraphJob;
struct Search;
struct SearchResult;
struct GraphSearch;
struct GraphSearchResult;

enum class Trait : unsigned {
    masks = 1,     // takes a mask
    wraps = 2,     // takes a wrap
    perfect = 4,   // one tree a part, unless an option says otherwise
    threads = 8,   // can use more than one thread for one maze
    fixed = 16,    // nothing is random: every seed makes the same maze
    rows = 32,     // makes one row after the other, in the scratch memory of a row
    windows = 64,  // makes any window of a maze without the rest
    endless = 128  // also of one without borders
};
constexpr Trait operator|(Trait a, Trait b) {
    return static_cast<Trait>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

struct Generator {
    std::string_view name;
    std::string_view law;  // the file of the exact law, without _RxC.json; or empty
    OptionSet options;
    Trait traits;    // Trait | Trait ...
    double scratch;  // worst bytes a cell beside the passages
    const Runs<Job>& run;
    // The same on graphs, with those of its options that have a meaning there; null: not there.
    OptionSet graph_options = 0;
    double graph_scratch = 0;  // worst bytes a cell and edge
    const Runs<GraphJob>& graph = no_runs<GraphJob>;
    float wrapped = 0;  // that a wrap adds to the scratch on squares
    float masked = 0;   // that a mask adds to it

    constexpr bool is(Trait trait) const {
        return (static_cast<unsigned>(traits) & static_cast<unsigned>(trait)) != 0;
    }
};

std::span<const Generator> generators();

// A solver of squares, and of graphs if it has a form for them.
struct SolverRuns {
    Runs<Search, SearchResult> squares;
    Runs<GraphSearch, GraphSearchResult> graphs = {};
    auto operator()(Search& search, auto& record) const { return squares(search, record); }
    auto operator()(GraphSearch& search, auto& record) const { return graphs(search, record); }
};

// Made of run(search, record), a generic function.
template <class Run>
constexpr SolverRuns on_squares(Run run) {
    return {{run, run}};
}
template <class Run>
constexpr SolverRuns on_squares_and_graphs(Run run) {
    return {{run, run}, {run, run}};
}

enum class SolverTrait : unsigned {
    plain = 0,
    shortest = 1,    // its path is a shortest one
    incomplete = 2,  // it may find none where there is one
    local = 4,       // it sees what is beside it, not the whole map
    walks = 8,       // it moves step by step: there is a `walk`
    fills = 16,      // it fills dead ends: there is a `remains`
    flat = 32,       // it takes no periodic mazes
    draws = 64,      // it always draws: the seed matters
    shared = 128     // it can use more than one thread for one maze
};
constexpr SolverTrait operator|(SolverTrait a, SolverTrait b) {
    return static_cast<SolverTrait>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

struct Solver {
    std::string_view name;
    std::string_view solutions;  // what it finds: "one", "a shortest", "all", ...
    SolverTrait traits;          // SolverTrait | SolverTrait ...
    std::string_view options;    // what it reads beside start and goal, parted by |
    double scratch;              // worst bytes a site beside the Adjacency
    const SolverRuns& run;
    // Of its form for graphs: those of its options that have a meaning there, and the worst bytes a
    // cell and edge.
    // NOLINTNEXTLINE(readability-redundant-member-init): g++ warns of rows without it.
    std::string_view graph_options = {};
    double graph_scratch = 0;

    constexpr bool is(SolverTrait trait) const {
        return (static_cast<unsigned>(traits) & static_cast<unsigned>(trait)) != 0;
    }
};

std::span<const Solver> solvers();

}  // namespace meiro
