// The table of measures.
#include <bit>

#include "measures.hpp"

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

constexpr MeasureFacts measure_table[] = {
    {.id = MeasureId::cells, .name = "cells", .whole = true},
    {.id = MeasureId::passages, .name = "passages", .whole = true},
    {.id = MeasureId::horizontal_passages,
     .name = "horizontal_passages",
     .whole = true,
     .local = each_with(0b0010),
     .graphs = false},
    {.id = MeasureId::vertical_passages,
     .name = "vertical_passages",
     .whole = true,
     .local = each_with(0b0100),
     .graphs = false},
    {.id = MeasureId::horizontal_share, .name = "horizontal_share", .graphs = false},
    {.id = MeasureId::isolated, .name = "isolated", .whole = true, .local = of_degree(0)},
    {.id = MeasureId::dead_ends, .name = "dead_ends", .whole = true, .local = of_degree(1)},
    {.id = MeasureId::corridors, .name = "corridors", .whole = true, .local = of_degree(2)},
    {.id = MeasureId::junctions, .name = "junctions", .whole = true, .local = of_degree(3)},
    {.id = MeasureId::crossroads, .name = "crossroads", .whole = true, .local = of_degree(4)},
    {.id = MeasureId::straights,
     .name = "straights",
     .whole = true,
     .local = 1u << 0b0101 | 1u << 0b1010,
     .graphs = false},
    {.id = MeasureId::turns,
     .name = "turns",
     .whole = true,
     .local = of_degree(2) & ~(1u << 0b0101 | 1u << 0b1010),
     .graphs = false},
    {.id = MeasureId::dead_end_share, .name = "dead_end_share"},
    {.id = MeasureId::mean_dead_end, .name = "mean_dead_end", .requirements = dead_ending},
    {.id = MeasureId::longest_dead_end,
     .name = "longest_dead_end",
     .whole = true,
     .requirements = dead_ending},
    {.id = MeasureId::river, .name = "river", .requirements = chaining},
    {.id = MeasureId::solution_length,
     .name = "solution_length",
     .whole = true,
     .needs = "path",
     .requirements = solving},
    {.id = MeasureId::solution_share,
     .name = "solution_share",
     .needs = "path",
     .requirements = solving},
    {.id = MeasureId::solution_turns,
     .name = "solution_turns",
     .whole = true,
     .needs = "path",
     .requirements = solving,
     .graphs = false},
    {.id = MeasureId::solution_decisions,
     .name = "solution_decisions",
     .whole = true,
     .needs = "path",
     .requirements = solving},
    {.id = MeasureId::tortuosity,
     .name = "tortuosity",
     .needs = "path",
     .requirements = solving,
     .graphs = false},
    {.id = MeasureId::absorption_time,
     .name = "absorption_time",
     .whole = true,
     .needs = "tree",
     .requirements = absorbing},
    {.id = MeasureId::difficulty,
     .name = "difficulty",
     .needs = "tree",
     .requirements = branching,
     .graphs = false},
    {.id = MeasureId::complexity,
     .name = "complexity",
     .needs = "tree",
     .requirements = hallway,
     .graphs = false},
    {.id = MeasureId::diameter,
     .name = "diameter",
     .whole = true,
     .needs = "tree",
     .requirements = spanning},
    {.id = MeasureId::radius,
     .name = "radius",
     .whole = true,
     .needs = "tree",
     .requirements = spanning},
    {.id = MeasureId::wiener_index,
     .name = "wiener_index",
     .whole = true,
     .needs = "tree",
     .requirements = summing},
    {.id = MeasureId::mean_distance,
     .name = "mean_distance",
     .needs = "tree",
     .requirements = summing},
    {.id = MeasureId::regions, .name = "regions", .whole = true, .requirements = surveying},
    {.id = MeasureId::enclosed_regions,
     .name = "enclosed_regions",
     .whole = true,
     .requirements = surveying},
    {.id = MeasureId::loops, .name = "loops", .whole = true, .requirements = surveying},
    {.id = MeasureId::islands,
     .name = "islands",
     .whole = true,
     .requirements = surveying,
     .graphs = false}};

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

}  // namespace meiro
