// Questions about paths and distances.
#include "batch.hpp"
#include "goldens.hpp"
#include "paths/double_sweep.hpp"
#include "paths/path_queries.hpp"
#include "solve/solve_many.hpp"
#include "solve/solvers.hpp"

namespace meiro {
namespace {

constexpr Shape shape{21, 34};

struct PathMaze {
    std::string_view name;
    Wrap wrap;
    Bytes open;
};

std::vector<PathMaze> mazes() {
    Options porous;
    porous.p.share = Chance::certain / 4 * 3;
    return {{"tree", {}, maze_of("wilson", shape)},
            {"loops", {}, maze_of("percolation", shape, lattices[0], porous)},
            {"torus", {true, true}, maze_of("percolation", shape, lattices[4], porous)}};
}

void check_queries(Goldens& goldens, const PathMaze& maze) {
    Control control;
    Bytes moves(maze.open.size());
    const Adjacency adjacency =
        adjacency_of_passages(maze.open.data(), shape, maze.wrap, moves.data(), control);
    const Index start = 0;
    const std::vector<Index> goals{shape.size() - 1, shape.size() / 2 + 7};
    const auto check = [&](const char* query, auto body) {
        goldens.check(key_of({query, maze.name}), shape.size(), body);
    };
    check("policy", [&](Digest& digest) { digest.each(policy(adjacency, goals, control)); });
    check("count_paths", [&](Digest& digest) {
        Descent descent = descend(adjacency, goals, start, control);
        digest << descent.length;
        if (descent.length < 0) return;
        digest.each(count_paths(adjacency, descent, start, control)).each(descent.marks);
    });
    check("shortest_paths", [&](Digest& digest) {
        PathList list(descend(adjacency, goals, start, control), start);
        for (int i = 0; i < 50 && list.next(adjacency, control); ++i) digest.each(list.steps());
    });
    check("bottlenecks", [&](Digest& digest) {
        const Bottlenecks found = bottlenecks(adjacency, goals, start, control);
        digest << found.count;
        for (Index i = 0; i < found.count; ++i)
            digest << found.places[i] / shape.cols << found.places[i] % shape.cols;
    });
    check("longest_path", [&](Digest& digest) {
        for (const bool exact : {false, true}) {
            const Longest found = longest_path(adjacency, exact, control);
            digest.each(found.steps) << found.start << found.goal << found.length << found.at_most;
        }
    });
    check("distances", [&](Digest& digest) {
        std::vector<std::int64_t> wide(maze.open.size());
        distances<std::int64_t>(adjacency, goals, wide.data(), control);
        std::vector<std::int16_t> narrow(maze.open.size());
        distances<std::int16_t>(adjacency, goals, narrow.data(), control);
        digest.each(wide).each(narrow);
    });
    check("costs", [&](Digest& digest) {
        std::vector<double> out(maze.open.size());
        for (const std::vector<double>& weights : {{}, scattered_weights(shape.size())}) {
            costs(adjacency, weights, goals, out.data(), control);
            digest.each(out);
        }
    });
    check("far_apart", [&](Digest& digest) {
        const Bytes among = scattered_mask(shape);
        for (const std::uint8_t* some : {static_cast<const std::uint8_t*>(nullptr), among.data()}) {
            const Pair pair = farthest(adjacency, some, control);
            digest << pair.first << pair.second << pair.length;
        }
        std::vector<Index> counts(maze.open.size());
        count_far(adjacency, among.data(), 20, counts.data(), control);
        digest.each(counts);
    });
}

}  // namespace

void check_paths(Goldens& goldens) {
    for (const PathMaze& maze : mazes()) check_queries(goldens, maze);
    goldens.check("octile", 3 * shape.size(), [](Digest& digest) {
        Bytes walls(at(shape.size())), moves(walls.size());
        for (Index i = 0; i < shape.size(); ++i) walls[at(i)] = scattered(i) % 5 == 1 ? 1 : 0;
        const std::vector<Index> goals{shape.size() / 2};
        walls[at(goals[0])] = 0;
        Control control;
        const Adjacency adjacency =
            adjacency_with_diagonals(walls.data(), shape, moves.data(), control);
        digest.each(octile_policy(adjacency, goals, control));
        std::vector<double> out(walls.size());
        for (const std::vector<double>& weights : {{}, scattered_weights(shape.size())}) {
            costs(adjacency, weights, goals, out.data(), control);
            digest.each(out);
        }
    });
    goldens.check_threads("solve_many", 3 * shape.size(), [](Digest& digest, int threads) {
        Bytes all;
        for (const std::string_view name : {"wilson", "kruskal", "percolation"}) {
            const Bytes open = maze_of(name, shape);
            all.insert(all.end(), open.begin(), open.end());
        }
        const Index starts[] = {0, 5, 9}, goals[] = {700, 713, 40};
        Control control;
        std::vector<Index> lengths(3), pairs(9);
        std::vector<std::int32_t> paths(std::size_t{2} * 3 * 400);
        const Batch batch{
            .passages = all.data(), .n = 3, .shape = shape, .wrap = {}, .mask = nullptr};
        search_each(batch, control, threads, [&](const Adjacency& maze, Index i, Control& one) {
            PathFinder<Search> finder(shape.size());
            const SquarePlaces<Index> places(maze);
            const Index length = lengths[at(i)] = finder.length(places, starts[i], goals[i], one);
            list_places(shape, starts[i], finder.steps(places, length, goals[i], one), length, 400,
                        paths.data() + 800 * i, one);
            const Longest found = longest_path(maze, true, one);
            std::copy_n(std::array{found.start, found.goal, found.length}.begin(), 3,
                        pairs.begin() + 3 * i);
        });
        digest.each(lengths).each(paths).each(pairs);
    });
}

}  // namespace meiro
