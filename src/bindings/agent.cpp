// Agents in mazes, many at a time: the environments of meiro.gym.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../core/agent/agent_batch.hpp"
#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "held_graph.hpp"
#include "held_options.hpp"
#include "lock_array.hpp"
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

// Where agents walk: (rows, cols); or (graph, first, sides, coordinates or None), as GraphSides has
// them.
class HeldGround {
public:
    explicit HeldGround(const py::tuple& parts) {
        if (parts.size() == 2) {
            const auto sides = parts.cast<std::array<Index, 2>>();
            shape_ = checked_shape(sides[0], sides[1]);
            if (shape_.size() < 2) throw py::value_error("shape must have 2 cells or more");
            if (shape_.size() > std::numeric_limits<std::int32_t>::max())
                throw py::value_error("shape is too large");
            return;
        }
        if (parts.size() != 4) throw py::value_error("a ground has two or four parts");
        owner_ = parts[0];
        graph_ = &owner_.cast<const HeldGraph&>();
        const Index cells = graph_->graph().cells();
        if (cells < 2) throw py::value_error("the graph must have 2 cells or more");
        keep(parts[1].cast<Array<Index>>(), cells + 1, "first", first_);
        const auto sides = parts[2].cast<Array<GraphId>>();
        keep(sides, sides.size(), "sides", sides_);
        check_sides();
        if (parts[3].is_none()) return;
        const auto names = parts[3].cast<Array<std::int32_t>>();
        axes_ = names.size() / cells;
        if (axes_ > 64) throw py::value_error("coordinates: too many axes");
        keep(names, axes_ * cells, "coordinates", names_);
    }

    const HeldGraph* graph() const { return graph_; }
    Shape shape() const { return shape_; }
    Ground ground() const {
        if (graph_ == nullptr) return SquareGround(shape_);
        return GraphGround(
            graph_->graph(), graph_->hints(),
            {first_.data(), sides_.data(), most_, axes_ == 0 ? nullptr : names_.data(), axes_});
    }
    // What an agent takes, about: sites, or cells, edges and actions.
    Index room(Index window) const {
        if (graph_ != nullptr) return graph_->graph().cells() + graph_->graph().edges() + most_;
        return (shape_.grid().rows + window) * (shape_.grid().cols + window);
    }
    // Of `n` mazes.
    std::vector<Index> levels(Index n) const {
        if (graph_ != nullptr) return {n, graph_->graph().edges()};
        return {n, shape_.rows, shape_.cols};
    }
    HeldOptions options(const py::dict& given) const {
        if (graph_ == nullptr) return {given, shape_, {}, nullptr};
        return {given, graph_->graph().cells(), graph_->graph().edges()};
    }

private:
    template <class T>
    static void keep(const Array<T>& from, Index size, const char* name, Buffer<T>& to) {
        const auto all = flat(from, size, name);
        to = Buffer<T>(size);
        std::copy(all.begin(), all.end(), to.begin());
    }
    void check_sides() {
        const Graph& graph = graph_->graph();
        bool sound = first_[0] == 0 && first_[graph.cells()] == sides_.size();
        for (Index cell = 0; cell < graph.cells(); ++cell)
            sound &= first_[cell] <= first_[cell + 1];
        for (Index cell = 0; cell < graph.cells() && sound; ++cell) {
            most_ = std::max(most_, first_[cell + 1] - first_[cell]);
            for (Index at = first_[cell]; at < first_[cell + 1]; ++at) {
                const Index edge = sides_[at];
                if (edge == -1) continue;
                sound &= edge >= 0 && edge < graph.edges();
                if (!sound) break;
                const GraphId one = graph.ends()[2 * edge], other = graph.ends()[2 * edge + 1];
                sound &= one != other && (one == cell || other == cell);
            }
        }
        if (!sound || most_ == 0) throw py::value_error("sides are not edges of their cells");
    }

    Shape shape_;
    py::object owner_;
    const HeldGraph* graph_ = nullptr;
    Buffer<Index> first_;
    Buffer<GraphId> sides_;
    Buffer<std::int32_t> names_;
    Index axes_ = 0, most_ = 0;
};

// One thread at a time steps it.
class Agents {
public:
    // Levels of `algorithm` with its options, or the mazes, (n, rows, cols) or (n, edges), with
    // their ends (n, 2). The rewards are those of a step, of a wall, of the goal and of a key.
    Agents(const py::tuple& ground, Index n, const std::string& observation, Index window,
           bool random_ends, Index limit, Index locks, std::array<float, 4> rewards,
           const std::optional<std::string>& algorithm, const py::dict& given,
           const std::optional<Bytes>& mazes, const std::optional<Array<Index>>& ends)
        : ground_(ground),
          options_(ground_.options(given)),
          mazes_(mazes),
          ends_(ends),
          agents_(ground_.ground(), checked_count(n, window),
                  checked_rules(observation, window, random_ends, limit, locks, rewards),
                  source(algorithm)) {}

