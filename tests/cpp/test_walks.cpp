// Backtracker and hunt and kill with the options that lead to their other forms, and BitsetTree.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "generate/job.hpp"
#include "generate/shared/bitset_tree.hpp"
#include "registry.hpp"
#include "support.hpp"

using namespace meiro;

TEST_CASE("a BitsetTree is a set") {
    for (const Index size :
         {Index{1}, Index{63}, Index{64}, Index{65}, Index{4096}, Index{4097}, Index{300'000}}) {
        CAPTURE(size);
        BitsetTree numbers(size);
        std::set<Index> set;
        Random random(Seed{{1, 2}});
        for (int step = 0; step < 20'000; ++step) {
            // Far apart and close together, mostly taken out again.
            const Index i =
                random.coin() ? random.below(size) : random.below(std::min<Index>(size, 70));
            if (random.coin() && random.coin()) {
                numbers.insert(i);
                set.insert(i);
            } else {
                numbers.erase(i);
                set.erase(i);
            }
            const Index from = random.below(size);
            const auto found = set.lower_bound(from);
            REQUIRE(numbers.next(from) == (found == set.end() ? -1 : *found));
            REQUIRE(numbers.next(0) == (set.empty() ? -1 : *set.begin()));
        }
        for (const Index i : set) numbers.erase(i);
        REQUIRE(numbers.next(0) == -1);
    }
}

TEST_CASE("hunt and kill: a long walk is polled within, and reports its cells") {
    struct Watcher {
        Index looks = 0, done = 0;
        static bool hook(void* context, Index done) {
            auto& self = *static_cast<Watcher*>(context);
            ++self.looks;
            self.done = done;
            return true;
        }
    } watcher;
    const Shape shape{1, 200'000};
    Bytes open(at(shape.size()), 0xee), corridor(at(shape.size()), bits::east | bits::west);
    corridor.front() = bits::east;
    corridor.back() = bits::west;
    Options options;
    options.start = shape.cols - 1;
    Control control(&Watcher::hook, &watcher);
    NoTrace none;
    Job job{Passages(open.data(), shape), nullptr, {{1, 2}}, options, control};
    hunt_and_kill(job, none);
    CHECK(open == corridor);
    CHECK(watcher.looks >= 4 * shape.cols / Control::stride);
    CHECK(watcher.done > shape.cols / 2);
}

TEST_CASE("with any options: perfect, traced is untraced, memory may fail") {
    for (const Generator& g : generators()) {
        if (g.name != "backtracker" && g.name != "hunt_and_kill") continue;
        const std::string name(g.name);
        CAPTURE(name);
        for (unsigned which = 0; which < 64; ++which) {
            CAPTURE(which);
            const Shape shape = (which & 32) != 0 ? Shape{3, 40} : Shape{21, 17};
            const Wrap wrap{(which & 1) != 0, (which & 2) != 0};
            Options options;
            if ((which & 4) != 0) options.run = 3 * even_odds;
            if ((which & 8) != 0) options.start = Options::random_cell;
            if ((which & 16) != 0) {
                options.after_dead_end = AfterDeadEnd::random;
                options.hunt = Hunt::random_row;
            }
            const auto make = [&](bool traced) {
                Bytes open(at(shape.size()), 0xee);
                Control control;
                Job job{Passages(open.data(), shape, wrap),
                        nullptr,
                        {{1, 2}, which},
                        options,
                        control,
                        1};
                if (traced) {
                    Trace trace(shape, Space::cells);
                    g.run(job, trace);
                    REQUIRE(trace.count() >= shape.size());
                } else {
                    NoTrace none;
                    g.run(job, none);
                }
                REQUIRE(job.maze.first_fault(nullptr, control) == -1);
                return open;
            };
            const Bytes plain = make(false);
            REQUIRE(make(true) == plain);
            Index ends = 0;
            for (const std::uint8_t b : plain) ends += std::popcount(b);
            REQUIRE(ends == 2 * (shape.size() - 1));
            bool failed = true;
            for (Index n = 0; failed; ++n) {
                REQUIRE(n < 100);
                buffers_until_failure() = n;
                try {
                    failed = make(false) != plain || buffers_until_failure() == -1;
                    REQUIRE_FALSE(failed);
                } catch (const std::bad_alloc&) {
                    REQUIRE(buffers_until_failure() == -1);
                }
            }
            buffers_until_failure() = -1;
        }
    }
}
