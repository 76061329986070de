// Random numbers, and choices among weights that are told by their logarithms.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

namespace bayesloom {

// A small generator of random numbers (SplitMix64), one stream for every key.
class Draws {
  public:
    explicit Draws(std::uint64_t key) : state_(key) {}

    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
        return x ^ (x >> 31);
    }
    double next() {  // from 0 up to below 1
        state_ += 0x9e3779b97f4a7c15U;
        return static_cast<double>(mixed(state_) >> 11) * 0x1.0p-53;
    }
    // One of 0 to n - 1, each as probable as the others.
    std::size_t below(std::size_t n) {
        return std::min(static_cast<std::size_t>(next() * static_cast<double>(n)), n - 1);
    }
    // The place of one of several weights, with a probability in proportion to exp(log_weight); at least
    // one of them is finite.
    std::size_t among(std::span<const double> log_weight) {
        const double most = *std::max_element(log_weight.begin(), log_weight.end());
        double sum = 0;
        for (const double w : log_weight) sum += std::exp(w - most);
        double left = next() * sum;
        std::size_t last = 0;
        for (std::size_t k = 0; k < log_weight.size(); ++k) {
            const double weight = std::exp(log_weight[k] - most);
            if (weight <= 0) continue;
            last = k;
            left -= weight;
            if (left < 0) break;
        }
        return last;
    }

  private:
    std::uint64_t state_;
};

inline constexpr double kLogZero = -std::numeric_limits<double>::infinity();  // the logarithm of 0

// Nats: of a million terms so far below the largest none changes the last bit of their sum.
inline constexpr double kNegligible = 50;

// The logarithm of exp(a) + exp(b).
inline double log_plus(double a, double b) {
    if (a < b) std::swap(a, b);
    return b < a - kNegligible || b == kLogZero ? a : a + std::log1p(std::exp(b - a));
}

// The logarithm of a sum of exponentials (log-sum-exp) whose terms come with the largest first.
class LogTotal {
  public:
    void add(double log_term) {
        if (sum_ == 0) first_ = log_term;
        if (!is_over_at(log_term)) sum_ += std::exp(log_term - first_);
    }
    // Whether a term like this and smaller ones no longer change the sum.
    bool is_over_at(double log_term) const { return log_term < first_ - kNegligible; }
    double value() const { return sum_ > 0 ? first_ + std::log(sum_) : kLogZero; }

  private:
    double first_ = kLogZero, sum_ = 0;
};

}  // namespace bayesloom
