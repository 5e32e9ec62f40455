// The natural logarithm by +, -, * and / alone, which IEEE 754 rounds alike everywhere: those of
// the C libraries differ in the last bit, from one library and even from one processor to another.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

namespace meiro {

// log(x) for x >= 0, to a unit in the last place: with x = 2^k (1 + g) and f = g / (2 + g), where
// |f| < 0.172, log(1 + g) = 2 (f + f^3 / 3 + f^5 / 5 + ...). As g is exact, 2 f is taken as
// g - g^2 / 2 + f g^2 / 2.
inline double natural_log(double x) {
    if (x == 0) return -std::numeric_limits<double>::infinity();
    int k = 0;
    double m = std::frexp(x, &k);
    if (m < std::numbers::sqrt2 / 2) {
        m *= 2;
        --k;
    }
    const double g = m - 1, f = g / (2 + g), square = f * f, half = 0.5 * g * g;
    double series = 0;
    for (int n = 23; n > 1; n -= 2) series = (series + 1.0 / n) * square;
    // log(2) in two parts; k times the first is exact.
    // NOLINTNEXTLINE(modernize-use-std-numbers)
    constexpr double high = 0x1.62e42fefap-1, low = 0x1.cf79abc9e3b3ap-40;
    return k * high - ((half - (f * (half + 2 * series) + k * low)) - g);
}

// log(1 + x) for x >= 0; the second term is what 1 + x lost when it was rounded.
inline double natural_log1p(double x) {
    const double sum = 1 + x;
    return natural_log(sum) + (x - (sum - 1)) / sum;
}

}  // namespace meiro
