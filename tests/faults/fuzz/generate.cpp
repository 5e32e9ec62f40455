// Generators with arbitrary options, shapes, masks and seeds: a sound maze, perfect where the
// registry says so, the same when it is recorded; rows of Eller's algorithm from arbitrary states;
// and windows of endless mazes.
#include <bit>
#include <cmath>
#include <stdexcept>

#include "fuzz.hpp"
#include "generate/eller.hpp"
#include "generate/endless/endless.hpp"
#include "generate/job.hpp"
#include "measure/components.hpp"
#include "registry.hpp"

namespace meiro {
namespace {

void check_generator(Input& in, Control& control) {
    const auto all = generators();
    const Generator& generator = all[at(in.between(0, static_cast<Index>(all.size()) - 1))];
    const Shape shape = in.shape(20);
    const Wrap asked = in.wrap(shape), wrap = generator.is(Trait::wraps) ? asked : Wrap{};
    Bytes mask = in.mask(shape);
    if (!generator.is(Trait::masks)) mask.clear();
    const Seed seed = in.seed();
    const Index walls = shape.walls() + (wrap.cols ? shape.rows : 0) + (wrap.rows ? shape.cols : 0);
    std::vector<Index> order(at(walls));
    std::vector<double> weights(at(walls));
    Bytes falls(at((shape.rows - 1) * (shape.cols - 1)));
    Options options;
    const auto asks = [&](Option option) { return has(generator.options, option) && in.flag(); };
    if (asks(Option::start)) {
        options.start = in.between(0, shape.size() - 1);
        if (!exists(mask, options.start)) options.start = Options::random_cell;
    }
    if (asks(Option::order)) {
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<Index>(i);
        for (std::size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[at(in.between(0, static_cast<Index>(i) - 1))]);
        options.order = order;
    } else if (asks(Option::weights)) {
        // Conductances are positive, and no walk is to last for ever; other weights are not
        // negative.
        const bool law = generator.law == "uniform";
        for (double& weight : weights)
            weight = std::ldexp(in.byte() + (law ? 1.0 : 0.0), law ? 0 : in.byte() - 128);
        options.weights = weights;
    }
    if (asks(Option::falls)) {
        for (Index i = 0; i < static_cast<Index>(falls.size()); ++i) {
            const bool first = i < shape.cols - 1;  // only these may fall to the north
            falls[at(i)] = static_cast<std::uint8_t>(bit(in.choice<Direction>(4)));
            if (!first && falls[at(i)] == bits::north) falls[at(i)] = bits::east;
        }
        options.falls = falls;
    }
    if (asks(Option::after_dead_end)) options.after_dead_end = in.choice<AfterDeadEnd>(2);
    if (asks(Option::corner)) options.corner = in.choice<Corner>(4);
    if (asks(Option::towards)) options.towards = in.choice<Direction>(4);
    if (asks(Option::hunt)) options.hunt = in.choice<Hunt>(2);
    if (asks(Option::walks)) options.walks = in.choice<Walks>(2);
    if (asks(Option::dead_ends)) options.dead_ends = in.choice<DeadEnds>(2);
    if (asks(Option::choose))
        for (std::uint32_t& odds : options.choose)
            odds = static_cast<std::uint32_t>(in.word() >> 40);
    if (options.choose == std::array<std::uint32_t, 4>{}) options.choose[2] = 1;
    if (asks(Option::room)) options.room = in.between(2, 30);
    if (asks(Option::run)) options.run = Factor{1} << 10 << in.between(0, 20);
    if (asks(Option::bias)) options.bias = Factor{1} << 10 << in.between(0, 20);
    if (asks(Option::p))
        options.p.share = std::min<std::uint64_t>(in.word() >> in.byte() % 64, Chance::certain);
    if (asks(Option::doors))
        options.doors.share = std::min<std::uint64_t>(in.word() >> in.byte() % 64, Chance::certain);
    if (asks(Option::steps)) options.steps = in.between(0, 2000);
    if (asks(Option::trees)) options.trees = in.between(1, 500);
    if (asks(Option::tries)) options.tries = in.between(0, 500);
    if (asks(Option::sides)) options.sides = {in.between(1, 5), in.between(5, 40)};
    if (asks(Option::fill)) {
        options.fill = &all[at(in.between(0, static_cast<Index>(all.size()) - 1))];
        if (!options.fill->is(Trait::masks) || !options.fill->is(Trait::perfect) ||
            has(options.fill->options, Option::fill))
            options.fill = nullptr;
    }
    Bytes open(at(shape.size()), 0xa5), traced(at(shape.size()), 0x5a);
    Job job{Passages(open.data(), shape, wrap),    mask_of(mask), seed, options, control,
            1 + static_cast<int>(in.between(0, 1))};
    NoTrace silent;
    try {
        generator.run(job, silent);
    } catch (const std::invalid_argument&) {
        return;  // more trees than cells
    }
    MUST(plain_sound(shape, wrap, mask, open));
    const bool lax = has(generator.options, Option::steps) || has(generator.options, Option::p) ||
                     has(generator.options, Option::doors) ||
                     has(generator.options, Option::room) ||
                     has(generator.options, Option::dead_ends);
    const Census census = wrap.any()
                              ? census_of_periodic(open.data(), shape, wrap, mask_of(mask), control)
                              : census_of_passages(open.data(), shape, mask_of(mask), control);
    if (generator.is(Trait::perfect) && !lax) MUST(is_perfect(census));
    Job again{Passages(traced.data(), shape, wrap), mask_of(mask), seed, options, control};
    Trace trace(shape, Space::cells);
    generator.run(again, trace);
    MUST(traced == open);
}

void check_eller(Input& in, Control& control) {
    const Index cols = in.between(1, 300);
    EllerRow row(cols);
    Bytes state(at(cols)), kept(state.size()), out(state.size(), 0x5a);
    row.get(kept.data(), control);
    for (std::uint8_t& byte : state) byte = in.flag() ? in.byte() : in.byte() % 8;
    if (!row.put(state.data(), control)) {
        Bytes after(state.size());
        row.get(after.data(), control);
        MUST(after == kept);
    } else {
        row.get(kept.data(), control);
        MUST(kept == state);
    }
    const Bytes right = in.bytes(cols - 1), lower = in.bytes(cols);
    for (Index made = in.between(0, 4); made > 0; --made) {
        row.next(EllerCoins(in.seed(), made), out.data(), control);
        Bytes before(state.size());
        row.get(before.data(), control);
        MUST(row.put(before.data(), control));  // what it says is what it takes
    }
    row.last(EllerCoins(right.data(), lower.data(), cols), out.data(), control);
    for (Index col = 0; col < cols; ++col) {
        MUST((out[at(col)] & ~(bits::north | bits::east | bits::west)) == 0);
        const bool east = (out[at(col)] & bits::east) != 0;
        MUST(east == (col + 1 < cols && (out[at(col + 1)] & bits::west) != 0));
    }
}

// Two windows of an endless maze that overlap, anywhere.
void check_endless(Input& in, Control& control) {
    using namespace endless;
    constexpr std::string_view names[] = {"kruskal", "percolation", "binary_tree", "sidewinder",
                                          "pole_toppling"};
    const Rule window = find_rule(names[at(in.between(0, 4))]);
    const Plane plane{in.seed(), {in.word() >> 1}};
    const Shape shape = in.shape(20);
    const auto first = [&] { return in.between(-coordinate_end, coordinate_end - 300); };
    const Cell corner{first(), first()};
    const Cell skipped{in.between(0, shape.rows - 1), in.between(0, shape.cols - 1)};
    const Shape part{shape.rows - skipped.row, shape.cols - skipped.col};
    Bytes all(at(shape.size()), 0xa5), some(at(part.size()), 0x5a);
    window(plane, corner, shape, all.data(), control, 1);
    window(plane, {corner.row + skipped.row, corner.col + skipped.col}, part, some.data(), control,
           2);
    for (Index i = 0; i < part.size(); ++i) {
        const Cell cell = part.cell(i);
        const Cell whole{cell.row + skipped.row, cell.col + skipped.col};
        MUST(some[at(i)] == all[at(shape.id(whole))]);
        MUST(whole.col == 0 || ((all[at(shape.id(whole))] & bits::west) != 0) ==
                                   ((all[at(shape.id(whole) - 1)] & bits::east) != 0));
    }
}

}  // namespace

void check(Input& in) {
    Control control;
    const unsigned kind = in.byte();
    if (kind % 16 == 1)
        check_endless(in, control);
    else if (kind % 4 == 0)
        check_eller(in, control);
    else
        check_generator(in, control);
}

}  // namespace meiro
