// Agents in mazes, many at a time: the environments of meiro.gym.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../core/agent/agent_batch.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_options.hpp"
#include "object_lock.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

constexpr Index most_bytes = Index{1} << 40;  // bytes of anything that is held

Observation observation_of(const std::string& name) {
    if (name == "cell") return Observation::cell;
    if (name == "window") return Observation::window;
    if (name == "grid") return Observation::grid;
    if (name == "sight") return Observation::sight;
    throw py::value_error("no such observation: " + name);
}

// One thread at a time steps it.
class Agents {
public:
    // Levels of `algorithm` with its options, or the mazes (n, rows, cols) with their ends (n, 2).
    // The rewards are those of a step, of a wall and of the goal.
    Agents(std::array<Index, 2> shape, Index n, const std::string& observation, Index window,
           bool random_ends, Index limit, std::array<float, 3> rewards,
           const std::optional<std::string>& algorithm, const py::dict& given,
           const std::optional<Bytes>& mazes, const std::optional<Array<Index>>& ends)
        : shape_(checked_shape(shape[0], shape[1])),
          options_(given, shape_, {}, nullptr),
          mazes_(mazes),
          ends_(ends),
          agents_(shape_, checked_count(shape_, n, window),
                  checked_rules(observation, window, random_ends, limit, rewards),
                  source(algorithm)) {}

    // The next episodes; with keys, (n, 2), their first ones.
    py::array begin(const std::optional<Array<std::uint64_t>>& keys) {
        const ObjectLock::Held alone(lock_);
        const std::uint64_t* const words =
            keys ? flat(*keys, 2 * agents_.size(), "keys").data() : nullptr;
        const Observed seen = observed();
        begun_ = false;
        detached({}, [&](Control& control) {
            agents_.begin(words, control);
            seen.write(agents_);
        });
        begun_ = true;
        return seen.array;
    }

    // (observations, rewards, terminated, truncated)
    py::tuple step(const Array<Index>& actions) {
        const ObjectLock::Held alone(lock_);
        require_begun();
        const Index n = agents_.size();
        const Index* const chosen = flat(actions, n, "actions").data();
        // Read once: another thread may write to the array.
        for (Index i = 0; i < n; ++i) {
            actions_[i] = chosen[i];
            if (actions_[i] < 0 || actions_[i] > 3)
                throw py::value_error("actions must be 0 to 3, not " + std::to_string(actions_[i]));
        }
        Array<float> rewards(n);
        Array<bool> terminated(n), truncated(n);
        float* const to_rewards = rewards.mutable_data();
        bool* const ended = terminated.mutable_data();
        bool* const cut = truncated.mutable_data();
        const Observed seen = observed();
        detached({}, [&](Control& control) {
            agents_.step(actions_.data(), to_rewards, ended, cut, control);
            seen.write(agents_);
        });
        return py::make_tuple(seen.array, rewards, terminated, truncated);
    }

    // The cell of agent i, its goal, the number of the episode, that of the given maze (or -1), and
    // whether the episode has ended.
    py::tuple state(Index i) {
        const ObjectLock::Held alone(lock_);
        const Agent& agent = agent_of(i);
        return py::make_tuple(agent.cell, agent.goal, agent.episode, agent.level, agent.over);
    }

    // The passages of the maze of agent i.
    Bytes passages(Index i) {
        const ObjectLock::Held alone(lock_);
        agent_of(i);
        Bytes out({shape_.rows, shape_.cols});
        std::uint8_t* const to = writable(out);
        detached({}, [&](Control& control) {
            by_pieces(shape_.size(), control, [&](Index first, Index last) {
                std::copy(agents_.passages(i) + first, agents_.passages(i) + last, to + first);
            });
        });
        return out;
    }

    // Of each agent: the steps to the goal, -1 if there is no path; the actions that begin a
    // shortest path; the steps left, 0 after the end; whether any action leads to another cell.
    py::tuple best() {
        const ObjectLock::Held alone(lock_);
        require_begun();
        const Index n = agents_.size();
        Buffer<AgentBatch::Best> found(n);
        detached({}, [&](Control& control) { agents_.best(found.data(), control); });
        Array<Index> steps(n), left(n);
        Array<bool> actions({n, Index{4}}), free(n);
        for (Index i = 0; i < n; ++i) {
            const Agent& agent = agents_.agent(i);
            steps.mutable_at(i) = found[i].steps;
            left.mutable_at(i) = agent.over ? 0 : agent.left;
            free.mutable_at(i) = agents_.passages(i)[agent.cell] != 0;
            for (Index d = 0; d < 4; ++d)
                actions.mutable_at(i, d) = (found[i].actions >> d & 1u) != 0;
        }
        return py::make_tuple(steps, actions, left, free);
    }

private:
    static Index checked_count(Shape shape, Index n, Index window) {
        if (n < 1) throw py::value_error("n must be 1 or more");
        if (window < 0 || window > 1023) throw py::value_error("window must be at most 1023");
        if (shape.size() < 2) throw py::value_error("shape must have 2 cells or more");
        if (shape.size() > std::numeric_limits<std::int32_t>::max())
            throw py::value_error("shape is too large");
        const Index sites = (shape.grid().rows + window) * (shape.grid().cols + window);
        if (n > most_bytes / 64 / sites) throw py::value_error("n is too large");
        return n;
    }

