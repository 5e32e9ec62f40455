// The numbers written into the cells while a trace is replayed.
#pragma once

#include "../buffer.hpp"
#include "../control.hpp"
#include "../lattice.hpp"

namespace meiro {

enum class LabelKind : std::uint8_t {
    none,
    order,    // when a cell was entered, counted from 0
    areas,    // joined areas take the smaller number; at first, each cell is one
    sets,     // joined sets take the number of the subject cell; new sets from 1
    distance  // steps from the start of the search
};

// Makes a buffer a copy of another one, in the memory that it has if that is as large.
template <class T>
void copy_buffer(Buffer<T>& to, const Buffer<T>& from, Control& control) {
    if (to.size() != from.size()) to = Buffer<T>(from.size());
    polled_copy(from.data(), from.size(), to.data(), control);
}

// Areas and sets are disjoint sets in which each cell points to a cell of lower id, and the first
// cell of a set to itself; so one pass from the first cell to the last finds all numbers.
class CellLabels {
public:
    CellLabels() = default;
    // mask: null, or which cells exist.
    CellLabels(LabelKind kind, Index cells, Mask mask, Control& control);
    void copy_from(const CellLabels& other, Control& control);

    LabelKind kind() const { return kind_; }
    bool joins() const { return kind_ == LabelKind::areas || kind_ == LabelKind::sets; }
    Index size() const { return labels_.size(); }
    // A cell is entered, from another one or (-1) as a beginning.
    void enter(Index cell);
    void visit(Index cell, Index from);
    // The two cells are joined; `cell` is the subject of the event.
    void join(Index cell, Index other);
    // A walk leaves the cell in this direction, or (none) forgets it. Instead of their order, cells
    // of walks have -2 - direction.
    void point(Index cell, Direction d);
    // The number of the next new set.
    std::int32_t fresh() const { return fresh_; }
    // The number of one cell; -1 if it has none, or an arrow.
    std::int32_t number(Index cell);
    // The same for all of them.
    void write(std::int32_t* out) const;

private:
    Index first_of(Index cell);

    LabelKind kind_ = LabelKind::none;
    std::int32_t fresh_ = 0;
    Buffer<std::int32_t> labels_;  // per cell: its number; of areas and sets, its parent
    Buffer<std::int32_t> names_;   // of sets: their numbers, at their first cells
};

}  // namespace meiro
