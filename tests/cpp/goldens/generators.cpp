// Every generator, with every option of its own, on every kind of lattice: mazes and traces.
#include <algorithm>
#include <functional>
#include <numeric>

#include "ensemble.hpp"
#include "generate/eller.hpp"
#include "generate/job.hpp"
#include "generate/shared/weights.hpp"
#include "goldens.hpp"
#include "trace/frame_deltas.hpp"

namespace meiro {
namespace {

constexpr Seed seed{{1, 2}, 3};

// Where the generator works, and arrays that its options point into.
struct Place {
    Shape shape;
    Lattice lattice;
    Bytes bytes = scattered_mask(shape), falls{};
    std::vector<Index> order{};
    std::vector<double> weights{};

    Mask mask() const { return lattice.masked ? bytes.data() : nullptr; }
};

// A value of an option: how a key names it, and how it is set.
struct OptionValue {
    std::string text;
    std::function<void(Place&, Options&)> set;
};

// A new option does not compile until it has values here, and in tests/helpers/goldens.py.
std::vector<OptionValue> values_of(Option option) {
    std::vector<OptionValue> values;
    const auto add = [&](std::string text, auto set) { values.push_back({std::move(text), set}); };
    switch (option) {
        case Option::start:
            add("random", [](Place&, Options& o) { o.start = Options::random_cell; });
            add("last", [](Place& place, Options& o) {
                o.start = place.shape.size() - 1;
                while (place.mask() != nullptr && place.bytes[at(o.start)] == 0) --o.start;
            });
            break;
        case Option::after_dead_end:
            add("random", [](Place&, Options& o) { o.after_dead_end = AfterDeadEnd::random; });
            break;
        case Option::order:
            add("scattered", [](Place& place, Options& o) {
                place.order.resize(at(wall_count(place.shape, place.lattice.wrap)));
                std::iota(place.order.begin(), place.order.end(), 0);
                std::sort(place.order.begin(), place.order.end(), [](Index a, Index b) {
                    return std::pair(scattered(a), a) < std::pair(scattered(b), b);
                });
                o.order = place.order;
            });
            break;
        case Option::weights:
            add("scattered", [](Place& place, Options& o) {
                place.weights = scattered_weights(wall_count(place.shape, place.lattice.wrap));
                o.weights = place.weights;
            });
            break;
        case Option::falls:
            add("scattered", [](Place& place, Options& o) {
                const Shape posts{place.shape.rows - 1, place.shape.cols - 1};
                for (Index i = 0; i < posts.size(); ++i)
                    place.falls.push_back(static_cast<std::uint8_t>(2u << scattered(i) % 2));
                o.falls = place.falls;
            });
            break;
        case Option::corner:
            add("north_east", [](Place&, Options& o) { o.corner = Corner::north_east; });
            add("south_east", [](Place&, Options& o) { o.corner = Corner::south_east; });
            add("south_west", [](Place&, Options& o) { o.corner = Corner::south_west; });
            break;
        case Option::towards:
            add("east", [](Place&, Options& o) { o.towards = Direction::east; });
            add("south", [](Place&, Options& o) { o.towards = Direction::south; });
            add("west", [](Place&, Options& o) { o.towards = Direction::west; });
            break;
        case Option::choose:
            add("oldest", [](Place&, Options& o) { o.choose = {0, 1, 0, 0}; });
            add("random", [](Place&, Options& o) { o.choose = {0, 0, 1, 0}; });
            add("middle", [](Place&, Options& o) { o.choose = {0, 0, 0, 1}; });
            add("newest:3,random:1", [](Place&, Options& o) { o.choose = {3, 0, 1, 0}; });
            break;
        case Option::hunt:
            add("random_row", [](Place&, Options& o) { o.hunt = Hunt::random_row; });
            break;
        case Option::walks:
            add("cells", [](Place&, Options& o) { o.walks = Walks::cells; });
            break;
        case Option::room:
            add("3", [](Place&, Options& o) { o.room = 3; });
            add("10", [](Place&, Options& o) { o.room = 10; });
            break;
        case Option::run:
            add("0.25", [](Place&, Options& o) { o.run = even_odds / 4; });
            add("4", [](Place&, Options& o) { o.run = even_odds * 4; });
            break;
        case Option::bias:
            add("0.25", [](Place&, Options& o) { o.bias = even_odds / 4; });
            add("4", [](Place&, Options& o) { o.bias = even_odds * 4; });
            break;
        case Option::p:
            add("0", [](Place&, Options& o) { o.p.share = 0; });
            add("0.625", [](Place&, Options& o) { o.p.share = Chance::certain / 8 * 5; });
            add("1", [](Place&, Options& o) { o.p.share = Chance::certain; });
            break;
        case Option::steps:
            add("0", [](Place&, Options& o) { o.steps = 0; });
            add("100", [](Place&, Options& o) { o.steps = 100; });
            break;
        case Option::trees:
            add("1", [](Place&, Options& o) { o.trees = 1; });
            add("5", [](Place&, Options& o) { o.trees = 5; });
            break;
        case Option::tries:
            add("0", [](Place&, Options& o) { o.tries = 0; });
            add("30", [](Place&, Options& o) { o.tries = 30; });
            break;
        case Option::sides:
            add("1,3", [](Place&, Options& o) { o.sides = {1, 3}; });
            break;
        case Option::doors:
            add("0.25", [](Place&, Options& o) { o.doors.share = Chance::certain / 4; });
            add("1", [](Place&, Options& o) { o.doors.share = Chance::certain; });
            break;
        case Option::dead_ends:
            add("remove", [](Place&, Options& o) { o.dead_ends = DeadEnds::remove; });
            break;
        case Option::fill:
            for (const Generator& g : generators())
                if (g.is(Trait::masks) && g.is(Trait::perfect))
                    add(std::string(g.name), [&g](Place&, Options& o) { o.fill = &g; });
            break;
    }
    return values;
}

// body(words of the option, its value) for the defaults and for each value of each option.
template <class Body>
void each_setting(const Generator& generator, Body body) {
    body("", OptionValue{"", [](Place&, Options&) {}});
    for (const OptionFacts& facts : option_facts)
        if (has(generator.options, facts.option))
            for (const OptionValue& value : values_of(facts.option))
                body(std::string(facts.name).append("=").append(value.text), value);
}

void check_maze(Goldens& goldens, const std::string& key, const Generator& generator,
                const Lattice& lattice, Shape shape, const OptionValue& value) {
    const auto make = [&](Digest& digest, int threads) {
        Place place{shape, lattice};
        Options options;
        value.set(place, options);
        Bytes open(at(shape.size()), 0xee);
        Control control;
        Job job{Passages(open.data(), shape, lattice.wrap),
                place.mask(),
                seed,
                options,
                control,
                threads};
        NoTrace none;
        generator.run(job, none);
        digest.each(open);
    };
    if (generator.is(Trait::threads))
        goldens.check_threads(key, shape.size(), make);
    else
        goldens.check(key, shape.size(), [&](Digest& digest) { make(digest, 1); });
}

// The events; how the labels, the states and the frames follow from them.
void check_trace(Goldens& goldens, const std::string& key, const Generator& generator,
                 const Lattice& lattice, const OptionValue& value) {
    const Shape shape{7, 9};
    goldens.check(key, shape.size(), [&](Digest& digest) {
        Place place{shape, lattice};
        Options options;
        value.set(place, options);
        Bytes open(at(shape.size()), 0xee);
        Control control;
        Job job{Passages(open.data(), shape, lattice.wrap), place.mask(), seed, options, control};
        const std::function<void(Trace&)> work = [&](Trace& trace) { generator.run(job, trace); };
        Recording recording;
        recording.run(shape, Space::cells, control, work);
        digest << recording.count() << recording.kinds();
        std::vector<std::uint64_t> words(at(recording.count()));
        const Bytes start(at(shape.size()));
        for (const LabelKind labels : {LabelKind::order, LabelKind::areas, LabelKind::sets}) {
            recording.keep({.shape = shape,
                            .space = Space::cells,
                            .wrap = lattice.wrap,
                            .mask = place.mask(),
                            .start = start.data(),
                            .search = false,
                            .label_kind = labels,
                            .kinds = recording.kinds()},
                           {0, recording.count(), 10, false}, words.data());
            recording.run(shape, Space::cells, control, work);
            const Replay& half = recording.at(recording.count() / 2);
            Bytes states(at(half.grid().size()));
            half.write_states(states.data());
            digest.each(states).each(half.current().passages);
            const FrameDeltas deltas =
                compute_deltas(recording, {nullptr, -1, -1}, 3, true, 1 << 20, control);
            digest.each(deltas.first).each(deltas.labels);
            for (Index i = 0; i < deltas.changes.size(); ++i) digest << deltas.changes[i];
            for (Index i = 0; i < deltas.label_changes.size(); ++i)
                digest << deltas.label_changes[i];
        }
        for (const std::uint64_t word : words) digest << without_clause(word);
        digest.each(open);
    });
}

void check_many(Goldens& goldens, const Generator& generator) {
    for (const Shape shape : {Shape{5, 6}, Shape{70, 65}})
        goldens.check_threads(key_of({"many", generator.name, text_of(shape)}), 9 * shape.size(),
                              [&](Digest& digest, int threads) {
                                  Bytes open(at(9 * shape.size()));
                                  const Options options;
                                  const Ensemble many{generator, open.data(), 9,    shape,
                                                      {},        nullptr,     seed, options};
                                  Control control;
                                  generate_many(many, control, threads);
                                  digest.each(open);
                              });
}

}  // namespace

void check_generators(Goldens& goldens) {
    for (const Generator& generator : generators()) {
        const auto check = [&](std::string_view setting, const OptionValue& value,
                               const Lattice& lattice, Shape shape) {
            check_maze(goldens,
                       key_of({"generate", generator.name, setting, lattice.name, text_of(shape)}),
                       generator, lattice, shape, value);
        };
        const bool has_segments = generator.name == "percolation" ||
                                  generator.name == "pole_toppling" ||
                                  generator.name == "sidewinder";
        each_setting(generator, [&](std::string_view setting, const OptionValue& value) {
            if (has_segments)  // shared/segments.hpp
                check(setting, value, lattices[0], {3, 80000});
            if (setting.empty())
                for (const Shape shape : {Shape{1, 1}, Shape{1, 50}, Shape{50, 1}, Shape{700, 900}})
                    check(setting, value, lattices[0], shape);
            for (const Lattice& lattice : lattices) {
                if (!takes(generator, lattice)) continue;
                check(setting, value, lattice, {7, 9});
                if (setting.empty() || lattice.name.empty())
                    check(setting, value, lattice, {100, 257});
            }
        });
        check_many(goldens, generator);
    }
    goldens.check("eller_rows/7x70", 490, [](Digest& digest) {
        EllerRow row(70);
        Bytes out(70), state(70);
        Control control;
        for (Index i = 0; i < 6; ++i) {
            row.next(EllerCoins(seed, i), out.data(), control);
            row.get(state.data(), control);
            digest.each(out).each(state);
        }
        row.last(EllerCoins(seed, 6), out.data(), control);
        digest.each(out);
    });
}

void check_traces(Goldens& goldens) {
    for (const Generator& generator : generators())
        each_setting(generator, [&](std::string_view setting, const OptionValue& value) {
            for (const Lattice& lattice : {lattices[0], lattices[1], lattices[5]})
                if (takes(generator, lattice))
                    check_trace(goldens, key_of({"trace", generator.name, setting, lattice.name}),
                                generator, lattice, value);
        });
}

}  // namespace meiro
