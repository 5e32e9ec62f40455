// The numbers that are written into the cells while a trace is replayed.
#pragma once

#include "../buffer.hpp"
#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

enum class LabelKind : std::uint8_t {
    none,
    order,    // as which a cell was entered, from 0
    areas,    // of two areas that join the smaller number wins; first, each cell is one
    sets,     // of two sets that join that of the cell in question wins; fresh ones from 1
    distance  // steps from where the search began
};

// Areas and sets are disjoint sets in which a cell leads to one of a lower id, so that the first of
// a set leads to itself, and all numbers are found in one pass from the first cell to the last.
class CellLabels {
public:
    CellLabels() = default;
    // mask: null, or which cells exist.
    CellLabels(LabelKind kind, Index cells, Mask mask, Control& control);
    void copy_from(const CellLabels& other, Control& control);

    LabelKind kind() const { return kind_; }
    Index size() const { return labels_.size(); }
    // A cell is entered, from another or (-1) from nowhere.
    void enter(Index cell);
    void visit(Index cell, Index from);
    // The cell and the other are joined, and the cell is the one in question.
    void join(Index cell, Index other);
    // -1 where there is no number.
    void write(std::int32_t* out) const;

private:
    Index first_of(Index cell);

    LabelKind kind_ = LabelKind::none;
    std::int32_t fresh_ = 0;
    Buffer<std::int32_t> labels_;  // a cell: its number; of areas and sets, where it leads
    Buffer<std::int32_t> names_;   // of sets: the number of a set, at its first cell
};

}  // namespace meiro