    // The next episodes; with keys, (n, 3), the first ones of two words, where the third is not 0;
    // with ends, (n, 2), from these cells to these, -1 for those of the episode.
    py::array begin(const std::optional<Array<std::uint64_t>>& keys,
                    const std::optional<Array<Index>>& ends) {
        const ObjectLock::Held alone(lock_);
        const std::uint64_t* const words =
            keys ? flat(*keys, 3 * agents_.size(), "keys").data() : nullptr;
        Buffer<Index> cells(ends ? 2 * agents_.size() : 0);
        if (ends) {
            const auto given = flat(*ends, cells.size(), "ends");
            std::copy(given.begin(), given.end(), cells.begin());
            for (Index i = 0; i < cells.size(); i += 2)
                if (cells[i] < -1 || cells[i] >= agents_.cells() || cells[i + 1] < -1 ||
                    cells[i + 1] >= agents_.cells() || (cells[i] == cells[i + 1] && cells[i] >= 0))
                    throw py::value_error("ends are not two cells of the mazes");
        }
        const Observed seen = observed();
        begun_ = false;
        detached({}, [&](Control& control) {
            agents_.begin(words, ends ? cells.data() : nullptr, control);
            seen.write(agents_);
        });
        begun_ = true;
        return seen.array;
    }

    // What the agents do from now on depends on this, (n, 9): key, episode, start, cell, goal,
    // locks whose key is held, steps left, whether the episode has ended.
    Array<std::uint64_t> saved() {
        const ObjectLock::Held alone(lock_);
        require_begun();
        Array<std::uint64_t> out({agents_.size(), Index{9}});
        for (Index i = 0; i < agents_.size(); ++i) {
            const AgentState state = agents_.state(i);
            std::memcpy(out.mutable_data(i, 0), &state, sizeof state);
        }
        return out;
    }

    void resume(const Array<std::uint64_t>& saved) {
        const ObjectLock::Held alone(lock_);
        static_assert(sizeof(AgentState) == 9 * sizeof(std::uint64_t));
        const auto words = flat(saved, 9 * agents_.size(), "saved");
        Buffer<AgentState> states(agents_.size());
        std::memcpy(states.data(), words.data(), words.size_bytes());
        const AgentRules& rules = agents_.rules();
        const Index last = agents_.cells() - 1;
        for (AgentState& state : states) {
            for (const auto& [number, most] : {std::pair{state.start, last},
                                               {state.cell, last},
                                               {state.goal, last},
                                               {state.held, rules.locks},
                                               {state.left, rules.limit}})
                if (number < 0 || number > most)
                    throw py::value_error("saved is no state of these agents");
            state.over = state.over != 0 || state.left == 0 ? 1 : 0;
        }
        begun_ = false;
        detached({}, [&](Control& control) { agents_.resume(states.data(), control); });
        begun_ = true;
    }

