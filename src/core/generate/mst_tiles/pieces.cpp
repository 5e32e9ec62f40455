#include "pieces.hpp"

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
    const Index places = rim_places(a.at.shape);  // of a; those of b come after them
    const bool below = both.shape.rows > a.at.shape.rows;
    const BiasedWeights weights(whole.seed, whole.bias);
    Stack<Critical> walls;
    for (const Critical& wall : a.critical) walls.push(wall);
    for (const Critical& wall : b.critical)
        walls.push({wall.weight, wall.wall, wall.a + places, wall.b + places});
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
    Contraction rest(places + rim_places(b.at.shape), both.shape, control);
    each_rim_cell(both.shape, sides_of(both, whole.shape), [&](Cell c) {
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
}

void open(const WholeMaze& whole, const Rectangle& at, std::span<const Index> walls,
          std::uint8_t* out) {
    const auto set = [&](Cell c, Direction d) {
        const Cell own{c.row - at.first.row, c.col - at.first.col};
        if (own.row >= 0 && own.col >= 0 && own.row < at.shape.rows && own.col < at.shape.cols)
            out[at.shape.id(own)] |= static_cast<std::uint8_t>(bit(d));
    };
    for (const Index wall : walls) {
        const Cell c = whole.shape.cell(wall / 2);
        const Direction d = wall % 2 != 0 ? Direction::south : Direction::east;
        set(c, d);
        set({c.row + row_step(d), c.col + col_step(d)}, opposite(d));
    }
}

}  // namespace meiro::tiles
