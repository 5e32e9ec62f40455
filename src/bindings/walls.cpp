// Walls by their ids, and passages as pairs of cells.
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "arrays.hpp"
#include "binding.hpp"
#include "detached.hpp"
#include "topics.hpp"

namespace meiro {
namespace {

using Pair = std::array<Index, 2>;

// The wall between two cells; -1 if they are not adjacent.
Index wall_between(Index one, Index other, Shape shape, Wrap wrap) {
    const Index first = std::min(one, other), second = std::max(one, other);
    if (first < 0 || second >= shape.size()) return -1;
    const Index apart = second - first;
    if (apart == shape.cols) return wall_id(shape, {first, true}, wrap);
    if (apart == 1 && second % shape.cols != 0) return wall_id(shape, {first, false}, wrap);
    if (wrap.cols && apart == shape.cols - 1 && first % shape.cols == 0)
        return wall_id(shape, {second, false}, wrap);
    if (wrap.rows && apart == shape.size() - shape.cols)
        return wall_id(shape, {second, true}, wrap);
    return -1;
}

Array<Index> wall_cells(const Array<Index>& ids, Pair rows_cols, std::array<bool, 2> given) {
    const Shape shape = checked_shape(rows_cols[0], rows_cols[1]);
    const Wrap wrap = wrap_of(given, shape);
    const Index n = ids.size(), count = wall_count(shape, wrap);
    const Index* const walls = ids.data();
    return new_array<Index>({n, Index{2}}, {}, [&](Index* to, Control& control) {
        by_each(n, control, [&](Index k) {
            if (walls[k] < 0 || walls[k] >= count) throw std::invalid_argument("no such wall");
            const Wall wall = wall_of(shape, walls[k], wrap);
            to[2 * k] = wall.cell;
            to[2 * k + 1] = beyond(shape, wall.cell, wall.towards());
        });
    });
}

Array<Index> wall_ids(const Array<Index>& pairs, Pair rows_cols, std::array<bool, 2> given) {
    if (pairs.ndim() != 2 || pairs.shape(1) != 2) throw py::value_error("pairs must be (n, 2)");
    const Shape shape = checked_shape(rows_cols[0], rows_cols[1]);
    const Wrap wrap = wrap_of(given, shape);
    const Index* const cells = pairs.data();
    return new_array<Index>({pairs.shape(0)}, {}, [&](Index* to, Control& control) {
        by_each(pairs.shape(0), control, [&](Index k) {
            to[k] = wall_between(cells[2 * k], cells[2 * k + 1], shape, wrap);
        });
    });
}

// Both cells of each passage to the east and south, cell by cell.
Array<Index> edges(const Bytes& passages, std::array<bool, 2> given) {
    const Shape shape = shape_of(passages, "passages");
    wrap_of(given, shape);  // for its errors: only a periodic maze has passages across the border
    const std::uint8_t* const open = passages.data();
    constexpr Direction ahead[] = {Direction::east, Direction::south};
    Index count = 0;
    detached({}, [&](Control& control) {
        by_each(shape.size(), control, [&](Index cell) {
            for (const Direction d : ahead) count += (open[cell] & bit(d)) != 0;
        });
    });
    return new_array<Index>({count, Index{2}}, {}, [&](Index* to, Control& control) {
        by_each(shape.size(), control, [&](Index cell) {
            for (const Direction d : ahead) {
                if ((open[cell] & bit(d)) == 0) continue;
                *to++ = cell;
                *to++ = beyond(shape, cell, d);
            }
        });
    });
}

}  // namespace

void bind_walls(py::module_& m) {
    def(m, "wall_cells", &wall_cells, "ids", "shape", "wrap");
    def(m, "wall_ids", &wall_ids, "pairs", "shape", "wrap");
    def(m, "edges", &edges, "passages", "wrap");
}

}  // namespace meiro
