// One maze measured: the counts of its cells first, then what is asked for, in the order of what
// one thing needs of another.
//
// The tree is rooted at the goal, so the solution is the way from the start to the root. Only a
// maze with loops has to be searched. Time: 0.1 ns a cell for the counts; about 4 for a tree, 1 to
// 2 more for each thing told of it, 11 for hallways (twice that beyond the cache). Scratch: up to 2
// bytes and 3 ids a cell, one more byte where the maze wraps; with loops also the frontiers of a
// flood.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "measures.hpp"

namespace meiro {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Steps from one place to another on a side, over the rim if that is shorter.
Index along(Index one, Index other, Index side, bool wraps) {
    const Index steps = std::abs(one - other);
    return wraps ? std::min(steps, side - steps) : steps;
}

Value share(Index part, Index whole, Why why) {
    return whole == 0 ? Value{none, why}
                      : Value{static_cast<double>(part) / static_cast<double>(whole)};
}

}  // namespace

std::string_view in_words(Why why) {
    switch (why) {
        case Why::told:
            return "";
        case Why::loops:
            return "the maze has loops";
        case Why::parts:
            return "the maze is in several parts";
        case Why::no_path:
            return "there is no way from start to goal";
        case Why::no_passages:
            return "there are no passages";
        case Why::no_dead_ends:
            return "there are no dead ends";
        case Why::no_branches:
            return "there are no branches";
        case Why::same_ends:
            return "start and goal are one cell";
        case Why::one_cell:
            return "there is one cell only";
    }
    return "";
}

Measuring::Measuring(Shape shape, Wrap wrap, std::span<const What> whats) : wrap_(wrap) {
    for (const What what : whats) work_ |= measures()[static_cast<std::size_t>(what)].work;
    if (wrap.any() && (work_ & (peeling | dead_ending)) != 0)
        room_ = Buffer<std::uint8_t>(shape.size());
    if (!wants(peeling)) return;
    if (shape.size() <= Index{std::numeric_limits<std::uint32_t>::max()})
        tree_ = Tree<std::uint32_t>(shape.size());
    else
        tree_ = Tree<std::uint64_t>(shape.size());
}

void Measuring::look(const Measured& maze, Control& control) {
    std::visit([&](auto& tree) { look(maze, tree, control); }, tree_);
}

template <class Id>
void Measuring::look(const Measured& maze, Tree<Id>& tree, Control& control) {
    const Index size = maze.shape.size();
    found_.counts = count_cells(maze.passages, size, maze.cells, control);
    if ((work_ & (peeling | dead_ending)) == 0) return;
    const Adjacency adjacency =
        adjacency_of_passages(maze.passages, maze.shape, wrap_, room_.data(), control);
    if (wants(dead_ending)) found_.dead_ends = dead_ends(adjacency, control);
    if (!wants(peeling)) return;

    tree.peel(adjacency, maze.goal, control);
    found_.peeled = tree.peeled();
    const bool loops = tree.peeled() != found_.counts.passages();
    if (no_tree() == Why::told) {
        if (wants(spanning)) found_.diameter = tree.diameter(control);
        if (wants(summing)) found_.wiener_index = tree.wiener_index(maze.cells, control);
        if (wants(absorbing)) found_.absorption_time = tree.absorption_time(maze.start, control);
        if (wants(hallway)) found_.hallways = hallways(adjacency, control);
        if (wants(branching))
            found_.branches = branches(adjacency, tree.towards(), maze.start, control);
    }
    if (wants(chaining))
        found_.lonely = loops ? lonely_corridors(adjacency, found_.counts.corridors, control) : 0;
    if (wants(surveying)) found_.census = census(maze, loops, control);
    if (!wants(solving)) return;
    const Cell one = maze.shape.cell(maze.start), other = maze.shape.cell(maze.goal);
    found_.same_ends = maze.start == maze.goal;
    found_.choice_at_start = std::popcount(maze.passages[maze.start]) > 1;
    found_.apart = along(one.row, other.row, maze.shape.rows, wrap_.rows) +
                   along(one.col, other.col, maze.shape.cols, wrap_.cols);
    if (loops) flood_towards(adjacency, maze.start, maze.goal, tree.towards(), control);
    found_.solution = follow(adjacency, tree.towards(), loops ? maze.goal : maze.start,
                             loops ? maze.start : maze.goal, control);
}

