// Agents that walk through mazes to a goal, many at a time: what an environment of reinforcement
// learning does in a step.
//
// Agent i has a key of its own. Its episode e is a level, start and goal that depend on the key and
// e alone: a maze generated as replicate e of the key, or one drawn from given mazes. So an agent
// meets the same episodes alone and in any batch.
//
//   +---+---+---+      actions: north 0, east 1, south 2, west 3; one that meets a wall stays
//   | @     |   |      terminated: the agent is at its goal
//   +---+   +   +      truncated: the limit of steps is reached elsewhere
//   |         G |      the step after either begins the next episode: its action is not read
//   +---+---+---+
//
// Each agent has two levels, the one it walks in and the next. A step makes some of the next levels
// ahead, so that episodes that end together, as at the limit of steps, cost no pause.
#pragma once

#include "../buffer.hpp"
#include "../control.hpp"
#include "../registry.hpp"

namespace meiro {

enum class Observation : std::uint8_t { cell, window, grid, sight };

struct AgentRules {
    Observation observation = Observation::cell;
    Index window = 0;          // odd: the side of the local window, in sites
    bool random_ends = false;  // start and goal are drawn, else the first and the last cell
    Index limit = 1;           // steps of an episode, at most
    float step = 0, wall = 0, goal = 0;  // the rewards: each is added where it applies
};

// Where levels are from: a generator with its options, or `n` given mazes (then generator is null).
struct LevelSource {
    const Generator* generator = nullptr;
    Options options;
    const std::uint8_t* passages = nullptr;
    const Index* ends = nullptr;  // start and goal of each given maze, (n, 2); or null
    Index n = 0;
};

struct Agent {
    Index cell = 0, goal = 0;
    Index left = 0;             // steps until the limit
    std::uint64_t episode = 0;  // the number of this one
    Index level = -1;           // which of the given mazes it is
    bool over = false;          // the episode has ended
};

class AgentBatch {
public:
    static constexpr std::uint8_t goal_site = 2, agent_site = 3;  // after road_site, wall_site

    // No agent is in an episode before begin(). What `source` points to must outlive the batch.
    AgentBatch(Shape shape, Index n, const AgentRules& rules, const LevelSource& source);

    Index size() const { return n_; }
    Shape shape() const { return shape_; }
    const AgentRules& rules() const { return rules_; }
    const Agent& agent(Index i) const { return places_[i].now; }
    const std::uint8_t* passages(Index i) const { return passages_.data() + slot(i) * cells_; }

    // The next episode of every agent; with keys, (n, 2), the first one of these.
    void begin(const std::uint64_t* keys, Control& control);
    // A step of every agent, actions below 4. If it throws, nothing has moved.
    void step(const Index* actions, float* rewards, bool* terminated, bool* truncated,
              Control& control);

    // cell: row and column of agent and goal, (n, 4). sight: open steps in each direction, (n, 4).
    void observe(std::int32_t* to) const;
    // window: the sites around the agent, (n, window, window); beyond the border all are wall.
    // grid: the drawn maze, (n, 2 rows + 1, 2 cols + 1).
    void observe(std::uint8_t* to) const;

    // The steps from the cell of agent i to its goal by a shortest path, -1 if no path exists; and
    // the actions that begin one, as direction bits.
    struct Best {
        Index steps;
        unsigned actions;
    };
    void best(Best* to, Control& control);

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
    void make(Index i, Control& control);
    void draw(Index slot, Index goal, Control& control);
    void enter(Index i);
    Index site(Index cell) const {
        const Cell c = shape_.cell(cell);
        return (2 * c.row + 1 + margin_) * stride_ + 2 * c.col + 1 + margin_;
    }
    void measure(Index i, Control& control);

    Shape shape_;
    Index cells_, n_;
    AgentRules rules_;
    LevelSource source_;
    Buffer<Place> places_;
    Buffer<std::uint8_t> passages_;  // 2 n levels
    // The grids of all levels with a margin of walls, where pictures are observed.
    Index margin_ = 0, stride_ = 0, drawn_size_ = 0;
    Buffer<std::uint8_t> drawn_, sheet_;
    Buffer<std::int32_t> distances_, queue_;
    Index ahead_ = 0;  // the agent whose next level is made next
};

}  // namespace meiro
