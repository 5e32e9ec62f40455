// The table of measures, and the Measurer, which computes only the requested ones.
//
// A maze is sound (Passages::first_fault). Each measure has a value, or is NaN with a reason:
// measures of trees are undefined for mazes with loops or with several components.
#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "components.hpp"
#include "degree_counts.hpp"
#include "leaf_peeling.hpp"
#include "path_statistics.hpp"

namespace meiro {

// The computations that measures require beside the counts of cells; each is done at most once.
enum Requires : unsigned {
    nothing_more = 0,
    peeling = 1,
    solving = 2 | peeling,
    dead_ending = 4,
    spanning = 8 | peeling,  // the diameter
    summing = 16 | peeling,  // the Wiener index
    absorbing = 32 | peeling,
    hallway = 64 | peeling,
    branching = 128 | solving,
    chaining = 256 | peeling,  // corridors outside of branches, if there are loops
    scanning = 512,  // row by row, where no other computation says whether there are loops
    surveying = scanning | peeling
};

// Why there is no value.
namespace missing {
inline constexpr std::string_view loops = "the maze has loops",
                                  unconnected = "the maze is in several parts",
                                  no_path = "there is no way from start to goal",
                                  no_passages = "there are no passages",
                                  no_dead_ends = "there are no dead ends",
                                  no_branches = "there are no branches",
                                  same_ends = "start and goal are one cell",
                                  one_cell = "there is one cell only";
}  // namespace missing

struct Value {
    double value;
    // Empty: there is one. NOLINTNEXTLINE(readability-redundant-member-init): g++ warns without it.
    std::string_view reason = {};
};

struct MeasureResults;

enum class MeasureTrait : unsigned {
    plain = 0,
    whole = 1,       // an integer
    of_tree = 2,     // of mazes without loops, in one part
    of_path = 4,     // from start to goal
    of_squares = 8,  // speaks of rows and columns, turns or walls: not on graphs
};
constexpr MeasureTrait operator|(MeasureTrait a, MeasureTrait b) {
    return static_cast<MeasureTrait>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}

struct MeasureFacts {
    std::string_view name;
    MeasureTrait traits;    // MeasureTrait | MeasureTrait ...
    unsigned requirements;  // Requires | Requires ...
    unsigned local;         // bit b: a cell of byte b counts as 1, and the measure is their sum
    Value (*value)(const MeasureResults&);

    constexpr bool is(MeasureTrait trait) const {
        return (static_cast<unsigned>(traits) & static_cast<unsigned>(trait)) != 0;
    }
};

std::span<const MeasureFacts> measures();
const MeasureFacts* measure_named(std::string_view name);  // null: there is none
// Rows of the table.
using MeasureList = std::span<const MeasureFacts* const>;
unsigned requirements_of(MeasureList list);

// A maze to be measured, and the existing cells between which it is solved.
struct MeasureInput {
    const std::uint8_t* passages;
    Shape shape;
    Wrap wrap;
    Mask mask;
    Index cells;  // that exist
    Index start, goal;
};

// What the computations found, of which each measure is made.
struct MeasureResults {
    CellCounts counts;
    Index peeled = 0;
    bool same_ends = false, choice_at_start = false;
    Index apart = 0;  // distance of start and goal without walls
    Solution solution;
    DeadEndSteps dead_ends;
    Index diameter = 0, lonely = 0;
    Census census;
    WideSum wiener_index, absorption_time;
    double hallways = 0, branches = 0;

    std::string_view no_tree() const;  // why it is not a tree; empty if it is
};

// The most bytes that measures of a maze take beside it, its copy included.
Index measure_scratch(Shape shape, Wrap wrap, MeasureList list, int threads);

// What the measurers of squares and of graphs have in common.
class MeasurerOf {
public:
    // Of the last maze, the values into row i and, unless null, why there are none.
    void results(MeasureList list, Index i, double* out,
                 std::string_view* reasons = nullptr) const {
        Index at = i * static_cast<Index>(list.size());
        for (const MeasureFacts* const one : list) {
            const Value found = one->value(results_);
            if (reasons != nullptr) reasons[at] = found.reason;
            out[at++] = found.value;
        }
    }
    // Do the measures follow passages? Then no other thread may change the maze meanwhile.
    bool walks() const { return (requirements_ & (peeling | dead_ending)) != 0; }

protected:
    explicit MeasurerOf(unsigned requirements) : requirements_(requirements) {}
    bool requires_all(Requires requirements) const {
        return (requirements_ & requirements) == requirements;
    }

    unsigned requirements_;
    MeasureResults results_;
};

// Measures mazes of one shape, one after the other, in the same scratch.
class Measurer : public MeasurerOf {
public:
    Measurer(Shape shape, Wrap wrap, MeasureList list);

    // Threads share what are sums over cells, the leaves, and the components.
    void measure(const MeasureInput& maze, Control& control, int threads = 1);
    // About how many steps of Control::poll that takes.
    Index steps(Index size) const;

private:
    template <class Id>
    void measure(const MeasureInput& maze, LeafPeeling<Id>& tree, Control& control, int threads);
    Census census(const MeasureInput& maze, bool loops, Control& control, int threads) const;
    Wrap wrap_;
    Buffer<std::uint8_t> wrapped_;  // the adjacency of a periodic maze
    std::variant<LeafPeeling<std::uint32_t>, LeafPeeling<std::uint64_t>> tree_;
};

}  // namespace meiro
