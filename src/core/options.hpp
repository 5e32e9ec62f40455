// The options of all generators: one plain struct, and one row of facts for each field.
//
// A generator's row in the registry names the options it reads. Python checks what users give
// against these facts, in one generic function. The bindings read the fields by their types, and
// check again what would be unsafe.
#pragma once

#include <array>
#include <span>
#include <string_view>

#include "lattice.hpp"
#include "random.hpp"

namespace meiro {

struct Generator;

enum class AfterDeadEnd : std::uint8_t { newest, random };
enum class Corner : std::uint8_t { north_west, north_east, south_east, south_west };
enum class Hunt : std::uint8_t { row_major, random_row };
enum class Walks : std::uint8_t { posts, cells };
enum class DeadEnds : std::uint8_t { keep, remove };

// How many times as likely: in units of 2^-20, from 2^-10 to 2^10.
using Factor = std::uint64_t;
inline constexpr Factor even_odds = Factor{1} << 20;

struct Options {
    static constexpr Index first_cell = -1, random_cell = -2;

    Index start = first_cell;  // a cell id, or one of the two
    AfterDeadEnd after_dead_end = AfterDeadEnd::newest;
    std::span<const Index> order;         // wall ids, each once; empty: not given
    std::span<const double> weights;      // by wall id; empty: not given
    std::span<const std::uint8_t> falls;  // direction bits of the inner posts; empty: not given
    Corner corner = Corner::north_west;
    Direction towards = Direction::north;
    std::array<std::uint32_t, 4> choose{1, 0, 0, 0};  // odds of newest, oldest, random, middle
    Hunt hunt = Hunt::row_major;
    Walks walks = Walks::posts;  // where it can be: see wilson.cpp
    Index room = 2;
    Factor run = even_odds, bias = even_odds;
    Chance p{Chance::certain / 2};
    Index steps = -1;  // -1: until every cell was visited
    Index trees = -1;  // -1: one for 100 cells
    Index tries = -1;  // -1: one for 10 cells
    std::array<Index, 2> sides{2, 5};
    Chance doors{0};
    DeadEnds dead_ends = DeadEnds::keep;
    const Generator* fill = nullptr;  // null: backtracker
};

enum class Option : unsigned {
    start,
    after_dead_end,
    order,
    weights,
    falls,
    corner,
    towards,
    choose,
    hunt,
    walks,
    room,
    run,
    bias,
    p,
    steps,
    trees,
    tries,
    sides,
    doors,
    dead_ends,
    fill
};

struct OptionFacts {
    Option option{};
    std::string_view name;
    std::string_view kind;     // says how it is checked: the keys of _KINDS in options.py
    std::string_view choices;  // of a choice or mix, parted by |, the default first
    Index least = 0;           // of a number or of sides
    double scratch = 0;        // worst bytes a cell that it adds to the generator's own
};

// visit(facts, field) for each option: the one table of them, in the order of Option.
template <class Visit>
constexpr void each_option(Options& o, Visit visit) {
    using Row = OptionFacts;
    visit(Row{Option::start, "start", "cell", ""}, o.start);
    visit(Row{Option::after_dead_end, "after_dead_end", "choice", "newest|random"},
          o.after_dead_end);
    visit(Row{Option::order, "order", "wall_order", "", 0, 8}, o.order);
    visit(Row{Option::weights, "weights", "wall_weights", "", 0, 24}, o.weights);
    visit(Row{Option::falls, "falls", "post_directions", ""}, o.falls);
    visit(Row{Option::corner, "corner", "choice", "north_west|north_east|south_east|south_west"},
          o.corner);
    visit(Row{Option::towards, "towards", "choice", "north|east|south|west", 0, 1}, o.towards);
    visit(Row{Option::choose, "choose", "mix", "newest|oldest|random|middle"}, o.choose);
    visit(Row{Option::hunt, "hunt", "choice", "row_major|random_row"}, o.hunt);
    visit(Row{Option::walks, "walks", "choice", "posts|cells", 0, 1}, o.walks);
    visit(Row{Option::room, "room", "count", "", 2}, o.room);
    visit(Row{Option::run, "run", "factor", "", 1}, o.run);
    visit(Row{Option::bias, "bias", "factor", "", 1}, o.bias);
    visit(Row{Option::p, "p", "probability", ""}, o.p);
    visit(Row{Option::steps, "steps", "count", ""}, o.steps);
    visit(Row{Option::trees, "trees", "count", "", 1, 32}, o.trees);
    visit(Row{Option::tries, "tries", "count", ""}, o.tries);
    visit(Row{Option::sides, "sides", "sides", "", 1}, o.sides);
    visit(Row{Option::doors, "doors", "probability", ""}, o.doors);
    visit(Row{Option::dead_ends, "dead_ends", "choice", "keep|remove"}, o.dead_ends);
    visit(Row{Option::fill, "fill", "generator", ""}, o.fill);
}

inline constexpr auto option_facts = [] {
    std::array<OptionFacts, static_cast<std::size_t>(Option::fill) + 1> rows;
    Options options;
    each_option(options, [&](const OptionFacts& row, auto&) {
        rows.at(static_cast<std::size_t>(row.option)) = row;
    });
    return rows;
}();

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
