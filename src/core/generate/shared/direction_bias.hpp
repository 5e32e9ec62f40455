// The step of a walk with run= or bias=: a neighbour has the weight (bias if the step is
// horizontal) * (run if it goes straight on), exact in integers.
#pragma once

#include "../../options.hpp"

namespace meiro {

class DirectionBias {
public:
    explicit DirectionBias(const Options& options) {
        for (unsigned came = 0; came < 5; ++came)
            for (unsigned d = 0; d < 4; ++d)
                weights_[came][d] = ((d & 1) != 0 ? options.bias : even_odds) *
                                    (came == d ? options.run : even_odds);
    }
    static bool requested(const Options& options) {
        return options.run != even_odds || options.bias != even_odds;
    }

    // One of the directions in `free` (not 0); `came`: the direction of the last step, or none.
    Direction pick(unsigned free, Direction came, Random& random) const {
        MEIRO_ASSERT(free > 0 && free < 16);
        const auto& weights = weights_[came == Direction::none ? 4 : static_cast<unsigned>(came)];
        std::uint64_t total = 0;
        for (unsigned d = 0; d < 4; ++d) total += (free >> d & 1u) != 0 ? weights[d] : 0;
        auto left = static_cast<std::uint64_t>(random.below(static_cast<Index>(total)));
        for (unsigned d = 0;; ++d) {
            if ((free >> d & 1u) == 0) continue;
            if (left < weights[d]) return static_cast<Direction>(d);
            left -= weights[d];
        }
    }

private:
    std::array<std::array<std::uint64_t, 4>, 5> weights_{};
};

}  // namespace meiro
