// What there is: two constexpr tables, generators and solvers. Python, the command line and the
// tests learn of a new algorithm from here and nowhere else.
#pragma once

#include <span>
#include <string_view>

#include "control.hpp"
#include "options.hpp"
#include "passages.hpp"
#include "random.hpp"
#include "solve/search.hpp"
#include "trace/events.hpp"

namespace meiro {

// Everything a generator is given. It leaves `maze` finished.
struct Job {
    Passages maze;
    Mask mask;
    Seed seed;
    const Options& options;
    Control& control;
    int threads = 1;

    bool exists(Index cell) const { return mask == nullptr || mask[cell] != 0; }
};

enum class Trait : unsigned {
    masks = 1,    // takes a mask
    wraps = 2,    // takes a wrap
    perfect = 4,  // one tree a part, unless an option says otherwise
    threads = 8,  // can use more than one thread for one maze
    fixed = 16    // nothing is random: every seed makes the same maze
};
constexpr unsigned operator|(Trait a, Trait b) {
    return static_cast<unsigned>(a) | static_cast<unsigned>(b);
}
constexpr unsigned operator|(unsigned a, Trait b) {
    return a | static_cast<unsigned>(b);
}

struct Generator {
    std::string_view name;
    std::string_view aliases;    // parted by |; other scripts as \u escapes
    std::string_view law;        // the file of the exact law, without _RxC.json; or empty
    std::string_view reference;  // where the algorithm is from
    std::string_view good_for;   // what it is good for, in one line
    OptionSet options;
    unsigned traits;     // Trait or Trait ...
    double scratch;      // worst bytes a cell beside the passages
    double wrapped = 0;  // that a wrap adds to it
    void (*run)(Job&, NoTrace&);
    void (*trace)(Job&, Trace&);

    constexpr bool is(Trait trait) const { return (traits & static_cast<unsigned>(trait)) != 0; }
};

std::span<const Generator> generators();

struct Solver {
    std::string_view name;
    std::string_view aliases;    // as a generator's
    std::string_view reference;  // where it is from
    std::string_view good_for;   // what it is good for, in one line
    std::string_view options;    // what it reads beside start and goal, parted by |
    std::string_view solutions;  // what it finds: "one", "a shortest", "all", "all shortest"
    std::string_view promise;    // when it finds a way, in words
    bool shortest;               // its path is a shortest one
    bool complete;               // it finds a path whenever there is one
    std::string_view sees;       // what the one who walks must know: "local" or "whole map"
    bool walks = false;          // somebody walks: there is a `walk`
    bool fills = false;          // it fills what leads nowhere: there is a `remains`
    bool wraps = true;           // it can be asked where a maze wraps
    bool random = false;         // it always draws: the seed matters
    double scratch;              // worst bytes a site beside the Adjacency
    SearchResult (*run)(Search&, NoTrace&);
    SearchResult (*trace)(Search&, Trace&);
};

std::span<const Solver> solvers();

}  // namespace meiro
