// The step of a walk with run= or bias=: a neighbour has the weight (bias if the step is
// horizontal) * (run if it goes straight on), exact in integers.
#pragma once

#include "../../options.hpp"

namespace meiro {

class DirectionBias {
public:
    explicit DirectionBias(const Options& options) {
        if (!requested(options)) return;
        for (unsigned came = 0; came < 5; ++came)
            for (unsigned free = 0; free < 16; ++free) {
                std::uint64_t total = 0;
                for (unsigned d = 0; d < 4; ++d) {
                    const Factor weight = ((d & 1) != 0 ? options.bias : even_odds) *
                                          (came == d ? options.run : even_odds);
                    total += (free >> d & 1u) != 0 ? weight : 0;
                    upto_[came][free][d] = total;
                }
            }
    }
    static bool requested(const Options& options) {
        return options.run != even_odds || options.bias != even_odds;
    }

    // One of the directions in `free` (not 0); `came`: the direction of the last step, or none.
    // Only if requested.
    Direction pick(unsigned free, Direction came, Random& random) const {
        MEIRO_ASSERT(free > 0 && free < 16);
        const auto& upto = upto_[came == Direction::none ? 4 : static_cast<unsigned>(came)][free];
        MEIRO_ASSERT(upto[3] > 0);
        const auto drawn = static_cast<std::uint64_t>(random.below(static_cast<Index>(upto[3])));
        unsigned d = 0;  // without branches, which no processor foresees
        for (unsigned k = 0; k < 3; ++k) d += drawn >= upto[k] ? 1 : 0;
        return static_cast<Direction>(d);
    }

private:
    // By the last step and the free directions: the sum of the weights up to each direction.
    std::array<std::array<std::array<std::uint64_t, 4>, 16>, 5> upto_{};
};

}  // namespace meiro
