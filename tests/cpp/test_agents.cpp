// Agents in mazes: alone as in any batch, never outside of their maze, stopped without harm.
#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <thread>
#include <vector>

#include "agent/agent_batch.hpp"
#include "ensemble.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

constexpr std::array<Observation, 4> observations{Observation::cell, Observation::window,
                                                  Observation::grid, Observation::sight};

const Generator& backtracker_row() {
    for (const Generator& g : generators())
        if (g.name == "backtracker") return g;
    throw std::logic_error("no backtracker");
}

AgentRules rules_of(Observation observation, Index limit) {
    return {observation, observation == Observation::window ? 5 : 0, true, limit, -1, -2, 4};
}

std::vector<std::uint64_t> keys_of(Index first, Index n) {
    std::vector<std::uint64_t> keys;
    for (Index i = first; i < first + n; ++i) {
        keys.push_back(static_cast<std::uint64_t>(i));
        keys.push_back(77);
        keys.push_back(1);
    }
    return keys;
}

// What the agents see, of whichever kind.
std::vector<std::int32_t> seen(const AgentBatch& agents) {
    const Index window = agents.rules().window;
    if (agents.rules().observation == Observation::window ||
        agents.rules().observation == Observation::grid) {
        const Shape sites = std::get<SquareGround>(agents.ground()).shape().grid();
        Bytes to(at(agents.size() * (window > 0 ? window * window : sites.size())));
        agents.observe(to.data());
        return {to.begin(), to.end()};
    }
    std::vector<std::int32_t> to(at(agents.size() * 4));
    agents.observe(to.data());
    return to;
}

struct Outcome {
    std::vector<float> rewards;
    std::vector<std::int32_t> seen;
    std::vector<Index> cells;
};
Outcome step(AgentBatch& agents, const std::vector<Index>& actions, Control& control) {
    Outcome out;
    out.rewards.resize(actions.size());
    const auto ended = std::make_unique<bool[]>(2 * actions.size());
    agents.step(actions.data(), out.rewards.data(), ended.get(), ended.get() + actions.size(),
                control);
    out.seen = seen(agents);
    for (Index i = 0; i < agents.size(); ++i) out.cells.push_back(agents.agent(i).cell);
    return out;
}

// The steps to the goal, and the actions that begin a shortest path, as bits.
struct Best {
    Index steps;
    unsigned actions;
};
std::vector<Best> best_of(AgentBatch& agents, Control& control) {
    const Index n = agents.size();
    const Index each = std::visit([](const auto& g) { return g.actions(); }, agents.ground());
    std::vector<Index> steps(at(n));
    const auto flags = std::make_unique<bool[]>(at(n * each + n));
    agents.best(steps.data(), flags.get(), flags.get() + n * each, control);
    std::vector<Best> all;
    for (Index i = 0; i < n; ++i) {
        all.push_back({steps[at(i)], 0});
        for (Index action = 0; action < each; ++action)
            all.back().actions |= unsigned{flags[at(i * each + action)]} << action;
    }
    return all;
}

std::vector<Index> some_actions(Index n, Random& random) {
    std::vector<Index> actions;
    for (Index i = 0; i < n; ++i) actions.push_back(random.below(4));
    return actions;
}

}  // namespace

