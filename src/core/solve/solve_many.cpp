#include "solve_many.hpp"

#include <algorithm>

namespace meiro {

template <AnySearch S>
Index PathFinder<S>::length(const Places& places, Index start, Index goal, Control& control) {
    if (start < 0) return -1;
    if (start == goal) return 0;
    const Places here = places;  // in registers
    auto* const reached = reached_.data();
    polled_fill(reached, reached_.size(), Marks::nothing, control);
    reached[start] = Marks::start;
    reached[goal] = Marks::goal;
    levels_.clear();
    levels_.push(Places::entry(start));
    bool met = false;
    const auto take = [&](Index to, typename Places::Move move, Index) {
        const auto before = reached[to];
        if (!Marks::is_free(before)) return false;
        met |= before == Marks::goal;
        reached[to] = Marks::of(move);
        return true;
    };
    const Index steps = levels_.flood(here, control, met, take);
    return met ? steps : -1;
}

template <AnySearch S>
typename PathFinder<S>::Steps PathFinder<S>::steps(const Places& places, Index length, Index goal,
                                                   Control& control) const {
    Steps steps(std::max<Index>(length, 0));
    for (Index at = goal, k = length - 1; k >= 0; --k, control.poll()) {
        const auto move = Marks::move(reached_[at]);
        steps[k] = places.edge(move);
        at = places.from(at, move);
    }
    return steps;
}

template class PathFinder<Search>;
template class PathFinder<GraphSearch>;

void list_places(Shape shape, Index start, const Buffer<std::uint8_t>& moves, Index length,
                 Index most, std::int32_t* out, Control& control) {
    const MoveOffsets offsets(shape);
    auto [row, col] = shape.cell(start);
    for (Index k = 0; k <= length; ++k) {
        if (k > 0) {
            row += offsets.row[moves[k - 1]];
            col += offsets.col[moves[k - 1]];
        }
        *out++ = static_cast<std::int32_t>(row);
        *out++ = static_cast<std::int32_t>(col);
        if (k % poll_chunk == 0) control.poll(poll_chunk);
    }
    polled_fill(out, 2 * (most - 1 - length), -1, control);
}

void list_places(const Graph& graph, Index start, const Buffer<GraphId>& edges, Index length,
                 Index most, std::int32_t* out, Control& control) {
    Index at = start;
    for (Index k = 0; k <= length; ++k) {
        if (k > 0) at = graph.other_end(edges[k - 1], at);
        *out++ = static_cast<std::int32_t>(at);
        control.poll();
    }
    polled_fill(out, most - 1 - length, -1, control);
}

Index most_sites(const CellPaths& paths, Control& control) {
    Index most = 0;
    for (Index i = 0; i < paths.n; ++i) {
        Index count = 0;
        paths.sites_of(i, control, [&](Index, Index) { ++count; });
        most = std::max(most, count);
        control.poll();
    }
    return most;
}

void grid_path_of_each(const CellPaths& paths, Index places, std::int32_t* out, Control& control) {
    for (Index i = 0; i < paths.n; ++i) {
        std::int32_t* to = out + 2 * i * places;
        std::int32_t* const end = to + 2 * places;
        paths.sites_of(i, control, [&](Index row, Index col) {
            *to++ = static_cast<std::int32_t>(row);
            *to++ = static_cast<std::int32_t>(col);
        });
        polled_fill(to, end - to, -1, control);
    }
}

void mark_path_of_each(const CellPaths& paths, std::uint8_t* marks, Control& control) {
    const Shape sites = paths.shape.grid();
    for (Index i = 0; i < paths.n; ++i) {
        std::uint8_t* const grid = marks + i * sites.size();
        paths.sites_of(i, control, [&](Index row, Index col) { grid[sites.id({row, col})] = 1; });
        control.poll();
    }
}

}  // namespace meiro
