// p-values of chi-square statistics, as logarithms.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <unordered_map>
#include <utility>

#include "extended.hpp"

namespace bayesloom {

// log of the regularised upper incomplete gamma function Q(a, x): the log p-value of chi-square
// 2x with 2a degrees of freedom. Series below x = a + 1, Lentz's continued fraction above.
inline double log_gamma_q(double shape, double point) {
    const Extended a = shape, x = point;
    if (!(x > 0)) return 0;
    if (std::isinf(shape)) return 0;
    if (std::isinf(point)) return -std::numeric_limits<double>::infinity();
    // log(x^a e^-x / Gamma(a)), arranged so that large terms cancel before they are rounded.
    const Extended log_gamma_a1 =
        a >= 16 ? log_gamma_large(a + 1) : log_gamma_large(a + 17) - LogRising(a + 1)(16);
    const Extended log_front = a * std::log(x) - x - log_gamma_a1 + std::log(a);
    if (x < a + 1) {
        Extended term = 1 / a, sum = term;
        for (Extended k = a + 1; term > sum * 1e-20L; k += 1) sum += term *= x / k;
        const Extended p = std::exp(log_front + std::log(sum));
        return static_cast<double>(p < 1 ? std::log1p(-p) : -std::numeric_limits<Extended>::infinity());
    }
    Extended b = x + 1 - a, c = 1 / kTiny, d = 1 / b, h = d;
    for (Extended i = 1; i < 1e7L; i += 1) {
        const Extended an = -i * (i - a);
        b += 2;
        d = an * d + b;
        d = 1 / (std::fabs(d) < kTiny ? kTiny : d);
        c = b + an / c;
        c = std::fabs(c) < kTiny ? kTiny : c;
        const Extended step = d * c;
        h *= step;
        if (std::fabs(step - 1) < kClose) break;
    }
    return static_cast<double>(log_front + std::log(h));
}

// log of the regularised incomplete beta function I_x(a, b), x and y = 1 - x given by their logarithms:
// Lentz's continued fraction on the side where it converges fast (DiDonato and Morris 1992).
inline double log_beta(double first, double second, Extended log_x, Extended log_y) {
    Extended a = first, b = second;
    const bool turned = std::exp(log_x) > (a + 1) / (a + b + 2);
    if (turned) std::swap(a, b), std::swap(log_x, log_y);
    const Extended x = std::exp(log_x);
    const Extended front =
        a * log_x + b * log_y - (log_gamma(a) + log_gamma(b) - log_gamma(a + b)) - std::log(a);
    const auto away = [](Extended z) { return std::fabs(z) < kTiny ? kTiny : z; };
    Extended c = 1, d = 1 / away(1 - (a + b) * x / (a + 1)), h = d;
    for (Extended m = 1; m < 1e6L; m += 1) {
        const Extended even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 / away(1 + even * d), c = away(1 + even / c), h *= d * c;
        const Extended odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / away(1 + odd * d), c = away(1 + odd / c), h *= d * c;
        if (std::fabs(d * c - 1) < kClose) break;
    }
    const Extended log_p = front + std::log(h);
    return static_cast<double>(turned ? std::log1p(-std::exp(log_p)) : log_p);
}

// log p-value of Student's t of a (partial) correlation r with so many degrees of freedom, of both sides.
inline double log_correlation_p(double r, double df) {
    if (!(df > 0) || r == 0) return 0;
    const Extended size = std::fabs(static_cast<Extended>(r));
    if (size >= 1) return -std::numeric_limits<double>::infinity();
    return std::min(0.0, log_beta(df / 2, 0.5, std::log1p(-size) + std::log1p(size), 2 * std::log(size)));
}

// log p-values of chi-square statistics where only those up to a level matter: one above it may be told as 0,
// which is p = 1. A statistic below a critical value, found once for its degrees of freedom, then costs
// nothing.
class LogPScreen {
  public:
    explicit LogPScreen(double level) { set(level); }

    void set(double level) {
        const double log_level = level < 1 ? std::ceil(std::log2(level)) * std::numbers::ln2 : 0;
        if (log_level == log_level_ && critical_.size() < kMost) return;
        log_level_ = log_level;  // of a power of 2, because levels change little by little
        critical_.clear();
    }
    double log_p(double statistic, double df) {
        if (!(df > 0)) return 0;
        if (log_level_ < 0 && df <= kMostDf) {
            Critical& known = critical_[df];
            if (known.n_uses < kFew && ++known.n_uses == kFew) known.value = below(df);
            if (statistic < known.value) return 0;
        }
        return log_gamma_q(df / 2, statistic / 2);
    }

  private:
    static constexpr int kFew = 8;  // p-values cost less than finding a critical value
    static constexpr std::size_t kMost = 1 << 16;
    static constexpr double kMostDf = 1e6;  // above, the series at the critical value is long
    struct Critical {
        int n_uses = 0;
        double value = 0;
    };

    // A statistic whose p-value is a little above the level.
    double below(double df) const {
        double low = 0, high = df + 1;
        while (log_gamma_q(df / 2, high / 2) > log_level_) low = high, high *= 2;
        for (int k = 0; k < 20; ++k) {
            const double middle = (low + high) / 2;
            (log_gamma_q(df / 2, middle / 2) > log_level_ ? low : high) = middle;
        }
        return low * (1 - 1e-9);
    }

    double log_level_ = 0;
    std::unordered_map<double, Critical> critical_;
};

}  // namespace bayesloom
