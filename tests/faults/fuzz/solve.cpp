// Arbitrary walls and passages, searched: every path is one, as short as a plain search finds it,
// and the questions about paths have the answers that it gives. Passages that are open on one side
// only may have any answer but must not lead out of the memory.
#include <array>
#include <cmath>
#include <deque>
#include <limits>
#include <stdexcept>

#include "batch.hpp"
#include "fuzz.hpp"
#include "paths/double_sweep.hpp"
#include "paths/path_queries.hpp"
#include "registry.hpp"
#include "solve/solve_many.hpp"
#include "solve/solvers.hpp"

namespace meiro {
namespace {

constexpr double none = std::numeric_limits<double>::infinity();

struct World {
    Shape shape;
    Wrap wrap;
    bool sites, diagonals;
    Bytes given;

    struct Move {
        Index to;
        unsigned direction;
        bool over;  // the border
    };
    std::vector<std::vector<Move>> all = {};  // of each place, from plain_moves()
    const std::vector<Move>& moves(Index from) const { return all[at(from)]; }
    std::vector<Move> plain_moves(Index from) const {
        std::vector<Move> out;
        const auto [row, col] = shape.cell(from);
        const auto road = [&](Index r, Index c) {
            return r >= 0 && r < shape.rows && c >= 0 && c < shape.cols &&
                   given[at(shape.id({r, c}))] == 0;
        };
        for (unsigned d = 0; d < (diagonals ? 8u : 4u); ++d) {
            const Index r = row + row_steps[d], c = col + col_steps[d];
            if (!sites) {
                if ((given[at(from)] >> d & 1) == 0) continue;
                const Index to = plain_neighbour(shape, wrap, from, directions[d]);
                out.push_back({to, d, to != r * shape.cols + c || c < 0 || c >= shape.cols});
            } else if (road(row, col) && road(r, c) && (d < 4 || (road(r, col) && road(row, c)))) {
                out.push_back({shape.id({r, c}), d, false});
            }
        }
        return out;
    }
    bool exists(Index site) const { return !sites || given[at(site)] == 0; }
    double cost(const Move& move, const std::vector<double>& weights) const {
        const double step = move.direction > 3 ? std::sqrt(2.0) : 1;
        return step * (weights.empty() ? 1 : weights[at(move.to)]);
    }
    // Costs from any of the sources: a place whose cost falls is looked at again.
    std::vector<double> costs(std::span<const Index> sources,
                              const std::vector<double>& weights) const {
        std::vector<double> out(given.size(), none);
        std::deque<Index> again(sources.begin(), sources.end());
        for (const Index source : sources) out[at(source)] = 0;
        for (; !again.empty(); again.pop_front()) {
            const double here = out[at(again.front())];
            for (const Move& move : moves(again.front()))
                if (const double there = here + cost(move, weights);
                    there < out[at(move.to)] * (1 - 1e-12)) {
                    out[at(move.to)] = there;
                    again.push_back(move.to);
                }
        }
        return out;
    }
};

bool near(double a, double b) {
    return a == b || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

// Where the moves of a path lead, each of which must be open. -1 where they lead nowhere.
Index end_of(const World& space, Index from, const Buffer<std::uint8_t>& steps, double& cost,
             const std::vector<double>& weights) {
    cost = 0;
    for (const std::uint8_t step : steps) {
        const auto& moves = space.moves(from);
        const auto move = std::ranges::find_if(moves, [&](const World::Move& m) {
            return space.diagonals ? m.direction == step
                                   : m.direction == (step & 3u) && m.over == (step > 3);
        });
        if (move == moves.end()) return -1;
        cost += space.cost(*move, weights);
        from = move->to;
    }
    return from;
}

void check_solver(const World& space, const Adjacency& adjacency, Index start,
                  const std::vector<Index>& goals, bool sound, Input& in, Control& control) {
    const auto all = solvers();
    const Solver& solver = all[at(in.between(0, static_cast<Index>(all.size()) - 1))];
    if ((space.wrap.any() && solver.is(SolverTrait::flat))) return;
    if (space.diagonals && solver.options.find("moves") == std::string_view::npos) return;
    std::vector<double> weights;
    if (solver.options.find("weights") != std::string_view::npos && in.flag()) {
        const Bytes small = in.bytes(space.shape.size());
        weights.assign(small.begin(), small.end());
    }
    std::array<Direction, 4> order = directions;
    std::ranges::rotate(order, order.begin() + in.between(0, 3));
    const SolveOptions options{.directions = order,
                               .random = in.flag(),
                               .order = in.flag(),
                               .hand = in.choice<Hand>(2),
                               .max_steps = in.flag() ? in.between(0, 200) : -1,
                               .weights = weights,
                               .positions = {},
                               .clockwise = {}};
    Search search{adjacency, start, goals, in.seed(), options, control};
    NoTrace silent;
    const SearchResult result = solver.run(search, silent);
    std::vector<std::uint64_t> memory(64);
    Trace trace(space.shape, Space::sites, memory.data(), 64);
    const SearchResult traced = solver.run(search, trace);
    if (!sound) return;
    MUST(std::ranges::equal(traced.reached, result.reached));
    MUST(std::ranges::equal(traced.steps, result.steps) && traced.explored == result.explored);
    const auto expected = space.costs({&start, 1}, weights);
    double least = none;
    for (const Index goal : goals) least = std::min(least, expected[at(goal)]);
    if (!solver.is(SolverTrait::incomplete)) MUST(result.found == (least < none));
    if (!result.found) return;
    MUST(least < none && std::ranges::find(goals, result.goal) != goals.end());
    double cost = 0;
    MUST(end_of(space, start, result.steps, cost, weights) == result.goal);
    MUST(near(cost, path_cost(search, result)));
    // With diagonal steps bfs counts steps, not their lengths.
    if (solver.is(SolverTrait::shortest) && !(space.diagonals && solver.name == "bfs"))
        MUST(near(cost, least));
    double walked = 0;
    if (solver.is(SolverTrait::walks))
        MUST(end_of(space, start, result.walk, walked, {}) == result.goal);
}

void check_distances(const World& space, const Adjacency& adjacency,
                     const std::vector<Index>& sources, bool sound, Control& control) {
    std::vector<double> out(space.given.size());
    costs(adjacency, {}, sources, out.data(), control);
    std::vector<std::int16_t> steps(space.given.size());
    distances<std::int16_t>(adjacency, sources, steps.data(), control);
    if (!sound) return;
    const auto expected = space.costs(sources, {});
    for (std::size_t i = 0; i < out.size(); ++i) {
        MUST(near(out[i], expected[i]));
        MUST((steps[i] < 0) == (expected[i] == none));
        if (!space.diagonals && steps[i] >= 0) MUST(steps[i] == expected[i]);
    }
}

void check_queries(const World& space, const Adjacency& adjacency, Index start,
                   const std::vector<Index>& goals, bool sound, Control& control) {
    const auto best = space.diagonals ? octile_policy(adjacency, goals, control)
                                      : policy(adjacency, goals, control);
    const auto to_goal = sound ? space.costs(goals, {}) : std::vector<double>{};
    for (Index i = 0; sound && i < space.shape.size(); ++i) {
        unsigned expected = 0;
        for (const World::Move& move : space.moves(i))
            if (to_goal[at(i)] < none && to_goal[at(i)] > 0 &&
                near(to_goal[at(i)], to_goal[at(move.to)] + space.cost(move, {})))
                expected |= 1u << move.direction;
        MUST(best[i] == expected);
    }
    if (space.diagonals) return;
    const Longest exact = longest_path(adjacency, true, control);
    const Longest swept = longest_path(adjacency, false, control);
    const Pair apart = farthest(adjacency, nullptr, control);
    Descent descent = descend(adjacency, goals, start, control);
    const Index length = descent.length;
    const Bottlenecks narrow = bottlenecks(adjacency, goals, start, control);
    std::uint64_t paths = 0;
    PathList list(descend(adjacency, goals, start, control), start);
    constexpr std::uint64_t most = 200;
    if (length >= 0)
        while (paths < most && list.next(adjacency, control)) ++paths;
    if (!sound) {
        if (length >= 0) count_paths(adjacency, descent, start, control);
        return;
    }
    MUST(static_cast<double>(length) == (to_goal[at(start)] < none ? to_goal[at(start)] : -1));
    if (length >= 0) {
        const auto count = count_paths(adjacency, descent, start, control);
        MUST(paths == most ? count.size() > 1 || count[0] >= most
                           : count[0] == paths && (count.size() == 1 || count[1] == 0));
    }
    // Without a bottleneck no goal is reached, and there is no other such place.
    if (space.shape.size() <= 64 && length > 0) {
        std::vector<Index> expected;
        for (Index gone = 0; gone < space.shape.size(); ++gone) {
            if (gone == start || std::ranges::find(goals, gone) != goals.end()) continue;
            if (!space.exists(gone)) continue;
            const auto still = plain_components(
                space.shape.size(), [&](Index i) { return i != gone; },
                [&](Index i, auto body) {
                    for (const World::Move& move : space.moves(i)) body(move.to);
                });
            if (std::ranges::none_of(
                    goals, [&](Index goal) { return still[at(goal)] == still[at(start)]; }))
                expected.push_back(gone);
        }
        MUST(narrow.count == static_cast<Index>(expected.size()));
    }
    if (space.shape.size() > 100) return;
    double far = 0;
    for (Index i = 0; i < space.shape.size(); ++i)
        if (space.exists(i))
            for (const double d : space.costs({&i, 1}, {}))
                if (d < none) far = std::max(far, d);
    MUST(static_cast<double>(std::max<Index>(exact.length, 0)) == far);
    MUST(swept.length <= exact.length && swept.at_most >= exact.length);
    MUST(static_cast<double>(apart.length) <= far);
    for (const Longest* found : {&exact, &swept}) {
        if (found->start < 0) continue;
        double cost = 0;
        MUST(end_of(space, found->start, found->steps, cost, {}) == found->goal);
        MUST(cost == static_cast<double>(found->length));
    }
}

// Two copies of a maze, solved at once.
void check_many(const World& space, Index start, Index goal, bool sound, Control& control) {
    Bytes twice = space.given;
    twice.insert(twice.end(), space.given.begin(), space.given.end());
    const std::vector<Index> starts{start, goal}, goals{goal, start};
    std::vector<Index> lengths(2);
    const Batch batch{.passages = twice.data(),
                      .n = 2,
                      .shape = space.shape,
                      .wrap = space.wrap,
                      .mask = nullptr};
    search_each(batch, control, 1, [&](const Adjacency& maze, Index i, Control& one) {
        PathFinder<Search> finder(space.shape.size());
        const SquarePlaces<Index> places(maze);
        const Index length = finder.length(places, starts[at(i)], goals[at(i)], one);
        lengths[at(i)] = length;
        std::vector<std::int32_t> path(at(2 * (length + 2)));
        list_places(space.shape, starts[at(i)], finder.steps(places, length, goals[at(i)], one),
                    length, length + 2, path.data(), one);
    });
    if (!sound) return;
    const double expected = space.costs({&start, 1}, {})[at(goal)];
    for (const Index length : lengths)
        MUST(static_cast<double>(length) == (expected < none ? expected : -1));
}

}  // namespace

void check(Input& in) {
    World space{in.shape(), {}, in.flag(), false, {}};
    space.diagonals = space.sites && in.flag();
    if (!space.sites) space.wrap = in.wrap(space.shape);
    const std::uint8_t kind = in.byte();
    space.given = in.bytes(space.shape.size());
    if (space.sites)
        for (std::uint8_t& site : space.given) site = site % 3 == 1 ? 1 : 0;
    const bool sound = space.sites || kind % 4 != 1;
    if (!space.sites && sound) make_sound(space.shape, space.wrap, {}, space.given);
    for (Index i = 0; i < space.shape.size(); ++i) space.all.push_back(space.plain_moves(i));
    const auto place = [&] {
        Index i = in.between(0, space.shape.size() - 1);
        for (Index tried = 0; !space.exists(i) && tried < space.shape.size(); ++tried)
            i = (i + 1) % space.shape.size();
        return i;
    };
    const Index start = place();
    if (!space.exists(start)) return;
    std::vector<Index> goals{place()};
    if (kind % 3 == 0) goals.push_back(place());
    Control control;
    Bytes memory(space.given.size());
    try {
        const Adjacency adjacency =
            !space.sites ? adjacency_of_passages(space.given.data(), space.shape, space.wrap,
                                                 memory.data(), control)
            : space.diagonals
                ? adjacency_with_diagonals(space.given.data(), space.shape, memory.data(), control)
                : adjacency_of_walls(space.given.data(), space.shape, memory.data(), control);
        check_distances(space, adjacency, goals, sound, control);
        check_solver(space, adjacency, start, goals, sound, in, control);
        check_queries(space, adjacency, start, goals, sound, control);
        if (!space.sites) check_many(space, start, goals[0], sound, control);
    } catch (const std::invalid_argument&) {
        MUST(!sound);
    }
}

}  // namespace meiro
