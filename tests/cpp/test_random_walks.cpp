// The walks where tests over the registry do not come: large enough for aldous_broder to leap, with
// masks, wraps and options.
#include <doctest/doctest.h>

#include <string>

#include "generate/job.hpp"
#include "registry.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

Bytes make(const Generator& g, Shape shape, Wrap wrap, Mask mask, const Options& options,
           bool traced) {
    Bytes open(at(shape.size()), 0xee);
    Control control;
    Job job{Passages(open.data(), shape, wrap), mask, {{1, 2}, 3}, options, control};
    Trace trace(shape, Space::cells);
    NoTrace none;
    traced ? g.run(job, trace) : g.run(job, none);
    REQUIRE(Passages(open.data(), shape, wrap).first_fault(mask, control) == -1);
    return open;
}

// What is left standing when the events are played: carved and closed again.
Bytes played(const Generator& g, Shape shape, Wrap wrap, const Options& options) {
    Bytes open(at(shape.size()), 0);
    std::vector<std::uint64_t> events;
    for (int pass = 0; pass < 2; ++pass) {
        Bytes made(at(shape.size()));
        Control control;
        Job job{Passages(made.data(), shape, wrap), nullptr, {{1, 2}, 3}, options, control};
        Trace trace(shape, Space::cells, events.data(), static_cast<Index>(events.size()));
        g.run(job, trace);
        events.resize(at(trace.count()));
    }
    for (const std::uint64_t word : events) {
        const EventRecord h = unpack(word);
        if (h.event != Event::carve && h.event != Event::close) continue;
        const Cell site = shape.grid().cell(static_cast<Index>(h.place));
        const Index cell = shape.id({site.row / 2, site.col / 2});
        open[at(cell)] ^= static_cast<std::uint8_t>(bit(h.direction));
        open[at(beyond(shape, cell, h.direction))] ^=
            static_cast<std::uint8_t>(bit(opposite(h.direction)));
    }
    return open;
}

template <class Body>
void every_walk(Body body) {
    for (const Generator& g : generators())
        for (const char* name : {"wilson", "aldous_broder", "origin_shift"})
            if (g.name == name) {
                const std::string shown(name);
                CAPTURE(shown);
                body(g);
            }
}

}  // namespace

TEST_CASE("walks: traced is untraced, with masks, wraps and options") {
    every_walk([](const Generator& g) {
        for (const Shape shape : {Shape{24, 25}, Shape{90, 61}})
            for (const Wrap wrap : {Wrap{}, Wrap{true, false}, Wrap{true, true}})
                for (const std::uint64_t masked : {0, 1, 2}) {
                    Bytes mask(at(shape.size()), 1);
                    for (Index col = 0; col < shape.cols; ++col) mask[at(7 * shape.cols + col)] = 0;
                    mask[at(30 + 20 * shape.cols)] = 0;
                    std::vector<double> weights(at(2 * shape.size()));
                    Random random(Seed{{4, 5}});
                    if (masked == 2)  // scattered: most touch no other one
                        for (std::uint8_t& cell : mask) cell = random.bits(5) != 0 ? 1 : 0;
                    for (double& w : weights) w = 1 + static_cast<double>(random.below(4));
                    Options plain, weighed, biased, stepped;
                    weighed.weights = weights;
                    biased.bias = 3 * even_odds;
                    stepped.steps = 5000;
                    for (const Options* options : {&plain, &weighed, &biased, &stepped}) {
                        const Mask there = masked != 0 ? mask.data() : nullptr;
                        CHECK(make(g, shape, wrap, there, *options, false) ==
                              make(g, shape, wrap, there, *options, true));
                    }
                }
    });
}

TEST_CASE("walks: the events tell the maze") {
    every_walk([](const Generator& g) {
        if (g.name == "wilson") return;  // builds walls
        for (const Wrap wrap : {Wrap{}, Wrap{true, true}})
            for (const Index steps : {Index{-1}, Index{0}, Index{1}, Index{700}}) {
                const Shape shape{9, 8};
                Options options;
                options.steps = steps;
                CHECK(played(g, shape, wrap, options) ==
                      make(g, shape, wrap, nullptr, options, false));
            }
    });
}
