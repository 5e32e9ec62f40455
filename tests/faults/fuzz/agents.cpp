// Arbitrary bytes as the mazes that agents walk in, and as their actions: each agent moves as a
// plain rule says, and the best actions are those of a plain search.
#include <array>
#include <deque>
#include <memory>

#include "agent/agent_batch.hpp"
#include "fuzz.hpp"

namespace meiro {
namespace {

// The shape and the given mazes, one after the other.
struct Levels {
    Shape shape;
    Bytes mazes;

    // The passages of agent i, with which no plain rule leaves the maze.
    Bytes of(const AgentBatch& agents, Index i) const {
        const auto from = mazes.begin() + agents.agent(i).level * shape.size();
        Bytes open(from, from + shape.size());
        for (Index cell = 0; cell < shape.size(); ++cell)
            for (const Direction d : directions)
                if ((open[at(cell)] & bit(d)) != 0) MUST(plain_neighbour(shape, {}, cell, d) >= 0);
        return open;
    }
};

void check_best(const Levels& levels, const AgentBatch& agents, Index i, Index found,
                const bool* leads) {
    const Bytes open = levels.of(agents, i);
    const auto steps_from = [&](Index start) {
        std::vector<Index> steps(open.size(), -1);
        std::deque<Index> queue{start};
        steps[at(start)] = 0;
        while (!queue.empty()) {
            const Index cell = queue.front();
            queue.pop_front();
            for (const Direction d : directions) {
                if ((open[at(cell)] & bit(d)) == 0) continue;
                const Index to = plain_neighbour(levels.shape, {}, cell, d);
                if (steps[at(to)] >= 0) continue;
                steps[at(to)] = steps[at(cell)] + 1;
                queue.push_back(to);
            }
        }
        return steps[at(agents.agent(i).goal)];
    };
    const Index cell = agents.agent(i).cell, steps = steps_from(cell);
    MUST(found == steps);
    for (const Direction d : directions) {
        const bool nearer = steps > 0 && (open[at(cell)] & bit(d)) != 0 &&
                            steps_from(plain_neighbour(levels.shape, {}, cell, d)) == steps - 1;
        MUST(leads[static_cast<unsigned>(d)] == nearer);
    }
}

void check_seen(const AgentBatch& agents, const Shape& shape) {
    const Index n = agents.size(), window = agents.rules().window;
    const auto kind = agents.rules().observation;
    if (kind == Observation::cell || kind == Observation::sight) {
        std::vector<std::int32_t> seen(at(4 * n), -1);
        agents.observe(seen.data());
        for (const std::int32_t x : seen) MUST(x >= 0 && x < shape.size());
        return;
    }
    const Index each = kind == Observation::window ? window * window : shape.grid().size();
    Bytes seen(at(n * each), 9);
    agents.observe(seen.data());
    for (const std::uint8_t site : seen) MUST(site <= AgentBatch::agent_site);
}

}  // namespace

void check(Input& in) {
    const Shape shape = in.shape(8);
    if (shape.size() < 2) return;
    AgentRules rules;
    rules.observation = in.choice<Observation>(4);
    if (rules.observation == Observation::window) rules.window = 2 * in.between(0, 6) + 1;
    rules.random_ends = in.flag();
    rules.limit = in.between(1, 20);
    rules.step = -1, rules.wall = -2, rules.goal = 4;
    const Index n = in.between(1, 5), levels = in.between(1, 4);
    Levels given{shape, {}};
    for (Index i = 0; i < levels; ++i) {
        Bytes open = in.bytes(shape.size());
        make_sound(shape, {}, {}, open);
        given.mazes.insert(given.mazes.end(), open.begin(), open.end());
    }
    LevelSource source;
    source.levels = given.mazes.data();
    source.n = levels;
    Control control;
    AgentBatch agents(SquareGround(shape), n, rules, source);
    std::vector<std::uint64_t> keys(at(3 * n));
    for (std::uint64_t& key : keys) key = in.byte();
    agents.begin(keys.data(), nullptr, control);
    std::vector<Index> actions(at(n));
    std::vector<float> rewards(at(n));
    const auto ended = std::make_unique<bool[]>(2 * at(n));
    std::vector<Index> best(at(n));
    const auto leads = std::make_unique<bool[]>(5 * at(n));
    for (int k = 0; k < 25; ++k) {
        std::vector<Agent> before;
        for (Index i = 0; i < n; ++i) before.push_back(agents.agent(i));
        std::vector<Bytes> open;
        for (Index i = 0; i < n; ++i) open.push_back(given.of(agents, i));
        for (Index& action : actions) action = in.between(0, 3);
        agents.step(actions.data(), rewards.data(), ended.get(), ended.get() + n, control);
        for (Index i = 0; i < n; ++i) {
            const Agent &was = before[at(i)], &is = agents.agent(i);
            if (was.over) {
                MUST(is.episode == was.episode + 1 && is.left == rules.limit && !is.over);
                MUST(rewards[at(i)] == 0);
                continue;
            }
            const auto d = static_cast<Direction>(actions[at(i)]);
            const bool free = (open[at(i)][at(was.cell)] & bit(d)) != 0;
            MUST(is.cell == (free ? plain_neighbour(shape, {}, was.cell, d) : was.cell));
            const bool there = is.cell == is.goal;
            MUST(is.left == was.left - 1 && is.over == (there || is.left == 0));
            MUST(ended[at(i)] == there && ended[at(n + i)] == (!there && is.left == 0));
            MUST(rewards[at(i)] == (free ? -1.F : -3.F) + (there ? 4.F : 0.F));
        }
        check_seen(agents, shape);
        if (k % 8 == 0) {
            agents.best(best.data(), leads.get(), leads.get() + 4 * at(n), control);
            for (Index i = 0; i < n; ++i)
                check_best(given, agents, i, best[at(i)], leads.get() + 4 * at(i));
        }
    }
}

}  // namespace meiro
