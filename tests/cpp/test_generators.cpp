// Every generator of the registry, on every small world: perfect, the same when traced, on any
// number of threads, without memory and when cancelled. A new algorithm is tested here without a
// line more.
#include <doctest/doctest.h>

#include <new>
#include <string>

#include "buffer.hpp"
#include "generate/job.hpp"
#include "registry.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

struct Made {
    Bytes open;
    Index events = 0;
};

Made make(const Generator& g, Shape shape, Mask mask, std::uint64_t replicate, Control& control,
          bool traced = false, int threads = 1) {
    Made made{Bytes(at(shape.size()), 0xee)};
    const Options options;
    Job job{
        Passages(made.open.data(), shape), mask, {{1, 2}, replicate}, options, control, threads};
    if (traced) {
        Trace trace(shape, Space::cells);
        g.run(job, trace);
        made.events = trace.count();
    } else {
        NoTrace none;
        g.run(job, none);
    }
    return made;
}

// Components of the cells that exist, by passages that are open, or by all that could be.
Index components(Shape shape, const Bytes& mask, const Bytes* open) {
    Bytes seen(mask.size(), 0);
    Index count = 0;
    std::vector<Index> stack;
    for (Index from = 0; from < shape.size(); ++from) {
        if (mask[at(from)] == 0 || seen[at(from)] != 0) continue;
        ++count;
        stack.push_back(from);
        seen[at(from)] = 1;
        while (!stack.empty()) {
            const Cell cell = shape.cell(stack.back());
            const Index id = stack.back();
            stack.pop_back();
            for (const Direction d : directions) {
                if (!neighbour(shape, mask, cell.row, cell.col, d)) continue;
                if (open != nullptr && ((*open)[at(id)] & bit(d)) == 0) continue;
                const Index to = shape.id({cell.row + row_step(d), cell.col + col_step(d)});
                if (seen[at(to)] == 0) {
                    seen[at(to)] = 1;
                    stack.push_back(to);
                }
            }
        }
    }
    return count;
}

template <class Body>
void every_job(Body body) {
    for (const Generator& g : generators())
        for (const Shape shape : shapes)
            for (std::uint64_t seed = 0; seed < (g.is(Trait::masks) ? 5u : 1u); ++seed) {
                const std::string name(g.name);
                CAPTURE(name);
                CAPTURE(shape.rows);
                CAPTURE(shape.cols);
                CAPTURE(seed);
                Bytes mask = some_mask(shape, seed);
                mask[0] = seed == 1 ? 0 : 1;
                if (components(shape, mask, nullptr) == 0) continue;  // refused before the core
                body(g, shape, seed == 0 ? nullptr : mask.data(), mask);
            }
}

// A hook that cancels at one of its looks.
struct Looks {
    Index looks, stop;
};
bool goes_on(void* context, Index) {
    auto& c = *static_cast<Looks*>(context);
    return ++c.looks != c.stop;
}

}  // namespace

TEST_CASE("one tree a part, and nothing else") {
    every_job([](const Generator& g, Shape shape, Mask mask, const Bytes& there) {
        const Index parts = components(shape, there, nullptr);
        for (std::uint64_t replicate = 0; replicate < 10; ++replicate) {
            Control control;
            Bytes open = make(g, shape, mask, replicate, control).open;
            REQUIRE(Passages(open.data(), shape).first_fault(mask, control) == -1);
            if (!g.is(Trait::perfect)) continue;
            Index cells = 0;
            Index ends = 0;
            for (Index id = 0; id < shape.size(); ++id) {
                cells += there[at(id)] != 0 ? 1 : 0;
                ends += std::popcount(open[at(id)]);
            }
            REQUIRE(ends == 2 * (cells - parts));
            REQUIRE(components(shape, there, &open) == parts);
        }
    });
}

TEST_CASE("traced is untraced, on any number of threads") {
    every_job([](const Generator& g, Shape shape, Mask mask, const Bytes&) {
        for (std::uint64_t replicate = 0; replicate < 5; ++replicate) {
            Control control;
            const Bytes plain = make(g, shape, mask, replicate, control).open;
            REQUIRE(make(g, shape, mask, replicate, control, true).open == plain);
            REQUIRE(make(g, shape, mask, replicate, control, false, 3).open == plain);
        }
    });
}

TEST_CASE("large enough for threads and tiles to matter") {
    for (const Generator& g : generators()) {
        const std::string name(g.name);
        CAPTURE(name);
        const Shape shape{257, 300};
        Control control;
        const Bytes plain = make(g, shape, nullptr, 0, control).open;
        const Made traced = make(g, shape, nullptr, 0, control, true);
        CHECK(traced.open == plain);
        CHECK(traced.events >=
              (shape.rows - 1) * (shape.cols - 1));  // a wall a post, or more passages
        CHECK(make(g, shape, nullptr, 0, control, false, 2).open == plain);
        CHECK((make(g, shape, nullptr, 1, control).open != plain) != g.is(Trait::fixed));
        Index ends = 0;
        for (const std::uint8_t b : plain) ends += std::popcount(b);
        if (g.is(Trait::perfect)) CHECK(ends == 2 * (shape.size() - 1));
    }
}

TEST_CASE("no memory: bad_alloc at every allocation, and the next maze is right again") {
    every_job([](const Generator& g, Shape shape, Mask mask, const Bytes&) {
        Control control;
        const Bytes plain = make(g, shape, mask, 0, control).open;
        bool failed = true;
        for (Index n = 0; failed; ++n) {
            REQUIRE(n < 10'000);
            buffers_until_failure() = n;
            try {
                const Bytes made = make(g, shape, mask, 0, control).open;
                failed = buffers_until_failure() == -1;
                REQUIRE_FALSE(failed);
                REQUIRE(made == plain);
            } catch (const std::bad_alloc&) {
                REQUIRE(buffers_until_failure() == -1);
            }
        }
        buffers_until_failure() = -1;
    });
}

TEST_CASE("cancelled at any look: Cancelled, no leak" * doctest::test_suite("one thread")) {
    const Shape shape{1000, 1200};
    for (const Generator& g : generators()) {
        const std::string name(g.name);
        CAPTURE(name);
        Looks all{0, -1};
        Control watched(goes_on, &all);
        make(g, shape, nullptr, 0, watched);
        REQUIRE(all.looks >= 1);
        for (const Index stop : {Index{1}, all.looks}) {
            Looks count{0, stop};
            Control control(goes_on, &count);
            CHECK_THROWS_AS(make(g, shape, nullptr, 0, control), Cancelled);
        }
    }
}

TEST_CASE("cancelled beside a helper: Cancelled, no leak") {
    for (const Generator& g : generators()) {
        const std::string name(g.name);
        CAPTURE(name);
        Looks first{0, 1};
        Control helped(goes_on, &first);
        bool cancelled = false;
        try {
            make(g, {1000, 1200}, nullptr, 0, helped, false, 2);
        } catch (const Cancelled&) {
            cancelled = true;
        }
        CHECK(cancelled == (first.looks > 0));  // the helper may have done it all before any look
    }
}
