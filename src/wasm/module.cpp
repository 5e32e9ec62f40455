// The core in a browser: a module of WebAssembly with a few functions, for the documentation.
//
// Numbers are 32 bits and memory is the module's own: `allocate` gives an address in it. A call
// that fails traps, and `failure` says why; after that the module is of no more use.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <type_traits>

#include "../core/ensemble.hpp"
#include "../core/seed_sequence.hpp"
#include "../core/solve/solvers.hpp"
#include "last_words.hpp"

using namespace meiro;

namespace {

Options chosen;

}  // namespace

extern "C" {

// The names of the generators, parted by |.
[[clang::export_name("algorithms")]] const char* meiro_algorithms() {
    static std::string names;
    if (names.empty())
        for (const Generator& generator : generators())
            names.append(names.empty() ? "" : "|").append(generator.name);
    return names.c_str();
}

// An address of that many bytes; 0: there is not so much memory.
[[clang::export_name("allocate")]] void* meiro_allocate(std::uint32_t bytes) {
    return std::malloc(bytes);
}

[[clang::export_name("release")]] void meiro_release(void* address) {
    std::free(address);
}

// Sets an option of the mazes that this instance makes: its number in `option_facts`, and its value
// as the core has it; `other` is the second of two sides.
[[clang::export_name("option")]] void meiro_option(std::uint32_t option, std::uint64_t value,
                                                   std::uint64_t other) {
    each_option(chosen, [=]<class T>(const OptionFacts& facts, T& field) {
        if (facts.option != static_cast<Option>(option)) return;
        if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
            field = static_cast<T>(value);
        } else if constexpr (std::is_same_v<T, Chance>) {
            field.share = value;
        } else if constexpr (std::is_same_v<T, decltype(Options::choose)>) {
            field = {};
            field.at(value) = 1;
        } else if constexpr (std::is_same_v<T, decltype(Options::sides)>) {
            field = {static_cast<Index>(value), static_cast<Index>(other)};
        } else if constexpr (std::is_same_v<T, const Generator*>) {
            field = &generators()[value];
        }  // else an array, which the page does not offer
    });
}

// Fills `out`, a byte for each of the rows * cols cells, with the maze that
// `meiro.generate((rows, cols), algorithm, rng=seed)` makes with the options. `mask` has a byte for
// each cell, 1 where one exists; null: all do. `entropy` is the seed: words of 32 bits, the low
// ones first.
[[clang::export_name("generate")]] void meiro_generate(std::uint32_t algorithm, std::uint32_t rows,
                                                       std::uint32_t cols, const std::uint8_t* mask,
                                                       const std::uint32_t* entropy,
                                                       std::uint32_t words, std::uint8_t* out) {
    const auto key = key_of_entropy({entropy, words});
    const Shape shape{rows, cols};
    const Generator& generator = generators()[algorithm];
    Control control;
    const Ensemble one{generator, out, 1, shape, {}, mask, {{key[0], key[1]}, 0}, chosen};
    generate_many(one, control, 1);
}

// A shortest path from one cell to another: writes the direction of each step (0 north, 1
// east, 2 south, 3 west) to `out`, which has room for rows * cols, and returns their number; -1:
// there is no path.
[[clang::export_name("solve")]] std::int32_t meiro_solve(const std::uint8_t* passages,
                                                         std::uint32_t rows, std::uint32_t cols,
                                                         std::uint32_t start, std::uint32_t end,
                                                         std::uint8_t* out) {
    const Shape shape{rows, cols};
    const Index goal = end;
    const SolveOptions usual;
    Control control;
    Search search{adjacency_of_passages(passages, shape), start, {&goal, 1}, {}, usual, control};
    NoTrace none;
    const SearchResult result = bfs(search, none);
    std::copy(result.steps.begin(), result.steps.end(), out);
    return result.found ? static_cast<std::int32_t>(result.steps.size()) : -1;
}

[[clang::export_name("failure")]] const char* meiro_failure() {
    return last_words();
}
}
