#include "pieces.hpp"

#include <functional>

#include "../../polled_sort.hpp"
#include "../shared/weights.hpp"

namespace meiro::tiles {
Rectangle merged(const Rectangle& a, const Rectangle& b) {
    const bool below = b.first == Cell{a.first.row + a.shape.rows, a.first.col};
    const bool beside = b.first == Cell{a.first.row, a.first.col + a.shape.cols};
    if (below && a.shape.cols == b.shape.cols)
        return {a.first, {a.shape.rows + b.shape.rows, a.shape.cols}};
    if (beside && a.shape.rows == b.shape.rows)
        return {a.first, {a.shape.rows, a.shape.cols + b.shape.cols}};
    return {a.first, {}};
}

void merge(const WholeMaze& whole, const Piece& a, const Piece& b, Stack<Critical>& critical,
           Stack<Index>& open, Control& control) {
    const Rectangle both = merged(a.at, b.at);
    const auto places_of = [&](const Rectangle& at) {
        return rim_places(at.shape, sides_of(at, whole.shape));
    };
    const Index places = places_of(a.at);  // those of b come after them
    const bool below = both.shape.rows > a.at.shape.rows;
    const BiasedWeights weights(whole.seed, whole.bias);
    Stack<Critical> walls;
    const auto add = [&](std::span<const Critical> these, Index before) {
        for (const Critical& wall : these) {
            walls.push({wall.weight, wall.wall, wall.a + before, wall.b + before});
            control.poll(8);
        }
    };
    add(a.critical, 0);
    add(b.critical, places);
    const Index between = below ? both.shape.cols : both.shape.rows;
    for (Index k = 0; k < between; ++k) {
        const Cell from = below ? Cell{a.at.shape.rows - 1, k} : Cell{k, a.at.shape.cols - 1};
        const Cell at{a.at.first.row + from.row, a.at.first.col + from.col};
        walls.push({weights.at(at, below), 2 * whole.shape.id(at) + (below ? 1 : 0),
                    rim_place(a.at.shape, from),
                    places + rim_place(b.at.shape, below ? Cell{0, k} : Cell{k, 0})});
        control.poll(8);
    }
    polled_sort(
        walls.begin(), walls.end(),
        [](const Critical& p, const Critical& q) {
            if (p.weight != q.weight) return p.weight < q.weight;
            return p.wall % 2 != q.wall % 2 ? p.wall % 2 < q.wall % 2 : p.wall < q.wall;
        },
        control);
    Contraction rest(places + places_of(b.at), places_of(both), control);
    each_rim_cell(both.shape, sides_of(both, whole.shape), control, [&](Cell c) {
        const bool second = below ? c.row >= a.at.shape.rows : c.col >= a.at.shape.cols;
        const Cell own{c.row - (second && below ? a.at.shape.rows : 0),
                       c.col - (second && !below ? a.at.shape.cols : 0)};
        rest.touches(second ? places + rim_place(b.at.shape, own) : rim_place(a.at.shape, own),
                     rim_place(both.shape, c));
    });
    for (const Critical& wall : walls) {
        control.poll(8);
        const auto fate = rest.decide(wall.a, wall.b);
        if (fate.opens) open.push(wall.wall);
        if (fate.waits) critical.push({wall.weight, wall.wall, fate.a, fate.b});
    }
    polled_sort(open.begin(), open.end(), std::less<>(), control);
}

void open_wall(Shape shape, Cell cell, bool south, std::uint8_t* out) {
    const auto set = [&](Cell c, Direction d) {
        if (c.row >= 0 && c.col >= 0 && c.row < shape.rows && c.col < shape.cols)
            out[shape.id(c)] |= static_cast<std::uint8_t>(bit(d));
    };
    const Direction d = south ? Direction::south : Direction::east;
    set(cell, d);
    set({cell.row + row_step(d), cell.col + col_step(d)}, opposite(d));
}

void open(const WholeMaze& whole, const Rectangle& at, std::span<const Index> walls,
          std::uint8_t* out) {
    for (const Index wall : walls) {
        const Cell c = whole.shape.cell(wall / 2);
        open_wall(at.shape, {c.row - at.first.row, c.col - at.first.col}, wall % 2 != 0, out);
    }
}

}  // namespace meiro::tiles
