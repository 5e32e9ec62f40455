#include "unequal_weights.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

#include "star_mesh.hpp"

namespace meiro {
namespace {

// By walks of at most `steps` steps on what is left; false if they were not enough. Lane and
// lane + 1 of the random words are those of the walk and of the lift.
bool make_one(const StarMesh& mesh, const PutOff& maze, Index steps, std::uint64_t lane,
              Control& control) {
    const Graph& rest = mesh.rest();
    Buffer<std::uint8_t> tree(rest.edges(), true);
    Options options;
    options.weights = mesh.rest_weights();
    const GraphHints hints;
    GraphJob job{rest, tree.data(), maze.seed, options, hints, control};
    job.lane = lane;
    if (!wilson_within(job, steps)) return false;
    mesh.lift(tree.data(), maze.open, Random(maze.seed, Purpose::generate, lane + 1), control);
    control.done(mesh.cells() - rest.cells());
    return true;
}

[[noreturn]] void refuse(double updates, double conductances, Index steps) {
    std::array<char, 240> text{};
    std::snprintf(text.data(), text.size(),
                  "weights this unequal make walks longer than %.1g steps, and this graph is too "
                  "large, or too dense, for elimination: it would take about %.0f s and %.1f GB",
                  static_cast<double>(steps), updates * 2e-9, conductances * 20e-9);
    throw std::invalid_argument(text.data());
}

}  // namespace

void make_by_elimination(const Graph& graph, std::span<const double> weights,
                         std::span<const PutOff> mazes, Control& control, int threads) {
    Buffer<std::uint8_t> done(static_cast<Index>(mazes.size()), true);
    const auto ended = [&] {
        return std::ranges::all_of(done, [](std::uint8_t one) { return one != 0; });
    };
    // Of the mazes that are still to be made. Lanes before 2 are those of the walks before.
    const auto make = [&](const StarMesh& mesh, Index steps, std::uint64_t lane) {
        parallel(control, threads, done.size(), [&](Index i, Control& worker) {
            const PutOff& maze = mazes[static_cast<std::size_t>(i)];
            if (done[i] == 0 && make_one(mesh, maze, steps, lane, worker)) done[i] = 1;
        });
    };
    if (ended()) return;
    {
        const StarMesh mesh(graph, weights, StarMesh::Extent::easy_cells, control);
        make(mesh, most_steps(mesh.rest().cells()), 2);
    }
    if (ended()) return;
    double updates = 0, conductances = 0;
    {
        const StarMesh mesh(graph, weights, StarMesh::Extent::all, control);
        if (mesh.feasible()) {
            make(mesh, most_steps(graph.cells()), 4);
            return;
        }
        updates = mesh.updates();
        conductances = mesh.conductances();
    }
    const Index steps = std::max(Index{1} << 33, 8 * most_steps(graph.cells()));
    make(StarMesh(graph, weights, StarMesh::Extent::easy_cells, control), steps, 6);
    if (!ended()) refuse(updates, conductances, steps);
}

}  // namespace meiro
