#include "graph_replay.hpp"

namespace meiro {

GraphReplay::GraphReplay(const GraphDomain& domain, Control& control)
    : PlaceReplay(domain.kinds), domain_(domain), cells_(domain.graph->cells()) {
    state_.labels = CellLabels(domain.label_kind, cells_, nullptr, control);
    frontiers_ = shows_frontiers();
    state_.places = Buffer<std::uint8_t>(places(), true);
    if (search()) return;
    state_.passages = Buffer<std::uint8_t>(domain.graph->edges(), true);
    if (is(Event::walk)) state_.left_by = Buffer<std::int32_t>(cells_, true);
}

void GraphReplay::write_paints(const SearchEnds& ends, std::uint8_t* out) const {
    for (Index place = 0; place < places(); ++place) out[place] = paint(ends, place);
}

std::uint8_t GraphReplay::paint(const SearchEnds& ends, Index place) const {
    if (const int paint = touched_paint(ends, place); paint != no_paint)
        return static_cast<std::uint8_t>(paint);
    if (place < cells_) return static_cast<std::uint8_t>(search() ? Paint::road : Paint::closed);
    const Index edge = place - cells_;
    if ((search() ? domain_.open[edge] : state_.passages[edge]) == 0)
        return static_cast<std::uint8_t>(Paint::wall);
    if (!search()) return static_cast<std::uint8_t>(Paint::road);
    const GraphId* const pair = domain_.graph->ends() + 2 * edge;
    const auto seen = [&](Index cell) { return 1u << static_cast<unsigned>(state(cell)); };
    return static_cast<std::uint8_t>(passage_state(seen(pair[0]) | seen(pair[1])));
}

GraphReplay::Step GraphReplay::step(const EventRecord& event) const {
    const Index edge = static_cast<Index>(event.place) - cells_;
    const GraphId* const ends = domain_.graph->ends() + 2 * edge;
    const bool back = event.direction != Direction::north;
    return {edge, ends[back ? 1 : 0], ends[back ? 0 : 1]};
}

std::array<std::int32_t, 2> GraphReplay::numbers(const EventRecord& event) {
    const auto first = static_cast<std::uint64_t>(cells_);
    if (event.place < first || event.place >= static_cast<std::uint64_t>(places())) return {-1, -1};
    const Step at = step(event);
    return {state_.labels.number(at.from), state_.labels.number(at.to)};
}

void GraphReplay::enter(Index cell, State s) {
    set(cell, s);
    state_.labels.enter(cell);
    if (!frontiers_ || s == State::filled) return;
    const Graph& graph = *domain_.graph;
    for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot)
        if (state(graph.to()[slot]) == State::untouched &&
            (!search() || domain_.open[graph.via()[slot]] != 0))
            set(graph.to()[slot], State::frontier);
}

// By an edge from another cell, or as a beginning, where both are -1.
void GraphReplay::visit(Index cell, Index from, Index edge) {
    state_.labels.visit(cell, from);
    enter(cell, search() ? State::visited : State::in_maze);
    if (search() && edge >= 0) set(cells_ + edge, State::visited);
    state_.head = cell;
}

// The walk of a search branches. That of a generator is a line: where it meets itself, the loop is
// erased.
void GraphReplay::walk(const Step& taken) {
    state_.head = taken.to;
    if (search()) {
        set(cells_ + taken.edge, State::walk);
        if (state(taken.to) == State::untouched) set(taken.to, State::walk);
        return;
    }
    if (state(taken.from) == State::in_maze || state_.left_by.size() == 0) return;
    const Graph& graph = *domain_.graph;
    set(taken.from, State::walk);
    set(cells_ + taken.edge, State::walk);
    state_.left_by[taken.from] = static_cast<std::int32_t>(taken.edge);
    for (Index cell = taken.to; state(cell) == State::walk;) {
        const Index edge = state_.left_by[cell];
        set(cell, State::untouched);
        set(cells_ + edge, State::untouched);
        cell = graph.other_end(edge, cell);
    }
}

void GraphReplay::carve(const Step& taken) {
    if (search()) return;
    state_.passages[taken.edge] = 1;
    const bool fresh = state(taken.to) != State::in_maze;
    if (state(taken.from) != State::in_maze) enter(taken.from, State::in_maze);
    if (fresh) enter(taken.to, State::in_maze);
    set(cells_ + taken.edge, State::in_maze);
    state_.labels.join(taken.from, taken.to);
    state_.head = fresh ? taken.to : taken.from;
}

// A cell that loses its last passage is no longer in the maze.
void GraphReplay::close(const Step& taken) {
    set(cells_ + taken.edge, State::built);
    state_.head = taken.from;
    if (search()) return;
    state_.passages[taken.edge] = 0;
    const Graph& graph = *domain_.graph;
    for (const Index cell : {taken.from, taken.to}) {
        bool alone = true;
        for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot)
            alone = alone && state_.passages[graph.via()[slot]] == 0;
        if (alone) set(cell, State::untouched);
    }
}

void GraphReplay::fill(Index cell) {
    const Graph& graph = *domain_.graph;
    for (GraphId slot = graph.first()[cell]; slot < graph.first()[cell + 1]; ++slot)
        if (const Index edge = cells_ + graph.via()[slot]; state(edge) == State::walk)
            set(edge, State::filled);
    enter(cell, State::filled);
}

void GraphReplay::apply(const EventRecord& event) {
    if (event.place >= static_cast<std::uint64_t>(places())) return;
    const auto place = static_cast<Index>(event.place);
    if (place < cells_) {
        state_.head = place;
        if (event.event == Event::visit) visit(place, -1, -1);
        if (event.event == Event::path) set(place, State::path);
        if (event.event == Event::fill) fill(place);
        return;
    }
    const Step at = step(event);
    if (at.from == at.to) return;
    if (event.event == Event::visit) visit(at.to, at.from, at.edge);
    if (event.event == Event::walk) walk(at);
    if (event.event == Event::carve) carve(at);
    if (event.event == Event::close) close(at);
    if (event.event == Event::keep) set(cells_ + at.edge, State::kept);
    if (event.event == Event::path) {
        set(at.to, State::path);
        set(cells_ + at.edge, State::path);
    }
    const bool arrives = event.event == Event::path || event.event == Event::back;
    if (arrives || event.event == Event::keep) state_.head = arrives ? at.to : at.from;
}

}  // namespace meiro
