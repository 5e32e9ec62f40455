#include "contraction.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>

#include "../polled_sort.hpp"
#include "../solve/dead_end_filling.hpp"

namespace meiro {
namespace {

// Two bits, so that a node never looks like a dead end.
constexpr unsigned all_moves = 15, is_node = 0x30;

// The moves of a row that stay in the rectangle; a cell from which another one leads out becomes a
// node. `above` and `below` are null at the rim. False if a move has no reverse.
bool copy_row(const std::uint8_t* row, const std::uint8_t* above, const std::uint8_t* below,
              Index cols, std::uint8_t* to) {
    unsigned wrong = 0;
    for (Index c = 0; c < cols; ++c) {
        const unsigned open = row[c];
        unsigned back = 0, out = 0;
        const auto look = [&](const std::uint8_t* near, unsigned way) {
            if (near != nullptr)
                back |= (*near >> 2 | *near << 2) & way;
            else
                out |= way;
        };
        look(above != nullptr ? above + c : nullptr, bits::north);
        look(below != nullptr ? below + c : nullptr, bits::south);
        look(c + 1 < cols ? row + c + 1 : nullptr, bits::east);
        look(c > 0 ? row + c - 1 : nullptr, bits::west);
        wrong |= open & ~(back | out);
        to[c] = static_cast<std::uint8_t>((open & back) | ((open & out) != 0 ? is_node : 0));
    }
    return wrong == 0;
}

}  // namespace

Contraction::Contraction(const std::uint8_t* passages, Shape shape,
                         std::span<const Index> terminals, Control& control)
    : shape_(shape), left_(shape.size()), row_begins_(shape.rows + 1) {
    const auto [rows, cols] = shape;
    for (Index r = 0; r < rows; ++r) {
        const std::uint8_t* const row = passages + r * cols;
        if (!copy_row(row, r > 0 ? row - cols : nullptr, r + 1 < rows ? row + cols : nullptr, cols,
                      left_.data() + r * cols))
            throw std::invalid_argument("is not of a maze: one in row " + std::to_string(r) +
                                        " of it is open on one side only");
        control.poll(cols / 4 + 1);
    }
    for (const Index cell : terminals) left_[cell] |= is_node;
    fill_dead_ends(adjacency_of_passages(left_.data(), shape), left_.data(), control, 1);
    list_nodes(control);
    list_edges(control);
}

void Contraction::list_nodes(Control& control) {
    const auto [rows, cols] = shape_;
    std::uint8_t* const left = left_.data();
    for (Index r = 0; r < rows; ++r) {
        row_begins_[r] = nodes_.size();
        for (Index first = r * cols; first < (r + 1) * cols; first += poll_chunk) {
            const Index last = std::min(first + poll_chunk, (r + 1) * cols);
            nodes_.reserve(last - first);
            for (Index i = first; i < last; ++i) {
                if (std::popcount(left[i] & all_moves) > 2) left[i] |= is_node;
                nodes_.push_if(i, (left[i] & is_node) != 0);
            }
            control.poll((last - first) / 2 + 1);
        }
    }
    row_begins_[rows] = nodes_.size();
}

void Contraction::list_edges(Control& control) {
    const auto step = steps(shape_.cols);
    const std::uint8_t* const left = left_.data();
    for (Index k = 0; k < nodes_.size(); ++k)
        for (unsigned moves = left[nodes_[k]] & all_moves; moves != 0; moves &= moves - 1) {
            const auto leaves = static_cast<unsigned>(std::countr_zero(moves));
            unsigned d = leaves;
            Index at = nodes_[k] + step[d], length = 1;
            for (; (left[at] & is_node) == 0; ++length) {
                if (length % poll_chunk == 0) control.poll(poll_chunk);
                d = static_cast<unsigned>(std::countr_zero(left[at] & ~(1u << (d ^ 2u))));
                at += step[d];
            }
            control.poll(8);
            if (const Index other = number_of(at); k < other)
                edges_.push({k, other, length, leaves, d ^ 2u});
        }
}

Index Contraction::number_of(Index cell) const {
    const Index row = cell / shape_.cols;
    const Index* const first = nodes_.begin() + row_begins_[row];
    return std::lower_bound(first, nodes_.begin() + row_begins_[row + 1], cell) - nodes_.begin();
}

void Contraction::walk(Index node, unsigned leaves, Index length, std::uint8_t* moves,
                       Control& control) const {
    const auto step = steps(shape_.cols);
    const std::uint8_t* const left = left_.data();
    Index at = nodes_[node];
    unsigned d = leaves;
    for (Index i = 0; i < length; ++i) {
        const unsigned here = left[at];
        if (i > 0) d = static_cast<unsigned>(std::countr_zero(here & ~(1u << (d ^ 2u))));
        if ((i > 0 && (here & is_node) != 0) || d > 3 || (here >> d & 1u) == 0)
            throw std::invalid_argument("no corridor of this length leaves there");
        moves[i] = static_cast<std::uint8_t>(d);
        at += step[d];
        if (i % poll_chunk == 0) control.poll(poll_chunk);
    }
    if ((left[at] & is_node) == 0)
        throw std::invalid_argument("no corridor of this length leaves there");
}

// Breadth-first search by levels, whose sources join at the level of their distance.
template <class T>
void spread_distances(const std::uint8_t* passages, Shape shape, std::span<const Index> cells,
                      std::span<const Index> known, T* to, Control& control) {
    const auto [rows, cols] = shape;
    const auto step = steps(cols);
    polled_fill(to, shape.size(), T{-1}, control);
    struct Source {
        Index distance, cell;
    };
    Buffer<Source> sources(static_cast<Index>(cells.size()));
    by_each(sources.size(), control, [&](Index i) {
        sources[i] = {known[static_cast<std::size_t>(i)], cells[static_cast<std::size_t>(i)]};
    });
    polled_sort(
        sources.begin(), sources.end(),
        [](const Source& a, const Source& b) {
            return a.distance != b.distance ? a.distance < b.distance : a.cell < b.cell;
        },
        control);
    const auto reach = [&](Index cell, Index distance) {
        if (distance > std::numeric_limits<T>::max())
            throw std::overflow_error("a distance of " + std::to_string(distance));
        to[cell] = static_cast<T>(distance);
    };
    Stack<Index> level, next;
    const Source* source = sources.begin();
    for (Index distance = 0; !level.empty() || source != sources.end(); ++distance) {
        if (level.empty()) distance = source->distance;
        for (; source != sources.end() && source->distance == distance; ++source)
            if (to[source->cell] < 0) {
                reach(source->cell, distance);
                level.push(source->cell);
            }
        next.clear();
        for (const Index at : level) {
            const Index row = at / cols, col = at % cols;
            const unsigned out = (row == 0 ? bits::north : 0u) |
                                 (row + 1 == rows ? bits::south : 0u) |
                                 (col == 0 ? bits::west : 0u) | (col + 1 == cols ? bits::east : 0u);
            for (unsigned moves = passages[at] & all_moves & ~out; moves != 0; moves &= moves - 1) {
                const auto d = static_cast<unsigned>(std::countr_zero(moves));
                const Index near = at + step[d];
                if (to[near] >= 0 || (passages[near] >> (d ^ 2u) & 1u) == 0) continue;
                reach(near, distance + 1);
                next.push(near);
            }
            control.poll(8);
        }
        std::swap(level, next);
    }
}

template void spread_distances(const std::uint8_t*, Shape, std::span<const Index>,
                               std::span<const Index>, std::int32_t*, Control&);
template void spread_distances(const std::uint8_t*, Shape, std::span<const Index>,
                               std::span<const Index>, std::int64_t*, Control&);

}  // namespace meiro
