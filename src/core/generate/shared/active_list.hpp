// The active cells of a growing tree, in order of insertion. Looks up the newest, the oldest, the
// middle or a random cell, and removes any cell, each in constant time (amortized).
//
// The slots before the middle and those after it are separated by a gap, which moves with the
// middle: one cell crosses it for every two inserted or removed. Removal elsewhere leaves a hole;
// the holes are squeezed out when they outnumber the cells:
//
//   a . b _ _ c d . e      "." hole, "_" gap; c is the middle of the five cells
//
// An ActiveList does not own its slots: the trees of a growing forest share a pool. A growing tree
// has a GrowingList.
#pragma once

#include <limits>

#include "../../buffer.hpp"
#include "../../control.hpp"
#include "../../options.hpp"
#include "../../random.hpp"

namespace meiro {

// Which cell of the list is next: drawn by the odds of choose=.
enum class Choice : std::uint8_t { newest, oldest, random, middle };

class Chooser {
public:
    explicit Chooser(const Options& options) {
        for (std::size_t k = 0; k < 4; ++k) {
            if (options.choose[k] != 0) only_ = static_cast<Choice>(k);
            total_ += options.choose[k];
            below_[k] = total_;
        }
        several_ = total_ != options.choose[static_cast<std::size_t>(only_)];
        middle_ = options.choose[static_cast<std::size_t>(Choice::middle)] != 0;
    }
    bool only(Choice choice) const { return !several_ && only_ == choice; }
    bool middle() const { return middle_; }
    Choice next(Random& random) const {
        if (!several_) return only_;
        const Index drawn = random.below(total_);
        return static_cast<Choice>((drawn >= below_[0] ? 1 : 0) + (drawn >= below_[1] ? 1 : 0) +
                                   (drawn >= below_[2] ? 1 : 0));
    }

private:
    Index total_ = 0;
    std::array<Index, 4> below_{};
    Choice only_ = Choice::newest;
    bool several_ = false, middle_ = false;
};

template <class Id>
class ActiveList {
public:
    static constexpr Id hole = std::numeric_limits<Id>::max();

    bool empty() const { return before_ + behind_ == 0; }
    Id back() const { return last_ - 1; }
    bool full(Index slot_count) const { return static_cast<Index>(last_) == slot_count; }
    // When the slots are used up: are there enough holes to squeeze() them out?
    bool loose(Index slot_count) const {
        return before_ + behind_ <= static_cast<Id>(slot_count / 2);
    }

    void push(Id* slots, Id item, bool middle) {
        slots[last_++] = item;
        ++behind_;
        if (middle) balance(slots);
    }

    // The slot of a cell. The list is not empty.
    Id find(Id* slots, Choice choice, Random& random) {
        MEIRO_ASSERT(!empty());
        switch (choice) {
            case Choice::newest:
                while (slots[last_ - 1] == hole) --last_;
                return last_ - 1;
            case Choice::oldest:
                if (before_ != 0) {
                    while (slots[first_] == hole) ++first_;
                    return first_;
                }
                [[fallthrough]];
            case Choice::middle:
                while (slots[middle_] == hole) ++middle_;
                return middle_;
            default:
                for (;;) {
                    auto slot = static_cast<Id>(first_ + random.below(static_cast<Index>(used())));
                    if (slot >= gap_) slot += middle_ - gap_;
                    if (slots[slot] != hole) return slot;
                }
        }
    }

    void erase(Id* slots, Id slot, bool middle, Control& control) {
        slots[slot] = hole;
        --(slot < gap_ ? before_ : behind_);
        if (middle) balance(slots);
        if (used() > 2 * (before_ + behind_) + 8) squeeze(slots, slots, control);
    }

    // Moves the cells together, without holes and gap, to the first slots here or elsewhere.
    void squeeze(const Id* from, Id* to, Control& control) {
        Id count = 0;
        const auto take = [&](Id first, Id last) {
            by_pieces(static_cast<Index>(last - first), control, [&](Index begin, Index end) {
                for (const Id* slot = from + first + begin; slot != from + first + end; ++slot) {
                    to[count] = *slot;
                    count += *slot != hole ? 1 : 0;
                }
            });
        };
        take(first_, gap_);
        take(middle_, last_);
        first_ = 0;
        gap_ = middle_ = before_;
        last_ = count;
    }

private:
    Id used() const { return gap_ - first_ + (last_ - middle_); }

    // Half of the cells, rounded down, before the middle.
    void balance(Id* slots) {
        const Id half = (before_ + behind_) / 2;
        if (before_ < half) {
            while (slots[middle_] == hole) ++middle_;
            slots[gap_++] = slots[middle_++];
            ++before_, --behind_;
        } else if (before_ > half) {
            while (slots[gap_ - 1] == hole) --gap_;
            slots[--middle_] = slots[--gap_];
            --before_, ++behind_;
        }
    }

    Id first_ = 0, gap_ = 0, middle_ = 0, last_ = 0;  // slots: [first, gap) and [middle, last)
    Id before_ = 0, behind_ = 0;                      // cells in them
};

// One with slots of its own, which grow.
template <class Id>
class GrowingList {
public:
    explicit GrowingList(Index slots) : slots_(slots) {}

    bool empty() const { return list_.empty(); }
    void push(Id item, const Chooser& chooser, Control& control) {
        if (list_.full(slots_.size())) [[unlikely]] {
            if (list_.loose(slots_.size()))
                list_.squeeze(slots_.data(), slots_.data(), control);
            else
                slots_.grow(2 * slots_.size());
        }
        list_.push(slots_.data(), item, chooser.middle());
    }
    // The slot of the cell that is next.
    Id find(Choice choice, Random& random) { return list_.find(slots_.data(), choice, random); }
    Id operator[](Id slot) const { return slots_[static_cast<Index>(slot)]; }
    void erase(Id slot, const Chooser& chooser, Control& control) {
        list_.erase(slots_.data(), slot, chooser.middle(), control);
    }

private:
    ActiveList<Id> list_;
    Buffer<Id> slots_;
};

}  // namespace meiro
