// The core in a browser: a module of WebAssembly with a few functions, for the documentation.
//
// Numbers are 32 bits and memory is the module's own: `allocate` gives an address in it. A call
// that fails traps, and `failure` says why; after that the module is of no more use.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "../core/ensemble.hpp"
#include "../core/seed_sequence.hpp"
#include "../core/solve/solvers.hpp"
#include "last_words.hpp"

using namespace meiro;

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

// Fills `out`, a byte for each of the rows * cols cells, with the maze that
// `meiro.generate((rows, cols), algorithm, rng=seed)` makes. `entropy` is the seed: words of 32
// bits, the low ones first.
[[clang::export_name("generate")]] void meiro_generate(std::uint32_t algorithm, std::uint32_t rows,
                                                       std::uint32_t cols,
                                                       const std::uint32_t* entropy,
                                                       std::uint32_t words, std::uint8_t* out) {
    const auto key = key_of_entropy({entropy, words});
    const Shape shape{rows, cols};
    const Options usual;
    const Generator& generator = generators()[algorithm];
    Control control;
    const Ensemble one{generator, out, 1, shape, {}, nullptr, {{key[0], key[1]}, 0}, usual};
    generate_many(one, control, 1);
}

// A shortest path from the first cell to the last: writes the direction of each step (0 north, 1
// east, 2 south, 3 west) to `out`, which has room for rows * cols, and returns their number; -1:
// there is no path.
[[clang::export_name("solve")]] std::int32_t meiro_solve(const std::uint8_t* passages,
                                                         std::uint32_t rows, std::uint32_t cols,
                                                         std::uint8_t* out) {
    const Shape shape{rows, cols};
    const Index goal = shape.size() - 1;
    const SolveOptions usual;
    Control control;
    Search search{adjacency_of_passages(passages, shape), 0, {&goal, 1}, {}, usual, control};
    NoTrace none;
    const SearchResult result = bfs(search, none);
    std::copy(result.steps.begin(), result.steps.end(), out);
    return result.found ? static_cast<std::int32_t>(result.steps.size()) : -1;
}

[[clang::export_name("failure")]] const char* meiro_failure() {
    return last_words();
}
}