// A forest is known by its counts; where there are loops, the sets have to be counted.
Census Measuring::census(const Measured& maze, bool loops, Control& control) const {
    if (loops)
        return wrap_.any()
                   ? census_of_periodic(maze.passages, maze.shape, wrap_, maze.mask, control)
                   : census_of_passages(maze.passages, maze.shape, maze.mask, control);
    Census forest;
    forest.regions = maze.cells - found_.counts.passages();
    return forest;
}

Why Measuring::no_tree() const {
    if (found_.peeled != found_.counts.passages()) return Why::loops;
    return found_.peeled + 1 == found_.counts.cells ? Why::told : Why::parts;
}

Value Measuring::value(What what) const {
    const CellCounts& n = found_.counts;
    const Solution& solution = found_.solution;
    const auto count = [](Index number) { return Value{static_cast<double>(number)}; };
    const auto of_tree = [&](double number) {
        const Why why = no_tree();
        return why == Why::told ? Value{number} : Value{none, why};
    };
    const auto of_solution = [&](Index number) {
        return solution.found ? count(number) : Value{none, Why::no_path};
    };
    const double pairs = 0.5 * static_cast<double>(n.cells) * static_cast<double>(n.cells - 1);
    switch (what) {
        case What::cells:
            return count(n.cells);
        case What::passages:
            return count(n.passages());
        case What::horizontal_passages:
            return count(n.horizontal);
        case What::vertical_passages:
            return count(n.vertical);
        case What::horizontal_share:
            return share(n.horizontal, n.passages(), Why::no_passages);
        case What::isolated:
            return count(n.isolated);
        case What::dead_ends:
            return count(n.dead_ends);
        case What::corridors:
            return count(n.corridors);
        case What::junctions:
            return count(n.junctions);
        case What::crossroads:
            return count(n.crossroads);
        case What::straights:
            return count(n.straights);
        case What::turns:
            return count(n.turns());
        case What::dead_end_share:
            return share(n.dead_ends, n.cells, Why::told);
        case What::mean_dead_end:
            return share(found_.dead_ends.steps, n.dead_ends, Why::no_dead_ends);
        case What::longest_dead_end:
            return n.dead_ends == 0 ? Value{none, Why::no_dead_ends}
                                    : count(found_.dead_ends.longest);
        case What::river:
            return share(2 * (n.passages() - found_.lonely),
                         n.dead_ends + 3 * n.junctions + 4 * n.crossroads, Why::no_branches);
        case What::solution_length:
            return of_solution(solution.length);
        case What::solution_share:
            return solution.found ? share(solution.length + 1, n.cells, Why::told)
                                  : Value{none, Why::no_path};
        case What::solution_turns:
            return of_solution(solution.turns);
        case What::solution_decisions:
            return of_solution(solution.decisions +
                               (found_.choice_at_start && !found_.same_ends ? 1 : 0));
        case What::tortuosity:
            return solution.found ? share(solution.length, found_.apart, Why::same_ends)
                                  : Value{none, Why::no_path};
        case What::absorption_time:
            return of_tree(found_.absorption_time.value());
        case What::difficulty:
            return found_.same_ends ? Value{none, Why::same_ends}
                                    : of_tree(std::log(solution.complexity) + found_.branches);
        case What::complexity:
            return n.cells == 1 ? Value{none, Why::one_cell} : of_tree(std::log(found_.hallways));
        case What::diameter:
            return of_tree(static_cast<double>(found_.diameter));
        case What::radius:
            return of_tree(std::ceil(0.5 * static_cast<double>(found_.diameter)));
        case What::wiener_index:
            return of_tree(found_.wiener_index.value());
        case What::mean_distance:
            return n.cells == 1 ? Value{none, Why::one_cell}
                                : of_tree(found_.wiener_index.value() / pairs);
        case What::regions:
            return count(found_.census.regions);
        case What::rooms:
            return count(found_.census.regions - 1);
        case What::loops:
            return count(found_.census.loops);
        case What::islands:
            return count(found_.census.islands);
    }
    return {none};
}

}  // namespace meiro
