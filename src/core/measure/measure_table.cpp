// The table of measures, with their formulas.
#include <algorithm>
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

using Found = const MeasureResults&;
using enum MeasureTrait;

Value unless(bool missing, std::string_view reason, const Value& value) {
    return missing ? Value{std::numeric_limits<double>::quiet_NaN(), reason} : value;
}
Value count(Index number) {
    return {static_cast<double>(number)};
}
Value share(Index part, Index all, std::string_view reason = {}) {
    const Index some = all == 0 ? 1 : all;
    return unless(all == 0, reason, {static_cast<double>(part) / static_cast<double>(some)});
}
Value in_tree(Found r, double number) {
    return unless(!r.no_tree().empty(), r.no_tree(), {number});
}
Value on_path(Found r, const Value& value) {
    return unless(!r.solution.found, missing::no_path, value);
}
double pairs(Found r) {
    return 0.5 * static_cast<double>(r.counts.cells) * static_cast<double>(r.counts.cells - 1);
}

constexpr MeasureFacts measure_table[] = {
    {"cells", whole, nothing_more, 0, [](Found r) { return count(r.counts.cells); }},
    {"passages", whole, nothing_more, 0, [](Found r) { return count(r.counts.passages()); }},
    {"horizontal_passages", whole | of_squares, nothing_more, each_with(0b0010),
     [](Found r) { return count(r.counts.horizontal); }},
    {"vertical_passages", whole | of_squares, nothing_more, each_with(0b0100),
     [](Found r) { return count(r.counts.vertical); }},
    {"horizontal_share", of_squares, nothing_more, 0,
     [](Found r) { return share(r.counts.horizontal, r.counts.passages(), missing::no_passages); }},
    {"isolated", whole, nothing_more, of_degree(0),
     [](Found r) { return count(r.counts.isolated); }},
    {"dead_ends", whole, nothing_more, of_degree(1),
     [](Found r) { return count(r.counts.dead_ends); }},
    {"corridors", whole, nothing_more, of_degree(2),
     [](Found r) { return count(r.counts.corridors); }},
    {"junctions", whole, nothing_more, of_degree(3),
     [](Found r) { return count(r.counts.junctions); }},
    {"crossroads", whole, nothing_more, of_degree(4),
     [](Found r) { return count(r.counts.crossroads); }},
    {"straights", whole | of_squares, nothing_more, 1u << 0b0101 | 1u << 0b1010,
     [](Found r) { return count(r.counts.straights); }},
    {"turns", whole | of_squares, nothing_more, of_degree(2) & ~(1u << 0b0101 | 1u << 0b1010),
     [](Found r) { return count(r.counts.turns()); }},
    {"dead_end_share", plain, nothing_more, 0,
     [](Found r) { return share(r.counts.dead_ends, r.counts.cells); }},
    {"mean_dead_end", plain, dead_ending, 0,
     [](Found r) { return share(r.dead_ends.steps, r.counts.dead_ends, missing::no_dead_ends); }},
    {"longest_dead_end", whole, dead_ending, 0,
     [](Found r) {
         return unless(r.counts.dead_ends == 0, missing::no_dead_ends, count(r.dead_ends.longest));
     }},
    {"river", plain, chaining, 0,
     [](Found r) {
         return share(2 * (r.counts.passages() - r.lonely),
                      2 * (r.counts.passages() - r.counts.corridors), missing::no_branches);
     }},
    {"solution_length", whole | of_path, solving, 0,
     [](Found r) { return on_path(r, count(r.solution.length)); }},
    {"solution_share", of_path, solving, 0,
     [](Found r) { return on_path(r, share(r.solution.length + 1, r.counts.cells)); }},
    {"solution_turns", whole | of_path | of_squares, solving, 0,
     [](Found r) { return on_path(r, count(r.solution.turns)); }},
    {"solution_decisions", whole | of_path, solving, 0,
     [](Found r) {
         return on_path(r,
                        count(r.solution.decisions + (r.choice_at_start && !r.same_ends ? 1 : 0)));
     }},
    {"tortuosity", of_path | of_squares, solving, 0,
     [](Found r) { return on_path(r, share(r.solution.length, r.apart, missing::same_ends)); }},
    {"absorption_time", whole | of_tree, absorbing, 0,
     [](Found r) { return in_tree(r, r.absorption_time.value()); }},
    {"difficulty", of_tree | of_squares, branching, 0,
     [](Found r) {
         return unless(r.same_ends, missing::same_ends,
                       in_tree(r, natural_log(r.solution.complexity) + r.branches));
     }},
    {"complexity", of_tree | of_squares, hallway, 0,
     [](Found r) {
         return unless(r.counts.cells == 1, missing::one_cell, in_tree(r, natural_log(r.hallways)));
     }},
    {"diameter", whole | of_tree, spanning, 0,
     [](Found r) { return in_tree(r, static_cast<double>(r.diameter)); }},
    {"radius", whole | of_tree, spanning, 0,
     [](Found r) { return in_tree(r, std::ceil(0.5 * static_cast<double>(r.diameter))); }},
    {"wiener_index", whole | of_tree, summing, 0,
     [](Found r) { return in_tree(r, r.wiener_index.value()); }},
    {"mean_distance", of_tree, summing, 0,
     [](Found r) {
         return unless(r.counts.cells == 1, missing::one_cell,
                       in_tree(r, r.wiener_index.value() / pairs(r)));
     }},
    {"regions", whole, surveying, 0, [](Found r) { return count(r.census.regions); }},
    {"enclosed_regions", whole, surveying, 0, [](Found r) { return count(r.census.regions - 1); }},
    {"loops", whole, surveying, 0, [](Found r) { return count(r.census.loops); }},
    {"islands", whole | of_squares, surveying, 0, [](Found r) { return count(r.census.islands); }},
};

}  // namespace

std::span<const MeasureFacts> measures() {
    return measure_table;
}
const MeasureFacts* measure_named(std::string_view name) {
    const auto* const found = std::ranges::find(measure_table, name, &MeasureFacts::name);
    return found == std::end(measure_table) ? nullptr : found;
}

unsigned requirements_of(MeasureList list) {
    unsigned all = nothing_more;
    for (const MeasureFacts* const one : list) all |= one->requirements;
    return all;
}

}  // namespace meiro
