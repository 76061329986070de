// Arithmetic in extended precision. Scores are small differences of large sums (N log N against
// N log N), so terms carry 64 bits of mantissa, their sums are exact, and what is left of them is rounded to
// double once, at the end.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "portable.hpp"

namespace bayesloom {

// A number in multiples of 2^-64. Sums of such numbers are exact, so their order does not matter, and adding
// one takes a cycle where a long double takes six.
using Fixed = Int128;
inline Fixed to_fixed(Extended x) { return static_cast<Fixed>(std::rint(x * 0x1p64L)); }
inline Extended from_fixed(Fixed x) {
#if defined(__SIZEOF_INT128__) && !defined(BAYESLOOM_PORTABLE)
    // Both halves are numbers, so their sum is rounded once, as the conversion of the whole is. It takes a
    // few cycles; the conversion is a function of the compiler's library.
    if constexpr (std::numeric_limits<Extended>::digits >= 64)
        return static_cast<Extended>(static_cast<std::int64_t>(x >> 64)) +
               static_cast<Extended>(static_cast<std::uint64_t>(x)) * 0x1p-64L;
#endif
    return static_cast<Extended>(x) * 0x1p-64L;
}

// The coefficients of 1 / z, 1 / z^3, ... in Stirling's series.
constexpr Extended kStirling[] = {1.0L / 12,   -1.0L / 360,      1.0L / 1260, -1.0L / 1680,
                                  1.0L / 1188, -691.0L / 360360, 1.0L / 156,  -3617.0L / 122400};

// What Stirling's series adds to (z - 1/2) log z - z + log(2 pi) / 2 to make log gamma, for z >= 16; the
// first term left out is below 1e-20.
inline Extended stirling_rest(Extended z) {
    const Extended inverse = 1 / z, square = inverse * inverse;
    Extended series = 0;
    for (int i = 7; i >= 0; --i) series = series * square + kStirling[i];
    return series * inverse;
}

// stirling_rest(z) - stirling_rest(z + d) for d >= 0, to full precision however small d is: with u = 1 / z
// and v = 1 / (z + d), every u^m - v^m is u - v = d u v times the sum of all u^i v^(m - 1 - i).
inline Extended stirling_fall(Extended z, Extended d) {
    const Extended u = 1 / z, v = 1 / (z + d);
    Extended powers = 1, last = v, series = kStirling[0];
    for (int i = 1; i < 8; ++i) {
        for (int step = 0; step < 2; ++step, last *= v) powers = powers * u + last;
        series += kStirling[i] * powers;
    }
    return d * u * v * series;
}

// log gamma for z >= 16.
inline Extended log_gamma_large(Extended z) {
    constexpr Extended half_log_two_pi = 0.918938533204672741780329736405617640L;
    return (z - 0.5L) * std::log(z) - z + half_log_two_pi + stirling_rest(z);
}

// log(Gamma(b + n) / Gamma(b)) as a function of n >= 0 for one b > 0. Few terms are summed one by one, so
// nothing cancels when b is tiny; beyond them two Stirling series are subtracted term by term, so nothing
// cancels when b is huge.
class LogRising {
  public:
    explicit LogRising(Extended b) : b_(b), from_(b + kFew), few_(sum(kFew)), rest_(stirling_rest(from_)) {}

    Extended operator()(std::int64_t n) const {
        if (n <= kFew) return sum(n);
        const Extended m = static_cast<Extended>(n - kFew), to = from_ + m;
        return few_ + (from_ - 0.5L) * std::log1p(m / from_) + m * (std::log(to) - 1) +
               (stirling_rest(to) - rest_);
    }

    // The same minus n log n - n, without cancellation for n much larger than b.
    Extended beyond_n_log_n(std::int64_t n) const {
        const Extended all = static_cast<Extended>(n);
        if (n <= kFew) return n == 0 ? 0 : sum(n) - all * std::log(all) + all;
        const Extended m = static_cast<Extended>(n - kFew), to = from_ + m;
        return few_ + (from_ - 0.5L) * std::log1p(m / from_) + all * std::log1p(b_ / all) -
               kFew * (std::log(to) - 1) + (stirling_rest(to) - rest_);
    }

  private:
    static constexpr std::int64_t kFew = 16;

    Extended sum(std::int64_t n) const {
        Extended total = 0;
        for (std::int64_t i = 0; i < n; ++i) total += std::log(b_ + static_cast<Extended>(i));
        return total;
    }

    Extended b_, from_, few_, rest_;
};

// log gamma for z > 0.
inline Extended log_gamma(Extended z) {
    return z >= 16 ? log_gamma_large(z) : log_gamma_large(z + 16) - LogRising(z)(16);
}

// The sum of log((b + i) / (b + i + d)) over 0 <= i < n, for b > 0 and d >= 0: the chance that n rows in turn
// fall into a cell with prior count b while the cells beside it have d. Keeps its digits however small or
// large b and d are, and however close to 0 the sum is. Few terms are multiplied one by one; for more, four
// log gammas are arranged so that no small difference of large terms is left.
inline Extended log_chance(Extended b, Extended d, std::int64_t n) {
    constexpr std::int64_t few = 16;
    const std::int64_t head = n <= few ? n : (b < few ? few : 0);
    Extended sum = 0;
    if (head > 0) {
        sum = d < b ? std::log1p(d / b) : std::log(b + d) - std::log(b);  // d / b may be beyond all numbers
        Extended product = 0;                                             // less 1
        for (std::int64_t i = 1; i < head; ++i) {
            const Extended term = d / (b + static_cast<Extended>(i));
            product += term + product * term;
        }
        sum += std::log1p(product);
    }
    if (head < n) {
        const Extended x = b + static_cast<Extended>(head), m = static_cast<Extended>(n - head);
        sum += m * std::log1p(d / (x + m)) + d * std::log1p(m / (x + d)) -
               (x - 0.5L) * std::log1p(m / x * (d / (x + m + d))) +
               (stirling_fall(x, d) - stirling_fall(x + m, d));
    }
    return -sum;
}

inline Extended n_log_n(std::int64_t n) {
    const Extended x = static_cast<Extended>(n);
    return n < 2 ? 0 : x * std::log(x);
}

// (1 + d) log(1 + d) - d for d > -1: what a cell with the expected count E and the count E (1 + d) adds to
// N I(x; y), divided by E. Nothing cancels around 0.
inline Extended excess(Extended d) {
    if (std::fabs(d) > 0.0625L) return (1 + d) * std::log1p(d) - d;
    Extended series = 0;
    for (int k = 18; k >= 2; --k) series = 1 / static_cast<Extended>(k * (k - 1)) - d * series;
    return d * d * series;
}

}  // namespace bayesloom
