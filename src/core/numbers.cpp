#include "numbers.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

namespace meiro {
namespace {

using Ints = Buffer<std::int32_t>;

void copy(Ints& to, const Ints& from) {
    if (to.size() != from.size()) to = Ints(from.size());
    std::copy(from.begin(), from.end(), to.begin());
}

}  // namespace

Numbers::Numbers(Labels kind, Index cells, Mask mask)
    : kind_(cells > std::numeric_limits<std::int32_t>::max() ? Labels::none : kind) {
    if (kind_ == Labels::none) return;
    labels_ = Ints(cells);
    std::fill(labels_.begin(), labels_.end(), -1);
    if (kind_ == Labels::areas)
        for (Index i = 0; i < cells; ++i)
            if (mask == nullptr || mask[i] != 0) labels_[i] = static_cast<std::int32_t>(i);
    if (kind_ != Labels::sets) return;
    copy(names_, labels_);
    fresh_ = 1;
}

void Numbers::copy_from(const Numbers& other) {
    kind_ = other.kind_;
    fresh_ = other.fresh_;
    copy(labels_, other.labels_);
    copy(names_, other.names_);
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
