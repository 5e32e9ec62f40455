// The options of all generators: one plain struct, and one row of facts for each field.
//
// A generator's row in the registry names the options it reads. Python checks what users give
// against these facts, in one generic function; the bindings check again what would be unsafe.
#pragma once

#include <span>
#include <string_view>

#include "lattice.hpp"

namespace meiro {

enum class AfterDeadEnd : std::uint8_t { newest, random };

struct Options {
    Index start = -1;  // a cell id; -1: the first cell of the mask
    AfterDeadEnd after_dead_end = AfterDeadEnd::newest;
    std::span<const Index> order;         // wall ids, each once; empty: not given
    std::span<const double> weights;      // by wall id; empty: not given
    std::span<const std::uint8_t> falls;  // direction bits of the inner posts; empty: not given
};

enum class Option : unsigned { start, after_dead_end, order, weights, falls };

struct OptionFacts {
    Option option;
    std::string_view name;
    std::string_view kind;     // cell, choice, wall_order, wall_weights or post_directions
    std::string_view choices;  // of a choice, parted by |, the default first
    double scratch;            // worst bytes a cell that it adds to the generator's own
    std::string_view about;    // one sentence for the table and the error messages
};

inline constexpr OptionFacts option_facts[] = {
    {Option::start, "start", "cell", "", 0,
     "the cell (row, col) to begin from; the first cell by default"},
    {Option::after_dead_end, "after_dead_end", "choice", "newest|random", 0,
     "where to go on after a dead end: the newest cell that still can grow, or a random one"},
    {Option::order, "order", "wall_order", "", 8,
     "every wall id once, in the order they are looked at"},
    {Option::weights, "weights", "wall_weights", "", 24,
     "one float a wall id; the lightest wall is looked at first, ties by the lower id"},
    {Option::falls, "falls", "post_directions", "", 0,
     "(rows - 1, cols - 1) direction bits N=1 E=2 S=4 W=8: where each inner post falls"},
};

// A set of options, as bits.
using OptionSet = std::uint32_t;
template <class... O>
constexpr OptionSet options_of(O... options) {
    return (OptionSet{0} | ... | (OptionSet{1} << static_cast<unsigned>(options)));
}
constexpr bool has(OptionSet set, Option o) {
    return (set >> static_cast<unsigned>(o) & 1u) != 0;
}

}  // namespace meiro
