#include "agent_batch.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "../border.hpp"
#include "../ensemble.hpp"
#include "../graph/paths/graph_paths.hpp"
#include "../solve/solvers.hpp"
#include "../transform/grid.hpp"

namespace meiro {

AgentBatch::AgentBatch(const Ground& ground, Index n, const AgentRules& rules,
                       const LevelSource& source)
    : ground_(ground), n_(n), rules_(rules), source_(source) {
    MEIRO_ASSERT(cells_ > 1 && n > 0 && rules.limit > 0);
    if (const auto* squares = std::get_if<SquareGround>(&ground_)) shape_ = squares->shape();
    for (Index i = 0; i < n; ++i) places_[i] = Place{};
    if (rules.observation != Observation::window && rules.observation != Observation::grid) return;
    if (rules.observation == Observation::window) margin_ = rules.window / 2;
    const Shape sites = shape_.grid();
    stride_ = sites.cols + 2 * margin_;
    drawn_size_ = (sites.rows + 2 * margin_) * stride_;
    drawn_ = Buffer<std::uint8_t>(2 * n * drawn_size_);
    sheet_ = Buffer<std::uint8_t>(sites.size());
}

// body(maze) for a level, or one whose doors are others.
template <class Body>
auto AgentBatch::with_maze(const std::uint8_t* open, Control& control, Body body) const {
    return source_.graph == nullptr ? body(adjacency_of_passages(open, shape_))
                                    : body(OpenGraph(*source_.graph, open, control));
}

// The next level of agent i. The words of its stream: the maze, the start, the goal.
void AgentBatch::make(Index i, const Index* ends, Control& control) {
    Place& place = places_[i];
    std::uint8_t* const to = level(i, true);
    const Seed seed = next_seed(i);
    Agent next;
    next.goal = cells_ - 1;
    next.left = rules_.limit;
    next.episode = place.following;
    Random random(seed, Purpose::agents);
    if (source_.generator == nullptr) {
        next.level = random.below(source_.n);
        std::memcpy(to, source_.levels + next.level * level_size_,
                    static_cast<std::size_t>(level_size_));
        if (source_.ends != nullptr) {
            next.start = source_.ends[2 * next.level];
            next.goal = source_.ends[2 * next.level + 1];
        }
        // No agent leaves the maze, whatever was given.
        if (source_.graph == nullptr)
            each_opposite(shape_, control, [to](Index one, Index other, Direction d) {
                to[one] &= static_cast<std::uint8_t>(15 & ~bit(d));
                to[other] &= static_cast<std::uint8_t>(15 & ~bit(opposite(d)));
            });
    } else if (source_.graph == nullptr) {
        const Ensemble one{*source_.generator, to, 1, shape_, {}, nullptr, seed, source_.options};
        make_one(one, 0, to, control);
    } else {
        const GraphEnsemble one{*source_.generator, *source_.graph, source_.hints, to, 1, seed,
                                source_.options};
        make_one(one, 0, to, control);
    }
    if (rules_.random_ends) {
        next.start = random.below(cells_);
        next.goal = random.below(cells_ - 1);
        next.goal += next.goal >= next.start ? 1 : 0;
    }
    place.next = next;
    set_ends(i, ends);
    furnish(i, control);
    control.poll(cells_);
    place.ready = true;
}

// Of the next episode of agent i, where they are given. Returns whether one is.
bool AgentBatch::set_ends(Index i, const Index* ends) {
    Agent& next = places_[i].next;
    if (ends != nullptr && ends[0] >= 0 && ends[1] < 0 && next.goal == ends[0])
        next.goal = next.start;
    if (ends != nullptr && ends[1] >= 0 && ends[0] < 0 && next.start == ends[1])
        next.start = next.goal;
    if (ends != nullptr && ends[0] >= 0) next.start = ends[0];
    if (ends != nullptr && ends[1] >= 0) next.goal = ends[1];
    next.cell = next.start;
    return ends != nullptr && (ends[0] >= 0 || ends[1] >= 0);
}

// What depends on the ends of the next level of agent i.
void AgentBatch::furnish(Index i, Control& control) {
    if (rules_.locks > 0) lock(i, control);
    if (drawn_size_ > 0) draw(i, control);
}

// Draws the locks of the next level of agent i, with random numbers of their own, and closes their
// doors.
void AgentBatch::lock(Index i, Control& control) {
    Agent& next = places_[i].next;
    std::uint8_t* const open = level(i, true);
    Lock* const kept = locks_.data() + next_slot(i) * rules_.locks;
    const auto set = [&](bool opened) {
        for (Index k = 0; k < next.locks; ++k)
            std::visit([&](const auto& g) { g.set(open, kept[k], opened); }, ground_);
    };
    set(true);
    Random random(next_seed(i), Purpose::locks);
    const Locks found = with_maze(open, control, [&](const auto& maze) {
        return draw_locks(maze, next.start, next.goal, rules_.locks, random, control);
    });
    next.locks = found.locks.size();
    std::copy(found.locks.begin(), found.locks.end(), kept);
    set(false);
}

// Agent i has the key of its next door.
void AgentBatch::unlock(Index i) {
    Place& place = places_[i];
    const Lock door = locks(i).front();
    std::visit([&](const auto& g) { g.set(level(i, false), door, true); }, ground_);
    if (drawn_size_ > 0) {
        std::uint8_t* const drawn = drawn_.data() + slot(i) * drawn_size_;
        drawn[site(door.key)] = drawn[door_site_of(door)] = road_site;
    }
    ++place.now.held;
    place.measured = false;
}

// The next level of agent i.
void AgentBatch::draw(Index i, Control& control) {
    const Agent& next = places_[i].next;
    const Shape sites = shape_.grid();
    expand(level(i, true), shape_, nullptr, 0, sites.rows, sheet_.data(), control);
    std::uint8_t* const to = drawn_.data() + next_slot(i) * drawn_size_;
    std::memset(to, wall_site, static_cast<std::size_t>(drawn_size_));
    for (Index row = 0; row < sites.rows; ++row)
        std::memcpy(to + (row + margin_) * stride_ + margin_, sheet_.data() + row * sites.cols,
                    static_cast<std::size_t>(sites.cols));
    to[site(next.goal)] = goal_site;
    const Lock* const doors = locks_.data() + next_slot(i) * rules_.locks;
    for (Index k = 0; k < next.locks; ++k) {
        to[door_site_of(doors[k])] = door_site;
        to[site(doors[k].key)] = key_site;
    }
}

void AgentBatch::enter(Index i) {
    Place& place = places_[i];
    MEIRO_ASSERT(place.ready);
    place.now = place.next;
    place.half ^= 1u;
    ++place.following;
    place.ready = place.measured = false;
}

void AgentBatch::begin(const std::uint64_t* keys, const Index* ends, Control& control) {
    for (Index i = 0; i < n_ && keys != nullptr; ++i, keys += 3) {
        if (keys[2] == 0) continue;
        std::copy(keys, keys + 2, places_[i].key);
        places_[i].following = 0;
        places_[i].ready = false;
    }
    for (Index i = 0; i < n_; ++i) {
        const Index* const given = ends == nullptr ? nullptr : ends + 2 * i;
        if (!places_[i].ready) {
            make(i, given, control);
        } else if (set_ends(i, given)) {
            places_[i].ready = false;  // until nothing can throw
            furnish(i, control);
            places_[i].ready = true;
        }
    }
    for (Index i = 0; i < n_; ++i) enter(i);
}

AgentState AgentBatch::state(Index i) const {
    const Place& place = places_[i];
    const Agent& now = place.now;
    return {{place.key[0], place.key[1]},
            now.episode,
            now.start,
            now.cell,
            now.goal,
            now.held,
            now.left,
            now.over ? 1 : 0};
}

void AgentBatch::resume(const AgentState* states, Control& control) {
    for (Index i = 0; i < n_; ++i) {
        const AgentState& state = states[i];
        Place& place = places_[i];
        place.key[0] = state.key[0];
        place.key[1] = state.key[1];
        place.following = state.episode;
        const std::array ends{state.start, state.goal};
        make(i, ends.data(), control);
        enter(i);
        while (place.now.held < std::min(state.held, place.now.locks)) unlock(i);
        place.now.cell = state.cell;
        place.now.left = state.left;
        place.now.over = state.over != 0;
    }
}

void AgentBatch::step(const Index* actions, float* rewards, bool* terminated, bool* truncated,
                      Control& control) {
    // First whatever can throw: the levels that this step begins, and some of the later ones.
    for (Index i = 0; i < n_; ++i)
        if (places_[i].now.over && !places_[i].ready) make(i, nullptr, control);
    for (Index k = n_ / 32 + 1; k > 0; --k) {
        if (!places_[ahead_].ready) make(ahead_, nullptr, control);
        ahead_ = ahead_ + 1 < n_ ? ahead_ + 1 : 0;
    }
    std::visit([&](const auto& g) { walk(g, actions, rewards, terminated, truncated); }, ground_);
}

template <class G>
void AgentBatch::walk(const G& ground, const Index* actions, float* rewards, bool* terminated,
                      bool* truncated) {
    const G local = ground;
    for (Index i = 0; i < n_; ++i) {
        rewards[i] = 0;
        terminated[i] = truncated[i] = false;
        if (places_[i].now.over) {
            enter(i);
            continue;
        }
        Agent& agent = places_[i].now;
        MEIRO_ASSERT(actions[i] >= 0 && actions[i] < local.actions());
        rewards[i] = rules_.step;
        const Index next = local.to(level(i), agent.cell, actions[i]);
        if (next != no_cell)
            agent.cell = next;
        else
            rewards[i] += rules_.wall;
        if (agent.held < agent.locks && locks(i).front().key == agent.cell) {
            unlock(i);
            rewards[i] += rules_.key;
        }
        --agent.left;
        terminated[i] = agent.cell == agent.goal;
        if (terminated[i]) rewards[i] += rules_.goal;
        truncated[i] = agent.left == 0 && !terminated[i];
        agent.over = terminated[i] || truncated[i];
    }
}

void AgentBatch::observe(std::int32_t* to) const {
    const auto look = [&](const auto& ground) {
        const auto local = ground;
        const Index axes = local.axes(), actions = local.actions();
        for (Index i = 0; i < n_; ++i) {
            const Agent& agent = places_[i].now;
            if (rules_.observation == Observation::cell) {
                local.name(agent.cell, to);
                local.name(agent.goal, to + axes);
                to += 2 * axes;
                if (rules_.locks == 0) continue;
                const auto left = locks(i);
                local.name(left.empty() ? agent.goal : left.front().key, to);
                to += axes;
                continue;
            }
            const std::uint8_t* const open = level(i);
            const Index cell = agent.cell;
            for (Index action = 0; action < actions; ++action)
                to[action] = static_cast<std::int32_t>(local.sight(open, cell, action));
            to += actions;
        }
    };
    std::visit(look, ground_);
}

void AgentBatch::observe(std::uint8_t* to) const {
    if (rules_.observation == Observation::grid) {
        for (Index i = 0; i < n_; ++i, to += drawn_size_) {
            std::memcpy(to, drawn_.data() + slot(i) * drawn_size_,
                        static_cast<std::size_t>(drawn_size_));
            to[site(places_[i].now.cell)] = agent_site;
        }
        return;
    }
    const auto width = static_cast<std::size_t>(rules_.window);
    for (Index i = 0; i < n_; ++i) {
        const std::uint8_t* from = drawn_.data() + slot(i) * drawn_size_ +
                                   site(places_[i].now.cell) - margin_ * stride_ - margin_;
        for (std::size_t row = 0; row < width; ++row, to += width, from += stride_)
            std::memcpy(to, from, width);
    }
}

void AgentBatch::search(const std::uint8_t* open, Index from, std::int32_t* steps,
                        Control& control) const {
    with_maze(open, control,
              [&](const auto& maze) { distances(maze, {&from, 1}, steps, control); });
}

// The next stop of agent i is its next key, or the goal. From there on doors are open, since no way
// between two stops passes a later one.
template <class G>
void AgentBatch::measure(const G& ground, Index i, Control& control) {
    const auto left = locks(i);
    const Index goal = places_[i].now.goal;
    search(level(i), left.empty() ? goal : left.front().key, distances_.data() + i * cells_,
           control);
    if (!left.empty()) {
        std::memcpy(unlocked_.data(), level(i), static_cast<std::size_t>(level_size_));
        for (const Lock& door : left) ground.set(unlocked_.data(), door, true);
        Index* const steps = stops_.data() + i * (rules_.locks + 1) + places_[i].now.held;
        steps[0] = 0;
        for (std::size_t k = 0; k < left.size(); ++k) {
            search(unlocked_.data(), left[k].key, between_.data(), control);
            steps[k + 1] = steps[k] + between_[k + 1 < left.size() ? left[k + 1].key : goal];
        }
    }
    places_[i].measured = true;
}

void AgentBatch::best(Index* steps, bool* actions, bool* free, Control& control) {
    if (distances_.size() == 0) {
        distances_ = Buffer<std::int32_t>(n_ * cells_);
        if (rules_.locks > 0) {
            stops_ = Buffer<Index>(n_ * (rules_.locks + 1));
            unlocked_ = Buffer<std::uint8_t>(level_size_);
            between_ = Buffer<std::int32_t>(cells_);
        }
    }
    const auto find = [&](const auto& ground) {
        for (Index i = 0; i < n_; ++i, actions += ground.actions(), steps += rules_.locks + 1) {
            if (!places_[i].measured) measure(ground, i, control);
            const std::int32_t* const steps_to = distances_.data() + i * cells_;
            const Agent& now = places_[i].now;
            const Index here = steps_to[now.cell];
            std::fill(steps, steps + rules_.locks + 1, -1);
            steps[now.held < now.locks ? now.held : rules_.locks] = here;
            if (now.held < now.locks && here >= 0) {
                const Index* const later = stops_.data() + i * (rules_.locks + 1);
                for (Index k = now.held; k < now.locks; ++k) steps[k] = here + later[k];
                steps[rules_.locks] = here + later[now.locks];
            }
            free[i] = false;
            for (Index action = 0; action < ground.actions(); ++action) {
                const Index next = ground.to(level(i), now.cell, action);
                free[i] |= next != no_cell;
                actions[action] = next != no_cell && here > 0 && steps_to[next] == here - 1;
            }
        }
    };
    std::visit(find, ground_);
}

}  // namespace meiro
