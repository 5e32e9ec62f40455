#include "components.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "../buffer.hpp"

namespace meiro {
namespace {

// The kind of a set, and whether it has a site in the border.
constexpr std::uint8_t of_walls = 1, at_border = 2;

// body(i) for i in first .. last-1, polling in between, as a row may be long.
template <class Body>
void each_column(Index first, Index last, Control& control, Body body) {
    for (Index i = first; i < last;) {
        const Index end = std::min(i + Control::stride, last);
        control.poll((end - i) / 2);
        for (; i < end; ++i) body(i);
    }
}

// Connected components of a picture, scanned row by row, by runs of equal sites. A set has one of 2
// * cols numbers: those of the last row and those of the runs of this row. The loops do not branch
// on the kind of a site. Invariant: the sets of the last row are numbered 0, 1, ... and each is its
// own parent.
template <class Id>
class Components {
public:
    Components(Index cols, Control& control)
        : before(cols),
          above(cols),
          cols_(cols),
          control_(control),
          joins_(cols + 1),
          run_(cols),
          last_run_(cols),
          name_(cols),
          next_name_(cols),
          parent_(2 * cols),
          renamed_(2 * cols),
          is_(2 * cols),
          kept_(cols) {}

    // Filled for every row: 1 where a site is joined to its left neighbour, to its upper neighbour.
    Buffer<std::uint8_t> before, above;

    // Adds the row. kind(run) is the kind of the sites of a run.
    template <class Kind>
    void row(Kind kind) {
        Index runs = -1, joins = 0;
        each_column(0, cols_, control_, [&](Index c) {
            runs += 1 - before[c];
            run_[c] = static_cast<Id>(runs);
            joins_[joins] = static_cast<Id>(c);
            joins += above[c];
        });
        ++runs;
        each_column(0, runs, control_, [&](Index i) {
            const Index set = known_ + i;
            parent_[set] = static_cast<Id>(set);
            is_[set] = kind(i);
            ++count_[is_[set]];
        });
        each_column(0, joins, control_, [&](Index i) {
            const Id c = joins_[i];
            join(root(name_[last_run_[c]]), root(static_cast<Id>(known_ + run_[c])));
        });
        rename(runs);
        std::swap(run_, last_run_);
        std::swap(name_, next_name_);
    }

    // The number of components of a kind.
    Index count(std::uint8_t kind) const { return count_[kind]; }

private:
    Id root(Id set) {
        while (parent_[set] != set) {
            parent_[set] = parent_[parent_[set]];
            set = parent_[set];
        }
        return set;
    }
    void join(Id a, Id b) {
        if (a == b) return;
        if (b < a) std::swap(a, b);
        parent_[b] = a;
        --count_[is_[a]];
        --count_[is_[b]];
        is_[a] |= is_[b];
        ++count_[is_[a]];
    }
    // Renumbers the sets that reach this row.
    void rename(Index runs) {
        constexpr Id none = std::numeric_limits<Id>::max();
        each_column(0, known_ + runs, control_, [&](Index i) { renamed_[i] = none; });
        Index names = 0;
        each_column(0, runs, control_, [&](Index i) {
            const Id set = root(static_cast<Id>(known_ + i));
            const bool fresh = renamed_[set] == none;
            const Id name = fresh ? static_cast<Id>(names) : renamed_[set];
            renamed_[set] = name;
            next_name_[i] = name;
            kept_[name] = is_[set];
            names += fresh ? 1 : 0;
        });
        // A second pass, as a new number may be the old number of a later set.
        each_column(0, names, control_, [&](Index i) {
            parent_[i] = static_cast<Id>(i);
            is_[i] = kept_[i];
        });
        known_ = names;
    }

