// Traces on graphs: replayed as the rules of the events say, and safe for words of any kind.
#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "graph/graph_job.hpp"
#include "support.hpp"
#include "trace/frame_deltas.hpp"

using namespace meiro;

namespace {

// 0 - 1 - 2 with a second edge between 1 and 2, and a self loop at 0.
constexpr std::array<GraphId, 8> ends{0, 1, 1, 2, 2, 1, 0, 0};

Graph graph_of_ends(Control& control) {
    return Graph(3, ends.data(), 4, control);
}

constexpr std::uint64_t word(Event event, Index place, bool back = false) {
    return pack(
        {static_cast<std::uint64_t>(place), event, back ? Direction::east : Direction::north});
}

constexpr unsigned all_kinds = 0xfff;

}  // namespace

TEST_CASE("a walk on a graph erases its loops, and an edge joins two cells") {
    Control control;
    const Graph graph = graph_of_ends(control);
    GraphReplay replay({&graph, nullptr, LabelKind::areas, all_kinds}, control);
    const auto states = [&] {
        std::vector<std::uint8_t> out(7);
        replay.write_states(out.data());
        return out;
    };
    constexpr auto untouched = static_cast<std::uint8_t>(State::untouched);
    constexpr auto walk = static_cast<std::uint8_t>(State::walk);
    constexpr auto current = static_cast<std::uint8_t>(State::current);
    constexpr auto in_maze = static_cast<std::uint8_t>(State::in_maze);
    const std::array<std::uint64_t, 2> there{word(Event::walk, 3), word(Event::walk, 4)};
    replay.apply(there.data(), 2);  // 0 to 1 to 2
    CHECK(states() == std::vector<std::uint8_t>{walk, walk, current, walk, walk, 0, 0});
    const std::uint64_t home = word(Event::walk, 5);  // 2 to 1 by the other edge: a loop
    replay.apply(&home, 1);
    CHECK(states() == std::vector<std::uint8_t>{walk, current, untouched, walk, 0, 0, 0});
    const std::uint64_t carve = word(Event::carve, 4, true);  // from 2 to 1
    CHECK(replay.numbers(unpack(carve)) == std::array<std::int32_t, 2>{2, 1});
    replay.apply(&carve, 1);
    CHECK(replay.current().passages[1] == 1);
    CHECK(states()[1] == current);
    CHECK(states()[4] == in_maze);
    CHECK(replay.numbers(unpack(carve)) == std::array<std::int32_t, 2>{1, 1});
    const std::uint64_t close = word(Event::close, 4, true);
    replay.apply(&close, 1);
    CHECK(replay.current().passages[1] == 0);
    CHECK(states()[1] == untouched);
    CHECK(states()[2] == current);
}

TEST_CASE("a passage of a searched graph is drawn as the cells beside it") {
    Control control;
    const Graph graph = graph_of_ends(control);
    const std::array<std::uint8_t, 4> open{1, 1, 0, 0};
    GraphReplay replay({&graph, open.data(), LabelKind::distance, all_kinds & ~(1u << 1)}, control);
    const SearchEnds search_ends{nullptr, 0, 2};
    const std::uint64_t start = word(Event::visit, 0), step = word(Event::visit, 3);
    CHECK(replay.paint(search_ends, 0) == static_cast<std::uint8_t>(Paint::start));
    CHECK(replay.paint(search_ends, 2) == static_cast<std::uint8_t>(Paint::goal));
    CHECK(replay.paint(search_ends, 5) == static_cast<std::uint8_t>(Paint::wall));
    CHECK(replay.paint(search_ends, 3) == static_cast<std::uint8_t>(Paint::road));
    replay.apply(&start, 1);
    replay.apply(&step, 1);
    CHECK(replay.paint(search_ends, 3) == static_cast<std::uint8_t>(State::visited));
    CHECK(replay.paint(search_ends, 4) == static_cast<std::uint8_t>(Paint::road));
    CHECK(replay.current().labels.size() == 3);
    std::array<std::int32_t, 3> labels{};
    replay.current().labels.write(labels.data());
    CHECK(labels == std::array<std::int32_t, 3>{0, 1, -1});
}

TEST_CASE("words of any kind leave the memory of a graph alone") {
    Control control;
    const Graph graph = graph_of_ends(control);
    const std::array<std::uint8_t, 4> open{1, 0, 1, 0};
    for (const std::uint8_t* const searched :
         {open.data(), static_cast<const std::uint8_t*>(nullptr)})
        for (const LabelKind labels : {LabelKind::order, LabelKind::areas, LabelKind::sets,
                                       LabelKind::distance, LabelKind::none}) {
            GraphReplay replay({&graph, searched, labels, all_kinds}, control);
            std::uint64_t state = 7;
            for (int i = 0; i < 20000; ++i) {
                state = state * 6364136223846793005u + 1442695040888963407u;
                const std::uint64_t place = state >> 33 & 15;
                const std::uint64_t odd = i % 50 == 0 ? state >> 12 << 8 : place << 8;
                const std::uint64_t any = odd | (state >> 40 & 255);
                replay.apply(&any, 1);
                CHECK(replay.current().head < replay.places());
            }
            std::vector<std::uint8_t> out(static_cast<std::size_t>(replay.places()));
            replay.write_paints({nullptr, -1, -1}, out.data());
        }
}
