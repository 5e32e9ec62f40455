// What there is: two constexpr tables, generators and solvers. Python, the command line and the tests
// learn of a new algorithm from here and nowhere else.
#pragma once

#include <span>
#include <string_view>

#include "control.hpp"
#include "options.hpp"
#include "passages.hpp"
#include "random.hpp"
#include "recorder.hpp"

namespace meiro {

// Everything a generator is given. It leaves `maze` finished.
struct Job {
    Passages maze;
    Mask mask;
    Seed seed;
    const Options& options;
    Control& control;
    int threads = 1;
};

struct Generator {
    std::string_view name;
    std::string_view aliases;    // parted by |; other scripts as \u escapes
    std::string_view law;        // the file of the exact law, without _RxC.json; or empty
    std::string_view reference;  // where the algorithm is from
    std::string_view good_for;   // what it is good for, in one line
    OptionSet options;
    bool masks;      // takes a mask
    bool perfect;    // one tree a part
    bool threads;    // can use more than one thread for one maze
    double scratch;  // worst bytes a cell beside the passages
    void (*run)(Job&, NoTrace&);
    void (*trace)(Job&, Trace&);
};

std::span<const Generator> generators();

}  // namespace meiro