TEST_SUITE("agents") {
    TEST_CASE("an agent does alone what it does in a batch") {
        constexpr Index n = 70;
        for (const Observation observation : observations)
            for (const Shape shape : {Shape{1, 2}, Shape{4, 3}, Shape{6, 9}}) {
                const LevelSource source{&backtracker_row(), {}};
                const AgentRules rules = rules_of(observation, 11);
                AgentBatch many(SquareGround(shape), n, rules, source);
                std::vector<std::unique_ptr<AgentBatch>> alone;
                Control control;
                many.begin(keys_of(0, n).data(), nullptr, control);
                for (Index i = 0; i < n; ++i) {
                    alone.push_back(
                        std::make_unique<AgentBatch>(SquareGround(shape), 1, rules, source));
                    alone.back()->begin(keys_of(i, 1).data(), nullptr, control);
                }
                Random random(Seed{{1, 2}});
                for (int k = 0; k < 60; ++k) {
                    if (k == 40) {  // all begin the next episode
                        many.begin(nullptr, nullptr, control);
                        for (const auto& one : alone) one->begin(nullptr, nullptr, control);
                    }
                    const std::vector<Index> actions = some_actions(n, random);
                    const Outcome all = step(many, actions, control);
                    std::vector<std::int32_t> together;
                    for (Index i = 0; i < n; ++i) {
                        const Outcome one = step(*alone[at(i)], {actions[at(i)]}, control);
                        REQUIRE(one.rewards[0] == all.rewards[at(i)]);
                        REQUIRE(one.cells[0] == all.cells[at(i)]);
                        together.insert(together.end(), one.seen.begin(), one.seen.end());
                    }
                    REQUIRE(together == all.seen);
                }
            }
    }

    TEST_CASE("whatever the bytes are, no agent leaves its maze") {
        constexpr Index levels = 5, n = 9;
        for (const Observation observation : observations)
            for (const Shape shape : shapes) {
                if (shape.size() < 2) continue;
                Bytes bytes(at(levels * shape.size()));
                Random random(Seed{{3, 4}});
                for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
                LevelSource source;
                source.levels = bytes.data();
                source.n = levels;
                AgentBatch agents(SquareGround(shape), n, rules_of(observation, 20), source);
                Control control;
                agents.begin(keys_of(0, n).data(), nullptr, control);
                for (int k = 0; k < 50; ++k) {
                    const Outcome all = step(agents, some_actions(n, random), control);
                    for (const Index cell : all.cells) REQUIRE((cell >= 0 && cell < shape.size()));
                    best_of(agents, control);
                }
            }
    }

    TEST_CASE("on a graph: to neighbours only, and on from any state as if nothing had happened") {
        constexpr Index n = 7, cells = 5, levels = 3;
        // A ring with a chord that is there twice, and a self loop, which no side has.
        const std::vector<GraphId> ends{0, 1, 1, 2, 2, 3, 3, 4, 4, 0, 0, 2, 2, 0, 3, 3};
        const Index edges = static_cast<Index>(ends.size()) / 2;
        Control control;
        const Graph graph(cells, ends.data(), edges, control);
        const std::vector<Index> first(graph.first(), graph.first() + cells + 1);
        const GraphGround ground(graph, {}, {first.data(), graph.via(), 4, nullptr, 0});
        Bytes bytes(at(levels * edges));
        Random random(Seed{{6, 7}});
        for (std::uint8_t& byte : bytes) byte = random.below(3) > 0 ? 1 : 0;
        LevelSource source;
        source.graph = &graph;
        source.levels = bytes.data();
        source.n = levels;
        AgentRules rules = rules_of(Observation::sight, 12);
        AgentBatch agents(ground, n, rules, source), other(ground, n, rules, source);
        agents.begin(keys_of(0, n).data(), nullptr, control);
        std::vector<AgentState> states(at(n));
        for (int k = 0; k < 60; ++k) {
            for (Index i = 0; i < n; ++i) states[at(i)] = agents.state(i);
            other.resume(states.data(), control);
            const std::vector<Best> best = best_of(agents, control),
                                    again = best_of(other, control);
            const std::vector<Index> actions = some_actions(n, random);
            const Outcome one = step(agents, actions, control);
            const Outcome same = step(other, actions, control);
            CHECK(one.cells == same.cells);
            CHECK(one.rewards == same.rewards);
            CHECK(one.seen == same.seen);
            for (Index i = 0; i < n; ++i) {
                CHECK(best[at(i)].steps == again[at(i)].steps);
                CHECK(best[at(i)].actions == again[at(i)].actions);
                const Index from = states[at(i)].cell, to = one.cells[at(i)];
                if (states[at(i)].over || from == to) continue;
                const Index slot = graph.first()[from] + actions[at(i)];
                REQUIRE(slot < graph.first()[from + 1]);
                const Index edge = graph.via()[slot];
                CHECK(graph.other_end(edge, from) == to);
                CHECK(bytes[at(agents.agent(i).level * edges + edge)] != 0);
            }
        }
    }

    TEST_CASE("batches on several threads share their mazes") {
        constexpr Index n = 40, levels = 30;
        const Shape shape{6, 9};
        Bytes bytes(at(levels * shape.size()));
        Control control;
        const Options none;
        generate_many(
            {backtracker_row(), bytes.data(), levels, shape, {}, nullptr, Seed{{8, 9}}, none},
            control, 1);
        LevelSource source;
        source.levels = bytes.data();
        source.n = levels;
        const auto run = [&](Observation observation) {
            Control own;
            AgentBatch agents(SquareGround(shape), n, rules_of(observation, 9), source);
            agents.begin(keys_of(0, n).data(), nullptr, own);
            Random random(Seed{{5, 5}});
            std::vector<std::int32_t> all;
            for (int k = 0; k < 30; ++k) {
                const Outcome one = step(agents, some_actions(n, random), own);
                all.insert(all.end(), one.seen.begin(), one.seen.end());
                for (const Best& b : best_of(agents, own))
                    all.push_back(static_cast<std::int32_t>(b.steps));
            }
            return all;
        };
        std::vector<std::vector<std::int32_t>> found(2 * observations.size());
        std::vector<std::thread> threads;
        for (std::size_t i = 0; i < found.size(); ++i)
            threads.emplace_back([&, i] { found[i] = run(observations[i / 2]); });
        for (std::thread& thread : threads) thread.join();
        for (std::size_t i = 0; i < found.size(); ++i) CHECK(found[i] == run(observations[i / 2]));
    }

    TEST_CASE("the best actions lead to the goal in as many steps as was said") {
        constexpr Index n = 20;
        AgentBatch agents(SquareGround({7, 5}), n, rules_of(Observation::cell, 100),
                          {&backtracker_row(), {}});
        Control control;
        agents.begin(keys_of(0, n).data(), nullptr, control);
        const std::vector<Best> first = best_of(agents, control);
        std::vector<Index> taken(at(n), 0), actions(at(n));
        for (int k = 0; k < 34; ++k) {
            const std::vector<Best> best = best_of(agents, control);
            for (Index i = 0; i < n; ++i) {
                if (!agents.agent(i).over && taken[at(i)] == k) {
                    CHECK(best[at(i)].steps == first[at(i)].steps - k);
                    CHECK(std::popcount(best[at(i)].actions) == 1);
                    ++taken[at(i)];
                }
                actions[at(i)] =
                    best[at(i)].actions == 0 ? 0 : std::countr_zero(best[at(i)].actions);
            }
            step(agents, actions, control);
        }
        for (Index i = 0; i < n; ++i) CHECK(taken[at(i)] == first[at(i)].steps);
    }

    TEST_CASE("a step that is stopped has moved no agent") {
        const Shape shape{300, 300};
        constexpr Index n = 3;
        AgentBatch stopped(SquareGround(shape), n, rules_of(Observation::cell, 1),
                           {&backtracker_row(), {}});
        AgentBatch other(SquareGround(shape), n, rules_of(Observation::cell, 1),
                         {&backtracker_row(), {}});
        Control control;
        stopped.begin(keys_of(0, n).data(), nullptr, control);
        other.begin(keys_of(0, n).data(), nullptr, control);
        Random random(Seed{{5, 6}});
        int thrown = 0;
        for (int k = 0; k < 4; ++k) {
            const std::vector<Index> actions = some_actions(n, random);
            const std::vector<std::int32_t> before = seen(stopped);
            const std::vector<std::int32_t> after = step(other, actions, control).seen;
            for (int allowed = 0;; ++allowed) {  // looks until it is stopped
                int left = allowed;
                Control stops([](void* looks, Index) { return (*static_cast<int*>(looks))-- > 0; },
                              &left);
                try {
                    const Outcome out = step(stopped, actions, stops);
                    CHECK(out.seen == after);
                    break;
                } catch (const Cancelled&) {
                    ++thrown;
                    CHECK(seen(stopped) == before);
                }
            }
        }
        CHECK(thrown > 4);
    }
}
