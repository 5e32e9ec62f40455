// Measuring one maze: first the counts of its cells, then the requested measures, in the order in
// which one needs another.
//
// The tree is rooted at the goal, so the solution is the path from the start to the root. Only a
// maze with loops needs a search. Time: 0.1 ns per cell for the counts; about 4 for a tree, 1 to 2
// more for each measure of it, 11 for hallways (twice that beyond the cache). Scratch: that of the
// measures asked for, see measure_scratch(); none for counts.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>

#include "measures.hpp"

namespace meiro {
namespace {

// The distance of two coordinates on an axis, across the border if that is shorter.
Index along(Index one, Index other, Index side, bool wraps) {
    const Index steps = std::abs(one - other);
    return wraps ? std::min(steps, side - steps) : steps;
}

unsigned requirements_with(Shape shape, Wrap wrap, MeasureList list) {
    const unsigned all = requirements_of(list);
    // Where nothing else peels the leaves, a scan takes no longer, and the memory of some rows. Of
    // small mazes, or across a border, it takes longer.
    constexpr Index small = Index{1} << 16;
    const unsigned others = all & ~static_cast<unsigned>(dead_ending);
    const bool scans = others == surveying && !wrap.any() && shape.size() >= small;
    return scans ? all & ~static_cast<unsigned>(peeling) : all;
}

}  // namespace

Index measure_scratch(Shape shape, Wrap wrap, MeasureList list, int threads) {
    const unsigned needed = requirements_with(shape, wrap, list);
    const auto needs = [needed](unsigned some) { return (needed & some) == some; };
    const Index size = shape.size();
    const Index id = size <= Index{std::numeric_limits<std::uint32_t>::max()} ? 4 : 8;
    Index each = 0;  // bytes a cell
    if (needs(peeling) || needs(dead_ending)) each += wrap.any() ? 2 : 1;
    if (needs(peeling)) each += 2 + id;                  // LeafPeeling
    if (needs(summing) || needs(absorbing)) each += id;  // its sizes
    if (needs(spanning)) each += id;                     // its depths
    // The sets of a periodic maze and of its mask; or the levels of a flood, or where walks wait.
    const bool scans = needs(scanning);
    if (scans && wrap.any())
        each += 2 * id + 1;
    else if (needs(solving) || needs(hallway))
        each += id;
    // For the cells and for the mask, see row_sets.hpp.
    const Index bands = scans && !wrap.any() ? RowBands(shape.rows, threads).count : 0;
    const Index column = shape.cols < Index{1} << 30 ? 128 : 256;
    return each * size + bands * shape.cols * column;
}

Measurer::Measurer(Shape shape, Wrap wrap, MeasureList list)
    : MeasurerOf(requirements_with(shape, wrap, list)), wrap_(wrap) {
    if (wrap.any() && walks()) wrapped_ = Buffer<std::uint8_t>(shape.size());
    if (!requires_all(peeling)) return;
    if (shape.size() <= Index{std::numeric_limits<std::uint32_t>::max()})
        tree_ = LeafPeeling<std::uint32_t>(shape.size());
    else
        tree_ = LeafPeeling<std::uint64_t>(shape.size());
}

// Counted, in eighths of a step a cell. What a tree needs, or a maze with loops if that is more: a
// bar that ends early is better than one that waits at its end.
Index Measurer::steps(Index size) const {
    const auto asked = [this](Requires some, Index eighths) {
        return requires_all(some) ? eighths : 0;
    };
    const Index always = 2 + asked(dead_ending, 12) + asked(peeling, 13);
    const Index sums = requires_all(summing) ? 16 : asked(absorbing, 8);
    const Index tree = sums + asked(spanning, 8) + asked(hallway, 16) + asked(branching, 8);
    const Index loops = asked(scanning, 23) + asked(chaining, 23);
    return (always + std::max(tree, loops)) * (size / 8 + 1);
}

void Measurer::measure(const MeasureInput& maze, Control& control, int threads) {
    std::visit([&](auto& tree) { measure(maze, tree, control, threads); }, tree_);
}

template <class Id>
void Measurer::measure(const MeasureInput& maze, LeafPeeling<Id>& tree, Control& control,
                       int threads) {
    const Index size = maze.shape.size();
    results_.counts = count_cells(maze.passages, size, maze.cells, control, threads);
    if (requires_all(scanning) && !requires_all(peeling))
        results_.census = census(maze, true, control, threads);
    if (!walks()) return;
    const Adjacency adjacency =
        adjacency_of_passages(maze.passages, maze.shape, wrap_, wrapped_.data(), control);
    if (requires_all(dead_ending)) results_.dead_ends = dead_ends(adjacency, control, threads);
    if (!requires_all(peeling)) return;

    tree.peel(adjacency, maze.goal, control, threads);
    results_.peeled = tree.peeled();
    const bool loops = tree.peeled() != results_.counts.passages();
    if (results_.no_tree().empty()) {
        if (requires_all(spanning)) results_.diameter = tree.diameter(control);
        if (requires_all(summing)) results_.wiener_index = tree.wiener_index(maze.cells, control);
        if (requires_all(absorbing))
            results_.absorption_time = tree.absorption_time(maze.start, control);
        // Sums of fractions, which are rounded as in one order: a thread for each.
        parallel(control, threads, 2, [&](Index task, Control& worker) {
            if (task == 0 && requires_all(branching))
                results_.branches = branches(adjacency, tree.towards(), maze.start, worker);
            if (task == 1 && requires_all(hallway)) results_.hallways = hallways(adjacency, worker);
        });
    }
    if (requires_all(chaining))
        results_.lonely =
            loops ? lonely_corridors(adjacency, results_.counts.corridors, control, threads) : 0;
    if (requires_all(surveying)) results_.census = census(maze, loops, control, threads);
    if (!requires_all(solving)) return;
    const Cell one = maze.shape.cell(maze.start), other = maze.shape.cell(maze.goal);
    results_.same_ends = maze.start == maze.goal;
    results_.choice_at_start = std::popcount(maze.passages[maze.start]) > 1;
    results_.apart = along(one.row, other.row, maze.shape.rows, wrap_.rows) +
                     along(one.col, other.col, maze.shape.cols, wrap_.cols);
    if (loops) flood_towards(adjacency, maze.start, maze.goal, tree.towards(), control);
    results_.solution = follow(adjacency, tree.towards(), loops ? maze.goal : maze.start,
                               loops ? maze.start : maze.goal, control);
}

// A forest is known by its counts; with loops, the components have to be counted.
Census Measurer::census(const MeasureInput& maze, bool loops, Control& control, int threads) const {
    if (loops)
        return wrap_.any()
                   ? census_of_periodic(maze.passages, maze.shape, wrap_, maze.mask, control,
                                        threads)
                   : census_of_passages(maze.passages, maze.shape, maze.mask, control, threads);
    Census forest;
    forest.regions = maze.cells - results_.counts.passages();
    return forest;
}

std::string_view MeasureResults::no_tree() const {
    if (peeled != counts.passages()) return missing::loops;
    return peeled + 1 == counts.cells ? std::string_view() : missing::unconnected;
}

}  // namespace meiro
