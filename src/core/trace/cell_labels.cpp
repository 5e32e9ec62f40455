#include "cell_labels.hpp"

#include <algorithm>
#include <limits>

namespace meiro {
namespace {

using Ints = Buffer<std::int32_t>;

void copy(Ints& to, const Ints& from, Control& control) {
    if (to.size() != from.size()) to = Ints(from.size());
    by_pieces(from.size(), control, [&](Index first, Index last) {
        std::copy(from.begin() + first, from.begin() + last, to.begin() + first);
    });
}

}  // namespace

Numbers::Numbers(Labels kind, Index cells, Mask mask, Control& control)
    : kind_(cells > std::numeric_limits<std::int32_t>::max() ? Labels::none : kind) {
    if (kind_ == Labels::none) return;
    labels_ = Ints(cells);
    by_pieces(cells, control, [&](Index first, Index last) {
        for (Index i = first; i < last; ++i) {
            const bool area = kind_ == Labels::areas && (mask == nullptr || mask[i] != 0);
            labels_[i] = area ? static_cast<std::int32_t>(i) : -1;
        }
    });
    if (kind_ != Labels::sets) return;
    copy(names_, labels_, control);
    fresh_ = 1;
}

void Numbers::copy_from(const Numbers& other, Control& control) {
    kind_ = other.kind_;
    fresh_ = other.fresh_;
    copy(labels_, other.labels_, control);
    copy(names_, other.names_, control);
}

void Numbers::enter(Index cell) {
    if (kind_ == Labels::order && labels_[cell] < 0) labels_[cell] = fresh_++;
}

void Numbers::visit(Index cell, Index from) {
    enter(cell);
    if (kind_ == Labels::none || labels_[cell] >= 0) return;
    if (kind_ == Labels::distance) labels_[cell] = from < 0 ? 0 : labels_[from] + 1;
    if (kind_ != Labels::sets) return;
    labels_[cell] = static_cast<std::int32_t>(cell);
    names_[cell] = fresh_++;
}

void Numbers::join(Index cell, Index other) {
    if ((kind_ != Labels::areas && kind_ != Labels::sets) || labels_[cell] < 0) return;
    if (labels_[other] < 0) labels_[other] = static_cast<std::int32_t>(other);
    const Index mine = first_of(cell), theirs = first_of(other);
    const Index least = std::min(mine, theirs);
    if (kind_ == Labels::sets) names_[least] = names_[mine];
    labels_[std::max(mine, theirs)] = static_cast<std::int32_t>(least);
}

Index Numbers::first_of(Index cell) {
    std::int32_t* const labels = labels_.data();
    while (labels[cell] != cell) {
        labels[cell] = labels[labels[cell]];
        cell = labels[cell];
    }
    return cell;
}

void Numbers::write(std::int32_t* out) const {
    const std::int32_t* const labels = labels_.data();
    const Index cells = labels_.size();
    if (kind_ != Labels::areas && kind_ != Labels::sets) {
        std::copy_n(labels, cells, out);
        return;
    }
    const bool named = kind_ == Labels::sets;
    for (Index i = 0; i < cells; ++i) {
        const std::int32_t to = labels[i];
        out[i] = to < 0 ? -1 : to < i ? out[to] : named ? names_[i] : to;
    }
}

}  // namespace meiro
