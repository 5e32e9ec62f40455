#include "replay.hpp"

#include <algorithm>
#include <array>

namespace meiro {

void ReplayState::copy_from(const ReplayState& other, Control& control) {
    copy_buffer(passages, other.passages, control);
    copy_buffer(places, other.places, control);
    labels.copy_from(other.labels, control);
    copy_buffer(left_by, other.left_by, control);
    torn.clear();
    for (const Index place : other.torn) torn.push(place);
    head = other.head;
}
ReplayState ReplayState::copy(Control& control) const {
    ReplayState state;
    state.copy_from(*this, control);
    return state;
}

void PlaceReplay::write_states(std::uint8_t* out) const {
    const std::uint8_t* const places = state_.places.data();
    const Index size = state_.places.size();  // `out` may alias members
    for (Index i = 0; i < size; ++i) out[i] = places[i] & code_bits;
    if (state_.head >= 0) out[state_.head] = static_cast<std::uint8_t>(State::current);
}

bool PlaceReplay::shows_frontiers() const {
    const LabelKind kind = state_.labels.kind();
    return (kind == LabelKind::order || kind == LabelKind::distance) && is(Event::visit) &&
           !is(Event::walk) && !is(Event::build) && !is(Event::close);
}

int PlaceReplay::touched_paint(const SearchEnds& ends, Index place) const {
    const State s = state(place);
    const bool end = place == ends.start || place == ends.goal;
    if (place == state_.head && (!end || s != State::path)) return static_cast<int>(State::current);
    if (end) return static_cast<int>(place == ends.start ? Paint::start : Paint::goal);
    return s != State::untouched ? static_cast<int>(s) : no_paint;
}

// That of the cells around it, or else visited if all are entered.
State PlaceReplay::passage_state(unsigned around) {
    const auto has = [&](State s) { return (around >> static_cast<unsigned>(s) & 1) != 0; };
    for (const State s : {State::untouched, State::frontier, State::filled})
        if (has(s)) return s;
    return around == 1u << static_cast<unsigned>(State::walk) ? State::walk : State::visited;
}

Replay::Replay(const TraceDomain& domain, Control& control)
    : PlaceReplay(domain.kinds), domain_(domain) {
    const Index cells = domain.shape.size();
    state_.labels = CellLabels(domain.label_kind, cells, domain.mask, control);
    frontiers_ = shows_frontiers();
    state_.places = Buffer<std::uint8_t>(height_ * width_, true);
    if (!domain.search) {
        state_.passages = Buffer<std::uint8_t>(cells);
        polled_copy(domain.start, cells, state_.passages.data(), control);
    }
}

void Replay::write_paints(const SearchEnds& ends, std::uint8_t* out) const {
    for (At a{0, 0, 0}; a.row < height_; ++a.row)
        for (a.col = 0; a.col < width_; ++a.col, ++a.place) out[a.place] = paint(ends, a);
}

std::uint8_t Replay::paint(const SearchEnds& ends, const At& a) const {
    if (const int paint = touched_paint(ends, a.place); paint != no_paint)
        return static_cast<std::uint8_t>(paint);
    const Paint under = bare(ends, a);
    if (domain_.search && step_ == 2 && ends.walls != nullptr && is_open(ends, a))
        return static_cast<std::uint8_t>(between(a));
    return static_cast<std::uint8_t>(under);
}

// An open place between two cells, or a post at which no wall ends. Posts of the border never
// count.
bool Replay::is_open(const SearchEnds& ends, const At& a) const {
    if (((a.row ^ a.col) & 1) != 0) return ends.walls[a.place] == 0;
    if ((a.row & 1) != 0 || a.row == 0 || a.col == 0 || a.row == height_ - 1 || a.col == width_ - 1)
        return false;
    return std::all_of(directions.begin(), directions.end(), [&](Direction d) {
        const Index door = neighbour(a, d, 1).place;
        return ends.walls[door] == 0 && state(door) != State::built;
    });
}

// The State in which an open place is drawn if no step led over it.
State Replay::between(const At& a) const {
    const bool post = ((a.row | a.col) & 1) == 0, across = (a.row & 1) != 0;
    unsigned seen = 0;  // a bit for each State
    for (unsigned n = 0; n < row_steps.size(); ++n) {
        const bool diagonal = n >= directions.size(), east_west = (n & 1) != 0;
        if (post != diagonal || (!post && across != east_west)) continue;
        const Index cell = neighbour(a, static_cast<Direction>(n), 1).place;
        seen |= 1u << static_cast<unsigned>(cell < 0 ? State::untouched : state(cell));
    }
    return passage_state(seen);
}

std::array<std::int32_t, 2> Replay::numbers(const EventRecord& event) {
    if (event.place >= static_cast<std::uint64_t>(height_ * width_)) return {-1, -1};
    const At a = at(static_cast<Index>(event.place));
    if (!is_cell(a)) return {-1, -1};
    if (event.event == Event::visit && state_.labels.kind() == LabelKind::sets)
        return {state_.labels.fresh(), -1};
    const At to = neighbour(a, event.direction, step_);
    return {state_.labels.number(cell(a)), to.place < 0 ? -1 : state_.labels.number(cell(to))};
}

// The Paint of an untouched place. One of the two cells knows the wall between them.
Paint Replay::bare(const SearchEnds& ends, const At& a) const {
    if (ends.walls != nullptr) return ends.walls[a.place] != 0 ? Paint::wall : Paint::road;
    const Index cols = domain_.shape.cols, row = a.row >> 1, col = a.col >> 1;
    if ((a.row & a.col & 1) != 0) {
        const Index c = row * cols + col;
        if (domain_.mask != nullptr && domain_.mask[c] == 0) return Paint::wall;
        return state_.passages[c] == 0 ? Paint::closed : Paint::road;
    }
    if (((a.row | a.col) & 1) == 0) return Paint::wall;
    const bool across = (a.row & 1) != 0;  // between west and east
    const bool last = across ? col == cols : row == domain_.shape.rows;
    const Index cell = row * cols + col - (last ? across ? 1 : cols : 0);
    const Direction to = across ? last ? Direction::east : Direction::west
                         : last ? Direction::south
                                : Direction::north;
    return (state_.passages[cell] & bit(to)) != 0 ? Paint::road : Paint::wall;
}

// Outside: beyond a border that is not periodic. Of two posts across it the first one counts.
Replay::At Replay::neighbour(const At& a, Direction d, Index steps) const {
    const auto n = static_cast<std::size_t>(d);
    if (n >= row_steps.size()) return {-1, 0, 0};
    Index row = a.row + steps * row_steps[n], col = a.col + steps * col_steps[n];
    if (domain_.wrap.rows)
        row = row < 0 ? row + height_ - 1 : row > height_ - steps ? row - height_ + 1 : row;
    if (domain_.wrap.cols)
        col = col < 0 ? col + width_ - 1 : col > width_ - steps ? col - width_ + 1 : col;
    if (row < 0 || row >= height_ || col < 0 || col >= width_) return {-1, 0, 0};
    return {row * width_ + col, row, col};
}

// The sites between two cells or posts; across the border there is one on each side.
void Replay::set_door(const At& from, Direction d, State s) {
    if (domain_.space == Space::sites) return;
    if (const At door = neighbour(from, d, 1); door.place >= 0) set_both(door, s);
}
void Replay::set_both(const At& a, State s, Direction arrow) {
    set(a.place, s, arrow);
    if (const Index twin = across_border(a); twin >= 0) set(twin, s, arrow);
}
Index Replay::across_border(const At& a) const {
    if (a.place < 0) return -1;
    if (domain_.wrap.rows && (a.row == 0 || a.row == height_ - 1))
        return (height_ - 1 - a.row) * width_ + a.col;
    if (domain_.wrap.cols && (a.col == 0 || a.col == width_ - 1))
        return a.row * width_ + width_ - 1 - a.col;
    return -1;
}

// Opens or closes a wall of a cell; true if that changed anything.
bool Replay::set_wall(const At& from, Direction d, bool open) {
    const At to = neighbour(from, d, step_);
    if (domain_.search || to.place < 0 || !is_cell(from)) return false;
    std::uint8_t& from_byte = state_.passages[cell(from)];
    std::uint8_t& to_byte = state_.passages[cell(to)];
    if (((from_byte & bit(d)) != 0) == open) return false;
    touch(from.place);
    touch(to.place);
    from_byte ^= static_cast<std::uint8_t>(bit(d));
    to_byte ^= static_cast<std::uint8_t>(bit(opposite(d)));
    return true;
}

// The wall from a post lies between the two cells beside it.
void Replay::set_built(const At& post, Direction d, bool open) {
    const At wall = neighbour(post, d, 1);
    if (wall.place < 0) return;
    const Direction across =
        (static_cast<unsigned>(d) & 1) != 0 ? Direction::south : Direction::east;
    const At side = neighbour(wall, opposite(across), 1);
    if (side.place >= 0) set_wall(side, across, open);
}

void Replay::enter(const At& a, State s) {
    set(a.place, s);
    state_.labels.enter(cell(a));
    if (!frontiers_ || s == State::filled) return;
    for (const Direction d : directions) {
        const At to = neighbour(a, d, step_);
        if (to.place < 0 || state(to.place) != State::untouched) continue;
        const bool sites = domain_.space == Space::sites;
        const bool may = sites            ? domain_.start[to.place] == 0
                         : domain_.search ? (domain_.start[cell(a)] & bit(d)) != 0
                                          : exists(domain_.mask, cell(to));
        if (may) set(to.place, State::frontier);
    }
}

void Replay::visit(const At& a, Direction d) {
    const At from = neighbour(a, opposite(d), step_);
    state_.labels.visit(cell(a), from.place < 0 ? -1 : cell(from));
    enter(a, domain_.search ? State::visited : State::in_maze);
    if (domain_.search && d != Direction::none) set_door(a, opposite(d), State::visited);
}

// The walk of a search branches. That of a generator is a line: where it meets itself, the loop is
// erased.
void Replay::walk(const At& a, Direction d) {
    const At to = neighbour(a, d, step_);
    if (to.place < 0) return;
    state_.head = to.place;
    if (domain_.search) {
        set_door(a, d, State::walk);
        if (state(to.place) == State::untouched) set(to.place, State::walk);
        return;
    }
    const State was = state(a.place);
    if (was == State::in_maze || was == State::built || was == State::growing) return;
    set_both(a, State::walk, d);
    set_door(a, d, State::walk);
    if (is_cell(a)) state_.labels.point(cell(a), d);
    for (At q = to; state(q.place) == State::walk;) {
        const Direction on = arrow(q.place);
        set_both(q, State::untouched);
        set_door(q, on, State::untouched);
        if (is_cell(q)) state_.labels.point(cell(q), Direction::none);
        q = neighbour(q, on, step_);
        if (q.place < 0) return;
    }
}

void Replay::carve(const At& a, Direction d) {
    const At to = neighbour(a, d, step_);
    if (to.place < 0) return;
    set_wall(a, d, true);
    const bool fresh = state(to.place) != State::in_maze;
    if (state(a.place) != State::in_maze) enter(a, State::in_maze);
    if (fresh) enter(to, State::in_maze);
    set_door(a, d, State::in_maze);
    state_.labels.join(cell(a), cell(to));
    state_.head = fresh ? to.place : a.place;
}

// A cell that loses its last passage is no longer in the maze.
void Replay::close(const At& a, Direction d) {
    set_door(a, d, State::built);
    if (!set_wall(a, d, false)) return;
    for (const At end : {a, neighbour(a, d, step_)})
        if (state_.passages[cell(end)] == 0) set(end.place, State::untouched);
}

void Replay::commit(At a) {
    while (a.place >= 0 && state(a.place) == State::growing) {
        const Direction d = arrow(a.place);
        set_both(a, State::built);
        set_door(a, d, State::built);
        a = neighbour(a, d, step_);
    }
    for (const Index place : state_.torn)
        if (state(place) == State::torn_down) set(place, State::untouched);
    state_.torn.clear();
}

void Replay::build(const At& a, Direction d) {
    const State s = is(Event::commit) ? State::growing : State::built;
    set_both(a, s, d);
    set_door(a, d, s);
    set_built(a, d, false);
}

void Replay::erase(const At& a, Direction d) {
    for (const At& torn : {a, neighbour(a, d, 1)}) {
        if (torn.place < 0) continue;
        set_both(torn, State::torn_down);
        state_.torn.push(torn.place);
        if (const Index twin = across_border(torn); twin >= 0) state_.torn.push(twin);
    }
    set_built(a, d, true);
}

void Replay::fill(const At& a) {
    for (const Direction to : directions)
        if (const At door = neighbour(a, to, 1);
            step_ == 2 && door.place >= 0 && state(door.place) == State::walk)
            set_door(a, to, State::filled);
    enter(a, State::filled);
}

void Replay::apply(const EventRecord& event) {
    if (event.place >= static_cast<std::uint64_t>(height_ * width_)) return;
    const At a = at(static_cast<Index>(event.place));
    const Direction d = event.direction;
    const bool posts = event.event == Event::build || event.event == Event::erase ||
                       event.event == Event::commit || event.event == Event::walk;
    if (!posts && !is_cell(a)) return;
    state_.head = a.place;
    if (event.event == Event::visit) visit(a, d);
    if (event.event == Event::walk) walk(a, d);
    if (event.event == Event::carve) carve(a, d);
    if (event.event == Event::close) close(a, d);
    if (event.event == Event::commit) commit(a);
    if (event.event == Event::keep) set_door(a, d, State::kept);
    if (event.event == Event::build) build(a, d);
    if (event.event == Event::erase) erase(a, d);
    if (event.event == Event::fill) fill(a);
    if (event.event == Event::path) {
        set(a.place, State::path);
        if (d != Direction::none) set_door(a, opposite(d), State::path);
    }
}

}  // namespace meiro
