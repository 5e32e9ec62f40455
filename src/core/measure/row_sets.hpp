// Connected components of a picture, scanned row by row, in bands of rows that threads share.
//
// A band keeps the sets of its last row, as Eller's algorithm does, and which of them reach its
// first row: so much is needed to join it to the band above. The counts are those of one scan:
//
//   0 0 1      the runs of a first row are a forest: here the two zeros of the last row
//   1 0 1      are one set with the run of the first, and so are the ones to the right
//   0 0 1
//
// Scratch: about 60 bytes for each column of a band below 2^30 columns, else twice that.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "../buffer.hpp"
#include "../control.hpp"
#include "../disjoint_set.hpp"

namespace meiro {

// body(i) for i in first .. last-1, polling in between, as a row may be long.
template <class Body>
void each_column(Index first, Index last, Control& control, Body body) {
    for (Index i = first; i < last;) {
        const Index end = std::min(i + Control::stride, last);
        control.poll((end - i) / 2);
        for (; i < end; ++i) body(i);
    }
}

// The number of components of each kind.
using KindCounts = std::array<Index, 4>;

// The sets of one band, by runs of equal sites; their kinds are 0 .. 3, and that of two sets that
// are joined has the bits of both. A set has one of 2 * cols numbers: those of the last row and
// those of the runs of this row. The loops do not branch on the kind of a site. Invariant: the sets
// of the last row are numbered 0, 1, ... and each is its own parent.
template <class Id>
class RowSets {
public:
    // Filled for every row: 1 where a site is joined to its left neighbour, to its upper neighbour.
    std::uint8_t *before = nullptr, *above = nullptr;
    // The kind of the sites of each run of a row; 0 if it is not filled.
    std::uint8_t* kind = nullptr;

    explicit RowSets(Index cols) : cols_(cols), ids_(12 * cols + 1), bytes_(3 * cols, true) {
        Id* next = ids_.data();
        for (Id** const part : {&run_, &last_run_, &name_, &next_name_, &kept_}) {
            *part = next;
            next += cols;
        }
        for (Id** const part : {&parent_, &renamed_, &is_}) {
            *part = next;
            next += 2 * cols;
        }
        joins_ = next;
        before = bytes_.data();
        above = before + cols;
        kind = above + cols;
    }

    // Adds the row.
    void row(Control& control) {
        const Index runs = add_runs(0, control);
        each_column(0, joins_here_, control, [&](Index i) {
            const Id c = joins_[i];
            join(root(name_[last_run_[c]]), root(static_cast<Id>(known_ + run_[c])));
        });
        end_row(runs, control);
    }

    // The same for the first row of a band below another one: the joins to the row above are kept.
    void first_row(Control& control) {
        const Index runs = add_runs(1, control);
        top_parent_ = Buffer<Id>(runs);
        top_kind_ = Buffer<std::uint8_t>(runs);
        each_column(0, runs, control, [&](Index i) {
            top_parent_[i] = static_cast<Id>(i);
            top_kind_[i] = static_cast<std::uint8_t>(is_[i] & 3);
        });
        seam_ = Buffer<Seam>(joins_here_);
        each_column(0, joins_here_, control,
                    [&](Index i) { seam_[i] = {joins_[i], run_[joins_[i]]}; });
        end_row(runs, control);
    }

    // The number of components of each kind, over bands from the first row to the last.
    static KindCounts count(std::vector<RowSets>& bands, Control& control) {
        KindCounts found = bands.front().count_;
        if (bands.size() == 1) return found;
        Index nodes = 0;
        for (RowSets& band : bands) {
            band.begin_ = nodes;
            nodes += band.top_parent_.size() + band.known_;
        }
        DisjointSet<Index> joined(nodes);
        joined.reset(nodes, control);
        Buffer<std::uint8_t> kinds(nodes);
        for (RowSets& band : bands) band.put_kinds(kinds.data(), control);
        for (std::size_t b = 1; b < bands.size(); ++b) {
            for (std::size_t k = 0; k < found.size(); ++k) found[k] += bands[b].count_[k];
            const Buffer<Seam>& seam = bands[b].seam_;
            each_column(0, seam.size(), control, [&](Index i) {
                const Index one = joined.find(bands[b - 1].node_at(seam[i].col));
                const Index other = joined.find(bands[b].node_of_run(seam[i].run));
                if (!joined.join(one, other)) return;
                const auto both = static_cast<std::uint8_t>(kinds[one] | kinds[other]);
                --found[kinds[one]];
                --found[kinds[other]];
                ++found[both];
                kinds[one] = kinds[other] = both;
            });
        }
        return found;
    }

private:
    // A site of the first row that is joined to the row above.
    struct Seam {
        Id col, run;
    };

