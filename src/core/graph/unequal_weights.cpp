#include "unequal_weights.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>

#include "star_mesh.hpp"

namespace meiro {
namespace {

// The mazes that are still to be made.
class Attempts {
public:
    Attempts(std::span<const PutOff> mazes, Control& control, int threads)
        : mazes_(mazes),
          control_(control),
          threads_(threads),
          done_(static_cast<Index>(mazes.size()), true) {}

    bool ended() const {
        return std::ranges::all_of(done_, [](std::uint8_t one) { return one != 0; });
    }

    // By walks of so many steps at most on what is left. Lane and lane + 1 of the random words are
    // those of the walk and of the lift; those before 2 are of the walks before.
    void make(const StarMesh& mesh, Index steps, std::uint64_t lane) {
        parallel(control_, threads_, done_.size(), [&](Index i, Control& worker) {
            if (done_[i] == 0 && make_one(mesh, i, steps, lane, worker)) done_[i] = 1;
        });
    }

private:
    bool make_one(const StarMesh& mesh, Index i, Index steps, std::uint64_t lane,
                  Control& control) {
        const PutOff& maze = mazes_[static_cast<std::size_t>(i)];
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

    std::span<const PutOff> mazes_;
    Control& control_;
    int threads_;
    Buffer<std::uint8_t> done_;
};

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
    Attempts attempts(mazes, control, threads);
    if (attempts.ended()) return;
    {
        const StarMesh mesh(graph, weights, StarMesh::Extent::easy_cells, control);
        attempts.make(mesh, most_steps(mesh.rest().cells()), 2);
    }
    if (attempts.ended()) return;
    double updates = 0, conductances = 0;
    {
        const StarMesh mesh(graph, weights, StarMesh::Extent::all, control);
        if (mesh.feasible()) {
            attempts.make(mesh, most_steps(graph.cells()), 4);
            return;
        }
        updates = mesh.updates();
        conductances = mesh.conductances();
    }
    const Index steps = std::max(Index{1} << 33, 8 * most_steps(graph.cells()));
    attempts.make(StarMesh(graph, weights, StarMesh::Extent::easy_cells, control), steps, 6);
    if (!attempts.ended()) refuse(updates, conductances, steps);
}

}  // namespace meiro