    Index cols_;
    Control& control_;
    Buffer<Id> joins_, run_, last_run_, name_, next_name_, parent_, renamed_;
    Buffer<std::uint8_t> is_, kept_;
    Index known_ = 0;
    std::array<Index, 4> count_{};
};

template <class Id>
Census scan_walls(const std::uint8_t* walls, Shape shape, Control& control) {
    const auto [rows, cols] = shape;
    Census census;
    Components<Id> sets(cols, control);
    Buffer<std::uint8_t> now(cols), last(cols, true), same(cols);  // now, last: 1 for a wall
    Index sites = 0, edges = 0;
    for (Index r = 0; r < rows; ++r) {
        const bool top = r == 0, bottom = r + 1 == rows;
        std::uint8_t* const before = sets.before.data();
        std::uint8_t* const above = sets.above.data();
        const std::uint8_t* const row = walls + r * cols;
        const std::uint8_t* const below = walls + (bottom ? r : r + 1) * cols;
        const unsigned inside = top ? 0 : 1;
        each_column(0, cols, control, [&](Index c) {
            now[c] = row[c] != 0 ? 1 : 0;
            same[c] = static_cast<std::uint8_t>((now[c] ^ last[c] ^ 1) & inside);
        });
        before[0] = 0;
        above[0] = same[0];
        each_column(1, cols, control, [&](Index c) {
            before[c] = static_cast<std::uint8_t>(now[c] ^ now[c - 1] ^ 1);
            // A single join is enough for adjacent sites that are both joined to the row above.
            above[c] = static_cast<std::uint8_t>(same[c] & ~(before[c] & same[c - 1]));
        });
        Index joined = 0, blocks = 0, bare = 0, runs = 0;
        each_column(0, cols, control, [&](Index c) {
            sites += now[c] ^ 1;
            runs += before[c] ^ 1;
            joined += (before[c] + same[c]) & (now[c] - 1);
        });
        each_column(1, cols, control,
                    [&](Index c) { blocks += before[c] & same[c] & same[c - 1] & (now[c] ^ 1); });
        if (!top && !bottom)
            each_column(1, cols - 1, control, [&](Index c) {
                bare += now[c] & ~(before[c] | before[c + 1] | same[c]) & (below[c] == 0 ? 1 : 0);
            });
        edges += joined;
        census.open_blocks += blocks;
        census.bare_posts += bare;
        const std::uint8_t first = now[0];
        sets.row([&](Index run) {  // walls and roads alternate
            const bool border = top || bottom || run == 0 || run == runs - 1;
            return static_cast<std::uint8_t>(((first ^ run) & 1) | (border ? at_border : 0));
        });
        std::swap(now, last);
    }
    census.regions = sets.count(0) + sets.count(at_border);
    census.loops = edges - sites + census.regions;
    census.islands = sets.count(of_walls);
    census.parts = 1;
    return census;
}

template <class Id>
Census scan_passages(const std::uint8_t* passages, Shape shape, Mask mask, Control& control) {
    const Index rows = shape.rows, cols = shape.cols;
    Census census;
    Components<Id> regions(cols, control), parts(mask != nullptr ? cols : 1, control);
    const auto one_kind = [](Index) { return std::uint8_t{0}; };
    Index absent = 0, edges = 0;
    for (Index r = 0; r < rows; ++r) {
        const std::uint8_t* const row = passages + r * cols;
        const std::uint8_t* const last = r > 0 ? row - cols : row;
        std::uint8_t* const before = regions.before.data();
        std::uint8_t* const above = regions.above.data();
        // Bits across the border, which no sound maze has, would lead out of the memory.
        const unsigned up = r > 0 ? bits::north : 0;
        each_column(0, cols, control, [&](Index c) {
            before[c] = static_cast<std::uint8_t>(row[c] >> 3 & 1);
            above[c] = static_cast<std::uint8_t>(row[c] & up);
            edges += before[c] + above[c];
        });
        edges -= before[0];
        before[0] = 0;
        Index bare = 0;
        each_column(1, cols, control,
                    [&](Index c) { bare += before[c] & above[c] & above[c - 1] & (last[c] >> 3); });
        census.bare_posts += bare;
        regions.row(one_kind);
        if (mask == nullptr) continue;
        const std::uint8_t* const row_mask = mask + r * cols;
        each_column(0, cols, control, [&](Index c) {
            parts.before[c] = c > 0 && row_mask[c] != 0 && row_mask[c - 1] != 0 ? 1 : 0;
            parts.above[c] = r > 0 && row_mask[c] != 0 && row_mask[c - cols] != 0 ? 1 : 0;
            absent += row_mask[c] == 0 ? 1 : 0;  // each is counted as a set
        });
        parts.row(one_kind);
    }
    census.regions = regions.count(0) - absent;
    census.loops = edges - (shape.size() - absent) + census.regions;
    census.islands = census.loops;
    census.parts = mask != nullptr ? parts.count(0) - absent : 1;
    return census;
}

bool fits_32_bits(Shape shape) {
    return shape.cols < Index{std::numeric_limits<std::uint32_t>::max()} / 2;
}

}  // namespace

Census census_of_walls(const std::uint8_t* walls, Shape shape, Control& control) {
    return fits_32_bits(shape) ? scan_walls<std::uint32_t>(walls, shape, control)
                               : scan_walls<std::uint64_t>(walls, shape, control);
}

Census census_of_passages(const std::uint8_t* passages, Shape shape, Mask mask, Control& control) {
    return fits_32_bits(shape) ? scan_passages<std::uint32_t>(passages, shape, mask, control)
                               : scan_passages<std::uint64_t>(passages, shape, mask, control);
}

template <class T>
Index label(const std::uint8_t* sites, Shape shape, Wrap wrap, std::uint8_t kind, T* labels,
            Control& control) {
    // First `labels` is a forest over the sites: the parent of a site is an earlier site, or
    // itself.
    const auto root = [&](T site) {
        while (labels[site] != site) {
            labels[site] = labels[labels[site]];
            site = labels[site];
        }
        return site;
    };
    const auto [rows, cols] = shape;
    for (Index r = 0; r < rows; ++r)
        for (Index c = 0; c < cols; ++c) {
            if (c % Control::stride == 0) control.poll(std::min(cols, Control::stride));
            const Index at = r * cols + c;
            labels[at] = static_cast<T>(at);
            if (sites[at] != kind) continue;
            const bool before = c > 0 && sites[at - 1] == kind;
            const bool above = r > 0 && sites[at - cols] == kind;
            if (before) labels[at] = root(static_cast<T>(at - 1));
            if (above) {
                const T one = root(static_cast<T>(at - cols)), other = labels[at];
                labels[at] = before ? std::min(one, other) : one;
                if (before) labels[std::max(one, other)] = labels[at];
            }
        }
    const auto sew = [&](Index first, Index last) {
        if (sites[first] != kind || sites[last] != kind) return;
        const T one = root(static_cast<T>(first)), other = root(static_cast<T>(last));
        labels[std::max(one, other)] = std::min(one, other);
    };
    if (wrap.rows)
        each_column(0, cols, control,
                    [&, rows = rows, cols = cols](Index c) { sew(c, (rows - 1) * cols + c); });
    if (wrap.cols)
        each_column(0, rows, control,
                    [&, cols = cols](Index r) { sew(r * cols, r * cols + cols - 1); });
    // Then, in the same order, so a parent already has its number.
    Index count = 0;
    for (Index first = 0; first < shape.size(); first += Control::stride) {
        const Index last = std::min(first + Control::stride, shape.size());
        control.poll(last - first);
        for (Index at = first; at < last; ++at) {
            if (sites[at] != kind)
                labels[at] = 0;
            else if (labels[at] == at)
                labels[at] = static_cast<T>(++count);
            else
                labels[at] = labels[labels[at]];
        }
    }
    return count;
}

template Index label(const std::uint8_t*, Shape, Wrap, std::uint8_t, std::int32_t*, Control&);
template Index label(const std::uint8_t*, Shape, Wrap, std::uint8_t, std::int64_t*, Control&);

}  // namespace meiro