    // Makes the runs of this row sets of their own; `tops`: 1 if each is a run of the first row.
    // Returns their number.
    Index add_runs(unsigned tops, Control& control) {
        Index runs = -1, joins = 0;
        each_column(0, cols_, control, [&](Index c) {
            runs += 1 - before[c];
            run_[c] = static_cast<Id>(runs);
            joins_[joins] = static_cast<Id>(c);
            joins += above[c];
        });
        ++runs;
        each_column(0, runs, control, [&](Index i) {
            const Index set = known_ + i;
            const unsigned of = kind[i];
            parent_[set] = static_cast<Id>(set);
            is_[set] = static_cast<Id>(of | static_cast<Index>(tops) * ((i + 1) << 2));
            ++count_[of];
        });
        joins_here_ = joins;
        return runs;
    }
    void end_row(Index runs, Control& control) {
        rename(runs, control);
        std::swap(run_, last_run_);
        std::swap(name_, next_name_);
    }

    Id root(Id set) { return find_root(parent_, set); }

    void join(Id a, Id b) {
        if (a == b) return;
        if (b < a) std::swap(a, b);
        parent_[b] = a;
        const Id one = is_[a], other = is_[b], both = (one | other) & 3;
        --count_[one & 3];
        --count_[other & 3];
        ++count_[both];
        const Id low = std::min(one, other) >> 2, high = std::max(one, other) >> 2;
        const bool two_tops = low != 0 && low != high;
        is_[a] = (two_tops ? join_tops(low, high) : high) << 2 | both;
        if (high != 0 && ((one ^ other) & 3) != 0)
            top_kind_[find_root(top_parent_.data(), (is_[a] >> 2) - 1)] =
                static_cast<std::uint8_t>(both);
    }
    // Joins two runs of the first row, by 1 + their number; returns the one that stands for both.
    Id join_tops(Id one, Id other) {
        Id* const parent = top_parent_.data();
        const Id a = find_root(parent, one - 1), b = find_root(parent, other - 1);
        const Id low = std::min(a, b);
        parent[std::max(a, b)] = low;
        return low + 1;
    }
    // Renumbers the sets that reach this row.
    void rename(Index runs, Control& control) {
        constexpr Id none = std::numeric_limits<Id>::max();
        each_column(0, known_ + runs, control, [&](Index i) { renamed_[i] = none; });
        Index names = 0;
        each_column(0, runs, control, [&](Index i) {
            const Id set = root(static_cast<Id>(known_ + i));
            const bool fresh = renamed_[set] == none;
            const Id name = fresh ? static_cast<Id>(names) : renamed_[set];
            renamed_[set] = name;
            next_name_[i] = name;
            kept_[name] = is_[set];
            names += fresh ? 1 : 0;
        });
        // A second pass, as a new number may be the old number of a later set.
        each_column(0, names, control, [&](Index i) {
            parent_[i] = static_cast<Id>(i);
            is_[i] = kept_[i];
        });
        known_ = names;
    }

    // The nodes of a band: the runs of its first row, then the sets of its last row.
    Index node_of_run(Id run) { return begin_ + find_root(top_parent_.data(), run); }
    Index node_of_set(Id set) {
        const Id top = is_[set] >> 2;
        return top > 0 ? node_of_run(top - 1) : begin_ + top_parent_.size() + set;
    }
    Index node_at(Id col) { return node_of_set(name_[last_run_[col]]); }
    void put_kinds(std::uint8_t* kinds, Control& control) {
        each_column(0, top_parent_.size(), control,
                    [&](Index run) { kinds[begin_ + run] = top_kind_[run]; });
        each_column(0, known_, control, [&](Index set) {
            kinds[node_of_set(static_cast<Id>(set))] = static_cast<std::uint8_t>(is_[set] & 3);
        });
    }

    Index cols_;
    Buffer<Id> ids_;
    Buffer<std::uint8_t> bytes_;
    Id *run_ = nullptr, *last_run_ = nullptr, *name_ = nullptr, *next_name_ = nullptr;
    Id *parent_ = nullptr, *renamed_ = nullptr, *joins_ = nullptr;
    Id *is_ = nullptr, *kept_ = nullptr;  // kind, and times 4: 1 + a run of the first row, or 0
    Index known_ = 0, joins_here_ = 0;
    KindCounts count_{};
    Buffer<Id> top_parent_;  // of runs of the first row
    Buffer<std::uint8_t> top_kind_;
    Buffer<Seam> seam_;
    Index begin_ = 0;
};

// The sets of each band.
template <class Id>
std::vector<RowSets<Id>> row_sets(const RowBands& bands, Index cols) {
    std::vector<RowSets<Id>> sets;
    sets.reserve(static_cast<std::size_t>(bands.count));
    for (Index band = 0; band < bands.count; ++band) sets.emplace_back(cols);
    return sets;
}

// body(Id{}), a type for the numbers of the sets of such rows.
template <class Body>
auto with_set_numbers(Index cols, Body body) {
    return cols < Index{std::numeric_limits<std::uint32_t>::max()} / 4 ? body(std::uint32_t{})
                                                                       : body(std::uint64_t{});
}

}  // namespace meiro
