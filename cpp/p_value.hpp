// p-values of chi-square statistics, as logarithms.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <unordered_map>

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
