// The table of measures, with their formulas.
#include <bit>
#include <cmath>
#include <limits>

#include "measures.hpp"
#include "natural_log.hpp"

namespace meiro {
namespace {

// Sets of bytes, bit b for byte b.
constexpr unsigned of_degree(int degree) {
    unsigned set = 0;
    for (unsigned byte = 0; byte < 16; ++byte)
        if (std::popcount(byte) == degree) set |= 1u << byte;
    return set;
}
constexpr unsigned each_with(unsigned directions) {
    unsigned set = 0;
    for (unsigned byte = 0; byte < 16; ++byte)
        if ((byte & directions) != 0) set |= 1u << byte;
    return set;
}

using Id = MeasureId;
using Found = const MeasureResults&;
using enum MeasureTrait;
using Missing = MissingReason;

Value unless(bool missing, Missing reason, Value value) {
    return missing ? Value{std::numeric_limits<double>::quiet_NaN(), reason} : value;
}
Value count(Index number) {
    return {static_cast<double>(number)};
}
Value share(Index part, Index all, Missing reason = Missing::none) {
    const Index some = all == 0 ? 1 : all;
    return unless(all == 0, reason, {static_cast<double>(part) / static_cast<double>(some)});
}
Value in_tree(Found r, double number) {
    return unless(r.no_tree() != Missing::none, r.no_tree(), {number});
}
Value on_path(Found r, Value value) {
    return unless(!r.solution.found, Missing::no_path, value);
}
double pairs(Found r) {
    return 0.5 * static_cast<double>(r.counts.cells) * static_cast<double>(r.counts.cells - 1);
}

constexpr MeasureFacts measure_table[] = {
    {Id::cells, "cells", whole, nothing_more, 0, [](Found r) { return count(r.counts.cells); }},
    {Id::passages, "passages", whole, nothing_more, 0,
     [](Found r) { return count(r.counts.passages()); }},
    {Id::horizontal_passages, "horizontal_passages", whole | of_squares, nothing_more,
     each_with(0b0010), [](Found r) { return count(r.counts.horizontal); }},
    {Id::vertical_passages, "vertical_passages", whole | of_squares, nothing_more,
     each_with(0b0100), [](Found r) { return count(r.counts.vertical); }},
    {Id::horizontal_share, "horizontal_share", of_squares, nothing_more, 0,
     [](Found r) { return share(r.counts.horizontal, r.counts.passages(), Missing::no_passages); }},
    {Id::isolated, "isolated", whole, nothing_more, of_degree(0),
     [](Found r) { return count(r.counts.isolated); }},
    {Id::dead_ends, "dead_ends", whole, nothing_more, of_degree(1),
     [](Found r) { return count(r.counts.dead_ends); }},
    {Id::corridors, "corridors", whole, nothing_more, of_degree(2),
     [](Found r) { return count(r.counts.corridors); }},
    {Id::junctions, "junctions", whole, nothing_more, of_degree(3),
     [](Found r) { return count(r.counts.junctions); }},
    {Id::crossroads, "crossroads", whole, nothing_more, of_degree(4),
     [](Found r) { return count(r.counts.crossroads); }},
    {Id::straights, "straights", whole | of_squares, nothing_more, 1u << 0b0101 | 1u << 0b1010,
     [](Found r) { return count(r.counts.straights); }},
    {Id::turns, "turns", whole | of_squares, nothing_more,
     of_degree(2) & ~(1u << 0b0101 | 1u << 0b1010),
     [](Found r) { return count(r.counts.turns()); }},
    {Id::dead_end_share, "dead_end_share", plain, nothing_more, 0,
     [](Found r) { return share(r.counts.dead_ends, r.counts.cells); }},
    {Id::mean_dead_end, "mean_dead_end", plain, dead_ending, 0,
     [](Found r) { return share(r.dead_ends.steps, r.counts.dead_ends, Missing::no_dead_ends); }},
    {Id::longest_dead_end, "longest_dead_end", whole, dead_ending, 0,
     [](Found r) {
         return unless(r.counts.dead_ends == 0, Missing::no_dead_ends, count(r.dead_ends.longest));
     }},
    {Id::river, "river", plain, chaining, 0,
     [](Found r) {
         return share(2 * (r.counts.passages() - r.lonely),
                      2 * (r.counts.passages() - r.counts.corridors), Missing::no_branches);
     }},
    {Id::solution_length, "solution_length", whole | of_path, solving, 0,
     [](Found r) { return on_path(r, count(r.solution.length)); }},
    {Id::solution_share, "solution_share", of_path, solving, 0,
     [](Found r) { return on_path(r, share(r.solution.length + 1, r.counts.cells)); }},
    {Id::solution_turns, "solution_turns", whole | of_path | of_squares, solving, 0,
     [](Found r) { return on_path(r, count(r.solution.turns)); }},
    {Id::solution_decisions, "solution_decisions", whole | of_path, solving, 0,
     [](Found r) {
         return on_path(r,
                        count(r.solution.decisions + (r.choice_at_start && !r.same_ends ? 1 : 0)));
     }},
    {Id::tortuosity, "tortuosity", of_path | of_squares, solving, 0,
     [](Found r) { return on_path(r, share(r.solution.length, r.apart, Missing::same_ends)); }},
    {Id::absorption_time, "absorption_time", whole | of_tree, absorbing, 0,
     [](Found r) { return in_tree(r, r.absorption_time.value()); }},
    {Id::difficulty, "difficulty", of_tree | of_squares, branching, 0,
     [](Found r) {
         return unless(r.same_ends, Missing::same_ends,
                       in_tree(r, natural_log(r.solution.complexity) + r.branches));
     }},
    {Id::complexity, "complexity", of_tree | of_squares, hallway, 0,
     [](Found r) {
         return unless(r.counts.cells == 1, Missing::one_cell, in_tree(r, natural_log(r.hallways)));
     }},
    {Id::diameter, "diameter", whole | of_tree, spanning, 0,
     [](Found r) { return in_tree(r, static_cast<double>(r.diameter)); }},
    {Id::radius, "radius", whole | of_tree, spanning, 0,
     [](Found r) { return in_tree(r, std::ceil(0.5 * static_cast<double>(r.diameter))); }},
    {Id::wiener_index, "wiener_index", whole | of_tree, summing, 0,
     [](Found r) { return in_tree(r, r.wiener_index.value()); }},
    {Id::mean_distance, "mean_distance", of_tree, summing, 0,
     [](Found r) {
         return unless(r.counts.cells == 1, Missing::one_cell,
                       in_tree(r, r.wiener_index.value() / pairs(r)));
     }},
    {Id::regions, "regions", whole, surveying, 0, [](Found r) { return count(r.census.regions); }},
    {Id::enclosed_regions, "enclosed_regions", whole, surveying, 0,
     [](Found r) { return count(r.census.regions - 1); }},
    {Id::loops, "loops", whole, surveying, 0, [](Found r) { return count(r.census.loops); }},
    {Id::islands, "islands", whole | of_squares, surveying, 0,
     [](Found r) { return count(r.census.islands); }},
};

// A measure is found by its number.
constexpr bool in_order() {
    for (std::size_t i = 0; i < std::size(measure_table); ++i)
        if (measure_table[i].id != static_cast<MeasureId>(i)) return false;
    return measure_table[std::size(measure_table) - 1].id == MeasureId::islands;
}
static_assert(in_order());

}  // namespace

std::span<const MeasureFacts> measures() {
    return measure_table;
}
unsigned requirements_of(std::span<const MeasureId> ids) {
    unsigned all = nothing_more;
    for (const MeasureId id : ids) all |= measures()[static_cast<std::size_t>(id)].requirements;
    return all;
}

}  // namespace meiro
