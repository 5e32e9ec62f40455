#include "cell_labels.hpp"

#include <algorithm>
#include <limits>

#include "../disjoint_set.hpp"

namespace meiro {
CellLabels::CellLabels(LabelKind kind, Index cells, Mask mask, Control& control)
    : kind_(cells > std::numeric_limits<std::int32_t>::max() ? LabelKind::none : kind) {
    if (kind_ == LabelKind::none) return;
    labels_ = Buffer<std::int32_t>(cells);
    by_each(cells, control, [&](Index i) {
        const bool area = kind_ == LabelKind::areas && exists(mask, i);
        labels_[i] = area ? static_cast<std::int32_t>(i) : -1;
    });
    if (kind_ != LabelKind::sets) return;
    copy_buffer(names_, labels_, control);
    fresh_ = 1;
}

void CellLabels::copy_from(const CellLabels& other, Control& control) {
    kind_ = other.kind_;
    fresh_ = other.fresh_;
    copy_buffer(labels_, other.labels_, control);
    copy_buffer(names_, other.names_, control);
}

void CellLabels::enter(Index cell) {
    if (kind_ == LabelKind::order && labels_[cell] < 0) labels_[cell] = fresh_++;
}

void CellLabels::point(Index cell, Direction d) {
    if (kind_ != LabelKind::order || labels_[cell] >= 0) return;
    labels_[cell] = d == Direction::none ? -1 : -2 - static_cast<std::int32_t>(d);
}

void CellLabels::visit(Index cell, Index from) {
    enter(cell);
    if (kind_ == LabelKind::none || labels_[cell] >= 0) return;
    if (kind_ == LabelKind::distance) labels_[cell] = from < 0 ? 0 : labels_[from] + 1;
    if (kind_ != LabelKind::sets) return;
    labels_[cell] = static_cast<std::int32_t>(cell);
    names_[cell] = fresh_++;
}

void CellLabels::join(Index cell, Index other) {
    if (!joins() || labels_[cell] < 0) return;
    if (labels_[other] < 0) labels_[other] = static_cast<std::int32_t>(other);
    const Index mine = first_of(cell), theirs = first_of(other);
    const Index least = std::min(mine, theirs);
    if (kind_ == LabelKind::sets) names_[least] = names_[mine];
    labels_[std::max(mine, theirs)] = static_cast<std::int32_t>(least);
}

Index CellLabels::first_of(Index cell) {
    return find_root(labels_.data(), static_cast<std::int32_t>(cell));
}

std::int32_t CellLabels::number(Index cell) {
    if (kind_ == LabelKind::none || labels_[cell] < 0) return -1;
    if (!joins()) return labels_[cell];
    const Index first = first_of(cell);
    return kind_ == LabelKind::sets ? names_[first] : static_cast<std::int32_t>(first);
}

void CellLabels::write(std::int32_t* out) const {
    const std::int32_t* const labels = labels_.data();
    const Index cells = labels_.size();
    if (!joins()) {
        std::copy_n(labels, cells, out);
        return;
    }
    const bool named = kind_ == LabelKind::sets;
    for (Index i = 0; i < cells; ++i) {
        const std::int32_t to = labels[i];
        out[i] = to < 0 ? -1 : to < i ? out[to] : named ? names_[i] : to;
    }
}

}  // namespace meiro
