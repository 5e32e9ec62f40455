// Events: packed, placed on the drawn grid, and kept in windows.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "support.hpp"
#include "trace/events.hpp"
#include "trace/recording.hpp"

using namespace meiro;

TEST_CASE("an event survives its 8 bytes") {
    for (const std::uint64_t place :
         {std::uint64_t{0}, std::uint64_t{1}, (std::uint64_t{1} << 52) - 1})
        for (const Event e : {Event::visit, Event::carve, Event::path})
            for (const Direction d : {Direction::north, Direction::west, Direction::none}) {
                for (const unsigned clause : {0u, 1u, 15u}) {
                    const std::uint64_t word = pack({place, e, d, clause});
                    const EventRecord h = unpack(word);
                    CHECK(h.place == place);
                    CHECK(h.event == e);
                    CHECK(h.direction == d);
                    CHECK(h.clause == clause);
                    CHECK(without_clause(word) == pack({place, e, d}));
                }
            }
}

TEST_CASE("cells, posts and sites are places of the drawn grid") {
    std::array<std::uint64_t, 3> words{};
    const Shape shape{3, 4};  // the grid is 7 x 9
    Trace cells(shape, Space::cells, words.data(), 3);
    cells.on(Event::carve, Cell{1, 2}, Direction::east);
    cells.on(Event::build, Post{3, 4}, Direction::north);
    CHECK(unpack(words[0]).place == 3 * 9 + 5);
    CHECK(unpack(words[0]).event == Event::carve);
    CHECK(unpack(words[0]).direction == Direction::east);
    CHECK(unpack(words[1]).place == 6 * 9 + 8);
    Trace sites({7, 9}, Space::sites, words.data(), 3);
    sites.on(Event::visit, Cell{3, 5});
    CHECK(unpack(words[0]).place == 3 * 9 + 5);
    CHECK(unpack(words[0]).direction == Direction::none);
}

TEST_CASE("a trace without memory counts; a window keeps its part and nothing beyond") {
    const Shape shape{1, 100};
    Trace counter(shape, Space::cells);
    for (Index c = 0; c < 100; ++c) counter.on(Event::visit, Cell{0, c});
    CHECK(counter.count() == 100);
    constexpr std::uint64_t guard = 0xabcdef;
    for (const Index first : {0, 1, 50, 97, 100, 200}) {
        std::vector<std::uint64_t> memory(12, guard);
        Trace window(shape, Space::cells, memory.data() + 1, 10, first);
        for (Index c = 0; c < 100; ++c) window.on(Event::visit, Cell{0, c});
        CHECK(window.count() == 100);
        CHECK(memory.front() == guard);
        CHECK(memory.back() == guard);
        for (Index i = 0; i < 10; ++i) {
            const std::uint64_t word = memory[static_cast<std::size_t>(i) + 1];
            if (first + i < 100)
                CHECK(unpack(word).place == static_cast<std::uint64_t>(201 + 2 * (first + i) + 1));
            else
                CHECK(word == guard);
        }
    }
}

TEST_CASE("a replay joins the sets of cells that are joined by passages, and knows places only") {
    const Shape shape{1, 6};
    const Bytes closed(at(shape.size()), 0);
    const auto run = [&](Trace& trace) {
        for (Index c = 0; c < 6; ++c) trace.on(Event::visit, Cell{0, c});
        trace.on(Event::carve, Cell{0, 1}, Direction::east);
        trace.on(Event::carve, Cell{0, 5}, Direction::east);   // over the border
        trace.on(Event::carve, Cell{7, 0}, Direction::north);  // nowhere
        trace.on(Event::visit, Post{0, 0});                    // no cell
        trace.on(Event::carve, Cell{0, 3}, Direction::east);
        trace.on(Event::carve, Cell{0, 4}, Direction::west);
        trace.on(Event::carve, Cell{0, 2}, Direction::east);
    };
    Control control;
    Recording recording;
    recording.run(shape, Space::cells, control, run);
    std::vector<std::uint64_t> words(at(recording.count()));
    recording.keep({shape,
                    Space::cells,
                    {},
                    nullptr,
                    closed.data(),
                    false,
                    LabelKind::sets,
                    recording.kinds()},
                   {0, recording.count(), 4, false}, words.data());
    recording.run(shape, Space::cells, control, run);
    const auto sets = [&](Index position) {
        std::vector<std::int32_t> labels(at(shape.size()));
        recording.at(position).current().labels.write(labels.data());
        return labels;
    };
    CHECK(sets(6) == std::vector<std::int32_t>{1, 2, 3, 4, 5, 6});
    CHECK(sets(10) == std::vector<std::int32_t>{1, 2, 2, 4, 5, 6});
    CHECK(sets(13) == std::vector<std::int32_t>{1, 2, 2, 2, 2, 6});
    CHECK(recording.at(13).current().passages[0] == 0);
    CHECK(recording.at(13).current().passages[3] == (bits::east | bits::west));
}

TEST_CASE("a trace hands its events on in pieces, and knows their kinds") {
    const Shape shape{1, 10};
    std::vector<std::uint64_t> got, memory(4);
    const Trace::Sink sink = [](void* to, const std::uint64_t* events, Index size) {
        auto& words = *static_cast<std::vector<std::uint64_t>*>(to);
        CHECK(size <= 4);
        words.insert(words.end(), events, events + size);
    };
    Trace trace(shape, Space::cells, memory.data(), 4, sink, &got);
    for (Index c = 0; c < 10; ++c) {
        CHECK(static_cast<Index>(got.size()) == c / 4 * 4);
        trace.on(c % 2 == 0 ? Event::visit : Event::fill, Cell{0, c});
    }
    trace.flush();
    REQUIRE(got.size() == 10);
    CHECK(trace.count() == 10);
    CHECK(trace.kinds() == (1u << 0 | 1u << static_cast<unsigned>(Event::fill)));
    for (std::size_t c = 0; c < 10; ++c) CHECK(unpack(got[c]).place == 21 + 2 * c + 1);
}
