#include "agent_batch.hpp"

#include <algorithm>
#include <cstring>

#include "../ensemble.hpp"
#include "../transform/grid.hpp"

namespace meiro {

namespace {

// Removes the passages across the border, so that no agent leaves the maze, whatever was given.
void close_border(std::uint8_t* passages, Shape shape) {
    const auto close = [&](Index cell, Direction d) {
        passages[cell] &= static_cast<std::uint8_t>(15 & ~bit(d));
    };
    for (Index col = 0; col < shape.cols; ++col) {
        close(col, Direction::north);
        close(shape.size() - 1 - col, Direction::south);
    }
    for (Index row = 0; row < shape.rows; ++row) {
        close(row * shape.cols, Direction::west);
        close((row + 1) * shape.cols - 1, Direction::east);
    }
}

}  // namespace

AgentBatch::AgentBatch(Shape shape, Index n, const AgentRules& rules, const LevelSource& source)
    : shape_(shape),
      cells_(shape.size()),
      n_(n),
      rules_(rules),
      source_(source),
      places_(n),
      passages_(2 * n * shape.size()) {
    MEIRO_ASSERT(cells_ > 1 && n > 0 && rules.limit > 0);
    for (Index i = 0; i < n; ++i) places_[i] = Place{};
    if (rules.observation != Observation::window && rules.observation != Observation::grid) return;
    if (rules.observation == Observation::window) margin_ = rules.window / 2;
    const Shape sites = shape.grid();
    stride_ = sites.cols + 2 * margin_;
    drawn_size_ = (sites.rows + 2 * margin_) * stride_;
    drawn_ = Buffer<std::uint8_t>(2 * n * drawn_size_);
    sheet_ = Buffer<std::uint8_t>(sites.size());
}

// The next level of agent i. The words of its stream: the maze, the start, the goal.
void AgentBatch::make(Index i, Control& control) {
    Place& place = places_[i];
    std::uint8_t* const to = passages_.data() + next_slot(i) * cells_;
    const Seed seed{{place.key[0], place.key[1]}, place.following};
    Agent next{0, cells_ - 1, rules_.limit, place.following};
    Random random(seed, Purpose::agents);
    if (source_.generator != nullptr) {
        const Ensemble one{*source_.generator, to, 1, shape_, {}, nullptr, seed, source_.options};
        make_one(one, 0, to, control);
    } else {
        next.level = random.below(source_.n);
        std::memcpy(to, source_.passages + next.level * cells_, static_cast<std::size_t>(cells_));
        if (source_.ends != nullptr) {
            next.cell = source_.ends[2 * next.level];
            next.goal = source_.ends[2 * next.level + 1];
        }
        close_border(to, shape_);
    }
    if (rules_.random_ends) {
        next.cell = random.below(cells_);
        next.goal = random.below(cells_ - 1);
        next.goal += next.goal >= next.cell ? 1 : 0;
    }
    if (drawn_size_ > 0) draw(next_slot(i), next.goal, control);
    control.poll(cells_);
    place.next = next;
    place.ready = true;
}

void AgentBatch::draw(Index slot, Index goal, Control& control) {
    const Shape sites = shape_.grid();
    expand(passages_.data() + slot * cells_, shape_, nullptr, 0, sites.rows, sheet_.data(),
           control);
    std::uint8_t* const to = drawn_.data() + slot * drawn_size_;
    std::memset(to, wall_site, static_cast<std::size_t>(drawn_size_));
    for (Index row = 0; row < sites.rows; ++row)
        std::memcpy(to + (row + margin_) * stride_ + margin_, sheet_.data() + row * sites.cols,
                    static_cast<std::size_t>(sites.cols));
    to[site(goal)] = goal_site;
}

void AgentBatch::enter(Index i) {
    Place& place = places_[i];
    MEIRO_ASSERT(place.ready);
    place.now = place.next;
    place.half ^= 1u;
    ++place.following;
    place.ready = place.measured = false;
}

void AgentBatch::begin(const std::uint64_t* keys, Control& control) {
    for (Index i = 0; i < n_ && keys != nullptr; ++i) {
        places_[i].key[0] = keys[2 * i];
        places_[i].key[1] = keys[2 * i + 1];
        places_[i].following = 0;
        places_[i].ready = false;
    }
    for (Index i = 0; i < n_; ++i)
        if (!places_[i].ready) make(i, control);
    for (Index i = 0; i < n_; ++i) enter(i);
}

void AgentBatch::step(const Index* actions, float* rewards, bool* terminated, bool* truncated,
                      Control& control) {
    // First whatever can throw: the levels that this step begins, and some of the later ones.
    for (Index i = 0; i < n_; ++i)
        if (places_[i].now.over && !places_[i].ready) make(i, control);
    for (Index k = n_ / 32 + 1; k > 0; --k) {
        if (!places_[ahead_].ready) make(ahead_, control);
        ahead_ = ahead_ + 1 < n_ ? ahead_ + 1 : 0;
    }
    const auto to_neighbour = steps(shape_.cols);
    for (Index i = 0; i < n_; ++i) {
        rewards[i] = 0;
        terminated[i] = truncated[i] = false;
        if (places_[i].now.over) {
            enter(i);
            continue;
        }
        Agent& agent = places_[i].now;
        const auto d = static_cast<std::size_t>(actions[i]);
        MEIRO_ASSERT(d < 4);
        rewards[i] = rules_.step;
        if ((passages(i)[agent.cell] >> d & 1u) != 0)
            agent.cell += to_neighbour[d];
        else
            rewards[i] += rules_.wall;
        --agent.left;
        terminated[i] = agent.cell == agent.goal;
        if (terminated[i]) rewards[i] += rules_.goal;
        truncated[i] = agent.left == 0 && !terminated[i];
        agent.over = terminated[i] || truncated[i];
    }
}

void AgentBatch::observe(std::int32_t* to) const {
    const auto to_neighbour = steps(shape_.cols);
    for (Index i = 0; i < n_; ++i, to += 4) {
        const Agent& agent = places_[i].now;
        if (rules_.observation == Observation::cell) {
            const Cell at = shape_.cell(agent.cell), goal = shape_.cell(agent.goal);
            to[0] = static_cast<std::int32_t>(at.row);
            to[1] = static_cast<std::int32_t>(at.col);
            to[2] = static_cast<std::int32_t>(goal.row);
            to[3] = static_cast<std::int32_t>(goal.col);
            continue;
        }
        const std::uint8_t* const open = passages(i);
        for (std::size_t d = 0; d < 4; ++d) {
            to[d] = 0;
            for (Index cell = agent.cell; (open[cell] >> d & 1u) != 0; cell += to_neighbour[d])
                ++to[d];
        }
    }
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

// A breadth-first search from the goal.
void AgentBatch::measure(Index i, Control& control) {
    const std::uint8_t* const open = passages(i);
    std::int32_t* const steps_to = distances_.data() + i * cells_;
    by_pieces(cells_, control,
              [&](Index first, Index last) { std::fill(steps_to + first, steps_to + last, -1); });
    const auto to_neighbour = steps(shape_.cols);
    const Index goal = places_[i].now.goal;
    steps_to[goal] = 0;
    queue_[0] = static_cast<std::int32_t>(goal);
    for (Index first = 0, last = 1; first < last; ++first) {
        const Index cell = queue_[first];
        for (std::size_t d = 0; d < 4; ++d) {
            if ((open[cell] >> d & 1u) == 0) continue;
            const Index next = cell + to_neighbour[d];
            if (steps_to[next] >= 0) continue;
            steps_to[next] = steps_to[cell] + 1;
            queue_[last++] = static_cast<std::int32_t>(next);
        }
        control.poll();
    }
    places_[i].measured = true;
}

void AgentBatch::best(Best* to, Control& control) {
    if (distances_.size() == 0) {
        queue_ = Buffer<std::int32_t>(cells_);
        distances_ = Buffer<std::int32_t>(n_ * cells_);
    }
    const auto to_neighbour = steps(shape_.cols);
    for (Index i = 0; i < n_; ++i) {
        if (!places_[i].measured) measure(i, control);
        const std::int32_t* const steps_to = distances_.data() + i * cells_;
        const Index cell = places_[i].now.cell;
        to[i] = {steps_to[cell], 0};
        for (std::size_t d = 0; d < 4; ++d)
            if ((passages(i)[cell] >> d & 1u) != 0 &&
                steps_to[cell + to_neighbour[d]] == steps_to[cell] - 1 && steps_to[cell] > 0)
                to[i].actions |= 1u << d;
    }
}

}  // namespace meiro
