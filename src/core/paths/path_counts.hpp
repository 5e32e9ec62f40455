// Numbers of paths of any size, level by level: all numbers of a level have one width, which grows
// before a sum could overflow.
#pragma once

#include <cstdint>
#include <utility>

#include "../buffer.hpp"
#include "../control.hpp"

namespace meiro {

using Limb = std::uint64_t;

// Numbers of one width, one after the other.
class PathCounts {
public:
    // A number of the next level is a sum of at most 2^spare.
    explicit PathCounts(int spare) : spare_(spare), now_(1) { now_[0] = 1; }
    Index limbs() const { return limbs_; }
    const Limb* now() const { return now_.data(); }
    // Where the numbers of the next level are written; there is room for the first `count`.
    Limb* next(Index count) {
        if (count * limbs_ > next_.size()) next_.grow(next_.size() * 2 + count * limbs_);
        return next_.data();
    }
    // Advances to the next level, of `count` numbers; `top`: the union of the bits of their highest
    // limbs.
    void advance(Index count, Limb top, Control& control) {
        std::swap(now_, next_);
        if (top >> (64 - spare_) == 0) return;
        Limb* const to = next(2 * count);  // one limb more each
        for (Index i = 0; i < count; ++i) {
            for (Index k = 0; k < limbs_; ++k) to[i * (limbs_ + 1) + k] = now_[i * limbs_ + k];
            to[i * (limbs_ + 1) + limbs_] = 0;
            control.poll(limbs_);
        }
        ++limbs_;
        std::swap(now_, next_);
    }

private:
    int spare_;
    Buffer<Limb> now_, next_;
    Index limbs_ = 1;
};

// to += from; returns the highest limb. The sum must fit.
inline Limb add_limbs(Limb* to, const Limb* from, Index limbs) {
    Limb carry = 0, sum = 0;
    for (Index k = 0; k < limbs; ++k) {
        const Limb part = to[k] + carry;
        carry = part < carry ? 1 : 0;
        sum = part + from[k];
        carry |= sum < part ? 1 : 0;
        to[k] = sum;
    }
    return sum;
}

inline Limb copy_limbs(Limb* to, const Limb* from, Index limbs) {
    for (Index k = 0; k < limbs; ++k) to[k] = from[k];
    return to[limbs - 1];
}

}  // namespace meiro
