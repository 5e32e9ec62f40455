// Breadth-first search from both ends, until the two floods meet.
//   I. Pohl, Bi-directional search, Machine Intelligence 6 (1971) 127.
//
// The smaller frontier advances by one whole level. All goals are sources of the second flood.
// Before a level advances, all neighbours of the earlier levels of its flood are reached, so the
// floods first meet in outermost places, and every meeting of that round gives a path of the same
// length: the first one is taken. Time: linear in the places reached, on open ground half of those
// that one flood reaches. Scratch: the mark of a place, on a graph a byte more, and both frontiers.
#include "bfs_levels.hpp"
#include "solvers.hpp"

namespace meiro {
namespace {

// Which places belong to the flood from the goals, and which flood is at work: a bit of the marks,
// or on a graph a byte of its own.
template <AnySearch S>
class Floods {
public:
    explicit Floods(const Search&) {}
    void turn_to(bool second) { tag_ = second ? from_goal : 0; }
    std::uint8_t tag() const { return tag_; }
    void add(Index) {}
    bool is_of_other(Index, std::uint8_t mark) const { return (mark & from_goal) != tag_; }
    static std::uint8_t plain(std::uint8_t mark) { return mark & move_mask; }

private:
    static constexpr std::uint8_t from_goal = 0x40;
    std::uint8_t tag_ = 0;
};

template <>
class Floods<GraphSearch> {
public:
    explicit Floods(const GraphSearch& search) : second_of_(search.graph.cells(), true) {}
    void turn_to(bool second) { second_ = second ? 1 : 0; }
    static GraphId tag() { return 0; }
    void add(Index at) { second_of_[at] = second_; }
    bool is_of_other(Index at, GraphId) const { return second_of_[at] != second_; }
    static GraphId plain(GraphId mark) { return mark; }

private:
    Buffer<std::uint8_t> second_of_;
    std::uint8_t second_ = 0;
};

template <Places P, AnySearch S, Recorder R>
typename S::Result both_ends(S& search, P places, R& record) {
    using Marks = typename S::Marks;
    typename S::Result result = at_start(search, record);
    if (result.found) return finished(search, std::move(result), record, 0);
    auto* const reached = result.reached.data();
    Floods<S> floods(search);
    Reach reach(search, places, result, record);
    SearchEvents<S, R> events(search, record);
    Levels<typename P::Entry> sides[2];
    sides[0].push(P::entry(search.start));
    floods.turn_to(true);
    for (const Index goal : search.goals) {
        search.control.poll();
        if (!reach.is_free(goal)) continue;  // the same goal twice
        reached[goal] = Marks::start | floods.tag();
        floods.add(goal);
        reach.count(goal);
        events.place(Event::visit, goal, 2);
        sides[1].push(P::entry(goal));
    }
    for (auto& side : sides) side.advance();

    Index at = -1;  // where they met, in the flood from the goals, and the move to it
    typename P::Move move{};
    while (at < 0 && sides[0].size() > 0 && sides[1].size() > 0) {
        const bool second = sides[1].size() < sides[0].size();
        auto& side = sides[second ? 1 : 0];
        search.control.done(side.size());
        floods.turn_to(second);
        side.spread(places, search.control, [&](Index to, typename P::Move by) {
            const auto mark = reached[to];
            if (Marks::is_free(mark)) {
                reach(to, by, second ? 4 : 3, floods.tag());
                floods.add(to);
                return Take::add;
            }
            if (!floods.is_of_other(to, mark)) return Take::skip;
            at = second ? places.from(to, by) : to;
            move = second ? places.back(by) : by;
            return Take::stop;
        });
        side.advance();
    }
    result.explored = reach.explored();
    // The moves of the goals' flood are reversed, so that all lead from start to goal.
    while (at >= 0) {
        search.control.poll(4);
        result.goal = at;
        const auto before = floods.plain(reached[at]);
        reached[at] = Marks::of(move);
        if (before == Marks::start) break;
        move = Marks::move(before);
        at = places.from(at, move);
        move = places.back(move);
    }
    return finished(search, std::move(result), record);
}

}  // namespace

constexpr SolverRuns bidirectional = on_squares_and_graphs([](auto& search, auto& record) {
    return with_places(search.maze(),
                       [&](const auto& places) { return both_ends(search, places, record); });
});

}  // namespace meiro