    static AgentRules checked_rules(const std::string& observation, Index window, bool random_ends,
                                    Index limit, std::array<float, 3> rewards) {
        const Observation kind = observation_of(observation);
        if (kind == Observation::window && window % 2 == 0)
            throw py::value_error("window must be odd");
        if (limit < 1) throw py::value_error("limit must be 1 or more");
        return {kind, window, random_ends, limit, rewards[0], rewards[1], rewards[2]};
    }

    LevelSource source(const std::optional<std::string>& algorithm) {
        if (algorithm) return {&find_generator(*algorithm), options_.options};
        if (!mazes_ || mazes_->ndim() != 3 || mazes_->shape(0) < 1 ||
            Shape{mazes_->shape(1), mazes_->shape(2)} != shape_)
            throw py::value_error("mazes must have the shape (n, rows, cols), with one or more");
        LevelSource given;
        given.passages = mazes_->data();
        given.n = mazes_->shape(0);
        if (!ends_) return given;
        const auto cells = flat(*ends_, 2 * given.n, "ends");
        held_ends_ = Buffer<Index>(2 * given.n);
        std::copy(cells.begin(), cells.end(), held_ends_.data());
        for (const Index cell : held_ends_)
            if (cell < 0 || cell >= shape_.size())
                throw py::value_error("ends are not cells of the mazes");
        given.ends = held_ends_.data();
        return given;
    }

    const Agent& agent_of(Index i) const {
        require_begun();
        if (i < 0 || i >= agents_.size())
            throw py::index_error("no such agent: " + std::to_string(i));
        return agents_.agent(i);
    }

    void require_begun() const {
        if (!begun_) throw py::value_error("no episode has begun");
    }

    // An array for the observations, to be written without the GIL.
    struct Observed {
        py::array array;
        std::uint8_t* pictures = nullptr;
        std::int32_t* numbers = nullptr;

        void write(const AgentBatch& agents) const {
            if (pictures != nullptr)
                agents.observe(pictures);
            else
                agents.observe(numbers);
        }
    };
    Observed observed() const {
        const Index n = agents_.size(), window = agents_.rules().window;
        const Shape sites = shape_.grid();
        const Observation kind = agents_.rules().observation;
        if (kind == Observation::cell || kind == Observation::sight) {
            Array<std::int32_t> out({n, Index{4}});
            std::int32_t* const to = out.mutable_data();
            return {std::move(out), nullptr, to};
        }
        Bytes out(kind == Observation::window ? std::vector<Index>{n, window, window}
                                              : std::vector<Index>{n, sites.rows, sites.cols});
        std::uint8_t* const to = writable(out);
        return {std::move(out), to, nullptr};
    }

    Shape shape_;
    HeldOptions options_;
    std::optional<Bytes> mazes_;
    std::optional<Array<Index>> ends_;
    Buffer<Index> held_ends_;
    AgentBatch agents_;
    Buffer<Index> actions_{agents_.size()};
    bool begun_ = false;
    ObjectLock lock_;
};

}  // namespace

void bind_agent(py::module_& m) {
    py::class_<Agents> agents(m, "Agents");
    def_constructor<std::array<Index, 2>, Index, const std::string&, Index, bool, Index,
                    std::array<float, 3>, const std::optional<std::string>&, const py::dict&,
                    const std::optional<Bytes>&, const std::optional<Array<Index>>&>(
        agents, py::arg("shape"), py::arg("n"), py::arg("observation"), py::arg("window"),
        py::arg("random_ends"), py::arg("limit"), py::arg("rewards"), py::arg("algorithm"),
        py::arg("options"), py::arg("mazes"), py::arg("ends"));
    def(agents, "begin", &Agents::begin, py::arg("keys"));
    def(agents, "step", &Agents::step, py::arg("actions"));
    def(agents, "state", &Agents::state, py::arg("i"));
    def(agents, "passages", &Agents::passages, py::arg("i"));
    def(agents, "best", &Agents::best);
}

}  // namespace meiro
