#include "tile_tree.hpp"

#include <cstring>

namespace meiro::tiles {
namespace {

void assign(Numbers& to, const Numbers& from) {
    to.resize(from.size());
    std::copy(from.begin(), from.end(), to.begin());
}

// Those of 0 .. below-1 that fulfil a condition.
template <class Condition>
void gather(Numbers& to, Index below, Condition condition) {
    to.clear();
    for (Index i = 0; i < below; ++i) to.push_if(static_cast<std::uint16_t>(i), condition(i));
}
template <class Condition>
void keep_if(Numbers& numbers, Condition condition) {
    std::uint16_t* to = numbers.begin();
    for (const std::uint16_t number : numbers) {
        *to = number;
        to += condition(number) ? 1 : 0;
    }
    numbers.resize(to - numbers.begin());
}

// Makes components point at the ends of their chains.
void shorten(std::uint16_t* parent, const Numbers& of) {
    unsigned changed;
    do {
        changed = 0;
        for (const std::uint16_t i : of) {
            const std::uint16_t up = parent[i], over = parent[up];
            changed |= unsigned{up} ^ over;
            parent[i] = over;
        }
    } while (changed != 0);
}

std::uint64_t key_of(std::int32_t weight, Index place) {
    return static_cast<std::uint64_t>(weight) << 16 | static_cast<std::uint64_t>(place);
}
bool equal_weights(std::uint64_t one, std::uint64_t another) {
    return (one ^ another) >> 16 == 0;
}
Index place_of(std::uint64_t key) {
    return static_cast<Index>(key & 0xffff);
}

}  // namespace

TileTree::TileTree(Shape largest) : largest_(largest) {
    std::fill(rim_.begin(), rim_.end(), absent);
}

void TileTree::begin(const Tile& tile, const std::int32_t* weights, TieRule ties) {
    walls_ = {tile.shape.cols, tile.shape.size()};
    weights_ = weights;
    ties_ = ties;
    mark(tile);
    take_lightest();
    std::uint16_t* const parent = parent_.data();
    const std::uint8_t* const touches = touches_.data();
    gather(inner_, walls_.cells, [=](Index i) { return (parent[i] == i) & (touches[i] == 0); });
    // Few chains are longer than four.
    for (Index i = 0; i < walls_.cells; ++i) parent[i] = parent[parent[i]];
    gather(takers_, walls_.cells, [parent](Index i) {
        const std::uint16_t up = parent[i], over = parent[up];
        parent[i] = over;
        return up != over;
    });
    shorten(parent, takers_);
}

// Marks the touching cells.
void TileTree::mark(const Tile& tile) {
    const auto [rows, cols] = tile.shape;
    outer_.clear();
    for (Index r = 0; r < rows; ++r) {
        std::uint8_t* const row = touches_.data() + r * cols;
        const bool all = (r == 0 && tile.north) || (r == rows - 1 && tile.south);
        std::memset(row, all ? 1 : 0, static_cast<std::size_t>(cols));
        if (tile.west) row[0] = 1;
        if (tile.east) row[cols - 1] = 1;
        for (Index c = 0; c < cols; c += all || cols == 1 ? 1 : cols - 1)
            if (row[c] != 0) outer_.push(static_cast<std::uint16_t>(r * cols + c));
    }
}

// Every cell that does not touch takes its lightest wall, if it has just one such. Loops over bytes
// and words without a branch or a table, for the compiler to make vectors of.
void TileTree::take_lightest() {
    const auto [cols, cells] = walls_;
    std::uint8_t* const way = ways_.data() + cols;  // after a row of no ways, and before one
    std::memset(way - cols, 0, static_cast<std::size_t>(cols));
    std::memset(way + cells, 0, static_cast<std::size_t>(cols));
    const std::int32_t* above = rim_.data();
    for (Index first = 0; first < cells; first += cols) {
        const std::int32_t *const right = weights_ + first, *const left = right - 1;
        const std::int32_t* const below = right + cells;
        const std::uint8_t* const touches = touches_.data() + first;
        std::uint8_t* const to = way + first;
        for (Index c = 0; c < cols; ++c) {
            const std::int32_t least =
                std::min(std::min(above[c], right[c]), std::min(below[c], left[c]));
            to[c] = static_cast<std::uint8_t>(
                (above[c] == least ? bits::north : 0) | (right[c] == least ? bits::east : 0) |
                (below[c] == least ? bits::south : 0) | (left[c] == least ? bits::west : 0));
        }
        for (Index c = 0; c < cols; ++c) {
            const std::uint8_t one = to[c];  // or several, by a tie or where there are no walls
            const auto others = static_cast<std::uint8_t>(one & (one - 1));
            to[c] = (others | touches[c]) == 0 ? one : std::uint8_t{0};
        }
        above = below;
    }
    open_ways(way);
}

void TileTree::open_ways(const std::uint8_t* way) {
    const auto [cols, cells] = walls_;
    std::uint8_t* const open = open_.data();
    std::uint16_t* const parent = parent_.data();
    const auto row = static_cast<std::uint16_t>(cols);
    for (Index i = 0; i < cells; ++i) {
        const std::uint8_t from_north = way[i - cols] & bits::south,
                           from_south = way[i + cols] & bits::north;
        const std::uint8_t from_west = way[i - 1] & bits::east, from_east = way[i + 1] & bits::west;
        open[i] = static_cast<std::uint8_t>(way[i] | from_north >> 2 | from_south << 2 |
                                            from_west << 2 | from_east >> 2);
        // Of two cells with the same lightest wall the first is the root.
        const auto to = static_cast<std::uint16_t>(way[i] & ~(from_south << 2 | from_east >> 2));
        const auto down = static_cast<std::uint16_t>(0 - (to >> 2 & 1)),
                   up = static_cast<std::uint16_t>(0 - (to & 1));
        parent[i] = static_cast<std::uint16_t>(i + (to >> 1 & 1) - (to >> 3 & 1) + (down & row) -
                                               (up & row));
    }
}

void TileTree::open_final(std::int32_t from, std::int32_t below) {
    find_between(from, below);
    assign(takers_, inner_);
    while (size_ > 0) {
        find_lightest(between_.data(), size_, outer_);
        take(between_.data(), parent_.data());
        for (const std::uint16_t wall : taken_) {
            const auto e = walls_.ends(wall);
            open_[e.a] |= static_cast<std::uint8_t>(bits::east << e.south);
            open_[e.b] |= static_cast<std::uint8_t>(bits::west >> 3 * e.south);
        }
        renew();
    }
    assign(takers_, outer_);
    for (const std::uint16_t root : outer_) region_[root] = root;
}

bool TileTree::take_critical() {
    Between* const walls = between_.data() + most_;
    const std::uint16_t* const region = region_.data();
    Index n = 0;
    for (Index k = 0; k < critical_; ++k) {
        const std::uint16_t a = region[walls[k].a], b = region[walls[k].b];
        walls[n] = {walls[k].wall, a, b};
        n += a != b ? 1 : 0;
    }
    critical_ = n;
    if (n == 0) return false;
    find_lightest(walls, n, nobody_);
    take(walls, region_.data());
    return true;
}

void TileTree::merge() {
    std::uint16_t* const parent = parent_.data();
    for (const std::uint16_t root : outer_) parent[root] = region_[root];
    shorten(parent, outer_);
    shorten(parent, inner_);
    for (Index i = 0; i < walls_.cells; ++i) parent[i] = parent[parent[i]];
    const auto is_root = [parent](Index root) { return parent[root] == root; };
    keep_if(inner_, is_root);
    keep_if(outer_, is_root);
}

// The walls with weights in [from, below) that are between two components.
void TileTree::find_between(std::int32_t from, std::int32_t below) {
    constexpr Index chunk = 256;
    const auto range = static_cast<std::uint32_t>(below - from);
    const std::uint16_t* const parent = parent_.data();
    Between* const between = between_.data();
    Index size = 0;
    const auto look = [&](Index first, Index cells, Index step) {
        std::uint8_t found[chunk + 8] = {};
        for (Index at = 0; at < cells; at += chunk) {
            const Index n = std::min(chunk, cells - at);
            const std::int32_t* const weights = weights_ + first + at;
            const std::uint16_t *const one = parent + at, *const other = one + step;
            for (Index i = 0; i < n; ++i) {
                const bool light = static_cast<std::uint32_t>(weights[i] - from) < range;
                found[i] = light & (one[i] != other[i]) ? 1 : 0;
            }
            std::memset(found + n, 0, 8);
            for (Index eight = 0; eight < n; eight += 8) {
                std::uint64_t any;
                std::memcpy(&any, found + eight, sizeof any);
                if (any == 0) continue;
                for (Index i = eight; i < eight + 8; ++i) {
                    between[size].wall = static_cast<std::uint16_t>(first + at + i);
                    size += found[i];
                }
            }
        }
    };
    look(0, walls_.cells - 1, 1);
    look(walls_.cells, walls_.cells - walls_.cols, walls_.cols);
    for (Index k = 0; k < size; ++k) {
        const auto e = walls_.ends(between[k].wall);
        between[k].a = parent[e.a];
        between[k].b = parent[e.b];
    }
    size_ = size;
    critical_ = 0;
    renew();
}

// Leaves out the walls within a component, and sets those apart that are between two that touch.
void TileTree::renew() {
    const std::uint16_t* const parent = parent_.data();
    const std::uint8_t* const touches = touches_.data();
    Between* const walls = between_.data();
    const Index most = most_, size = size_;
    Index one = 0, apart = critical_;
    for (Index k = 0; k < size; ++k) {
        const std::uint16_t a = parent[walls[k].a], b = parent[walls[k].b];
        const Index different = a != b ? 1 : 0, both = touches[a] & touches[b];
        walls[one + ((most + apart - one) & -both)] = {walls[k].wall, a, b};
        one += different & ~both;
        apart += different & both;
    }
    size_ = one;
    critical_ = apart;
}

void TileTree::forget(const Numbers& roots) {
    for (const std::uint16_t root : roots) best_[root] = none;
}

// The lightest wall of each taker; the sides of the walls are takers or `others`.
void TileTree::find_lightest(const Between* walls, Index size, const Numbers& others) {
    std::uint64_t* const best = best_.data();
    const std::int32_t* const weights = weights_;
    // body(best of a side, key, number) for both sides of each wall, where nothing was best before.
    const auto each_side = [&](auto body) {
        forget(takers_);
        forget(others);
        for (Index k = 0; k < size; ++k) {
            const std::uint64_t key = key_of(weights[walls[k].wall], k);
            for (const std::uint16_t side : {walls[k].a, walls[k].b}) body(best[side], key, k);
        }
    };
    unsigned ties = 0;
    each_side([&](std::uint64_t& held, std::uint64_t key, Index) {
        const std::uint64_t old = held;
        held = std::min(old, key);
        ties += equal_weights(old, key) ? 1u : 0u;
    });
    if (ties != 0) [[unlikely]]
        each_side([&](std::uint64_t& held, std::uint64_t key, Index k) {
            if (equal_weights(held, key)
                    ? ties_.lighter(ties_.weights, walls[k].wall, walls[place_of(held)].wall)
                    : key < held)
                held = key;
        });
    forget(others);
}

// The takers take their lightest walls, none of which is within a component; a wall that both sides
// take counts once. What they join gets the same parent, and the takers are then those that may
// take one more.
void TileTree::take(const Between* walls, std::uint16_t* parent) {
    const std::uint64_t* const best = best_.data();
    std::uint16_t* const taken = taken_.begin();
    Index n = 0;
    for (const std::uint16_t root : takers_) {
        const std::uint64_t own = best[root];
        if (own == none) continue;
        const Between& wall = walls[place_of(own)];
        const unsigned other = unsigned{wall.a} ^ wall.b ^ root;
        // Of two components with the same lightest wall the first is the root.
        const unsigned both = best[other] == own ? 1 : 0;
        const unsigned stays = both & (root - other) >> 31;
        parent[root] = static_cast<std::uint16_t>(other ^ ((other ^ root) & (0 - stays)));
        taken[n] = wall.wall;
        n += 1 - Index{stays};
    }
    taken_.resize(n);
    shorten(parent, takers_);
    keep_if(takers_, [=](Index root) { return parent[root] == root && best[root] != none; });
}

}  // namespace meiro::tiles
