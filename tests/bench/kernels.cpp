// One kernel of the core on one maze, for tests/bench/instructions.py: `meiro_kernels kruskal 512`;
// `wilson/mask`: with a mask of which 3 % of the cells are missing.
// What is within `measured` counts; what the kernel is given is made before.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <vector>

#include "buffer.hpp"
#include "generate/job.hpp"
#include "registry.hpp"
#include "solve/solvers.hpp"
#include "transform/grid.hpp"

using namespace meiro;

extern "C" [[gnu::noinline]] void measured(const std::function<void()>& run) {
    run();
}

namespace {

constexpr Seed seed{{7, 0}};

template <class Row>
const Row* find(std::span<const Row> rows, std::string_view name) {
    for (const Row& row : rows)
        if (row.name == name) return &row;
    return nullptr;
}

void generate(const Generator& generator, Shape shape, Mask mask, std::uint8_t* passages,
              Control& control) {
    Options options;
    if (generator.name == "growing_tree") options.choose = {0, 0, 1, 0};  // else it is backtracker
    NoTrace silent;
    Job job{{passages, shape, {}}, mask, seed, options, control};
    generator.run(job, silent);
}

bool run(std::string_view name, Shape shape) {
    constexpr std::string_view masked = "/mask";
    Control control;
    Buffer<std::uint8_t> passages(shape.size()), mask(shape.size());
    Random random(seed, Purpose::begin);
    for (std::uint8_t& cell : mask) cell = random.below(100) >= 3 ? 1 : 0;
    const bool with_mask = name.ends_with(masked);
    if (with_mask) name.remove_suffix(masked.size());
    if (const Generator* generator = find(generators(), name)) {
        measured([&] {
            generate(*generator, shape, with_mask ? mask.data() : nullptr, passages.data(),
                     control);
        });
        return true;
    }
    if (with_mask) return false;
    generate(*find(generators(), "backtracker"), shape, nullptr, passages.data(), control);
    if (name == "to_grid") {
        const Index rows = 2 * shape.rows + 1;
        Buffer<std::uint8_t> grid(rows * (2 * shape.cols + 1));
        measured([&] { expand(passages.data(), shape, nullptr, 0, rows, grid.data(), control); });
        return true;
    }
    const Adjacency adjacency = adjacency_of_passages(passages.data(), shape);
    if (name == "distances") {
        Buffer<std::int32_t> steps(shape.size());
        const std::vector<Index> sources{0};
        measured([&] { distances<std::int32_t>(adjacency, sources, steps.data(), control); });
        return true;
    }
    const Solver* solver = find(solvers(), name);
    if (solver == nullptr) return false;
    const SolveOptions options;
    const std::vector<Index> goals{shape.size() - 1};
    Search search{adjacency, 0, goals, seed, options, control};
    NoTrace silent;
    measured([&] { solver->run(search, silent); });
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    const Index side = argc == 3 ? std::atoll(argv[2]) : 0;
    if (side < 1 || !run(argv[1], {side, side})) {
        std::fputs("usage: meiro_kernels GENERATOR[/mask]|SOLVER|distances|to_grid SIDE\n", stderr);
        return 2;
    }
    return 0;
}
