// Mazes made row by row: the recorded events are those of the maze, on every side; 64 chances at a
// time.
#include <doctest/doctest.h>

#include <string>

#include "generate/job.hpp"
#include "support.hpp"

using namespace meiro;

namespace {

struct Kind {
    std::string name;
    void (*run)(Job&, NoTrace&);
    void (*trace)(Job&, Trace&);
    Options options;
    Wrap wrap;
};

std::vector<Kind> kinds() {
    std::vector<Kind> found;
    for (const Corner corner :
         {Corner::north_west, Corner::north_east, Corner::south_east, Corner::south_west}) {
        found.push_back({"binary_tree", binary_tree.plain, binary_tree.traced, {}, {}});
        found.back().options.corner = corner;
    }
    for (const Direction side : directions) {
        found.push_back({"sidewinder", sidewinder.plain, sidewinder.traced, {}, {}});
        found.back().options.towards = side;
        found.push_back({"pole_toppling", pole_toppling.plain, pole_toppling.traced, {}, {}});
        found.back().options.towards = side;
    }
    for (const Wrap wrap : {Wrap{}, Wrap{true, false}, Wrap{false, true}, Wrap{true, true}}) {
        found.push_back({"percolation", percolation.plain, percolation.traced, {}, wrap});
        found.back().options.p = {Chance::certain / 3};
    }
    return found;
}

// The passages that the events leave: carved, or left by the walls that were built.
Bytes replayed(const std::vector<std::uint64_t>& events, Shape shape, Wrap wrap, Mask mask) {
    const Bytes there =
        mask != nullptr ? Bytes(mask, mask + shape.size()) : Bytes(at(shape.size()), 1);
    Bytes carved(at(shape.size()), 0), built = carved;
    for (Index id = 0; id < shape.size(); ++id)
        for (const Direction d : directions)
            if (neighbour(shape, there, shape.cell(id).row, shape.cell(id).col, d))
                built[at(id)] |= static_cast<std::uint8_t>(bit(d));
    const Index width = shape.grid().cols;
    bool walls = false;
    for (const std::uint64_t word : events) {
        const EventRecord h = unpack(word);
        const auto place = static_cast<Index>(h.place);
        const Index row = place / width, col = place % width;
        if (h.event == Event::carve) {
            const Index id = shape.id({row / 2, col / 2});
            const Index to = beyond(shape, id, h.direction);
            REQUIRE((wrap.any() || neighbour(shape, there, row / 2, col / 2, h.direction)));
            REQUIRE((carved[at(id)] & bit(h.direction)) == 0);
            carved[at(id)] |= static_cast<std::uint8_t>(bit(h.direction));
            carved[at(to)] |= static_cast<std::uint8_t>(bit(opposite(h.direction)));
        } else if (h.event == Event::build) {
            walls = true;
            const Index r = row / 2, c = col / 2;  // the post is the corner before this cell
            const bool across = h.direction == Direction::north || h.direction == Direction::south;
            const Cell a = across ? Cell{r - (h.direction == Direction::north ? 1 : 0), c - 1}
                                  : Cell{r - 1, c - (h.direction == Direction::west ? 1 : 0)};
            const Direction d = across ? Direction::east : Direction::south;
            const Index id = shape.id(a);
            REQUIRE((built[at(id)] & bit(d)) != 0);
            built[at(id)] &= static_cast<std::uint8_t>(~bit(d));
            built[at(beyond(shape, id, d))] &= static_cast<std::uint8_t>(~bit(opposite(d)));
        }
    }
    return walls ? built : carved;
}

}  // namespace

TEST_CASE("rows: events agree with the maze, on every side, with masks and wraps") {
    for (const Kind& kind : kinds())
        for (Shape shape : {Shape{1, 1}, Shape{1, 9}, Shape{9, 1}, Shape{3, 5}, Shape{16, 17},
                            Shape{3, 300}, Shape{300, 3}, Shape{70, 400}, Shape{2, 17'000}})
            for (const std::uint64_t masked : {0, 1}) {
                CAPTURE(kind.name);
                CAPTURE(shape.rows);
                CAPTURE(shape.cols);
                if (kind.wrap.any())
                    shape = {std::max<Index>(shape.rows, 3), std::max<Index>(shape.cols, 3)};
                if (masked != 0 && kind.run != percolation.plain) continue;
                const Bytes mask = some_mask(shape, masked);
                Control control;
                Bytes plain(at(shape.size()), 0xee), traced = plain, helped = plain;
                const auto job = [&](Bytes& open, int threads) {
                    return Job{Passages(open.data(), shape, kind.wrap),
                               masked != 0 ? mask.data() : nullptr,
                               {{3, 4}, 5},
                               kind.options,
                               control,
                               threads};
                };
                NoTrace none;
                Job once = job(plain, 1);
                kind.run(once, none);
                REQUIRE(once.maze.first_fault(once.mask, control) == -1);
                Job thrice = job(helped, 3);
                kind.run(thrice, none);
                REQUIRE(helped == plain);
                std::vector<std::uint64_t> events(at(8 * shape.size() + 8));
                Trace trace(shape, Space::cells, events.data(), static_cast<Index>(events.size()));
                Job watched = job(traced, 1);
                kind.trace(watched, trace);
                REQUIRE(traced == plain);
                REQUIRE(trace.count() <= static_cast<Index>(events.size()));
                events.resize(at(trace.count()));
                if (!events.empty())
                    REQUIRE(replayed(events, shape, kind.wrap, once.mask) == plain);
            }
}

TEST_CASE("64 coins are 64 numbers compared with the share, digit by digit") {
    for (const std::uint64_t share :
         {std::uint64_t{0}, std::uint64_t{1}, Chance::certain / 2, Chance::certain / 3,
          Chance::certain / 10 * 7, Chance::certain - 1, Chance::certain})
        for (std::uint64_t key = 0; key < 50; ++key) {
            Random random(Seed{{key, 17}});
            const std::uint64_t coins = random.coins({share});
            for (unsigned coin = 0; coin < 64; ++coin) {
                std::uint64_t number = 0;  // its digits, as far as they were drawn or can matter
                const Random words(Seed{{key, 17}});
                for (unsigned digit = 0; digit < 63; ++digit)
                    number = number << 1 | (words.at(digit) >> coin & 1);
                REQUIRE((coins >> coin & 1) == (number < share ? 1 : 0));
            }
        }
}
