// Agents that walk through mazes to a goal, many at a time: what an environment of reinforcement
// learning does in a step.
//
// Agent i has a key of its own. Its episode e is a level, start and goal that depend on the key and
// e alone: a maze generated as replicate e of the key, or one drawn from given mazes. So an agent
// meets the same episodes alone and in any batch.
//
//   +---+---+---+      actions: as the ground has them; one that meets a wall stays
//   | @     |   |      terminated: the agent is at its goal
//   +---+   +   +      truncated: the limit of steps is reached elsewhere
//   |         G |      the step after either begins the next episode: its action is not read
//   +---+---+---+
//
// A level may have locks (paths/locks.hpp), as many as fit: doors are walls until the agent has
// been at the cell of their key, one after the other.
//
// Each agent has two levels, the one it walks in and the next. A step makes some of the next levels
// ahead, so that episodes that end together, as at the limit of steps, cost no pause.
#pragma once

#include "../buffer.hpp"
#include "../control.hpp"
#include "../registry.hpp"
#include "ground.hpp"

namespace meiro {

enum class Observation : std::uint8_t { cell, window, grid, sight };

struct AgentRules {
    Observation observation = Observation::cell;
    Index window = 0;          // odd: the side of the local window, in sites
    bool random_ends = false;  // start and goal are drawn, else the first and the last cell
    Index limit = 1;           // steps of an episode, at most
    float step = 0, wall = 0, goal = 0, key = 0;  // the rewards: each is added where it applies
    Index locks = 0;                              // of a level, at most
};

// Where levels are from: a generator with its options, or `n` given mazes (then generator is null).
struct LevelSource {
    const Generator* generator = nullptr;
    Options options;
    const Graph* graph = nullptr;  // what a generator on a graph reads beside them
    GraphHints hints = {};
    const std::uint8_t* levels = nullptr;
    const Index* ends = nullptr;  // start and goal of each given maze, (n, 2); or null
    Index n = 0;
};

struct Agent {
    Index start = 0, cell = 0, goal = 0;
    Index locks = 0, held = 0;  // how many the level has, and of how many the agent has the key
    Index left = 0;             // steps until the limit
    std::uint64_t episode = 0;  // the number of this one
    Index level = -1;           // which of the given mazes it is
    bool over = false;          // the episode has ended
};

// What an agent does from now on depends on this: nine words.
struct AgentState {
    std::uint64_t key[2];
    std::uint64_t episode;
    Index start, cell, goal, held, left, over;
};

class AgentBatch {
public:
    static constexpr std::uint8_t goal_site = 2, agent_site = 3,  // after road_site, wall_site
        door_site = 4, key_site = 5;

    // No agent is in an episode before begin(). What `source` points to must outlive the batch.
    AgentBatch(const Ground& ground, Index n, const AgentRules& rules, const LevelSource& source);

    Index size() const { return n_; }
    const Ground& ground() const { return ground_; }
    const AgentRules& rules() const { return rules_; }
    const Agent& agent(Index i) const { return places_[i].now; }
    Index cells() const { return cells_; }

    // The next episode of every agent; with keys, (n, 3), the first one of these two words, where
    // the third is not 0. With ends, (n, 2), it has this start and goal, where they are not -1; of
    // one cell for both, the end that was not given changes places.
    void begin(const std::uint64_t* keys, const Index* ends, Control& control);
    // A step of every agent, actions below those of the ground. If it throws, nothing has moved.
    void step(const Index* actions, float* rewards, bool* terminated, bool* truncated,
              Control& control);

    AgentState state(Index i) const;
    // The locks of its level whose key agent i does not have, in order.
    std::span<const Lock> locks(Index i) const {
        const Agent& now = places_[i].now;
        return {locks_.data() + slot(i) * rules_.locks + now.held,
                static_cast<std::size_t>(now.locks - now.held)};
    }
    // All agents go on from these states, (n).
    void resume(const AgentState* states, Control& control);

    // cell: the names of the cells of agent and goal, (n, 2 axes); with locks also of the next key,
    // or of the goal if all are held, (n, 3 axes). sight: open steps straight on by each action,
    // (n, actions).
    void observe(std::int32_t* to) const;
    // window: the sites around the agent, (n, window, window); beyond the border all are wall.
    // grid: the drawn maze, (n, 2 rows + 1, 2 cols + 1). Both of squares.
    void observe(std::uint8_t* to) const;

    // Of each agent, the steps by a shortest way to each key and to its goal, (n, locks + 1), -1 if
    // no way leads there, or it is held; the actions that begin one, (n, actions); and whether any
    // action leads to another cell.
    void best(Index* steps, bool* actions, bool* free, Control& control);

private:
    struct Place {
        Agent now, next;
        std::uint64_t key[2] = {0, 0};
        std::uint64_t following = 0;  // the number of the next episode
        unsigned half = 0;            // which of the two levels is the present one
        bool ready = false;           // the next level is made
        bool measured = false;        // distances_ are those of this episode
    };

    // The place of the present level of agent i among all levels, and that of the next one.
    Index slot(Index i) const { return 2 * i + places_[i].half; }
    Index next_slot(Index i) const { return 2 * i + 1 - places_[i].half; }
    const std::uint8_t* level(Index i) const { return levels_.data() + slot(i) * level_size_; }
    std::uint8_t* level(Index i, bool next) {
        return levels_.data() + (next ? next_slot(i) : slot(i)) * level_size_;
    }
    Seed next_seed(Index i) const {
        const Place& place = places_[i];
        return {{place.key[0], place.key[1]}, place.following};
    }
    void make(Index i, const Index* ends, Control& control);
    bool set_ends(Index i, const Index* ends);
    void furnish(Index i, Control& control);
    void lock(Index i, Control& control);
    void unlock(Index i);
    void draw(Index i, Control& control);
    void enter(Index i);
    Index site(Index cell) const {
        const Cell c = shape_.cell(cell);
        return (2 * c.row + 1 + margin_) * stride_ + 2 * c.col + 1 + margin_;
    }
    template <class G>
    void walk(const G& ground, const Index* actions, float* rewards, bool* terminated,
              bool* truncated);
    Index door_site_of(const Lock& door) const {
        return (site(door.before) + site(door.behind)) / 2;
    }
    template <class Body>
    auto with_maze(const std::uint8_t* open, Control& control, Body body) const;
    // Steps to a cell, -1 where it is not reached.
    void search(const std::uint8_t* open, Index from, std::int32_t* steps, Control& control) const;
    template <class G>
    void measure(const G& ground, Index i, Control& control);

    Ground ground_;
    Shape shape_;  // of squares
    Index cells_ = std::visit([](const auto& g) { return g.cells(); }, ground_);
    Index level_size_ = std::visit([](const auto& g) { return g.level_size(); }, ground_);
    Index n_;
    AgentRules rules_;
    LevelSource source_;
    Buffer<Place> places_{n_};
    Buffer<std::uint8_t> levels_{2 * n_ * level_size_};  // 2 n
    Buffer<Lock> locks_{2 * n_ * rules_.locks};          // of each level
    // The grids of all levels with a margin of walls, where pictures are observed.
    Index margin_ = 0, stride_ = 0, drawn_size_ = 0;
    Buffer<std::uint8_t> drawn_, sheet_;
    Buffer<std::int32_t> distances_;
    Buffer<Index> stops_;  // (n, locks + 1): steps from the next stop on to each later one
    Buffer<std::uint8_t> unlocked_;  // a level whose doors are open
    Buffer<std::int32_t> between_;
    Index ahead_ = 0;  // the agent whose next level is made next
};

}  // namespace meiro