    // (observations, rewards, terminated, truncated)
    py::tuple step(const Array<Index>& actions) {
        const ObjectLock::Held alone(lock_);
        require_begun();
        const Index n = agents_.size(), most = n_actions();
        const Index* const chosen = flat(actions, n, "actions").data();
        // Read once: another thread may write to the array.
        for (Index i = 0; i < n; ++i) {
            actions_[i] = chosen[i];
            if (actions_[i] < 0 || actions_[i] >= most)
                throw py::value_error("actions must be 0 to " + std::to_string(most - 1) +
                                      ", not " + std::to_string(actions_[i]));
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
    // whether the episode has ended; and the locks whose key it does not have, (k, 4).
    py::tuple state(Index i) {
        const ObjectLock::Held alone(lock_);
        const Agent& agent = agent_of(i);
        return py::make_tuple(agent.cell, agent.goal, agent.episode, agent.level, agent.over,
                              as_array(agents_.locks(i)));
    }

    // Of each agent: the steps to each key and to the goal, -1 if there is no path or the key is
    // held; the actions that begin a shortest one; the steps left, 0 after the end; whether any
    // action leads to another cell.
    py::tuple best() {
        const ObjectLock::Held alone(lock_);
        require_begun();
        const Index n = agents_.size();
        Array<Index> steps({n, agents_.rules().locks + 1}), left(n);
        Array<bool> first({n, n_actions()}), free(n);
        Index* const to_steps = steps.mutable_data();
        bool* const to_first = first.mutable_data();
        bool* const to_free = free.mutable_data();
        detached({}, [&](Control& control) { agents_.best(to_steps, to_first, to_free, control); });
        for (Index i = 0; i < n; ++i) {
            const Agent& agent = agents_.agent(i);
            left.mutable_at(i) = agent.over ? 0 : agent.left;
        }
        return py::make_tuple(steps, first, left, free);
    }

private:
    Index n_actions() const {
        return std::visit([](const auto& ground) { return ground.actions(); }, agents_.ground());
    }
    Index n_axes() const {
        return std::visit([](const auto& ground) { return ground.axes(); }, agents_.ground());
    }

    Index checked_count(Index n, Index window) const {
        if (n < 1) throw py::value_error("n must be 1 or more");
        if (window < 0 || window > 1023) throw py::value_error("window must be at most 1023");
        if (n > most_bytes / 64 / ground_.room(window)) throw py::value_error("n is too large");
        return n;
    }

    AgentRules checked_rules(const std::string& observation, Index window, bool random_ends,
                             Index limit, Index locks, std::array<float, 4> rewards) const {
        const Observation kind = observation_of(observation);
        if (ground_.graph() != nullptr && kind != Observation::cell && kind != Observation::sight)
            throw py::value_error("a graph has no " + observation);
        if (kind == Observation::window && window % 2 == 0)
            throw py::value_error("window must be odd");
        if (limit < 1) throw py::value_error("limit must be 1 or more");
        if (locks < 0 || locks > 64) throw py::value_error("locks must be 0 to 64");
        return {kind,       window,     random_ends, limit, rewards[0],
                rewards[1], rewards[2], rewards[3],  locks};
    }

    LevelSource source(const std::optional<std::string>& algorithm) {
        LevelSource given;
        const HeldGraph* const held = ground_.graph();
        if (held != nullptr) {
            given.graph = &held->graph();
            given.hints = held->hints();
        }
        if (algorithm) {
            given.generator = &find_generator(*algorithm);
            if (held != nullptr && !given.generator->graph)
                throw py::value_error(*algorithm + " takes no graph");
            given.options = options_.options;
            return given;
        }
        const bool some = mazes_ && mazes_->ndim() > 0 && mazes_->shape(0) > 0;
        const auto wanted = ground_.levels(some ? mazes_->shape(0) : 0);
        if (!some || !std::equal(wanted.begin(), wanted.end(), mazes_->shape(),
                                 mazes_->shape() + mazes_->ndim()))
            throw py::value_error(
                "mazes must have the shape (n, rows, cols) or (n, edges), with one or more");
        given.levels = mazes_->data();
        given.n = mazes_->shape(0);
        if (!ends_) return given;
        const auto cells = flat(*ends_, 2 * given.n, "ends");
        held_ends_ = Buffer<Index>(2 * given.n);
        std::copy(cells.begin(), cells.end(), held_ends_.data());
        const Index all = held != nullptr ? held->graph().cells() : ground_.shape().size();
        for (const Index cell : held_ends_)
            if (cell < 0 || cell >= all) throw py::value_error("ends are not cells of the mazes");
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
        if (!begun_) throw py::value_error("no episode has begun: call reset() first");
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
        const Shape sites = ground_.shape().grid();
        const Observation kind = agents_.rules().observation;
        if (kind == Observation::cell || kind == Observation::sight) {
            const Index names = agents_.rules().locks > 0 ? 3 : 2;
            Array<std::int32_t> out(
                {n, kind == Observation::cell ? names * n_axes() : n_actions()});
            std::int32_t* const to = out.mutable_data();
            return {std::move(out), nullptr, to};
        }
        Bytes out(kind == Observation::window ? std::vector<Index>{n, window, window}
                                              : std::vector<Index>{n, sites.rows, sites.cols});
        std::uint8_t* const to = writable(out);
        return {std::move(out), to, nullptr};
    }

    HeldGround ground_;
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
    def_constructor<const py::tuple&, Index, const std::string&, Index, bool, Index, Index,
                    std::array<float, 4>, const std::optional<std::string>&, const py::dict&,
                    const std::optional<Bytes>&, const std::optional<Array<Index>>&>(
        agents, "ground", "n", "observation", "window", "random_ends", "limit", "locks", "rewards",
        "algorithm", "options", "mazes", "ends");
    def(agents, "begin", &Agents::begin, "keys", "ends");
    def(agents, "saved", &Agents::saved);
    def(agents, "resume", &Agents::resume, "saved");
    def(agents, "step", &Agents::step, "actions");
    def(agents, "state", &Agents::state, "i");
    def(agents, "best", &Agents::best);
}

}  // namespace meiro
