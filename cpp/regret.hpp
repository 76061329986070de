// The parametric complexity (regret) of a multinomial variable, after Kontkanen and Myllymaki: the sum of the
// maximal likelihoods of all samples of n rows over k states, C(n, k).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "extended.hpp"

namespace bayesloom {

// C(n, 2) for n >= 1: 1 + Q(n) with Ramanujan's Q, the sum of n! / ((n - i)! n^i) over 1 <= i <= n. Few terms
// are summed; for more, Q is half of n! e^n / n^n minus Ramanujan's series, whose first term left out is
// below 1e-20.
inline Extended regret_of_two_states(std::int64_t n_rows) {
    constexpr std::int64_t few = 1 << 10;
    const Extended n = static_cast<Extended>(n_rows);
    if (n_rows < few) {
        Extended sum = 1, term = 1;
        for (std::int64_t i = 0; i < n_rows && term > sum * 1e-22L; ++i) {
            term *= (n - static_cast<Extended>(i)) / n;
            sum += term;
        }
        return sum;
    }
    constexpr Extended two_pi = 6.28318530717958647692528676655900577L;
    constexpr Extended series[] = {2.0L / 3,      8.0L / 135,          -16.0L / 2835,
                                   -32.0L / 8505, 17984.0L / 12629925, 668288.0L / 492567075};
    Extended rest = 0;
    for (int i = 5; i >= 0; --i) rest = rest / n + series[i];
    return 1 + (std::sqrt(two_pi * n) * std::exp(stirling_rest(n)) - rest) / 2;
}

// log C(n, k) by the recurrence C(n, k + 2) = C(n, k + 1) + n / k C(n, k), one state after the other: all
// terms have one sign, and only the ratio of two neighbours is carried, so nothing overflows.
class RegretSteps {
  public:
    explicit RegretSteps(std::int64_t n_rows)
        : n_(static_cast<Extended>(n_rows)), ratio_(n_rows > 0 ? regret_of_two_states(n_rows) : 1) {}

    Extended log_regret() const { return log_; }

    void add_state() {
        log_ += std::log(ratio_);
        ratio_ = 1 + n_ / (k_ * ratio_);
        k_ += 1;
    }

  private:
    Extended n_, ratio_, log_ = 0, k_ = 1;  // ratio_ is C(n, k + 1) / C(n, k)
};

// log C(n, k) as a function of n for one k.
class LogRegret {
  public:
    explicit LogRegret(std::int64_t n_states) : n_states_(n_states) {}

    Extended operator()(std::int64_t n) const {
        RegretSteps steps(n);
        for (std::int64_t k = 1; k < n_states_; ++k) steps.add_state();
        return steps.log_regret();
    }

  private:
    std::int64_t n_states_;
};

// log C(n, k) as a function of k for one n: exact up to kMostExact states, the approximation of Szpankowski
// and Weinberger beyond, where it is off by less than 0.2 / k. Grows as it is asked.
class Regrets {
  public:
    static constexpr std::size_t kMostExact = 1 << 16;

    explicit Regrets(std::int64_t n_rows) : n_(static_cast<Extended>(n_rows)), steps_(n_rows), known_{0} {}

    double operator()(double n_states) {
        if (n_ == 0) return 0;
        if (!(n_states <= static_cast<double>(kMostExact))) return approximation(n_states);
        const auto k = static_cast<std::size_t>(n_states);
        while (known_.size() < k) {
            steps_.add_state();
            known_.push_back(static_cast<double>(steps_.log_regret()));
        }
        return known_[k - 1];
    }

  private:
    double approximation(double n_states) const {
        const Extended a = static_cast<Extended>(n_states) / n_;
        const Extended below = 2 / (a + std::sqrt(a * a + 4 * a));  // c - 1, without cancellation
        const Extended c = 1 + below;
        return static_cast<double>(n_ * (std::log(a) + (a + 2) * std::log1p(below) - 1 / c) -
                                   std::log(c + 2 / a) / 2);
    }

    Extended n_;
    RegretSteps steps_;
    std::vector<double> known_;  // log C(n, 1), log C(n, 2), ...
};

}  // namespace bayesloom
